"""`Lines`: the lines of a file, as many at a time as are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus.files import Block, read_blocks, shown

if TYPE_CHECKING:
    from cepts.corpus.files import FilePath


class Lines:
    """A file that is read once, from the beginning; `taken` counts the lines that were handed out."""

    def __init__(self, path: FilePath) -> None:
        self.name = shown(path)
        self.taken = 0
        self._blocks = read_blocks(path)
        self._rest = Block(b"", 0, 0)

    def peek(self) -> bytes:
        """Return some lines that come next, without taking them."""
        if not self._rest.lines:
            self._rest = next(self._blocks, self._rest)
        return self._rest.text

    def take(self, wanted: int | None = None) -> Block:
        """Return the next lines, fewer at the end; without a number, what can be had at once."""
        parts, lines = [self.peek()], self._rest.lines
        while wanted is not None and lines < wanted and (block := next(self._blocks, None)):
            parts.append(block.text)
            lines += block.lines
        text = b"".join(parts)
        wanted = lines if wanted is None else min(wanted, lines)
        cut = _end_of_line(text, wanted) if wanted < lines else len(text)
        taken = Block(text[:cut], wanted, self.taken)
        self.taken += wanted
        self._rest = Block(text[cut:], lines - wanted, self.taken)
        return taken

    def count(self) -> int:
        """Return how many lines there are in all; none is left to be taken."""
        while self.take().lines:
            pass
        return self.taken


def _end_of_line(text: bytes, lines: int) -> int:
    """Return where the last of so many lines ends.

    >>> _end_of_line(b"a\\nbc\\nd\\n", 2)
    5
    """
    newlines = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return int(newlines[lines - 1]) + 1 if lines else 0
