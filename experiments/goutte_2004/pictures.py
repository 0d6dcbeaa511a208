"""The sentence of figures 5 and 6 as a picture: reference, counts, word-to-cept matrices, result."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from goutte_2004.rows import BY_NAME, FRENCH
from paper_tables.svg import BLUE, GREY, PALE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from goutte_2004.results import Results, Sheet

    Links = list[tuple[int, int]]  # source and target words, NULL is 0

NULL = "NULL"
FULL, HALF = 0.8, 0.5  # sides of squares
LEAST = 0.005  # what is a smaller share of the largest cannot be seen


class Square(NamedTuple):
    """A square in a grid."""

    column: int
    row: int
    side: float
    colour: str


class Grid(NamedTuple):
    """A panel: a title, names of columns and rows, and squares."""

    title: str
    columns: Sequence[str]
    rows: Sequence[str]
    squares: list[Square]


def draw_sentence(results: Results, sheet: Sheet, run: str) -> Figure:
    """Draw the five panels of a model beside each other."""
    from matplotlib.figure import Figure

    record = results.record(sheet.dev, BY_NAME[run], FRENCH)
    assert record is not None
    grids = grids_of(record["sentence"])
    height = max(len(grid.rows) for grid in grids)
    figure = Figure(figsize=(10.5, 3.2), layout="constrained")
    panels = figure.subplots(1, len(grids), width_ratios=[len(grid.columns) for grid in grids])
    for panel, grid in zip(panels, grids, strict=True):
        draw_grid(panel, grid, height)
    return figure


def draw_grid(panel: Axes, grid: Grid, height: int) -> None:
    """Draw a grid with its names, the first row on top, as if it had so many rows: all squares get one scale."""
    from matplotlib.patches import Rectangle

    right, bottom = len(grid.columns) - 0.5, len(grid.rows) - 0.5
    panel.hlines(range(len(grid.rows)), -0.5, right, color=PALE, linewidth=0.6)
    panel.vlines(range(len(grid.columns)), -0.5, bottom, color=PALE, linewidth=0.6)
    for column, row, side, colour in grid.squares:
        corner = column - side / 2, row - side / 2
        panel.add_patch(Rectangle(corner, side, side, facecolor=colour, edgecolor="none", zorder=2))
    panel.set_xticks(range(len(grid.columns)), grid.columns, rotation=90)
    panel.set_yticks(range(len(grid.rows)), grid.rows)
    panel.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    panel.set_xlim(-0.5, right)
    panel.set_ylim(height - 0.5, -0.5)
    panel.set_aspect("equal")
    panel.spines[:].set_visible(False)
    panel.set_title(grid.title)


def grids_of(made: dict[str, Any]) -> list[Grid]:
    """Make the panels: as in the paper, French words go down and English ones across."""
    source, target = ([NULL, *made[side]] for side in ("source", "target"))
    gold = [(one + 1, other + 1, sure) for one, other, sure in made["gold"]]
    reference = [
        Square(one, other, FULL if sure else HALF, BLUE if sure else GREY) for one, other, sure in gold
    ]
    reference += [
        Square(*link, HALF, GREY) for link in null_links(made, [(one, other) for one, other, _ in gold])
    ]
    counts = made["counts"]
    top = max(max(row) for row in counts)
    counted = [
        Square(one, other, FULL * sqrt(count / top), BLUE)
        for one, row in enumerate(counts)
        for other, count in enumerate(row)
        if count > LEAST * top
    ]
    links = [(one + 1, other + 1) for one, other in made["links"]]
    result = [Square(*link, FULL, BLUE) for link in [*links, *null_links(made, links)]]
    order = order_of_cepts(made["target_shares"])
    names = [*(f"cept {at + 1}" for at in range(len(order) - 1)), NULL]
    words_to_cepts = share_squares(made["target_shares"], order)
    cepts_to_words = [
        square._replace(column=square.row, row=square.column)
        for square in share_squares(made["source_shares"], order)
    ]
    return [
        Grid("reference", source, target, reference),
        Grid("counts of 2 x 100 alignments", source, target, counted),
        Grid("French words to cepts", names, target[1:], words_to_cepts),
        Grid("x  cepts to English words", source[1:], names, cepts_to_words),
        Grid("=  result", source, target, result),
    ]


def null_links(made: dict[str, Any], links: Links) -> Links:
    """Link the words that have no link with NULL.

    >>> null_links({"source": ["a", "b"], "target": ["c"]}, [(1, 1)])
    [(2, 0)]
    """
    sides = [{link[side] for link in links} for side in (0, 1)]
    alone = [
        [word for word in range(1, len(made[side]) + 1) if word not in linked]
        for side, linked in zip(("source", "target"), sides, strict=True)
    ]
    return [*((word, 0) for word in alone[0]), *((0, word) for word in alone[1])]


def order_of_cepts(shares: list[list[float]]) -> list[int]:
    """Put cepts, whose order is arbitrary, into that of the first words that they are likeliest for; NULL, last, stays.

    >>> order_of_cepts([[0.1, 0.9, 0.0], [0.0, 0.2, 0.8], [0.7, 0.3, 0.0]])
    [1, 0, 2]
    """
    null = len(shares[0]) - 1
    likeliest = [row.index(max(row)) for row in shares]
    cepts = [cept for cept in dict.fromkeys(likeliest) if cept != null]
    return [*cepts, *(cept for cept in range(null) if cept not in cepts), null]


def share_squares(shares: Iterable[list[float]], order: list[int]) -> list[Square]:
    """Draw for each word, one in a row, how likely the cepts are; the likeliest one dark."""
    return [
        Square(column, row, FULL * sqrt(likely[cept]), BLUE if likely[cept] == max(likely) else GREY)
        for row, likely in enumerate(shares)
        for column, cept in enumerate(order)
        if likely[cept] > LEAST
    ]
