"""`Phrases`: every stretch of words of a side has a number, and is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.phrases.term_text import TermSide


class Phrases(NamedTuple):
    """The stretches of up to so many words that a term may have: one number for all places of the same words.

    `numbers[n - 1][k]` is that of the n tokens from token k, or -1. For each number: the count of `segments` that have
    it, of its `occurrences`, and of those at a `border` (see `TermSide`); one of its `places`, its `length` in words.
    """

    numbers: list[NDArray[np.int32]]
    segments: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    border: NDArray[np.int64]
    places: NDArray[np.int64]
    length: NDArray[np.int64]

    def of(self, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of spans of tokens; all of them must be connected, and short enough."""
        found = np.empty(len(begins), np.int64)
        for length, numbers in enumerate(self.numbers, 1):
            here = ends - begins == length
            found[here] = numbers[begins[here]]
        return found


def number_phrases(side: TermSide, longest: int) -> Phrases:
    """Number the connected stretches of up to `longest` tokens, shorter ones first.

    A stretch is its beginning without the last word, whose number is known, and that word.
    """
    tokens = len(side.ids)
    places, before = np.flatnonzero(~side.bad), np.zeros(tokens, np.int64)
    numbers, counted, count = [], [], 0
    owner = np.repeat(np.arange(len(side.offsets) - 1), np.diff(side.offsets))
    for length in range(1, longest + 1):
        keys = before[places] * len(side.words) + side.ids[places + length - 1]
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        found = np.full(tokens, -1, np.int32)  # half the memory, and enough
        found[places] = number + count
        numbers.append(found)
        at_border = side.at_border(places, places + length)
        counts = np.bincount(number), np.bincount(number[at_border], minlength=len(first))
        counted.append(
            (_segments(number, owner[places]), *counts, places[first], np.full(len(first), length))
        )
        before[places] = number
        count += len(first)
        places = places[places + length < tokens]
        places = places[side.connected(places, places + length + 1)]
    columns = [np.concatenate(column) for column in zip(*counted, strict=True)]
    return Phrases(numbers, *columns)


def _segments(number: NDArray[np.int64], owner: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count for each number the segments that have it, each once.

    >>> _segments(np.array([0, 1, 0, 0]), np.array([0, 0, 0, 1])).tolist()
    [2, 1]
    """
    order = np.argsort(number, kind="stable")  # owners stay in their rising order
    number, owner = number[order], owner[order]
    new = np.append(True, (number[1:] != number[:-1]) | (owner[1:] != owner[:-1]))[: len(number)]
    return np.bincount(number[new])
