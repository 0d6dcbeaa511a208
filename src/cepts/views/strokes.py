"""Pieces of SVG: text, lines, marks, boxes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cepts.views.cells import cell_width, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.views.looks import Look

INK, PALE, GREY = "#222222", "#e4e4e4", "#777777"
SIZE = 12  # of letters
CHARACTER = 0.6  # times the size is about the width of a letter
LONGEST = 40  # letters of a name; what is longer is cut
RADIUS = 3.8  # of marks
MARKED = 14  # marks of a line at most: more would hide it
NO_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")

Place = tuple[float, float]


def clean(words: str, limit: int = LONGEST) -> str:
    """Make text safe to draw: nothing that XML refuses, no turned lines, not too long."""
    return printable(words, limit).translate(NO_XML)


def width_of(words: str, size: int = SIZE) -> float:
    """Guess how wide text is drawn: fonts differ, and nothing here can ask them."""
    return CHARACTER * size * cell_width(words)


def text(
    place: Place,
    words: str,
    anchor: str = "start",
    *,
    size: int = SIZE,
    turned: bool = False,
    bold: bool = False,
) -> str:
    """Write text; `turned` text is read from below."""
    x, y = place
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{INK}"{weight}{turn}>'
        f"{escape(words)}</text>"
    )


def straight(begin: Place, end: Place, colour: str = INK, width: float = 1.0, dash: str = "") -> str:
    """Draw a straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        f' stroke="{colour}" stroke-width="{width:g}"{dashes}/>'
    )


def curve(places: Sequence[Place], look: Look) -> list[str]:
    """Draw a line through places, with marks on some of them, always on the first and the last."""
    parts = []
    if len(places) > 1:
        dashes = f' stroke-dasharray="{look.dash}"' if look.dash else ""
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{look.colour}" stroke-width="1.8"'
            f' stroke-linejoin="round"{dashes}/>'
        )
    return [*parts, *(mark(places[number], look) for number in marked(len(places)))]


def marked(count: int) -> list[int]:
    """Choose which of so many places have a mark.

    >>> marked(3), marked(100)[:3], marked(100)[-1], len(marked(100))
    ([0, 1, 2], [0, 8, 15], 99, 14)
    """
    if count <= MARKED:
        return [*range(count)]
    return [round(number * (count - 1) / (MARKED - 1)) for number in range(MARKED)]


def mark(place: Place, look: Look) -> str:
    """Draw the mark of a look."""
    fill = look.colour if look.filled else "white" if look.mark.endswith("z") else "none"
    return (
        f'<path class="mark" d="{look.mark}" transform="translate({place[0]:.1f} {place[1]:.1f}) scale({RADIUS})"'
        f' fill="{fill}" stroke="{look.colour}" stroke-width="{1.4 / RADIUS:.2f}"/>'
    )


def box(one: Place, other: Place, look: Look) -> str:
    """Draw a box between two corners, filled with the pattern of a look."""
    (x, right), (y, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    fill = f"url(#pattern{look.number})" if look.pattern else look.colour
    return (
        f'<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{right - x:.1f}" height="{bottom - y:.1f}"'
        f' fill="{fill}" stroke="{look.colour}"/>'
    )


def patterns(looks: Iterable[Look]) -> list[str]:
    """Define the patterns of looks; a box names its own."""
    return [
        f'<pattern id="pattern{one.number}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="white"/>'
        f'<path d="{one.pattern}" stroke="{one.colour}" stroke-width="1.6" fill="none"/></pattern>'
        for one in looks
        if one.pattern
    ]
