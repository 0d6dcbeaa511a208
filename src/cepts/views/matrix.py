"""One aligned pair as an SVG matrix: a row for each source word, a column for each target word."""

from __future__ import annotations

from math import cos, radians, sin
from typing import TYPE_CHECKING

from cepts.views.marks import drawn_mark, marks_of
from cepts.views.svg import FAINT, Drawing, safe_word, text_width, word_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.views.pairs import AlignedPair

CELL, SIZE, GAP = 22, 13, 8
TURN = 50  # degrees of the words above the columns: as flat as they can lie without touching
STRONG = "#9a9a9a"  # each fifth line, so that the eye keeps its row


def matrix_drawing(pair: AlignedPair) -> Drawing:
    """Draw links as marks in a grid, source words at its left and target words above it."""
    rows, columns = len(pair.source), len(pair.target)
    left = max((_width(word) for word in pair.source), default=0.0) + GAP
    rise = max((_width(word) for word in pair.target), default=0.0) * sin(radians(TURN))
    top, right = rise + SIZE + GAP, _overhang(pair.target)
    parts = _grid(rows, columns, left, top)
    parts += [
        word_at(left - GAP, top + (i + 0.5) * CELL + SIZE * 0.35, word, "end", SIZE)
        for i, word in enumerate(pair.source)
    ]
    parts += [
        word_at(left + (j + 0.65) * CELL, top - GAP * 0.6, word, "start", SIZE, -TURN)
        for j, word in enumerate(pair.target)
    ]
    parts += [
        drawn_mark(left + (j + 0.5) * CELL, top + (i + 0.5) * CELL, CELL, kind, confidence, label)
        for i, j, kind, confidence, label in marks_of(pair)
    ]
    return Drawing(left + columns * CELL + right + 2, top + rows * CELL + 2, parts)


def _width(word: str) -> float:
    return text_width(safe_word(word), SIZE)


def _overhang(words: Sequence[str]) -> float:
    """Return how far words above the columns reach beyond the last one."""
    reach = (
        (j + 0.65) * CELL + _width(word) * cos(radians(TURN)) + SIZE * sin(radians(TURN))
        for j, word in enumerate(words)
    )
    return max(0.0, max(reach, default=0.0) - len(words) * CELL)


def _grid(rows: int, columns: int, left: float, top: float) -> list[str]:
    """Draw thin lines around all cells, stronger ones after each fifth."""
    right, bottom = left + columns * CELL, top + rows * CELL
    across = [(top + i * CELL, _line_colour(i, rows)) for i in range(rows + 1)] if columns else []
    down = [(left + j * CELL, _line_colour(j, columns)) for j in range(columns + 1)] if rows else []
    return [
        *(f'<path d="M{left:.1f},{y:.1f} H{right:.1f}" stroke="{colour}"/>' for y, colour in across),
        *(f'<path d="M{x:.1f},{top:.1f} V{bottom:.1f}" stroke="{colour}"/>' for x, colour in down),
    ]


def _line_colour(number: int, last: int) -> str:
    return STRONG if number in (0, last) or number % 5 == 0 else FAINT
