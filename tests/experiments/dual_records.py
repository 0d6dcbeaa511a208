"""Results of both directions that were never measured: records in which all that is claimed is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.combine import HEURISTICS
from denero_2011.results import Results, Sheet
from denero_2011.rows import CORPORA, ROUNDS, RUNS, Run

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
    """Scores in percent; precision and recall are what AER is not."""
    phrases = {"precision": f1 / 100, "recall": f1 / 100, "f1": f1 / 100}
    right = 1 - aer / 100
    return {"precision": right, "recall": right, "aer": aer / 100, "links": links, "phrases": phrases}


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
        **sheet.place(run, corpus),
        "signature": run.recipe.signature,
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
        "scores": {"baseline": baseline, "dual": dual, "posterior": {"posterior": make_scores(20, 60, 70)}},
        "certificates": {
            "scored": make_certificates(10, 1, 1, 5, 10, 100, 250),
            "all": make_certificates(1010, *[1] * 101),
        },
        "seconds": {"training": 9.0, "plain": 2.0, "dual": 7.0, "posterior": 2.0},
    }


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
