"""The words of one side in the order of the alphabet, and which of them cannot stand in a phrase table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Side
    from cepts.phrases.writing_kernels import Words

BAR = "|||"  # stands behind a phrase
UNWRITABLE = re.compile(r"\|\|\||[\t\n\v\f\r ]|\A\Z")  # in a word: what would look like a part of the format


class Alphabet(NamedTuple):
    """`ranks` of words by id, then that of the bar, and all of them by rank, as kernels want them."""

    ranks: NDArray[np.int32]
    words: Words

    @property
    def bar(self) -> int:
        """The rank of the bar."""
        return int(self.ranks[-1])


def alphabet(words: Sequence[str]) -> Alphabet:
    """Put words and the bar in order, so that phrases by rank are in the order of the bytes of their lines.

    In a line, a word is always followed by a space, also the bar behind a phrase: hence "a b" comes before "a".

    >>> alphabet(["b", "a", "~"]).ranks.tolist()
    [1, 0, 3, 2]
    """
    from cepts.phrases.writing_kernels import Words

    spaced = [f"{word} " for word in (*words, BAR)]
    order = np.array(sorted(range(len(spaced)), key=spaced.__getitem__), np.int64)
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    encoded = [spaced[k][:-1].encode() for k in order.tolist()]
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum([len(word) for word in encoded])))
    text = np.frombuffer(bytearray(b"".join(encoded)), np.uint8)
    return Alphabet(ranks, Words(text, offsets, order, int(ranks[-1])))


class Unwritable:
    """Finds the sentences of one side that hold a word which cannot be written; words may become more."""

    def __init__(self) -> None:
        self._known = np.zeros(0, np.bool_)

    def sentences(self, side: Side) -> NDArray[np.bool_]:
        """Mark the sentences that hold such a word."""
        new = [UNWRITABLE.search(word) is not None for word in side.words[len(self._known) :]]
        self._known = np.concatenate((self._known, np.array(new, np.bool_)))
        marked = np.zeros(len(side), np.bool_)
        if self._known.any():
            places = np.flatnonzero(self._known[side.ids])
            marked[np.searchsorted(side.offsets, places, side="right") - 1] = True
        return marked
