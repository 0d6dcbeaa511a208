"""The tables of the appendix: every row of a model on a corpus, weights of NULL, other rules, curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goutte_2004.choosing import curved_rows
from goutte_2004.figures import COLUMNS
from goutte_2004.rows import ANNEALING, CONFIDENCES, NULL_WEIGHTS, OURS, RULES, WEIGHED
from paper_tables.markdown import markdown

if TYPE_CHECKING:
    from goutte_2004.figures import Figures
    from goutte_2004.results import Results, Sheet
    from goutte_2004.rows import Run

HEADS = [*COLUMNS, "AER, NULL", "links per word", "aligned"]


def line_of(figures: Figures | None) -> list[str]:
    """Write the figures of a row."""
    if figures is None:
        return ["-"] * len(HEADS)
    scores = [f"{score:.2f}" for score in (*figures.plain, figures.null.aer)]
    return [*scores, f"{figures.links_per_word:.2f}", f"{figures.aligned:.1f}"]


def rows_table(results: Results, sheet: Sheet, run: Run, corpus: str) -> str:
    """Write all measures and criteria at the full weight of NULL."""
    rows = [row for row in run.rows if row.null_weight == 1]
    lines = [
        [
            row.measure if row.search == ANNEALING else f"{row.measure}, {row.search}",
            row.criterion.upper(),
            f"{row.scale:g}",
            *line_of(results.figures(sheet, run, corpus, row.key)),
        ]
        for row in rows
    ]
    return markdown(["measure", "criterion", "scale", *HEADS], lines)


def weights_table(results: Results, sheet: Sheet, run: Run, corpus: str) -> str:
    """Write AER and words aligned by the weight of NULL."""
    rows = [
        row for row in run.rows if row.null_weight == 1 and row.measure in WEIGHED and row.search == ANNEALING
    ]
    lines = []
    for row in rows:
        made = [
            results.figures(sheet, run, corpus, row._replace(null_weight=weight).key)
            for weight in NULL_WEIGHTS
        ]
        cells = ["-" if one is None else f"{one.plain.aer:.2f} / {one.aligned:.1f}" for one in made]
        lines.append([row.measure, row.criterion.upper(), f"{row.scale:g}", *cells])
    heads = [f"NULL {weight:g}: AER / aligned" for weight in NULL_WEIGHTS]
    return markdown(["measure", "criterion", "scale", *heads], lines)


def rules_table(results: Results, sheet: Sheet, run: Run, corpus: str) -> str:
    """Write what other rules make of the same two directions."""
    lines = [[rule, *line_of(results.figures(sheet, run, corpus, rule))] for rule in RULES]
    return markdown(["other rules", *HEADS], lines)


def curve_table(results: Results, sheet: Sheet, corpus: str) -> str:
    """Write AER, precision and words aligned by confidence, at the full weight of NULL."""
    rows = [row for row in curved_rows() if row.null_weight == 1]
    curves = [results.curve(sheet, OURS, corpus, row) for row in rows]
    if not all(curves):
        return ""
    lines = [
        [f"{least:g}", *(curve_cell(curve[at]) for curve in curves)] for at, least in enumerate(CONFIDENCES)
    ]
    return markdown(["min confidence", *(f"{row.measure}: AER / P_P / aligned" for row in rows)], lines)


def curve_cell(figures: Figures) -> str:
    """Write a point of a curve."""
    return f"{figures.plain.aer:.2f} / {figures.plain.precision_possible:.2f} / {figures.aligned:.1f}"
