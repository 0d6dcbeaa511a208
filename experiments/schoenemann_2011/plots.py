"""The plots: objectives by iteration and by seconds, and what the term does to F."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from paper_tables.svg import BLUE, GREEN, GREY, ORANGE, PALE, add_legend, write_drawings
from schoenemann_2011.paper import paper_figures
from schoenemann_2011.results import weighted_f
from schoenemann_2011.rows import COLUMNS, MODELS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from schoenemann_2011.results import Figures, Results, Sheet, Stage
    from schoenemann_2011.rows import Column

    Drawing = Callable[[Results, Sheet], Figure]

# The curves of a panel: how the row's name ends, legend, colour, line (dotted, for it may lie upon another).
CURVES = (
    ("-em", "EM", BLUE, "-"),
    ("-renormalised", "EM, renormalised", GREEN, ":"),
    ("-pgd", "PGD", ORANGE, "-"),
    ("-em-reg", "EM, with reg.", BLUE, "--"),
    ("-pgd-reg", "PGD, with reg.", ORANGE, "--"),
)
LEAST = 1e-3  # percent: what is nearer to the lowest objective is drawn at the lower edge
TICKS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
DOTS = ("ours, no reg.", "ours, with reg.", "paper, no reg.", "paper, with reg.")


def write_plots(results: Results, sheet: Sheet, folder: Path) -> dict[str, Path]:
    """Draw what there are rows for; returns the files by the plots' names, none where matplotlib is missing."""
    if not results.of_sheet(sheet):
        return {}
    written = {name: folder / f"{sheet.stem}-{name}.svg" for name in DRAWINGS}
    return write_drawings(DRAWINGS, results, sheet, written)


def draw_objectives(results: Results, sheet: Sheet, by: str) -> Figure:
    """Draw a grid: a line of panels for each model, a panel for each column."""
    from matplotlib.figure import Figure

    models = [model for model in MODELS if f"{model}-em" in sheet.shape.rows]
    figure = Figure(figsize=(12.0, 1.0 + 1.7 * len(models)), layout="constrained")
    grid = figure.subplots(len(models), len(COLUMNS), squeeze=False, sharey=True, sharex=by == "iterations")
    for line, model in zip(grid, models, strict=True):
        for panel, column in zip(line, COLUMNS, strict=True):
            draw_panel(panel, results, sheet, model, column, by)
        line[0].set_ylabel(f"{MODELS[model]}\n% above the lowest")
    for panel, column in zip(grid[0], COLUMNS, strict=True):
        panel.set_title(column.name)
    figure.supxlabel("iterations" if by == "iterations" else "wall seconds", fontsize=8.0)
    add_legend(figure, grid.flat, [title for _, title, *_ in CURVES])
    return figure


def draw_panel(panel: Axes, results: Results, sheet: Sheet, model: str, column: Column, by: str) -> None:
    """Draw the curves of a model in a column; those with the term have their own lowest objective."""
    stages = {
        end: results.stage(sheet, f"{model}{end}", column)
        for end, *_ in CURVES
        if f"{model}{end}" in sheet.shape.rows
    }
    there = {end: stage for end, stage in stages.items() if stage is not None}
    for end, title, colour, dashes in CURVES:
        if end in there:
            kin = [stage for other, stage in there.items() if other.endswith("reg") == end.endswith("reg")]
            lowest = min(min(stage["objectives"]) for stage in kin)
            across, up = points(there[end], lowest, by)
            panel.plot(across, up, dashes, color=colour, label=title, linewidth=1.8 if dashes == ":" else 1.1)
    panel.set_yscale("log")
    panel.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
    panel.minorticks_off()
    panel.set_ylim(LEAST, 200.0)
    panel.grid(axis="y", color=PALE, linewidth=0.6)


def points(stage: Stage, lowest: float, by: str) -> tuple[list[float], list[float]]:
    """Return the points of a curve: objectives in percent above the lowest.

    >>> points({"objectives": [300.0, 150.0], "wall_after": [0.0, 2.5]}, 100.0, "seconds")
    ([0.0, 2.5], [200.0, 50.0])
    """
    heights = [100.0 * (objective - lowest) / abs(lowest) for objective in stage["objectives"]]
    across = list(range(len(heights))) if by == "iterations" else list(stage["wall_after"])
    return across, [max(height, LEAST) for height in heights]


def draw_gains(results: Results, sheet: Sheet) -> Figure:
    """Draw F without and with the term, a panel for each column, ours above the paper's."""
    from matplotlib.figure import Figure

    kinds = [
        (f"{title}, {optimizer.upper()}", f"{model}-{optimizer}")
        for model, title in MODELS.items()
        for optimizer in ("em", "pgd")
        if f"{model}-em" in sheet.shape.rows
    ]
    ours, paper = results.figures(sheet, weighted_f), paper_figures(sheet.table)
    figure = Figure(figsize=(12.0, 0.9 + 0.3 * len(kinds)), layout="constrained")
    panels = figure.subplots(1, len(COLUMNS), sharey=True)
    for panel, column in zip(panels, COLUMNS, strict=True):
        for at, (_, row) in enumerate(kinds):
            draw_dumbbell(panel, paper, row, column.name, at + 0.16, GREY)
            draw_dumbbell(panel, ours, row, column.name, at - 0.16, BLUE)
        panel.set_title(column.name)
        panel.grid(axis="x", color=PALE, linewidth=0.6)
        panel.set_axisbelow(True)
    panels[0].set_yticks(range(len(kinds)), [title for title, _ in kinds])
    panels[0].invert_yaxis()
    figure.supxlabel("weighted F, percent", fontsize=8.0)
    add_legend(figure, panels, DOTS)
    return figure


def draw_dumbbell(panel: Axes, figures: Figures, row: str, column: str, height: float, colour: str) -> None:
    """Draw F without the term as a hollow dot, with it as a filled one, and a line between them."""
    plain, regular = figures.get((row, column)), figures.get((f"{row}-reg", column))
    who = "ours" if colour == BLUE else "paper"
    if plain is not None and regular is not None:
        panel.plot([plain, regular], [height, height], color=colour, linewidth=1.2, zorder=1)
    if plain is not None:
        panel.scatter(
            plain, height, 16, facecolor="white", edgecolor=colour, label=f"{who}, no reg.", zorder=2
        )
    if regular is not None:
        panel.scatter(regular, height, 16, color=colour, label=f"{who}, with reg.", zorder=3)


DRAWINGS: dict[str, Drawing] = {
    "gains": draw_gains,
    "iterations": partial(draw_objectives, by="iterations"),
    "seconds": partial(draw_objectives, by="seconds"),
}
