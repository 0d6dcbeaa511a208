"""Results of both directions that were never measured: records in which all that is claimed is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.combine import HEURISTICS
from denero_2011.figures import PAPER
from denero_2011.results import Results, Sheet
from denero_2011.rows import BEST, CORPORA, PAPER_CORPUS, RELEASED, ROUNDS, RUNS, Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[dict[str, Any]], None]  # of a record

# AER and phrase F1, in percent, of what the rules make of both directions; dual links have their intersection before.
ERRORS = {
    "union": 35,
    "intersection": 30,
    "grow-diag": 29,
    "grow-diag-final": 34,
    "grow-diag-final-and": 31,
}
PHRASES = {
    "union": 45,
    "intersection": 52,
    "grow-diag": 51,
    "grow-diag-final": 46,
    "grow-diag-final-and": 53,
}


def make_scores(aer: float, f1: float, links: int) -> dict[str, Any]:
    """Scores in percent; precision and recall are what AER is not; by the looser rule phrase F1 is 1 lower."""
    phrases, loose = (dict.fromkeys(("precision", "recall", "f1"), one / 100) for one in (f1, f1 - 1))
    right = 1 - aer / 100
    return {
        "precision": right,
        "recall": right,
        "aer": aer / 100,
        "links": links,
        "phrases": phrases,
        "phrases_any": loose,
    }


def make_certificates(pairs: int, *rounds: int) -> dict[str, Any]:
    """Some pairs, of which these got their certificates in these rounds."""
    return {
        "pairs": pairs,
        "mean_rounds": 12.3,
        "in_round": [rounds.count(number) for number in range(ROUNDS + 1)],
    }


def make_record(sheet: Sheet, run: Run, corpus: str) -> dict[str, Any]:
    """Agreement rises from 50 to 80 of 100, AER falls from 29 or more to 25, phrase F1 rises from 53 or less to 56."""
    links = {rule: 50 if rule == "intersection" else 100 for rule in HEURISTICS}
    baseline = {rule: make_scores(ERRORS[rule], PHRASES[rule], links[rule]) for rule in HEURISTICS}
    dual = {rule: make_scores(28, 54, 100) for rule in HEURISTICS} | {"intersection": make_scores(25, 56, 80)}
    return {
        **made_of(sheet, run, corpus),
        "scores": {"baseline": baseline, "dual": dual, "posterior": {"posterior": make_scores(20, 60, 70)}},
        "gains": {
            "aer": [-5.0, -7.0, -3.0, 0.001],
            "phrases": [4.0, 1.0, 7.0, 0.01],
            "phrases_any": [4.0, 0.5, 7.5, 0.02],
        },
        "certificates": {
            "scored": make_certificates(10, 1, 1, 5, 10, 100, 250),
            "all": make_certificates(1010, *[1] * 101),
        },
        "seconds": {"training": 9.0, "plain": 2.0, "dual": 7.0, "posterior": 2.0},
    }


def made_of(sheet: Sheet, run: Run, corpus: str) -> dict[str, Any]:
    """What every record has: where it belongs, and how it was made."""
    return {
        **sheet.place(run, corpus),
        "signature": run.signature,
        "cepts": "9.9",
        "threads": 2,
        "machine": "a machine, 2 cores",
        "text": {
            "scored": 10,
            "pairs": 1010,
            "source_words": 5000,
            "target_words": 6000,
            "read_seconds": 6.0,
        },
        "wall_seconds": 54.0,
        "cpu_seconds": 20.0,
    }


def make_best(sheet: Sheet, corpus: str, aer: float = 22.0) -> dict[str, Any]:
    """A record of the default recipe, which has links of its own alone."""
    return {
        **made_of(sheet, BEST, corpus),
        "scores": {"posterior": {"posterior": make_scores(aer, 60, 70)}},
        "interval_aer": [0.2, 0.24],
        "seconds": {"training": 9.0, "plain": 2.0},
    }


def make_released(sheet: Sheet) -> dict[str, Any]:
    """A record of the paper's own links, with the figures that were printed; table 1 counts each link twice."""
    scores: dict[str, dict[str, Any]] = {"baseline": {}, "dual": {}}
    for (model, rule), (precision, recall, aer) in PAPER.links.items():
        names = ("precision", "recall", "f1")
        phrases = {name: value / 100 for name, value in zip(names, PAPER.phrases[model, rule], strict=True)}
        overlap = PAPER.overlaps[model]
        scores[model][rule] = {
            "precision": precision / 100,
            "recall": recall / 100,
            "aer": aer / 100,
            "links": {"union": overlap.any // 2, "intersection": overlap.both // 2}.get(rule, 5000),
            "phrases": phrases,
            "phrases_any": phrases,
        }
    return {**made_of(sheet, RELEASED, PAPER_CORPUS), "scores": scores, "seconds": {}}


def make_beside(results: Results, sheet: Sheet) -> None:
    """Add the records that stand beside those of the recipes."""
    for record in (make_best(sheet, PAPER_CORPUS), make_released(sheet)):
        results.records[results.place_of(record)] = record


def make_results(
    path: Path,
    sheet: Sheet,
    change: Change | None = None,
    place: tuple[str, str] = ("bidirectional", "ro-en"),
    corpora: tuple[str, ...] = tuple(CORPORA),
) -> Results:
    """Results of every run on some corpora, with one record changed: that of a run on a corpus."""
    results = Results(path)
    for run in RUNS:
        for corpus in corpora:
            record = make_record(sheet, run, corpus)
            if change is not None and (run.name, corpus) == place:
                change(record)
            results.records[results.place_of(record)] = record
    return results
