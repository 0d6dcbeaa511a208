"""Results that were never trained: records with figures of a test's choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schoenemann_2011.results import Results, Sheet
from schoenemann_2011.rows import COLUMNS, RUNS, Column, Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Figure = Callable[[str, str], float | None]  # of a row and a column; None: no such record

SENTENCES = 10


def make_stage(weighted_f: float, objective: float, **changes: Any) -> dict[str, Any]:
    """A stage of two iterations: F in percent, a final objective."""
    scores = {
        "weighted_f": weighted_f / 100,
        "aer": 1 - weighted_f / 100,
        "mean_weighted_f": weighted_f / 200,
        "mean_aer": 0.5,
        "sentences": SENTENCES,
        "mean_sentences": SENTENCES - 1,
    }
    return {
        "model": "hmm",
        "iterations": 2,
        "objective": objective,
        "objectives": [4 * objective, 2 * objective, objective],
        "wall_seconds": 3.0,
        "cpu_seconds": 5.0,
        "wall_after": [0.0, 1.5, 3.0],
        "cpu_after": [0.0, 2.5, 5.0],
        "peak_mb": 100.0,
        "oversized": 0,
        "scores": scores,
    } | changes


def make_record(
    sheet: Sheet, run: Run, column: Column, stages: list[dict[str, Any] | None], **changes: Any
) -> dict[str, Any]:
    """A record of a run."""
    return {
        **sheet.place(run, column),
        "signature": sheet.signature(run, column),
        "cepts": "9.9",
        "threads": 2,
        "machine": "a machine, 2 cores",
        "text": {
            "scored": SENTENCES,
            "pairs": SENTENCES + 1000,
            "source_words": 5000,
            "target_words": 6000,
            "read_seconds": 6.0,
        },
        "strength": 2.5,
        "wall_seconds": 12.0,
        "cpu_seconds": 20.0,
        "stages": stages,
    } | changes


def make_results(path: Path, sheet: Sheet, weighted_f: Figure, objective: Figure | None = None) -> Results:
    """Results of every run of which the last row has an F; objectives are 1000 where nothing is said."""
    results = Results(path)
    for run in RUNS:
        for column in (one for one in COLUMNS if one.corpus in run.corpora):
            stages: list[dict[str, Any] | None] = []
            for row in run.rows:
                f = None if row is None else weighted_f(row, column.name)
                energy = 1000.0 if objective is None or row is None else objective(row, column.name)
                stages.append(None if f is None or energy is None else make_stage(f, energy))
            if stages[-1] is not None and run.rows[-1] in sheet.shape.rows:
                record = make_record(sheet, run, column, stages)
                results.records[tuple(sheet.place(run, column).values())] = record
    return results
