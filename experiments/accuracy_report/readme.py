"""What the README quotes of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accuracy_report.cells import cells_of, comparable, mean_reduction
from accuracy_report.tables import behind_lines, beside_table
from tables import README, fill_readme

if TYPE_CHECKING:
    from pathlib import Path

    from accuracy_report.cells import Cell
    from accuracy_report.results import Results, Sheet

MARKER = "accuracy"


def quote(results: Results, sheet: Sheet, readme: Path = README) -> None:
    """Put the README's quotation in its place."""
    fill_readme(MARKER, quotation(cells_of(results, sheet)), readme)


def quotation(cells: list[Cell]) -> str:
    """Write the table, and what it comes to."""
    known = comparable(cells)
    reduction = mean_reduction(known)
    if reduction is None:
        return "No peer has been run."
    complete = sum(cell.is_complete for cell in known)
    return (
        f"{beside_table(cells)}\n\nOn average over these {len(known)} cells the AER of `best` is {reduction:.0f} %"
        f" below that of the best peer. {behind_lines(cells)} Cells of which all peers have been run: {complete}."
    )
