"""N-grams by numbers: each is the number of its beginning and its last unit, so any length fits one integer.

A unit is a word, a tag or a letter, as a number; -1 is one that nobody knows. The kept n-grams of an order are sorted
keys, `number of the n-gram without its last unit << 32 | last unit`; an n-gram's number is the place of its key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Keys = NDArray[np.int64]
    Tally = tuple[Keys, NDArray[np.int64]]

SHIFT = 32
UNIT = (1 << SHIFT) - 1
TOKENS_AT_ONCE = 1 << 20  # while counting: some ten megabytes
MOST_FEATURES = 20_000_000  # different ones while counting: some hundred megabytes


class Walk:
    """The n-grams that begin at each place of some sentences, one unit longer at each step.

    `places` are where those begin that are still known, `numbers` which ones they are.
    """

    def __init__(self, units: NDArray[np.int32], offsets: NDArray[np.int64]) -> None:
        self._units = units
        self._ends = np.repeat(offsets[1:] - offsets[0], np.diff(offsets))
        self._order = 1
        self.places: NDArray[np.int64] = np.flatnonzero(units >= 0)
        self.numbers: NDArray[np.int64] = units[self.places].astype(np.int64)

    def lengthen(self) -> Keys:
        """Add the next unit to each n-gram, forget those without one, and return the keys of the rest."""
        last = self.places + self._order
        inside = last < self._ends[self.places]
        self._order += 1
        units = self._units[last[inside]]
        known = units >= 0
        self.places = self.places[inside][known]
        return self.numbers[inside][known] << SHIFT | units[known]

    def follow(self, keys: Keys, kept: Keys) -> None:
        """Number the n-grams of `keys`, and forget those that are not kept."""
        if not len(kept):
            kept = np.array([-1])
        found = np.minimum(np.searchsorted(kept, keys), len(kept) - 1)
        known = kept[found] == keys
        self.places, self.numbers = self.places[known], found[known]


class NGrams(NamedTuple):
    """The n-grams that are kept: `units` single units, and the sorted keys of the longer ones, by order from 2.

    Those of at least `shortest` units are features, numbered by order, then by key; shorter ones lead there.
    """

    shortest: int
    units: int
    keys: tuple[Keys, ...]

    @property
    def sizes(self) -> list[int]:
        """How many there are of each order."""
        return [self.units, *map(len, self.keys)]

    @property
    def width(self) -> int:
        """The number of features."""
        return sum(self.sizes[self.shortest - 1 :])

    def features(
        self, units: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield for each order the places where known n-grams begin in some sentences, and their features."""
        walk, start = Walk(units, offsets), 0
        for order, size in enumerate(self.sizes, 1):
            if order > 1:
                walk.follow(walk.lengthen(), self.keys[order - 2])
            if order >= self.shortest:
                yield walk.places, walk.numbers + start
                start += size

    def spelled(self) -> Iterator[tuple[int, ...]]:
        """Yield the units of each feature."""
        grams: list[tuple[int, ...]] = [(unit,) for unit in range(self.units)]
        if self.shortest == 1:
            yield from grams
        for order, keys in enumerate(self.keys, 2):
            parts = zip((keys >> SHIFT).tolist(), (keys & UNIT).tolist(), strict=True)
            grams = [(*grams[start], unit) for start, unit in parts]
            if order >= self.shortest:
                yield from grams

    def pruned(self, wanted: Sequence[NDArray[np.bool_]]) -> tuple[NGrams, NDArray[np.bool_]]:
        """Keep, of each order, those that are wanted or lead to one; return also which units are kept."""
        masks = [mask.copy() for mask in wanted]
        for order in range(len(masks) - 1, 0, -1):
            keys = self.keys[order - 1][masks[order]]
            masks[order - 1][keys >> SHIFT] = True
            masks[0][keys & UNIT] = True
        numbers = [np.cumsum(mask) - 1 for mask in masks]
        kept = [
            numbers[k][keys[mask] >> SHIFT] << SHIFT | numbers[0][keys[mask] & UNIT]
            for k, (keys, mask) in enumerate(zip(self.keys, masks[1:], strict=True))
        ]
        return NGrams(self.shortest, int(masks[0].sum()), tuple(kept)), masks[0]

    def checked(self) -> NGrams:
        """Return itself; refuse keys that are out of order or point to nothing."""
        for size, keys in zip(self.sizes, self.keys, strict=False):
            if keys.dtype != np.int64 or keys.ndim != 1 or np.any(keys[1:] <= keys[:-1]):
                raise ValueError("its n-grams are not in order")
            if np.any((keys < 0) | (keys >> SHIFT >= size) | (keys & UNIT >= self.units)):
                raise ValueError("its n-grams do not fit each other")
        return self


class Counted(NamedTuple):
    """N-grams, how often each of every order is there, and which of the units they were made of are kept."""

    ngrams: NGrams
    counts: list[NDArray[np.int64]]
    units: NDArray[np.bool_]


def count_ngrams(
    units: NDArray[np.int32],
    offsets: NDArray[np.int64],
    unit_count: int,
    lengths: tuple[int, int],
    min_count: int,
    weights: NDArray[np.int64] | None = None,
    limit: int = MOST_FEATURES,
    what: str = "word",
) -> Counted:
    """Find the n-grams up to the longer of two lengths that are there at least `min_count` times.

    A unit that stands at place k counts `weights[k]` times, or once. As soon as there are more than `limit` different
    n-grams, those that are rare included, it is an error.
    """
    totals = np.bincount(units, weights, unit_count).astype(np.int64)
    enough = totals >= min_count
    numbers = np.where(enough, np.cumsum(enough) - 1, -1).astype(np.int32)
    found = NGrams(lengths[0], int(enough.sum()), ())
    counts, different = [totals[enough]], unit_count
    _check_room(different, limit, f"single {what}s")
    for order in range(2, lengths[1] + 1):
        keys, often = np.empty(0, np.int64), np.empty(0, np.int64)
        for places, near in _pieces(offsets):
            more = _tally_longest(
                numbers[units[places]], near, found.keys, None if weights is None else weights[places]
            )
            keys, often = _merged((keys, often), more)
            _check_room(different + len(keys), limit, f"{what} {order}-grams")
        different += len(keys)
        often_enough = often >= min_count
        found = found._replace(keys=(*found.keys, keys[often_enough]))
        counts.append(often[often_enough])
    return Counted(found, counts, enough)


def _tally_longest(
    units: NDArray[np.int32],
    offsets: NDArray[np.int64],
    kept: Sequence[Keys],
    weights: NDArray[np.int64] | None,
) -> Tally:
    """Count the n-grams of a piece of text that are one unit longer than the longest that are kept."""
    walk = Walk(units, offsets)
    for keys in kept:
        walk.follow(walk.lengthen(), keys)
    longest = walk.lengthen()
    return tally(longest, None if weights is None else weights[walk.places])


def tally(keys: Keys, weights: NDArray[np.int64] | None = None) -> Tally:
    """Return the different keys, sorted, and how often each is there, or the sums of their weights."""
    if weights is None:
        different, counts = np.unique(keys, return_counts=True)
        return different, counts.astype(np.int64)
    different, which = np.unique(keys, return_inverse=True)
    return different, np.bincount(which, weights, len(different)).astype(np.int64)


def _merged(one: Tally, other: Tally) -> Tally:
    """Add up two counts."""
    if not len(one[0]):
        return other
    return tally(np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]]))


def _check_room(different: int, limit: int, what: str) -> None:
    """Refuse a text with more different n-grams than can be counted."""
    if different > limit:
        raise InputError(
            f"more than {limit:,} different features, reached among {what}; use shorter n-grams or a higher min_count,"
            " or learn from fewer sentences"
        )


def _pieces(offsets: NDArray[np.int64]) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """Cut sentences into pieces of about equal size: the places of each piece, and its offsets."""
    for first, end in row_blocks(offsets, TOKENS_AT_ONCE):
        near = offsets[first : end + 1]
        yield slice(int(near[0]), int(near[-1])), near


def row_blocks(offsets: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the end of blocks of rows, each of at most `size` entries or a single row."""
    first = 0
    while first < len(offsets) - 1:
        end = int(np.searchsorted(offsets, offsets[first] + size, "right")) - 1
        end = min(max(end, first + 1), len(offsets) - 1)
        yield first, end
        first = end
