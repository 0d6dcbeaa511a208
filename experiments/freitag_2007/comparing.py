"""Two rows on the same names: how much better one is, and whether that may be chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from freitag_2007.rows import FOLDED, rows_of
from paper_tables.comparing import better

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts.evaluation import Comparison
    from freitag_2007.results import Results, Sheet
    from paper_tables.store import Record

# The rows that are compared: the first is expected to be better.
PAIRS = {
    "consonants": (("edits-0", "levenshtein"),),
    "rhymes": (
        ("edits-3", "edits-2"),
        ("edits-2", "edits-1"),
        ("edits-1", "edits-0"),
        ("edits-3", "suffix"),
        ("suffix", "levenshtein"),
        ("edits-0", "levenshtein"),
    ),
    "transcription": (
        ("ptem", "smt-4gram"),
        ("ptem-zero", "smt-4gram"),
        ("ptem-zero", "ptem"),
        ("combination-printed", "ptem"),
        ("combination-printed", "smt-4gram"),
        ("edits", "ptem"),
        ("edits", "phonetisaurus"),
        ("edits", "smt"),
        ("combination", "edits"),
        ("combination", "smt"),
        ("combination", "combination-printed"),
        ("combination", "phonetisaurus"),
    ),
    "ranking": (
        ("smt-no-lm", "smt"),
        ("ibm4", "hmm"),
        ("ibm4", "smt"),
        ("smt+ibm4", "ibm4"),
        ("g-3", "g-1"),
        ("g-3-zero", "g-3"),
        ("e-3", "g-3"),
        ("r-1", "g-3"),
        ("r-1", "g-3-zero"),
        ("r-1", "smt+ibm4"),
        ("r-1+ibm4", "r-1"),
        ("r-1+ibm4", "smt+ibm4"),
    ),
}
MEASURES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "transcription": {
        "1-best": lambda ranks: ranks == 1,
        "5-best": lambda ranks: (ranks > 0) & (ranks <= 5),
    },
    "ranking": {"accuracy": lambda ranks: ranks == 1, "mrr": lambda ranks: 1 / ranks},
}
FOLD_MEASURE = {"consonants": "agreeing", "rhymes": "precision"}


class Compared(NamedTuple):
    """A row, the row it is compared with, and by measure how much better it is."""

    better: str
    worse: str
    measures: dict[str, Comparison]


def compared(results: Results, sheet: Sheet, table: str, corpus: str) -> list[Compared]:
    """Compare all pairs of rows of a table that are there."""
    rows = {row.name: row for row in rows_of(table)}
    found = []
    for one, other in PAIRS.get(table, ()):
        records = [results.record(sheet, rows[name], corpus) for name in (one, other)]
        if records[0] is not None and records[1] is not None:
            found.append(Compared(one, other, compare(table, records[0], records[1])))
    return found


def compare(table: str, one: Record, other: Record) -> dict[str, Comparison]:
    """Compare two records name by name, or block by block of words."""
    if table in FOLDED:
        weights = np.array(one["of"], np.float64) / np.mean(one["of"])
        shares = [
            np.array(record["right"]) / np.maximum(record["of"], 1) * weights for record in (one, other)
        ]
        return {FOLD_MEASURE[table]: better(*shares)}
    ranks = [np.array(record["ranks"]) for record in (one, other)]
    return {name: better(value(ranks[0]), value(ranks[1])) for name, value in MEASURES[table].items()}
