"""How series look: each has a colour, and, so that no colour is needed, a dash and a mark of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

# Okabe and Ito's colours for all eyes, without yellow, which is too pale on white.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("", "8 4", "2 3", "10 3 2 3", "10 3 2 3 2 3")
# Shapes in a square from -1 to 1, and whether they are filled.
MARKS = (
    ("M-1,0 a1,1 0 1,0 2,0 a1,1 0 1,0 -2,0 z", True),
    ("M-.9,-.9 H.9 V.9 H-.9 z", False),
    ("M0,-1.1 L1.05,.8 H-1.05 z", True),
    ("M0,-1.2 L1.2,0 L0,1.2 L-1.2,0 z", False),
    ("M-.9,-.9 L.9,.9 M-.9,.9 L.9,-.9", False),
    ("M-1,0 a1,1 0 1,0 2,0 a1,1 0 1,0 -2,0 z", False),
    ("M-.9,-.9 H.9 V.9 H-.9 z", True),
    ("M-1.1,0 H1.1 M0,-1.1 V1.1", False),
)
# What fills boxes, drawn in squares of 8 by 8; "" is full.
PATTERNS = ("", "M0,8 L8,0", "M2,2 h2 v2 h-2 z M6,6 h2 v2 h-2 z", "M0,4 H8", "M0,0 L8,8 M0,8 L8,0", "M4,0 V8")
MOST = 40  # looks: from there on a mark and a dash come together again


class Look(NamedTuple):
    """Colour, dash, mark and pattern of a series."""

    number: int
    colour: str
    dash: str
    mark: str
    filled: bool
    pattern: str


def look(number: int) -> Look:
    """Return one of the looks: any two of the first 40 differ by dash or mark.

    >>> look(0).colour, look(0).dash, look(1).dash
    ('#0072b2', '', '8 4')
    """
    colour, dash, pattern = (kind[number % len(kind)] for kind in (COLOURS, DASHES, PATTERNS))
    return Look(number, colour, dash, *MARKS[number % len(MARKS)], pattern)


def looks_of(names: Iterable[str]) -> dict[str, Look]:
    """Give each name a look, in their order."""
    different = [*dict.fromkeys(names)]
    if len(different) > MOST:
        raise InputError(
            f"{len(different)} lines cannot be told apart: expected at most {MOST} in one picture; draw fewer"
        )
    return {name: look(number) for number, name in enumerate(different)}
