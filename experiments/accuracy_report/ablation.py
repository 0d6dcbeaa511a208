"""The ablation: what each variant of `best` loses, on average and by corpus, and what it costs."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from accuracy_report.rows import BEST, CORPORA, VARIANT, sizes_of, variant_systems
from accuracy_report.scoring import aer_of, lower
from paper_tables.comparing import SIGNIFICANT
from paper_tables.markdown import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accuracy_report.results import Results, Sheet
    from cepts.evaluation import Comparison
    from paper_tables.store import Record

NOTE = (
    "By how many points the AER is above that of `best`, on average over sizes; in brackets the middle 95 % of samples "
    "of the sentences; in bold: by more than chance (p < 0.05). A minus means that the variant is better."
)


class Both(NamedTuple):
    """A variant and `best` at the same places."""

    best: list[Record]
    variant: list[Record]

    @property
    def loss(self) -> Comparison:
        """By how much the variant's AER is higher."""
        return lower(self.best, self.variant)

    @property
    def cost(self) -> float:
        """The CPU seconds of the variant, as a multiple of those of `best`."""
        ours, others = (sum(one["cpu_seconds"] for one in records) for records in self)
        return float(others / ours)


def both(results: Results, sheet: Sheet, system: str, corpora: Sequence[str]) -> Both:
    """Return the records of a variant and of `best`, where both are there."""
    found = [
        (results.record(sheet, corpus, size, BEST), results.record(sheet, corpus, size, system))
        for corpus in corpora
        for size in sizes_of(corpus)
    ]
    known = [(best, variant) for best, variant in found if best is not None and variant is not None]
    return Both([best for best, _ in known], [variant for _, variant in known])


def ablation_table(results: Results, sheet: Sheet) -> str:
    """Write a row for each variant that was run."""
    every = tuple(CORPORA)
    known = [name for name in variant_systems() if both(results, sheet, name, every).variant]
    rows = [variant_cells(results, sheet, name) for name in known]
    heads = ["variant", "cells", "AER", "best there", "above best", *CORPORA, "CPU, best = 1"]
    return f"{markdown(heads, rows)}\n\n{NOTE}" if rows else ""


def variant_cells(results: Results, sheet: Sheet, system: str) -> list[str]:
    """Write one variant."""
    every = both(results, sheet, system, tuple(CORPORA))
    parts = [both(results, sheet, system, (corpus,)) for corpus in CORPORA]
    return [
        system.removeprefix(VARIANT),
        str(len(every.variant)),
        *(f"{mean(map(aer_of, records)):.2f}" for records in reversed(every)),
        loss_text(every.loss, interval=True),
        *(loss_text(part.loss) if part.variant else "-" for part in parts),
        f"{every.cost:.2f}",
    ]


def loss_text(found: Comparison, *, interval: bool = False) -> str:
    """Write a difference, bold where it is sure.

    >>> from cepts.evaluation import Comparison
    >>> loss_text(Comparison(0.5, 0.25, 0.75, 0.001), interval=True)
    '**+0.50** (+0.25 to +0.75)'
    """
    mark = "**" if found.p < SIGNIFICANT else ""
    ends = f" ({found.low:+.2f} to {found.high:+.2f})" if interval else ""
    return f"{mark}{found.difference:+.2f}{mark}{ends}"
