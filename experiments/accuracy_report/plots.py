"""The plots: AER and CPU seconds by size, and how confidences compare with what is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accuracy_report.cells import cells_of
from accuracy_report.judging import CALIBRATED
from accuracy_report.reliability import bins_of
from accuracy_report.rows import (
    BEST,
    EFLOMAL,
    FAST,
    FAST_ALIGN,
    OURS,
    SYSTEMS,
    THOT_HMM,
    THOT_IBM4,
    training_pairs,
)
from accuracy_report.scoring import aer_of
from accuracy_report.tables import corpora_with_rows, of_corpus
from paper_tables.svg import BLUE, GREEN, GREY, ORANGE, PALE, add_legend, write_drawings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from accuracy_report.cells import Cell
    from accuracy_report.results import Results, Sheet
    from paper_tables.store import Record

COLUMNS = 4
# Each system has a mark and a dash of its own, so that no colour is needed to tell them apart.
STYLES: dict[str, dict[str, Any]] = {
    BEST: {"color": BLUE, "marker": "o", "linestyle": "-", "linewidth": 1.8},
    FAST: {"color": BLUE, "marker": "s", "linestyle": "--"},
    EFLOMAL: {"color": ORANGE, "marker": "^", "linestyle": "-."},
    FAST_ALIGN: {"color": GREEN, "marker": "v", "linestyle": ":"},
    THOT_HMM: {"color": "black", "marker": "D", "linestyle": (0, (5, 1))},
    THOT_IBM4: {"color": "black", "marker": "x", "linestyle": (0, (1, 2))},
}


def write_plots(results: Results, sheet: Sheet, folder: Path) -> dict[str, Path]:
    """Draw what there are records for; returns the files by the plots' names, none where matplotlib is missing."""
    cells = cells_of(results, sheet)
    drawings: dict[str, Callable[[Results, Sheet], Figure]] = {}
    if any(cell.records for cell in cells):
        drawings |= {"aer": draw_aer, "cpu": draw_cpu}
    if any(cell.size in CALIBRATED and system in cell.records for cell in cells for system in OURS):
        drawings["reliability"] = draw_reliability
    written = {name: folder / f"{sheet.stem}-{name}.svg" for name in drawings}
    return write_drawings(drawings, results, sheet, written)


def draw_aer(results: Results, sheet: Sheet) -> Figure:
    """Draw AER by size, a panel for each corpus."""
    return draw_by_size(cells_of(results, sheet), aer_of, "AER, %", "linear")


def draw_cpu(results: Results, sheet: Sheet) -> Figure:
    """Draw CPU seconds by size, a panel for each corpus."""
    return draw_by_size(cells_of(results, sheet), lambda record: record["cpu_seconds"], "CPU seconds", "log")


def draw_by_size(cells: Sequence[Cell], value: Callable[[Record], float], title: str, scale: str) -> Figure:
    """Draw a value by the number of training pairs."""
    figure, panels = grid(corpora_with_rows(cells))
    for corpus, panel in panels.items():
        for system in SYSTEMS:
            known = [cell for cell in of_corpus(cells, corpus) if system in cell.records]
            if known:
                pairs = [training_pairs(corpus, cell.size) for cell in known]
                values = [value(cell.records[system]) for cell in known]
                panel.plot(pairs, values, label=system, markersize=4.0, **STYLES[system])
        panel.set(xscale="log", yscale=scale, title=corpus, xlabel="training pairs", ylabel=title)
    add_legend(figure, panels.values(), SYSTEMS)
    return figure


def draw_reliability(results: Results, sheet: Sheet) -> Figure:
    """Draw the share of right links by their confidence, a panel for each corpus."""
    cells = cells_of(results, sheet)
    figure, panels = grid(corpora_with_rows(cells))
    order = [f"{system}, {size}" for system in OURS for size in CALIBRATED]
    for corpus, panel in panels.items():
        panel.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
        for cell in of_corpus(cells, corpus):
            for system in OURS:
                if cell.size in CALIBRATED and system in cell.records:
                    draw_bins(panel, cell, system)
        panel.set(title=corpus, xlabel="confidence", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))
    add_legend(figure, panels.values(), order)
    return figure


def draw_bins(panel: Axes, cell: Cell, system: str) -> None:
    """Draw the bins of a record; the larger size has filled marks."""
    bins = bins_of(cell.records[system])
    style = STYLES[system] | {
        "fillstyle": "full" if cell.size == CALIBRATED[-1] else "none",
        "markersize": 4.0,
    }
    points = [one.confidence for one in bins], [one.right for one in bins]
    panel.plot(*points, label=f"{system}, {cell.size}", **style)


def grid(corpora: Sequence[str]) -> tuple[Figure, dict[str, Axes]]:
    """Make a panel for each corpus."""
    from matplotlib.figure import Figure

    rows = -(-len(corpora) // COLUMNS)
    figure = Figure(figsize=(3.0 * min(COLUMNS, len(corpora)), 2.6 * rows), layout="constrained")
    every = list(figure.subplots(rows, min(COLUMNS, len(corpora)), squeeze=False).flat)
    panels = dict(zip(corpora, every, strict=False))
    for panel in every[len(corpora) :]:
        panel.set_visible(False)
    for panel in panels.values():
        panel.grid(color=PALE, linewidth=0.6)
    return figure, panels
