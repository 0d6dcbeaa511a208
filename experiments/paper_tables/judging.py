"""Claims: a sentence, whether it holds, and the numbers that decide it."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from paper_tables.store import Record
    from paper_tables.table_rows import RowStore, Sheet

    Condition = Callable[[Sequence[float]], bool]


class Claim(NamedTuple):
    """A sentence, whether it holds (yes, no, incomplete, -), and the numbers, ours and the paper's."""

    text: str
    verdict: str
    ours: str
    paper: str = "-"


class Numbers(NamedTuple):
    """The numbers that a claim is about, by column, and how many there should be."""

    values: dict[str, float]
    expected: int

    def verdict(self, holds: Condition) -> str:
        """Judge numbers that are complete."""
        if not self.values:
            return "-"
        if len(self.values) < self.expected:
            return "incomplete"
        return "yes" if holds(list(self.values.values())) else "no"

    def text(self, form: str = "+.1f") -> str:
        """Write the least and the greatest, with their columns, and the mean.

        >>> Numbers({"Es|En": 1.0, "En|Es": 2.0}, 6).text()
        '+1.0 (Es|En) to +2.0 (En|Es), mean +1.5 (2 of 6)'
        """
        if not self.values:
            return "-"
        ordered = sorted(self.values, key=self.values.__getitem__)
        ends = " to ".join(f"{self.values[name]:{form}} ({name})" for name in (ordered[0], ordered[-1]))
        known = "" if len(self.values) == self.expected else f" ({len(self.values)} of {self.expected})"
        return f"{ends}, mean {mean(self.values.values()):{form}}{known}"


def all_above(least: float) -> Condition:
    """Every number is above `least`."""
    return lambda values: min(values) > least


def all_below(most: float) -> Condition:
    """Every number is below `most`."""
    return lambda values: max(values) < most


def none_above(most: float) -> Condition:
    """No number is above `most`."""
    return lambda values: max(values) <= most


def on_average(least: float) -> Condition:
    """The mean is at least `least`."""
    return lambda values: mean(values) >= least


class Judge:
    """Looks figures of rows up, and judges claims about them; `form` is how figures are written."""

    def __init__(self, results: RowStore, sheet: Sheet, form: str = ".3f") -> None:
        self._results, self._sheet, self._form = results, sheet, form
        self._rows = {(row.table, row.name): row for row in results.rows}
        self.claims: list[Claim] = []

    def record(self, table: str, name: str, corpus: str) -> Record | None:
        """Return a record of a row."""
        return self._results.record(self._sheet, self._rows[table, name], corpus)

    def figure(self, table: str, name: str, measure: str, corpus: str) -> float | None:
        """Return a figure, if it is there."""
        record = self.record(table, name, corpus)
        return None if record is None else float(record[measure][0])

    def say(
        self, text: str, figures: dict[str, float | None], holds: Callable[..., bool], printed: str = "-"
    ) -> None:
        """Judge a claim about figures, once all of them are there."""
        known = {name: value for name, value in figures.items() if value is not None}
        ours = ", ".join(f"{name} {value:{self._form}}" for name, value in known.items()) or "-"
        verdict = "-" if len(known) < len(figures) else "yes" if holds(*known.values()) else "no"
        self.claims.append(Claim(text, verdict, ours, printed))

    def said(self) -> list[Claim]:
        """List the claims of which there are numbers of ours."""
        return [claim for claim in self.claims if claim.ours != "-"]
