"""`TermPairs`: the phrase pairs of a text that may be terms, and where each was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.phrases.extraction import extract_in_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.links import Links
    from cepts.phrases.term_phrases import Phrases
    from cepts.phrases.term_text import Spans, TermSide


class Half(NamedTuple):
    """One side of the text and its phrases, which have at most so many words."""

    side: TermSide
    phrases: Phrases
    most: int


class Finds(NamedTuple):
    """Phrase pairs in their places, a row each: the pair of segments, and the phrases' numbers and first tokens."""

    pair: NDArray[np.int64]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    source_begin: NDArray[np.int64]
    target_begin: NDArray[np.int64]
    whole: NDArray[np.bool_]  # the phrases are all that the segments say


@dataclass(frozen=True, eq=False)
class TermPairs:
    """Pairs of phrases, by their numbers; pair k owns the finds `offsets[k]` to `offsets[k + 1]`, one for a segment.

    `count` says how many these are, `whole` how many of them are whole segments.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    count: NDArray[np.int64]
    whole: NDArray[np.int64]
    offsets: NDArray[np.int64]
    finds: Finds


def pair_terms(source: Half, target: Half, links: Links) -> TermPairs:
    """Find all pairs of phrases that links allow, or that are whole segments, and that may be terms."""
    whole = whole_segments(source, target)
    parts = [whole, *_extracted(source, target, links, whole)]
    finds = _joined(parts)
    width = max(len(target.phrases.segments), 1)
    key = finds.source * width + finds.target
    # Finds of one pair of phrases behind one another, by segments; of each segment one, rather the whole of it.
    order = np.lexsort((finds.target_begin, finds.source_begin, ~finds.whole, finds.pair, key))
    new = order[_changes(key[order]) | _changes(finds.pair[order])]
    keys, first, count = np.unique(key[new], return_index=True, return_counts=True)
    finds = _chosen(finds, new)
    offsets = np.append(first, len(new))
    wholes = np.append(0, np.cumsum(finds.whole))
    return TermPairs(keys // width, keys % width, count, np.diff(wholes[offsets]), offsets, finds)


def whole_segments(source: Half, target: Half) -> Finds:
    """Return the pairs of segments that may be terms as they are."""
    left, right = source.side.whole(), target.side.whole()
    fine = np.ones(len(left[0]), np.bool_)
    for half, (begins, ends) in ((source, left), (target, right)):
        fine &= (ends - begins <= half.most) & half.side.fits(begins, ends, edges=False)
    pair = np.flatnonzero(fine)
    spans = [(begins[pair], ends[pair]) for begins, ends in (left, right)]
    return _finds(source, target, pair, spans[0], spans[1], whole=True)


def _extracted(source: Half, target: Half, links: Links, whole: Finds) -> Iterator[Finds]:
    """Yield what links allow; a phrase that is a whole segment somewhere may begin and end with any word."""
    exempt = [np.zeros(len(half.phrases.segments), np.bool_) for half in (source, target)]
    exempt[0][whole.source] = exempt[1][whole.target] = True
    lengths = source.side.surface.lengths, target.side.surface.lengths
    for found in extract_in_pieces(links, *lengths, max_length=max(source.most, target.most)):
        before = source.side.offsets[found.pair], target.side.offsets[found.pair]
        left = before[0] + found.source_begin, before[0] + found.source_end
        right = before[1] + found.target_begin, before[1] + found.target_end
        kept = np.flatnonzero(_fine(source, left, exempt[0]) & _fine(target, right, exempt[1]))
        spans = [(begins[kept], ends[kept]) for begins, ends in (left, right)]
        yield _finds(source, target, found.pair[kept], spans[0], spans[1], whole=False)


def _fine(half: Half, spans: Spans, exempt: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the spans of one side that may be terms."""
    begins, ends = spans
    fine: NDArray[np.bool_] = ends - begins <= half.most
    fine[fine] = half.side.connected(begins[fine], ends[fine])
    begins, ends = begins[fine], ends[fine]
    fine[fine] = half.side.fits(begins, ends) | exempt[half.phrases.of(begins, ends)]
    return fine


def _finds(
    source: Half, target: Half, pair: NDArray[np.int64], left: Spans, right: Spans, whole: bool
) -> Finds:
    """Put the numbers of phrases to their places."""
    numbers = source.phrases.of(*left), target.phrases.of(*right)
    return Finds(pair, *numbers, left[0], right[0], np.full(len(pair), whole))


def _joined(parts: list[Finds]) -> Finds:
    """Put rows behind one another."""
    pair, source, target, source_begin, target_begin, whole = (
        np.concatenate([part[column] for part in parts]) for column in range(len(Finds._fields))
    )
    return Finds(pair, source, target, source_begin, target_begin, whole)


def _chosen(finds: Finds, rows: NDArray[np.int64]) -> Finds:
    """Return some rows."""
    numbers = finds.pair[rows], finds.source[rows], finds.target[rows]
    return Finds(*numbers, finds.source_begin[rows], finds.target_begin[rows], finds.whole[rows])


def _changes(values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark each value that differs from the one before, and the first."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]
