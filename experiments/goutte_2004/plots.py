"""The plots: what confidence is worth, and the sentence of figures 5 and 6."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cepts.combine import HEURISTICS
from cepts.combine.cepts import CRITERIA
from goutte_2004.choosing import CONFIDENT, choices, curved_rows
from goutte_2004.pictures import draw_sentence
from goutte_2004.results import sentence_criteria
from goutte_2004.rows import CONFIDENCES, CORPORA, FRENCH, OURS, PAPERS
from goutte_2004.sentence import NUMBER
from paper_tables.svg import BLUE, GREEN, ORANGE, PALE, add_legend, write_drawings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from goutte_2004.figures import Figures
    from goutte_2004.results import Results, Sheet

    Value = Callable[[Figures], float]

COLOURS = (BLUE, ORANGE, GREEN)
VALUES: dict[str, Value] = {
    "AER": lambda figures: figures.plain.aer,
    "precision, possible links": lambda figures: figures.plain.precision_possible,
    "words aligned": lambda figures: figures.aligned,
}
CHOSEN = "chosen on dev"
MARKERS = dict(zip(HEURISTICS, "v^sDP", strict=True))
HIGHEST = 8.0  # points above the lowest AER: what is worse is cut off


def write_plots(results: Results, sheet: Sheet, folder: Path) -> dict[str, Path]:
    """Draw what there are records for; returns the files by the plots' names, none where matplotlib is missing."""
    curves, sentences = curve_drawings(results, sheet), sentence_drawings(results, sheet)
    written = {name: folder / f"{sheet.stem}-{name}.svg" for name in curves}
    # The sentence is one of dev, and all reports of a size show the same pictures of it.
    written |= {name: folder / f"{replace(sheet, part='test').stem}-{name}.svg" for name in sentences}
    return write_drawings(curves | sentences, results, sheet, written)


def curve_drawings(results: Results, sheet: Sheet) -> dict[str, Callable[[Results, Sheet], Figure]]:
    """The plots of the corpora that have curves."""
    row = curved_rows()[0]
    return {
        f"curve-{corpus}": partial(draw_curves, corpus=corpus)
        for corpus in CORPORA
        if results.curve(sheet, OURS, corpus, row)
    }


def sentence_drawings(results: Results, sheet: Sheet) -> dict[str, Callable[[Results, Sheet], Figure]]:
    """The pictures of the sentence, which is in dev alone, by the paper's model and by ours."""
    records = {run.name: results.record(sheet.dev, run, FRENCH) for run in (PAPERS, OURS)}
    drawings = {
        f"{NUMBER}-{name}": partial(draw_sentence, run=name)
        for name, record in records.items()
        if record is not None and record["sentence"] is not None
    }
    return drawings | ({f"{NUMBER}-criteria": draw_criteria} if sentence_criteria(results, sheet) else {})


def draw_criteria(results: Results, sheet: Sheet) -> Figure:
    """Draw AIC and BIC of the sentence by the number of cepts, with a ring where they are largest."""
    from matplotlib.figure import Figure

    found = sentence_criteria(results, sheet)
    figure = Figure(figsize=(4.2, 2.6), layout="constrained")
    panel = figure.subplots()
    numbers = list(range(1, len(found) + 1))
    for name, colour in zip(CRITERIA, COLOURS, strict=False):
        values = [one[name] for one in found]
        panel.plot(numbers, values, "o-", color=colour, markersize=3.0, linewidth=1.1, label=name.upper())
        at = values.index(max(values))
        panel.plot(numbers[at], values[at], "o", color="black", fillstyle="none", markersize=8.0)
    panel.set_xlabel("cepts")
    panel.set_ylabel("nats")
    panel.set_xticks(numbers)
    panel.grid(color=PALE, linewidth=0.6)
    panel.legend(loc="lower right")
    return figure


def draw_curves(results: Results, sheet: Sheet, corpus: str) -> Figure:
    """Draw three panels by confidence, and AER by the words that are aligned."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 3.2), layout="constrained")
    panels = figure.subplots(1, len(VALUES) + 1)
    rows = [row for row in curved_rows() if row.null_weight == 1]
    for row, colour in zip(rows, COLOURS, strict=True):
        draw_row(panels, results.curve(sheet, OURS, corpus, row), color=colour, label=row.measure)
    chosen = draw_choice(panels, results, sheet, corpus)
    draw_rivals(panels[-1], results, sheet, corpus)
    for panel, title in zip(panels, [*VALUES, "AER by words aligned"], strict=True):
        panel.set_title(f"{title}, %")
        panel.set_xlabel("words aligned, %" if panel is panels[-1] else "min confidence")
        panel.grid(color=PALE, linewidth=0.6)
    for panel in (panels[0], panels[-1]):
        panel.set_ylim(top=min(panel.get_ylim()[1], panel.get_ylim()[0] + HIGHEST))
    add_legend(figure, panels, [*(row.measure for row in rows), *chosen, *MARKERS])
    return figure


def draw_row(panels: Sequence[Axes], curve: list[Figures], **style: Any) -> None:
    """Draw the curves of a row into all panels."""
    for panel, value in zip(panels, VALUES.values(), strict=False):
        panel.plot(CONFIDENCES, [value(one) for one in curve], **style)
    panels[-1].plot([one.aligned for one in curve], [one.plain.aer for one in curve], **style)


def draw_choice(panels: Sequence[Axes], results: Results, sheet: Sheet, corpus: str) -> list[str]:
    """Draw the row that dev has chosen, and a ring where the choice lies on it; returns what the legend calls them."""
    choice = choices(results, sheet).get(CONFIDENT)
    made = None if choice is None else results.chosen(sheet, choice, corpus)
    if choice is None or made is None:
        return []
    name = f"{choice.row.measure}, NULL {choice.row.null_weight:g}"
    curve = results.curve(sheet, OURS, corpus, choice.row)
    draw_row(panels, curve, color="black", linestyle="--", linewidth=1.0, label=name)
    ring = {"color": "black", "fillstyle": "none", "markersize": 7.0, "linestyle": "none", "label": CHOSEN}
    for panel, value in zip(panels, VALUES.values(), strict=False):
        panel.plot(choice.min_confidence, value(made), "o", **ring)
    panels[-1].plot(made.aligned, made.plain.aer, "o", **ring)
    return [name, CHOSEN]


def draw_rivals(panel: Axes, results: Results, sheet: Sheet, corpus: str) -> None:
    """Draw the heuristics as grey marks."""
    for rule, marker in MARKERS.items():
        made = results.figures(sheet, OURS, corpus, rule)
        if made is not None:
            style = {"color": "grey", "markersize": 4.0, "linestyle": "none", "label": rule}
            panel.plot(made.aligned, made.plain.aer, marker, **style)
