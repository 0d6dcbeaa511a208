"""Aligned pairs as one SVG document, below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.checking import checked
from cepts.errors import OptionError, worded
from cepts.views.bipartite import bipartite_drawing
from cepts.views.comparing import check_range
from cepts.views.marks import legend, marks_of
from cepts.views.matrix import matrix_drawing
from cepts.views.svg import Drawing, document, label_at, moved, text_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cepts.views.pairs import AlignedPair

DRAWINGS = ("matrix", "bipartite", "both")
MOST_PAIRS = 100  # of one picture
BORDER, BETWEEN, HEADING = 16, 26, 13
NARROWEST = 420  # a legend needs some room


@checked
def draw_svg(pairs: Iterable[AlignedPair], drawing: str = "both") -> str:
    """Draw pairs as an SVG document, below each other, with a legend of what occurs.

    `drawing` is `matrix`, `bipartite` (words joined by lines) or `both`.

    >>> from cepts.links import Link
    >>> from cepts.views import AlignedPair
    >>> draw_svg([AlignedPair(1, ["chat"], ["cat"], [Link(0, 0)])]).startswith("<svg ")
    True
    """
    pairs = list(pairs)
    check_drawing(drawing)
    if not 0 < len(pairs) <= MOST_PAIRS:
        raise OptionError(
            f"{len(pairs)} pairs in one picture, expected 1 to {MOST_PAIRS}; choose"
            f" {worded('--lines, or --format html', 'fewer, or write a page')}"
        )
    drawings: list[Drawing] = []
    for pair in pairs:
        check_range(pair.links, f"line {pair.line}: link", pair.source, pair.target)
        check_range(pair.gold or (), f"line {pair.line}: gold link", pair.source, pair.target)
        drawings += [_heading(pair), *(draw(pair) for draw in _drawers(drawing))]
    width = max(drawing.width for drawing in drawings)
    kinds = (mark.kind for pair in pairs for mark in marks_of(pair))
    drawings.append(legend(kinds, max(width, NARROWEST), drawing != "bipartite", drawing != "matrix"))
    return document(
        _stacked(drawings), ", ".join(pair.heading for pair in pairs[:3]) + ("…" if pairs[3:] else "")
    )


def check_drawing(name: str) -> None:
    """Refuse a name that is none."""
    if name not in DRAWINGS:
        raise OptionError(f"no drawing {name!r}; there are {', '.join(DRAWINGS)}")


def _drawers(name: str) -> list[Callable[[AlignedPair], Drawing]]:
    both: dict[str, Callable[[AlignedPair], Drawing]] = {
        "matrix": matrix_drawing,
        "bipartite": bipartite_drawing,
    }
    return list(both.values()) if name == "both" else [both[name]]


def _heading(pair: AlignedPair) -> Drawing:
    text = pair.heading
    return Drawing(
        text_width(text, HEADING), HEADING, [label_at(0, HEADING, text, HEADING, "bold", "#444444")]
    )


def _stacked(drawings: Sequence[Drawing]) -> Drawing:
    """Put drawings below each other."""
    parts, y = [], float(BORDER)
    for drawing in drawings:
        parts.append(moved(drawing, BORDER, y))
        y += drawing.height + BETWEEN
    width = max(drawing.width for drawing in drawings) + 2 * BORDER
    return Drawing(width, y - BETWEEN + BORDER, parts)
