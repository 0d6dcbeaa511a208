"""`PairTable`: probabilities of words given ordered pairs of words, of one direction.

A bitext has far more triples of words than pairs: hundreds of cells for each cell of a mono-word model, most of them
met once. So their counts are never stored. The E step leaves, for each head and step, the ratio of posterior to
emission; the M step walks through the rows, adds up what each row's occurrences say, and writes the row's new
probabilities. Rows belong to one thread each: no copies, and the same sums for any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.errors import InputError, said
from cepts.running import run
from cepts.words.decode_kernels import order_of_rows
from cepts.words.layout import runs_of
from cepts.words.lexicon import read_only
from cepts.words.pair_kernels import (
    Mixing,
    PairCells,
    descend_pairs,
    entry_words,
    look_up_pairs,
    maximise_pairs,
    mix_values,
    number_cells,
    pair_tokens,
)
from cepts.words.reach import VANISHED, Expected
from cepts.words.regularity import pair_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.indexed import IndexedBitext
    from cepts.words.layout import Pieces
    from cepts.words.lexicon import Vocabularies
    from cepts.words.model import Directions

    Vector = NDArray[np.float64]

MAX_PIECE_CELLS = (
    1 << 20
)  # a sentence pair with more cells (some 130 words a side) is left to the mono-word model
MAX_CELLS = 1 << 30  # of a whole text: about 20 GB
PAIR_CELL = (
    16  # bytes: its entry in the table and in its row, and an entry of its own, before and behind an M step
)
BAND = 5  # distances inside a pair that have a weight of their own
ROW_BLOCK = 1 << 20  # entries that one thread works on at a time
KEPT = np.float32(1e-6)  # a probability below is zero in a finished model


NO_CELLS = PairCells(
    np.zeros(1, np.int64),
    np.empty((0, 2), np.int64),
    np.empty(0, np.uint32),
    np.zeros(1, np.int64),
    np.zeros(1, np.int64),
    np.empty((0, 3), np.int32),
    np.empty(0, np.uint32),
    np.zeros(1, np.int64),
)


class PairCounts(NamedTuple):
    """Expected double alignments by distance (last: beyond the band), and by the number of possible seconds."""

    distances: Vector
    contexts: Vector


@dataclass(frozen=True, eq=False)
class PairTable:
    """Rows of one direction: `keys` name each row's words (first << 32 | second), `weights` what they cost."""

    index: PairCells
    keys: NDArray[np.int64]
    values: NDArray[np.float32]
    weights: NDArray[np.float32]
    penalty: float  # the regularity term
    oversized: NDArray[np.bool_]  # for each piece, whether it is left to the mono-word model

    @classmethod
    def uniform(cls, bitext: Bitext, indexed: IndexedBitext, way: int, strength: float) -> PairTable:
        """Index the pairs of a bitext and share each row evenly; see `regularity` for the strength."""
        index, keys, oversized = index_pairs(bitext, indexed, way)
        sizes = np.diff(index.row_offsets)
        values = np.repeat((1.0 / np.maximum(sizes, 1)).astype(np.float32), sizes)
        weights = pair_weights(np.diff(index.occurrence_offsets), strength)
        return cls(index, keys, values, weights, float(weights.sum(dtype=np.float64)), oversized)

    @cached_property
    def blocks(self) -> list[tuple[int, int]]:
        """Runs of rows of about the same number of entries."""
        rows = len(self.keys)
        return runs_of(self.index.row_offsets[1:] // ROW_BLOCK) if rows else []

    def maximised(
        self, mixing: Mixing, places: NDArray[np.int64], ratios: NDArray[np.float32], threads: int
    ) -> tuple[PairTable, PairCounts]:
        """M step, from the ratios of the E step; returns also what it finds about distances."""
        values = np.empty_like(self.values)
        known = (self.weights, self.values, mixing, places, ratios)
        parts = run(lambda rows: maximise_pairs(self.index, *rows, *known, values), self.blocks, threads)
        counts, (penalty,) = _add_up(parts, mixing, 1)
        return replace(self, values=values, penalty=penalty), counts

    def descended(
        self,
        mixing: Mixing,
        places: NDArray[np.int64],
        ratios: NDArray[np.float32],
        length: float,
        threads: int,
    ) -> tuple[PairTable, PairCounts, float]:
        """Step down the gradient and project; returns also the counts of distances and the slope towards there."""
        values = np.empty_like(self.values)
        known = (self.weights, self.values, mixing, places, ratios)
        parts = run(
            lambda rows: descend_pairs(self.index, *rows, *known, length, values), self.blocks, threads
        )
        counts, (penalty, slope) = _add_up(parts, mixing, 2)
        return replace(self, values=values, penalty=penalty), counts, slope

    def between(self, other: PairTable, share: float, threads: int = 1) -> PairTable:
        """Return the table on the way from this one to another."""
        values = np.empty_like(self.values)
        cuts = [*range(0, len(values), ROW_BLOCK), len(values)]
        parts = list(pairwise(cuts))

        def mix(part: tuple[int, int]) -> None:
            some = slice(*part)
            mix_values(self.values[some], other.values[some], np.float32(share), values[some])

        for _ in run(mix, parts, threads):
            pass
        penalty = self.penalty + share * (other.penalty - self.penalty)
        return replace(self, values=values, penalty=penalty)

    def cells_of(self, pieces: NDArray[np.int64]) -> tuple[PairCells, NDArray[np.uint32]]:
        """Return the cells of some pieces, numbered from 0, as an E step needs them, and the entries that they use."""
        begins, lengths = self.index.offsets[pieces], self.index.lengths[pieces]
        sizes = self.index.offsets[pieces + 1] - begins
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(begins - offsets[:-1], sizes) + np.arange(offsets[-1])
        entries, cells = np.unique(self.index.cells[places], return_inverse=True)
        cells = cells.reshape(-1).astype(np.uint32)
        return NO_CELLS._replace(offsets=offsets, lengths=lengths, cells=cells), entries

    def of_entries(self, entries: NDArray[np.uint32]) -> PairTable:
        """Return the values of some entries alone, without an index."""
        nothing = np.empty(0, np.int64)
        values = self.values[entries]
        return PairTable(NO_CELLS, nothing, values, nothing.astype(np.float32), 0.0, nothing.astype(np.bool_))

    def settled(self) -> PairTable:
        """Return the table with nothing below `KEPT`, as it is saved."""
        return replace(self, values=np.where(self.values >= KEPT, self.values, np.float32(0)))


def _add_up(parts: Iterable[tuple[Any, ...]], mixing: Mixing, scalars: int) -> tuple[PairCounts, list[float]]:
    """Add up what runs of rows found: counts of distances and contexts, and so many numbers."""
    counts = PairCounts(np.zeros(BAND + 1), np.zeros(mixing.near.shape[1] + 1))
    sums = [0.0] * scalars
    for distances, contexts, *numbers in parts:
        counts.distances[:] += distances
        counts.contexts[:] += contexts
        sums = [total + number for total, number in zip(sums, numbers, strict=True)]
    return counts, sums


def index_pairs(
    bitext: Bitext, indexed: IndexedBitext, way: int
) -> tuple[PairCells, NDArray[np.int64], NDArray[np.bool_]]:
    """Lay out the double alignments of a bitext: cells, the rows' words, and which pieces are too large for it."""
    pieces = indexed.pieces
    sides = [
        (pieces.source_start, pieces.source_length, bitext.source),
        (pieces.target_start, pieces.target_length, bitext.target),
    ]
    (state_starts, states, state_side), (step_starts, steps, step_side) = sides if way == 0 else sides[::-1]
    lengths = np.stack([states, steps], axis=1).astype(np.int64)
    sizes = double_alignments(lengths)
    counted = sizes > 0
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    if offsets[-1] > MAX_CELLS:
        raise InputError(
            f"{offsets[-1]:,} double alignments are more than bi-word models can hold ({MAX_CELLS:,}): "
            f"take fewer or shorter pairs, or {said('model_type', 'hmm')}"
        )
    keys, occurrences = pair_tokens(state_starts, lengths, counted, state_side.ids)
    rows, row_keys = _rows_in_order(keys)
    order = order_of_rows(rows, len(row_keys))
    occurrence_offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(row_keys)))])
    cells = int(offsets[-1])
    index = PairCells(
        offsets,
        lengths,
        np.empty(cells, np.uint32),
        np.zeros(len(row_keys) + 1, np.int64),
        occurrence_offsets.astype(np.int64),
        occurrences[order],
        np.empty(cells, np.uint32),
        np.zeros(len(row_keys) + 1, np.int64),
    )
    number_cells(step_starts, step_side.ids, len(step_side.words), index)
    return index, row_keys, ~counted & (lengths[:, 0] > 2)


def double_alignments(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the double alignments of pieces with so many states and steps; those that are too large have none."""
    sizes: NDArray[np.int64] = (lengths[:, 0] - 1) * (lengths[:, 0] - 2) // 2 * lengths[:, 1]
    return np.where((lengths[:, 0] > 2) & (sizes <= MAX_PIECE_CELLS), sizes, 0)


def memory_of_pairs(pieces: Pieces, directions: Directions) -> int:
    """Return how many bytes the tables of pairs take, at most, which are all in memory."""
    lengths = np.stack([pieces.source_length, pieces.target_length], axis=1).astype(np.int64)
    sides = (lengths, lengths[:, ::-1])
    return sum(
        PAIR_CELL * int(double_alignments(side).sum())
        for side, way in zip(sides, directions, strict=True)
        if way
    )


def _rows_in_order(keys: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number equal keys by their first occurrence: what is met together lies together."""
    distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    return rank[inverse.reshape(-1)], distinct[order]


@lru_cache(maxsize=16)
def _reach(longest: int) -> Vector:
    """Which distances, and the bucket, a head with so many possible seconds reaches."""
    room = np.arange(longest + 1)[:, None]
    return (np.arange(1, BAND + 2) <= room).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Distances:
    """How far the second word of a double alignment is from the first: weights of 1..BAND and a bucket; p(b = 1)."""

    weights: Vector
    double: float

    @classmethod
    def initial(cls, double: float) -> Distances:
        """Begin evenly."""
        return cls(np.full(BAND + 1, 1.0 / (BAND + 1)), double)

    def between(self, other: Distances, share: float) -> Distances:
        """Return the distances on the way from these to others."""
        return replace(self, weights=self.weights + share * (other.weights - self.weights))

    def mixing(self, longest: int) -> Mixing:
        """Tabulate how single and double alignments share a head, in the Bi-HMM."""
        length, head = np.arange(longest + 1)[:, None], np.arange(longest)
        room = np.maximum(length - 2 - head, 0)
        weights = np.maximum(self.weights, VANISHED)
        norm = (_reach(longest) @ weights)[room]
        near = np.divide(self.double, norm, out=np.zeros_like(norm), where=norm > 0)
        far = np.divide(weights[-1] * near, room - BAND, out=np.zeros_like(norm), where=room > BAND)
        single = np.where(room > 0, 1.0 - self.double, 1.0)
        single, shape, near, far = (
            np.ascontiguousarray(table, np.float32) for table in (single, weights[:-1], near, far)
        )
        return Mixing(single, np.float32(1.0 - self.double), shape, near, far)

    def evenly(self, longest: int) -> Mixing:
        """Tabulate how they share in the Bi-1, where all pairs of a sentence are equal, relative to 1 / (I + 1)."""
        length = np.arange(longest + 1)[:, None] + np.zeros((1, longest))
        pairs = np.maximum((length - 1) * (length - 2) / 2, 1.0)
        share = np.ascontiguousarray(self.double * (length + 1) / pairs, np.float32)
        single = np.full(share.shape, 1.0 - self.double, np.float32)
        return Mixing(single, np.float32(1.0 - self.double), np.ones(BAND, np.float32), share, share)

    def expected(self, counts: PairCounts) -> Expected:
        """What the counts say of the weights."""
        return Expected(counts.distances, counts.contexts, _reach(len(counts.contexts) - 1))


class KnownPairs(NamedTuple):
    """A finished table, for any text: rows sorted by key, a row's words sorted."""

    keys: NDArray[np.int64]
    row_offsets: NDArray[np.int64]
    words: NDArray[np.int32]
    values: NDArray[np.float32]


def known_pairs(table: PairTable, bitext: Bitext, indexed: IndexedBitext, way: int) -> KnownPairs:
    """Return what a finished model needs of a table: the entries of at least `KEPT`."""
    words = _words_of(table.index, bitext, indexed, way)
    kept = np.flatnonzero(table.values >= KEPT)
    row = np.searchsorted(table.index.row_offsets, kept, side="right") - 1
    order = np.lexsort((words[kept], table.keys[row]))
    keys, sizes = np.unique(table.keys[row], return_counts=True)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return KnownPairs(keys, offsets, words[kept][order], table.values[kept][order])


def table_for_text(
    known: KnownPairs,
    bitext: Bitext,
    indexed: IndexedBitext,
    way: int,
    text: Vocabularies,
    words: Vocabularies,
) -> PairTable:
    """Return the table of another text, with the finished table's values; pairs that it does not know give nothing."""
    index, keys, oversized = index_pairs(bitext, indexed, way)
    maps = words.maps_of(text)
    states, steps = (side[1:].astype(np.int64) - 1 for side in (maps if way == 0 else maps[::-1]))
    first, second = states[keys >> 32], states[keys & 0xFFFFFFFF]
    theirs = np.where((first >= 0) & (second >= 0), first << 32 | second, -1)
    rows = np.searchsorted(known.keys, theirs)
    found = rows < len(known.keys)
    found[found] = known.keys[rows[found]] == theirs[found]
    values = np.zeros(int(index.row_offsets[-1]), np.float32)
    table = tuple(read_only(array) for array in known[1:])  # never copied: a stream looks up every line
    look_up_pairs(
        index, np.where(found, rows, -1), _words_of(index, bitext, indexed, way), steps, table, values
    )
    return PairTable(index, keys, values, np.zeros(len(keys), np.float32), 0.0, oversized)


def _words_of(index: PairCells, bitext: Bitext, indexed: IndexedBitext, way: int) -> NDArray[np.int32]:
    """The generated word of each entry."""
    side, starts = (
        (bitext.target, indexed.pieces.target_start)
        if way == 0
        else (bitext.source, indexed.pieces.source_start)
    )
    words = np.empty(int(index.row_offsets[-1]), np.int32)
    entry_words(starts, side.ids, index, words)
    return words
