"""`LexicalCounts`: how often words are linked, in a text that comes in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.phrases.lexical import lexical_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.phrases.pieces import Piece
    from cepts.phrases.writing_kernels import Lexical

HALF = 32  # bits of a word's number in a key


class _Counted(NamedTuple):
    """How often two words are linked: keys, rising, of the source and the target word's number, each from NULL = 0."""

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]


class LexicalCounts:
    """Adds up links piece by piece; memory is in proportion to the different pairs of linked words."""

    def __init__(self) -> None:
        self._parts = [_Counted(np.empty(0, np.int64), np.empty(0, np.int64))]

    def add(self, piece: Piece) -> None:
        """Count the links of a piece, and its words without a link as linked to NULL."""
        table, _ = lexical_tables(piece.bitext, piece.links)
        self._parts.append(_Counted((table.given() << HALF) | table.columns, table.counts))
        # Parts of falling size, each at least twice the next: every count is moved a few times only.
        while len(self._parts) > 1 and len(self._parts[-2].keys) < 2 * len(self._parts[-1].keys):
            self._parts.append(_added(self._parts.pop(), self._parts.pop()))

    def lexical(self, source_words: int) -> Lexical:
        """Return the probabilities, both ways, of all that was added, of so many words."""
        from cepts.phrases.writing_kernels import Lexical

        while len(self._parts) > 1:
            self._parts.append(_added(self._parts.pop(), self._parts.pop()))
        keys, counts = self._parts[0]
        source, target = keys >> HALF, keys & ((1 << HALF) - 1)
        rows = np.zeros(source_words + 2, np.int64)
        np.cumsum(np.bincount(source, minlength=source_words + 1), out=rows[1:])
        values = np.zeros((len(keys) + 1, 2), np.float32)
        for side, words in enumerate((source, target)):
            values[:-1, side] = counts / np.bincount(words, weights=counts)[words]
        return Lexical(rows, target.astype(np.int32), values)


def _added(one: _Counted, other: _Counted) -> _Counted:
    """Merge two parts, and add up what both have."""
    keys = np.concatenate((one.keys, other.keys))
    order = np.argsort(keys, kind="stable")  # a merge of two runs
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.concatenate((one.counts, other.counts))[order]
    return _Counted(keys[first], np.add.reduceat(counts, first) if len(first) else counts)
