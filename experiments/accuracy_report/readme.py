"""What the README quotes of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accuracy_report.cells import cells_of, comparable, mean_reduction
from accuracy_report.rows import BEST, FAST
from accuracy_report.tables import NOTHING, behind_lines, beside_table
from paper_tables.markdown import markdown
from tables import README, fill_readme

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from accuracy_report.cells import Cell
    from accuracy_report.results import Results, Sheet

ACCURACY, SPEED = "accuracy", "speed"  # the places that the tables have
SIZE = "50k"  # the size of text of the table of speed
SPEED_SYSTEMS = {
    BEST: "Cepts",
    FAST: "Cepts, `--method fast`",
    "fast_align": "fast_align",
    "eflomal": "eflomal",
}


def quote(results: Results, sheet: Sheet, readme: Path = README) -> None:
    """Put the README's quotations in their places."""
    cells = cells_of(results, sheet)
    fill_readme(ACCURACY, quotation(cells), readme)
    fill_readme(SPEED, speed_quotation(cells), readme)


def quotation(cells: list[Cell]) -> str:
    """Write the table of error rates, and what it comes to."""
    known = comparable(cells)
    reduction = mean_reduction(known)
    if reduction is None:
        return "No peer has been run."
    names = " or ".join(sorted({cell.best_peer for cell in known}))
    return (
        f"{beside_table(cells)}\n\nThe best other aligner is {names} in all {len(known)} cells."
        f" On average the error rate of Cepts is {reduction:.0f} % lower. {behind_lines(cells)}"
    )


def speed_quotation(cells: Iterable[Cell]) -> str:
    """Write the CPU seconds of each system on texts of one size."""
    found = [cell for cell in cells if cell.size == SIZE and cell.peers]
    rows = [[cell.corpus, *(seconds(cell, name) for name in SPEED_SYSTEMS)] for cell in found]
    return markdown(["CPU seconds", *SPEED_SYSTEMS.values()], rows) if rows else "No peer has been run."


def seconds(cell: Cell, system: str) -> str:
    """Write the CPU seconds of one system in one cell."""
    record = cell.records.get(system)
    return NOTHING if record is None else f"{record['cpu_seconds']:.0f}"
