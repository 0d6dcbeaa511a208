"""Results of cepts that were never measured: records in which all that is claimed is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goutte_2004.choosing import choose_on_dev, curved_rows
from goutte_2004.results import Results, Sheet, speed_place
from goutte_2004.rows import BY_NAME, CONFIDENCES, CORPORA, OURS, RULES, RUNS, Row, Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[dict[str, Any]], None]  # of a record

# What dev is to choose: AER 8 and 9 with 92 percent of the words; AER 5 with fewer.
COVERING = {"aic": Row("attached", "aic", 1000.0, 0.3), "bic": Row("sum", "bic", 1000.0, 0.03)}
CURVE, AT = Row("product", "aic", 1000.0, 0.1), CONFIDENCES.index(0.85)
SENTENCE = {
    "source": ["they", "need"],
    "target": ["ils", "ont", "besoin"],
    "gold": [[0, 0, True], [1, 2, False]],
    "counts": [[0.0, 10.0, 20.0, 0.0], [0.0, 190.0, 0.0, 0.0], [0.0, 0.0, 80.0, 150.0]],
    "source_shares": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    "target_shares": [[0.0, 0.9, 0.1], [0.6, 0.4, 0.0], [0.99, 0.004, 0.006]],
    "noise": 0.001,
    "criteria": [
        {"likelihood": -900.0, "aic": -903.0, "bic": -910.0, "noise": 0.02},
        {"likelihood": -890.0, "aic": -896.0, "bic": -911.0, "noise": 0.001},
    ],
    "links": [[0, 0], [1, 1], [1, 2]],
}


def make_figures(aer: float, aligned: float = 95.0) -> dict[str, Any]:
    """Figures, of which only AER and coverage matter."""
    scores = [50.0, 90.0, 64.2857, 80.0, 35.0, 48.6957]
    return {
        "plain": [*scores, aer],
        "null": [*scores, aer + 5.0],
        "links_per_word": 1.25,
        "aligned": aligned,
    }


def make_record(sheet: Sheet, run: Run, corpus: str) -> dict[str, Any]:
    """Cepts have AER 20, but 4 where too few words are in them; heuristics have 7 or more."""
    rows = {row.key: make_figures(20.0) for row in run.rows}
    rows |= {
        Row("product", criterion, run.scales[0]).key: make_figures(4.0, 89.9) for criterion in ("aic", "bic")
    }
    curves = {}
    if run is OURS:
        rows |= {COVERING["aic"].key: make_figures(8.0, 92.0), COVERING["bic"].key: make_figures(9.0, 92.0)}
        curves = {row.key: [make_figures(10.0, 80.0) for _ in CONFIDENCES] for row in curved_rows()}
        curves[CURVE.key][AT] = make_figures(5.0, 70.0)
    return {
        **sheet.place(run.name, corpus),
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
        "loaded": False,
        "wall_seconds": 54.0,
        "cpu_seconds": 20.0,
        "rows": rows,
        "rules": {rule: make_figures(7.0 + at, 75.0) for at, rule in enumerate(RULES)},
        "curves": curves,
        "sentence": SENTENCE if (sheet.part, corpus) == ("dev", "en-fr-hansards") else None,
    }


def make_speed(pairs: int | None = None) -> dict[str, Any]:
    """As fast as was promised: 2,500 pairs a second, 2,000 with the matrices."""
    return {
        **speed_place(pairs),
        "signature": BY_NAME["fast"].recipe.signature,
        "machine": "a machine, 2 cores",
        "factorised": 50_000,
        "rounds": [[5.0, 20.0]] * 3,
        "matrices_seconds": 5.0,
        "factorising_seconds": 20.0,
    }


def make_results(
    path: Path,
    sheet: Sheet,
    change: Change | None = None,
    place: tuple[str, str] = ("cepts", "ro-en"),
    corpora: tuple[str, ...] = tuple(CORPORA),
) -> Results:
    """Results of dev, its choice, and those of a sheet, in which one record is changed: that of a run on a corpus."""
    results = Results(path)
    fill(results, sheet.dev, tuple(CORPORA))
    choice = choose_on_dev(results, sheet)
    assert choice is not None
    for record in (choice, make_speed()):
        results.records[results.place_of(record)] = record
    if sheet.part != "dev":
        fill(results, sheet, corpora)
    if change is not None:
        run, corpus = place
        record_there = results.record(sheet, BY_NAME[run], corpus)
        assert record_there is not None
        change(record_there)
    return results


def fill(results: Results, sheet: Sheet, corpora: tuple[str, ...]) -> None:
    """Put in all records of a sheet."""
    for run in RUNS:
        for corpus in corpora:
            record = make_record(sheet, run, corpus)
            results.records[results.place_of(record)] = record
