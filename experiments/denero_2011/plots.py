"""The plot: how many sentences have a certificate after how many rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denero_2011.figures import PAPER, share_certified
from denero_2011.rows import PAPER_CORPUS, ROUNDS, RUNS, SHOWN_ROUNDS
from paper_tables.svg import BLUE, GREEN, GREY, ORANGE, PALE, add_legend, write_drawings

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from denero_2011.results import Results, Sheet

COLOURS = (BLUE, ORANGE, GREEN)
LINES = {"all": ":", "scored": "-"}  # the legend has the last
PAPER_DOT = "the paper"


def write_plots(results: Results, sheet: Sheet, folder: Path) -> dict[str, Path]:
    """Draw what there are records for; returns the files by the plots' names, none where matplotlib is missing."""
    if not results.of_sheet(sheet):
        return {}
    written = {name: folder / f"{sheet.stem}-{name}.svg" for name in DRAWINGS}
    return write_drawings(DRAWINGS, results, sheet, written)


def draw_certified(results: Results, sheet: Sheet) -> Figure:
    """Draw a panel for each corpus, and in it two curves for each recipe."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14.0, 3.2), layout="constrained")
    panels = figure.subplots(1, len(sheet.corpora), sharey=True)
    for panel, corpus in zip(panels, sheet.corpora, strict=True):
        draw_panel(panel, results, sheet, corpus)
        panel.set_title(corpus)
    panels[0].set_ylabel("% with a certificate")
    figure.supxlabel("rounds", fontsize=8.0)
    add_legend(figure, panels, [*(run.name for run in RUNS), PAPER_DOT])
    return figure


def draw_panel(panel: Axes, results: Results, sheet: Sheet, corpus: str) -> None:
    """Draw the curves of a corpus; to the corpus of the paper belongs its own figure too."""
    rounds = range(1, ROUNDS + 1)
    for run, colour in zip(RUNS, COLOURS, strict=True):
        record = results.record(sheet, run, corpus)
        if record is None:
            continue
        for text, line in LINES.items():
            shares = [share_certified(record["certificates"][text], after) for after in rounds]
            panel.plot(rounds, shares, line, color=colour, label=run.name, linewidth=1.2)
    if corpus == PAPER_CORPUS:
        panel.plot(ROUNDS, PAPER.certified, "o", color=GREY, label=PAPER_DOT, clip_on=False)
    panel.set_xscale("log")
    panel.set_xticks(SHOWN_ROUNDS, [str(rounds) for rounds in SHOWN_ROUNDS])
    panel.minorticks_off()
    panel.set_xlim(1, ROUNDS)
    panel.set_ylim(0.0, 100.0)
    panel.grid(color=PALE, linewidth=0.6)


DRAWINGS = {"certified": draw_certified}
