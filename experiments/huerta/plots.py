"""The plots of figure 1: rules of updating, and the size of the common space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huerta.rows import BY_PLACE, RANDOM, SIZES, rows_of
from paper_tables.svg import BLUE, GREEN, GREY, ORANGE, PALE, write_drawings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from huerta.results import Results, Sheet

RULES = {
    "multiplicative": (BLUE, "-."),
    "additive": (ORANGE, "-"),
    "additive-0.5": (GREEN, "-"),
    "additive-0.1": (GREY, "-"),
}
SHADES = ("#bdd7e7", "#6baed6", "#3182bd", "#08519c", "#08306b")
STEM = "sentences"  # random matrices have no dev and no test: all reports show the same plot
NORM, DIVERGENCE = "Frobenius norm of the residuals", "KL divergence"


def write_plots(results: Results, sheet: Sheet, folder: Path) -> dict[str, Path]:
    """Draw what there are records for; returns the files by the plots' names, none where matplotlib is missing."""
    if any(results.record(sheet, row, RANDOM) is None for row in rows_of("figure")):
        return {}
    return write_drawings({"figure-1": draw}, results, sheet, {"figure-1": folder / f"{STEM}-figure-1.svg"})


def draw(results: Results, sheet: Sheet) -> Figure:
    """Draw three panels: rules, and k for both divergences."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 3.4), layout="constrained")
    panels = figure.subplots(1, 3)
    styles = [{"color": colour, "linestyle": line} for colour, line in RULES.values()]
    draw_curves(panels[0], results, sheet, list(RULES), styles, first=0)
    shades = [{"color": shade} for shade in SHADES]
    for panel, begin in ((panels[1], "k"), (panels[2], "kl")):
        # as in the paper: the loss of the random start would hide the differences
        draw_curves(panel, results, sheet, [f"{begin}-{k}" for k in SIZES], shades, first=1)
    panels[0].legend()
    for panel, title in zip(panels, ("rules, k = 16", "multiplicative", "multiplicative, KL"), strict=True):
        panel.set_title(title)
        panel.set_xlabel("iteration")
        panel.set_ylabel(DIVERGENCE if panel is panels[2] else NORM)
        panel.set_yscale("log")
        panel.yaxis.set_major_formatter("{x:,.0f}")
        panel.yaxis.set_minor_formatter("{x:,.0f}")
        panel.grid(color=PALE, linewidth=0.6, which="both")
    return figure


def draw_curves(
    panel: Axes,
    results: Results,
    sheet: Sheet,
    names: Sequence[str],
    styles: Sequence[dict[str, str]],
    first: int,
) -> None:
    """Draw the curves of some rows from an iteration on."""
    for name, style in zip(names, styles, strict=True):
        row = BY_PLACE["figure", name]
        record = results.record(sheet, row, RANDOM)
        if record is not None:
            curve = record["curve"]
            panel.plot(range(first, len(curve)), curve[first:], label=row.title, linewidth=1.2, **style)
            if first:  # curves that do not cross are named at their ends
                panel.annotate(row.title, (len(curve) + 2, curve[-1]), va="center")
                panel.set_xlim(0, 1.2 * len(curve))
