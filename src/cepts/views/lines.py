"""One aligned sentence pair for a terminal: both sentences as they are read, linked words joined by lines of dots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.checking import checked
from cepts.views.cells import cell_width, printable
from cepts.views.comparing import POSSIBLE, check_range, kinds_of
from cepts.views.svg import is_right_to_left
from cepts.views.terminal import CYAN, DIM, GAP, LONGEST_WORD, RESET

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cepts.links import Link

ROWS = 4  # of cells between the sentences
ACROSS, DOWN = 2, 4  # dots of a cell
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of the Braille pattern, by place
NO_DOTS = 0x2800
DASH = 3  # dots of a dash, and of the gap behind it


@checked
def draw_lines(
    source_words: Sequence[str],
    target_words: Sequence[str],
    links: Sequence[Link],
    *,
    width: int = 100,
    colour: bool = False,
) -> str | None:
    """Write one sentence above the other, and join linked words by lines, dashed where a link is possible or doubtful.

    None where that cannot be read: sentences wider than `width` cells, or words that terminals turn round.

    >>> from cepts.links import Link
    >>> print(draw_lines(["chat", "noir"], ["black", "cat"], [Link(0, 1), Link(1, 0)]))
    chat   noir
     ⠈⠢⡀   ⡠⠊
       ⠈⠢⣀⠔⠁
       ⢀⠔⠉⠢⡀
      ⡠⠊   ⠈⠢⡀
    black   cat
    """
    check_range(links, "link", source_words, target_words)
    sides = [[printable(word, LONGEST_WORD) for word in words] for words in (source_words, target_words)]
    room = max(map(_natural_width, sides))
    if not all(sides) or room > width or any(is_right_to_left(word) for words in sides for word in words):
        return None
    starts = [_spread(words, room) for words in sides]
    middles = [
        [ACROSS * at + cell_width(word) - 1 for at, word in zip(each, words, strict=True)]
        for each, words in zip(starts, sides, strict=True)
    ]
    dots: dict[tuple[int, int], int] = {}
    for (i, j), kind in kinds_of(links).items():
        for x, y in _line(middles[0][i], middles[1][j], dashed=kind == POSSIBLE):
            cell = y // DOWN, x // ACROSS
            dots[cell] = dots.get(cell, 0) | DOTS[y % DOWN][x % ACROSS]
    linked = {link.source for link in links}, {link.target for link in links}
    above, below = map(_sentence, sides, starts, linked, (colour, colour))
    return "\n".join([above, *_rows(dots, room, colour), below])


def _natural_width(words: Sequence[str]) -> int:
    return sum(map(cell_width, words)) + len(GAP) * (len(words) - 1)


def _spread(words: Sequence[str], room: int) -> list[int]:
    """Return the cell in which each word begins, so that together they fill the room.

    >>> _spread(["a", "b", "c"], 11)
    [0, 5, 10]
    """
    gaps, spare = max(len(words) - 1, 1), room - _natural_width(words)
    starts, at = [], 0 if len(words) > 1 else spare // 2
    for number, word in enumerate(words):
        starts.append(at + spare * number // gaps)
        at += cell_width(word) + len(GAP)
    return starts


def _line(first: int, last: int, dashed: bool) -> Iterator[tuple[int, int]]:
    """Yield the dots of a line from the upper to the lower edge: places from the left, and from above."""
    bottom = ROWS * DOWN - 1
    steps = max(bottom, abs(last - first))
    for step in range(steps + 1):
        if (
            not dashed or step // DASH % 2 == 0 or step == steps
        ):  # also a dashed line begins and ends with a dot
            yield round(first + (last - first) * step / steps), round(bottom * step / steps)


def _sentence(words: Sequence[str], starts: Sequence[int], linked: set[int], colour: bool) -> str:
    """Write words at their places, those without a link in grey."""
    text, at = "", 0
    for number, (word, start) in enumerate(zip(words, starts, strict=True)):
        shown = f"{DIM}{word}{RESET}" if colour and number not in linked else word
        text += " " * (start - at) + shown
        at = start + cell_width(word)
    return text


def _rows(dots: dict[tuple[int, int], int], room: int, colour: bool) -> Iterator[str]:
    """Write the dots as Braille patterns."""
    for row in range(ROWS):
        cells = (dots.get((row, column)) for column in range(room))
        text = "".join(" " if found is None else chr(NO_DOTS + found) for found in cells).rstrip()
        yield f"{CYAN}{text}{RESET}" if colour and text else text
