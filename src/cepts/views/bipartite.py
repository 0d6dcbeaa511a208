"""One aligned pair as SVG with lines: two rows of words, or two columns where rows would be too long to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.views.comparing import MISSED, NOT_TAKEN
from cepts.views.marks import drawn_line, marks_of
from cepts.views.svg import INK, Drawing, is_right_to_left, safe_word, text_width, word_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.views.pairs import AlignedPair

SIZE = 14
SPACE = 18  # between words of a row
WIDEST = 1000  # rows that are longer become columns
HEIGHT = 120  # between the two rows
LINE, ACROSS = 21, 220  # between the words of a column, and between the two columns
ALONE = "#6a6a6a"  # ink of words without a link


class Words(NamedTuple):
    """Where the words of one side stand: the places where their lines end, and the words themselves."""

    ends: list[tuple[float, float]]
    parts: list[str]


def bipartite_drawing(pair: AlignedPair) -> Drawing:
    """Draw both sentences with a line for each link; sentences that are read from the right begin there."""
    marks = list(marks_of(pair))
    sides = (pair.source, pair.target)
    length = max(_row_length(words) for words in sides)
    found = [mark for mark in marks if mark.kind not in (MISSED, NOT_TAKEN)]
    linked = ({mark.source for mark in found}, {mark.target for mark in found})
    if length <= WIDEST:
        heights = (SIZE, SIZE + HEIGHT + SIZE)
        source, target = (
            _row(words, length, y, y + (6 if below else -SIZE - 4), used)
            for words, y, below, used in zip(sides, heights, (True, False), linked, strict=True)
        )
        width, height = length, float(heights[1] + 8)
    else:
        edge = max(map(_width, pair.source), default=0.0)
        source = _column(pair.source, edge, "end", linked[0])
        target = _column(pair.target, edge + ACROSS, "start", linked[1])
        width = edge + ACROSS + max(map(_width, pair.target), default=0.0)
        height = LINE * max(len(pair.source), len(pair.target)) + 6.0
    lines = [
        drawn_line(source.ends[i], target.ends[j], kind, confidence, label)
        for i, j, kind, confidence, label in marks
    ]
    return Drawing(width, height, [*lines, *source.parts, *target.parts])


def _width(word: str) -> float:
    return text_width(safe_word(word), SIZE)


def _row_length(words: Sequence[str]) -> float:
    return sum(map(_width, words)) + SPACE * max(len(words) - 1, 0)


def _row(words: Sequence[str], length: float, y: float, line_y: float, linked: set[int]) -> Words:
    """Spread words over the whole length, so that lines are short; in reading direction."""
    room = (length - _row_length(words)) / (len(words) + 1)
    backwards = _is_backwards(words)
    ends, parts, x = [], [], room
    for position, word in enumerate(words):
        middle = x + _width(word) / 2
        middle = length - middle if backwards else middle
        ends.append((middle, line_y))
        parts.append(word_at(middle, y, word, "middle", SIZE, ink=INK if position in linked else ALONE))
        x += _width(word) + SPACE + room
    return Words(ends, parts)


def _is_backwards(words: Sequence[str]) -> bool:
    """Tell whether most words are read from right to left."""
    return 2 * sum(map(is_right_to_left, words)) > len(words)


def _column(words: Sequence[str], edge: float, anchor: str, linked: set[int]) -> Words:
    """Put one word under the other."""
    side = 6 if anchor == "end" else -6
    heights = [LINE * (position + 0.7) for position in range(len(words))]
    parts = [
        word_at(edge, y, word, anchor, SIZE, ink=INK if position in linked else ALONE)
        for position, (y, word) in enumerate(zip(heights, words, strict=True))
    ]
    return Words([(edge + side, y - SIZE * 0.35) for y in heights], parts)
