"""`extract`: the phrase pairs of sentence pairs, consistent with their links."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError
from cepts.links.fitting import check_fit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.links import Links
    from cepts.phrases.extraction_kernels import Corpus

UNALIGNED = ("edges", "inside", "never")  # in the order of the kernels' numbers
LINKS_AT_ONCE = 1 << 16
PHRASES_AT_ONCE = 1 << 18


@checked
class PhrasePairs(NamedTuple):
    """Phrase pairs, one row each: words `source_begin` to `source_end` of a pair's source with its target words.

    Positions count from 0, ends are not included. Rows are sorted by pair, source begin, source end, target begin,
    target end.
    """

    pair: NDArray[np.int64]
    source_begin: NDArray[np.int32]
    source_end: NDArray[np.int32]
    target_begin: NDArray[np.int32]
    target_end: NDArray[np.int32]


class _Wanted(NamedTuple):
    """The links, room to work on one pair, the longest phrase and the rule for words without a link."""

    corpus: Corpus
    frame: NDArray[np.int32]
    longest: int
    rule: int


@checked
def extract(
    links: Links,
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    max_length: int = 7,
    unaligned: str = "edges",
) -> PhrasePairs:
    """Return the phrase pairs of at most `max_length` words a side: boxes that hold a link and that no link leaves.

    A possible link is both there and not: one that leaves a box is taken as absent, one inside counts. Words without
    a link may stand anywhere in a box (`unaligned` "edges", as in Moses), only between others ("inside"), or nowhere
    ("never", denero-2011).

    >>> from cepts.links import Links
    >>> links = Links.from_pairs([[(0, 0), (1, 2)]])
    >>> found = extract(links, np.array([2]), np.array([3]), unaligned="inside")
    >>> np.transpose(found).tolist()
    [[0, 0, 1, 0, 1], [0, 0, 2, 0, 3], [0, 1, 2, 2, 3]]
    """
    wanted = _check(links, source_lengths, target_lengths, max_length, unaligned)
    parts = list(_pieces(wanted, 0, len(links), None))
    if len(parts) == 1:
        return parts[0]
    return PhrasePairs(*(np.concatenate(columns) for columns in zip(_nothing(), *parts, strict=True)))


@checked
def extract_in_pieces(
    links: Links,
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    max_length: int = 7,
    unaligned: str = "edges",
    size: int = PHRASES_AT_ONCE,
) -> Iterator[PhrasePairs]:
    """Yield the rows of `extract` in order, about `size` at a time, so that memory is bounded.

    More come at once only where one source word begins more phrase pairs.

    >>> from cepts.links import Links
    >>> links = Links.from_pairs([[(0, 0)], [], [(0, 0), (1, 1)]])
    >>> lengths = np.array([1, 0, 2])
    >>> [piece.pair.tolist() for piece in extract_in_pieces(links, lengths, lengths, size=2)]
    [[0], [2, 2], [2]]
    """
    wanted = _check(links, source_lengths, target_lengths, max_length, unaligned)
    return _all_pieces(wanted, links, size)


def _all_pieces(wanted: _Wanted, links: Links, size: int) -> Iterator[PhrasePairs]:
    """Walk over the pairs, some `LINKS_AT_ONCE` links at a time."""
    first = 0
    while first < len(links):
        enough = links.offsets[first] + LINKS_AT_ONCE
        last = max(first + 1, int(np.searchsorted(links.offsets, enough, side="right")) - 1)
        yield from _pieces(wanted, first, last, size)
        first = last


def _pieces(wanted: _Wanted, first: int, last: int, size: int | None) -> Iterator[PhrasePairs]:
    """Count the phrase pairs of pairs `first` to `last`, then find them again, at most `size` (None: all) at a time."""
    words = wanted.corpus.source_offsets[[first, last]].tolist()
    counts, _ = _found(wanted, words[0], words[1], 0)
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    begin = 0
    while before[begin] < before[-1]:
        end = len(counts)
        if size is not None:
            end = int(np.searchsorted(before, before[begin] + max(size, 1), side="right")) - 1
            end = max(end, int(np.searchsorted(before, before[begin], side="right")))
        _, found = _found(wanted, words[0] + begin, words[0] + end, int(before[end] - before[begin]))
        yield found
        begin = end


def _found(wanted: _Wanted, begin: int, end: int, room: int) -> tuple[NDArray[np.int64], PhrasePairs]:
    """Count the phrase pairs from each of the corpus' source words `begin` to `end`, and return the first `room`."""
    from cepts.phrases.extraction_kernels import find_boxes  # late: they bring numba

    corpus = wanted.corpus
    counts = np.zeros(end - begin, np.int64)
    boxes, owners = np.empty((4, room), np.int32), np.empty(room, np.int64)
    pair = int(np.searchsorted(corpus.source_offsets, begin, side="right")) - 1
    find_boxes(corpus, wanted.frame, begin, end, pair, wanted.longest, wanted.rule, counts, boxes, owners)
    return counts, PhrasePairs(owners, *boxes)


def _check(
    links: Links,
    source_lengths: NDArray[np.integer],
    target_lengths: NDArray[np.integer],
    max_length: int,
    unaligned: str,
) -> _Wanted:
    """Refuse options that cannot be and links that do not fit; lay out what the kernels need."""
    from cepts.phrases.extraction_kernels import FRAME_ROWS, Corpus

    check_options(max_length, unaligned)
    check_fit(links, source_lengths, target_lengths)
    offsets = [_offsets(lengths) for lengths in (source_lengths, target_lengths)]
    corpus = Corpus(links.source, links.target, links.sure, links.offsets, *offsets)
    sides = [int(np.max(lengths, initial=0)) for lengths in (source_lengths, target_lengths)]
    width = max(*sides, int(np.diff(links.offsets).max(initial=0))) + 1
    frame = np.empty((FRAME_ROWS, width), np.int32)
    return _Wanted(corpus, frame, min(max_length, max(sides)), UNALIGNED.index(unaligned))


def check_options(max_length: int, unaligned: str) -> None:
    """Refuse a length below 1 and an unknown rule."""
    bounds.PHRASE_LENGTH.check("max_length", max_length)
    if unaligned not in UNALIGNED:
        raise OptionError(f"unaligned {unaligned!r}: expected one of {', '.join(UNALIGNED)}")


def _offsets(lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return where the words of each sentence begin, and one more for the end."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


def _nothing() -> PhrasePairs:
    """Return no rows."""
    return PhrasePairs(np.empty(0, np.int64), *(np.empty(0, np.int32) for _ in range(4)))
