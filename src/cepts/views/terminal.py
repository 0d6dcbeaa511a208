"""One aligned sentence pair, drawn for a terminal."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked
from cepts.views.cells import cell_width, pad_left, pad_right, printable
from cepts.views.comparing import (
    ALLOWED,
    MISSED,
    NOT_TAKEN,
    POSSIBLE,
    RIGHT,
    SURE,
    WRONG,
    check_range,
    kinds_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cepts.links import Link
    from cepts.views.comparing import Kinds

LONGEST_WORD = 24  # cells; what is longer (an address, a broken line) is cut

COLUMN = 2  # cells of a matrix column
GAP = "   "  # between groups of words

EMPTY = "empty"
MARKS = {
    EMPTY: "· ",
    SURE: "██",
    POSSIBLE: "▒▒",
    RIGHT: "██",
    ALLOWED: "▒▒",
    WRONG: "××",
    MISSED: "[]",
    NOT_TAKEN: "()",
}
LEGEND = {
    RIGHT: "right",
    ALLOWED: "possible",
    WRONG: "wrong",
    MISSED: "missed",
    NOT_TAKEN: "possible, not taken",
}
RESET, DIM, RED, GREEN, YELLOW, CYAN = (f"\x1b[{code}m" for code in (0, 2, 31, 32, 33, 36))
COLOURS = {
    EMPTY: DIM,
    SURE: GREEN,
    POSSIBLE: CYAN,
    RIGHT: GREEN,
    ALLOWED: CYAN,
    WRONG: RED,
    MISSED: YELLOW,
    NOT_TAKEN: DIM,
}


class Group(NamedTuple):
    """Words that hang together by links: positions on the source side and on the target side, ascending."""

    source: list[int]
    target: list[int]


@checked
def draw_matrix(
    source_words: Sequence[str],
    target_words: Sequence[str],
    links: Sequence[Link],
    gold: Sequence[Link] | None = None,
    *,
    width: int = 100,
    colour: bool = False,
) -> str:
    """Draw a row for each source word and a column for each target word, with blocks where they are linked.

    A full block is a sure link, a grey one is possible or doubtful. With `gold`, the links are compared with
    it and a legend says what was right, wrong and missed. What is wider than `width` cells is cut into
    several drawings, each with the next target words.

    >>> from cepts.links import Link
    >>> print(draw_matrix(["chat", "noir"], ["black", "cat"], [Link(0, 1), Link(1, 0)]))
    chat · ██
    noir ██·
         │ └ cat
         └ black
    """
    check_range(links, "link", source_words, target_words)
    check_range(gold or (), "gold link", source_words, target_words)
    kinds = kinds_of(links, gold)
    rows = [printable(word, LONGEST_WORD) for word in source_words]
    columns = [printable(word, LONGEST_WORD) for word in target_words]
    margin = max(map(cell_width, rows), default=0)
    blocks = [
        "\n".join(_draw_block(rows, columns, kinds, block, colour))
        for block in _cut_columns(columns, width - margin - 1)
    ]
    if gold is not None:
        blocks.append(_legend(kinds, colour))
    return "\n\n".join(block for block in blocks if block)


@checked
def draw_pairs(
    source_words: Sequence[str],
    target_words: Sequence[str],
    links: Sequence[Link],
    *,
    width: int = 100,
    colour: bool = False,
) -> str:
    """Write the source sentence in groups of linked words, each above its translation.

    Words of a group that are not neighbours are joined by an ellipsis; words without a link come last, in
    parentheses. Lines are cut between groups at `width` cells.

    >>> from cepts.links import Link
    >>> links = [Link(0, 1), Link(1, 0), Link(2, 2), Link(4, 2)]
    >>> print(draw_pairs("chat noir ne dort pas".split(), "black cat not".split(), links))
    chat   noir    ne … pas   (dort)
    cat    black   not
    """
    check_range(links, "link", source_words, target_words)
    source = [printable(word, LONGEST_WORD) for word in source_words]
    target = [printable(word, LONGEST_WORD) for word in target_words]
    columns = [(_join(source, group.source), _join(target, group.target)) for group in _groups(links)]
    # never one above the other: that would read as a translation
    columns += [(word, "") for word in _in_parentheses(source, {link.source for link in links})]
    columns += [("", word) for word in _in_parentheses(target, {link.target for link in links})]
    return "\n\n".join(_two_lines(line, colour) for line in _wrap(columns, width))


def _cut_columns(columns: Sequence[str], width: int) -> Iterator[range]:
    """Cut the columns into runs whose drawing, labels included, fits into `width` cells."""
    first = 0
    for j, word in enumerate(columns):
        if j > first and COLUMN * (j - first + 1) + cell_width(word) > width:
            yield range(first, j)
            first = j
    yield range(first, len(columns))


def _draw_block(
    rows: Sequence[str], columns: Sequence[str], kinds: Kinds, block: range, colour: bool
) -> Iterator[str]:
    """Draw the rows over the columns of one block, then the stairs of target words below them."""
    margin = max(map(cell_width, rows), default=0)
    for i, word in enumerate(rows):
        marks = (_paint(kinds.get((i, j), EMPTY), colour) for j in block)
        yield f"{pad_left(word, margin)} {''.join(marks)}".rstrip()
    for j in reversed(block):
        yield " " * (margin + 1) + "│ " * (j - block.start) + f"└ {columns[j]}"


def _paint(kind: str, colour: bool) -> str:
    return f"{COLOURS[kind]}{MARKS[kind]}{RESET}" if colour else MARKS[kind]


def _legend(kinds: Kinds, colour: bool) -> str:
    """Explain the marks that occur."""
    present = set(kinds.values())
    return GAP.join(f"{_paint(kind, colour)} {text}" for kind, text in LEGEND.items() if kind in present)


def _groups(links: Iterable[Link]) -> list[Group]:
    """Collect words that links connect, directly or through others, by their first source word."""
    groups: list[Group] = []
    for link in sorted(links):
        touching = [group for group in groups if link.source in group.source or link.target in group.target]
        groups = [group for group in groups if group not in touching]
        source = {link.source}.union(*(group.source for group in touching))
        target = {link.target}.union(*(group.target for group in touching))
        groups.append(Group(sorted(source), sorted(target)))
    return sorted(groups)


def _join(words: Sequence[str], positions: Sequence[int]) -> str:
    """Write the words at ascending positions, with an ellipsis over each gap."""
    text = words[positions[0]]
    for before, position in pairwise(positions):
        text += (" " if position == before + 1 else " … ") + words[position]
    return text


def _in_parentheses(words: Sequence[str], linked: set[int]) -> list[str]:
    return [f"({word})" for position, word in enumerate(words) if position not in linked]


def _wrap(columns: Sequence[tuple[str, str]], width: int) -> Iterator[list[tuple[str, str]]]:
    """Cut the columns of words into lines of at most `width` cells."""
    line: list[tuple[str, str]] = []
    used = 0
    for column in columns:
        needed = max(map(cell_width, column))
        if line and used + needed > width:
            yield line
            line, used = [], 0
        line.append(column)
        used += needed + len(GAP)
    if line:
        yield line


def _two_lines(columns: Sequence[tuple[str, str]], colour: bool) -> str:
    """Write source words above target words, each column as wide as the wider of its two."""
    widths = [max(map(cell_width, column)) for column in columns]
    source, target = (
        GAP.join(
            pad_right(column[side], width) for column, width in zip(columns, widths, strict=True)
        ).rstrip()
        for side in (0, 1)
    )
    return f"{source}\n{CYAN}{target}{RESET}" if colour and target else f"{source}\n{target}"
