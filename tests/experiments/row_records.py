"""Made-up records of rows of tables, for the reports of names and of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from paper_tables.judging import Claim
    from paper_tables.table_rows import Row, RowStore

    Asked = list[tuple[str, str, str]]

Results = TypeVar("Results", bound="RowStore")

MADE = {
    "cepts": "9.9",
    "threads": 2,
    "machine": "a machine, 2 cores",
    "wall_seconds": 1.0,
    "cpu_seconds": 6.0,
}


def estimate(good: int) -> list[float]:
    """The share of `good` in 100, and its interval."""
    return [good / 100, good / 100 - 0.01, good / 100 + 0.01]


def filled(results: Results, make: Callable[[Row, str], dict[str, Any]]) -> Results:
    """Put in a record for every row on every corpus of its."""
    for row in results.rows:
        for corpus in row.corpora:
            record = make(row, corpus)
            results.records[results.place_of(record)] = record
    return results


def without(results: RowStore, name: str) -> None:
    """Take the records of a row away."""
    results.records = {place: one for place, one in results.records.items() if one["row"] != name}


def verdicts(judged: Iterable[Claim]) -> dict[str, str]:
    """Verdicts by their claims."""
    return {claim.text: claim.verdict for claim in judged}


class Asking:
    """Runs an experiment whose measuring notes in `asked` what it was asked for."""

    def __init__(self, main: Callable[[list[str]], None], folder: Path) -> None:
        self.asked: Asked = []
        self._main, self._folder = main, folder

    def run(self, *arguments: str) -> Asked:
        """What is asked for by a command line."""
        self.asked.clear()
        self._main([*arguments, "--output", str(self._folder)])
        return list(self.asked)
