"""The plots, as `cepts plot` draws them: AER and CPU seconds by size, and what confidences are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accuracy_report.cells import cells_of
from accuracy_report.judging import CALIBRATED
from accuracy_report.reliability import bins_of
from accuracy_report.rows import OURS
from accuracy_report.tables import corpora_with_rows, of_corpus
from cepts.storage import atomic_writer
from cepts.views.charts import draw_chart
from cepts.views.plots import plot_accuracy, plot_speed, reliability_panel
from cepts.views.records import measured

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from accuracy_report.cells import Cell
    from accuracy_report.results import Results, Sheet
    from cepts.evaluation import Bin
    from cepts.views.records import Measured


def write_plots(results: Results, sheet: Sheet, folder: Path) -> dict[str, Path]:
    """Draw what there are records for; returns the files by the plots' names."""
    drawings = drawings_of(results, sheet)
    written = {name: folder / f"{sheet.stem}-{name}.svg" for name in drawings}
    for name, path in written.items():
        with atomic_writer(path) as file:
            file.write(drawings[name])
    return written


def drawings_of(results: Results, sheet: Sheet) -> dict[str, str]:
    """Draw what there are records for, by name, as SVG."""
    rows, cells = rows_of(results, sheet), cells_of(results, sheet)
    drawings = {"aer": plot_accuracy(rows), "cpu": plot_speed(rows)} if rows else {}
    if any(curves_of(cells, corpus) for corpus in corpora_with_rows(cells)):
        drawings["reliability"] = draw_reliability(cells)
    return drawings


def rows_of(results: Results, sheet: Sheet) -> list[Measured]:
    """Return the rows of a sheet as `cepts plot` reads them."""
    return [measured(record, record["system"]) for record in results.of_sheet(sheet)]


def draw_reliability(cells: Sequence[Cell]) -> str:
    """Draw the share of right links by their confidence, a panel for each corpus."""
    curves = {corpus: curves_of(cells, corpus) for corpus in corpora_with_rows(cells)}
    return draw_chart([reliability_panel(corpus, known) for corpus, known in curves.items() if known])


def curves_of(cells: Sequence[Cell], corpus: str) -> dict[str, list[Bin]]:
    """Return the bins of our systems on the sizes of a corpus whose calibration is judged."""
    return {
        f"{system}, {cell.size}": bins_of(cell.records[system])
        for system in OURS
        for cell in of_corpus(cells, corpus)
        if cell.size in CALIBRATED and system in cell.records
    }
