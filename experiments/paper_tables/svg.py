"""Plots as SVG files that are small, and the same for the same rows."""

from __future__ import annotations

import re
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeVar

from cepts.storage import atomic_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Results = TypeVar("Results")
Sheet = TypeVar("Sheet")

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#b5b5b5"  # told apart by the colour-blind too
PALE = "#eeeeee"
# Text stays text and ids do not depend on chance: files are small, and equal for equal rows.
STYLE: Any = {
    "svg.hashsalt": "cepts",
    "svg.fonttype": "none",
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


def write_drawings(
    drawings: Mapping[str, Callable[[Results, Sheet], Figure]],
    results: Results,
    sheet: Sheet,
    written: dict[str, Path],
) -> dict[str, Path]:
    """Draw figures into files; returns the files by the figures' names, none where matplotlib is missing."""
    try:
        for name, path in written.items():
            write_svg(drawings[name], results, sheet, path)
    except ImportError:
        print("no plots: matplotlib is not installed (pip install 'cepts[experiments]')", file=sys.stderr)
        return {}
    return written


def write_svg(draw: Callable[[Results, Sheet], Figure], results: Results, sheet: Sheet, path: Path) -> None:
    """Write a figure without date, and with no more digits than can be seen: half of the size."""
    from matplotlib import rc_context

    text = StringIO()
    with rc_context(STYLE):
        figure = draw(results, sheet)
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    with atomic_writer(path) as file:
        file.write(re.sub(r"(\.\d\d)\d+", r"\1", text.getvalue()))


def add_legend(figure: Figure, panels: Iterable[Axes], order: Sequence[str]) -> None:
    """Put one legend above all panels."""
    handles: dict[str, Any] = {}
    for panel in panels:
        handles |= dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    labels = [label for label in order if label in handles]
    figure.legend([handles[label] for label in labels], labels, loc="outside upper center", ncols=len(labels))
