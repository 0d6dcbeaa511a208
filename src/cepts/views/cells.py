"""Text in terminal cells: how wide it is, how to cut and pad it."""

from __future__ import annotations

import unicodedata

BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
CONJOINING_HANGUL = range(0x1160, 0x1200)  # vowels and finals: drawn inside the cell of the initial


def cell_width(text: str) -> int:
    """Count the terminal cells that `text` fills: two for wide characters, none for combining marks.

    >>> [cell_width(text) for text in ("école", "e\u0301cole", "学校")]
    [5, 5, 4]
    """
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or ord(character) in CONJOINING_HANGUL:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def printable(word: str, limit: int) -> str:
    """Make a word safe to draw: nothing that steers the terminal or turns the line, at most `limit` cells.

    >>> printable("a\\tb", 9), printable("incomprehensible", 9)
    ('a�b', 'incompre…')
    """
    shown = "".join(
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        else character
        for character in word.translate(BIDI_CONTROLS)
    )
    return shown if cell_width(shown) <= limit else _cut(shown, limit - 1) + "…"


def _cut(text: str, limit: int) -> str:
    """Keep the longest beginning that fits, with the marks that belong to its last character."""
    used = 0
    for position, character in enumerate(text):
        used += _character_width(character)
        if used > limit:
            return text[:position]
    return text


def pad_left(text: str, width: int) -> str:
    """Push text to the right end of `width` cells."""
    return " " * (width - cell_width(text)) + text


def pad_right(text: str, width: int) -> str:
    """Fill text up to `width` cells."""
    return text + " " * (width - cell_width(text))
