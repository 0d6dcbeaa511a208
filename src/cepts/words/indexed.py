"""`IndexedBitext`: a bitext whose every cell knows its lexicon entry."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.running import run
from cepts.words.index_kernels import index_chunk, merge_rows
from cepts.words.lane_kernels import Chunk
from cepts.words.layout import ChunkPlan, Pieces, cut_into_pieces, plan_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext


class IndexedBitext(NamedTuple):
    """The pieces of a bitext, its chunks, and the word pairs that occur: columns in rows, NULL first on both sides."""

    pieces: Pieces
    chunks: list[Chunk]
    row_offsets: NDArray[np.int64]
    columns: NDArray[np.int32]

    @property
    def longest(self) -> int:
        """The length of the longest sentence, of either side."""
        lengths = (self.pieces.source_length, self.pieces.target_length)
        return int(max(side.max(initial=1) for side in lengths))


class ChunkIndex(NamedTuple):
    """What `index_chunk` finds: each cell's local entry, the rows' words and offsets, the entries' target words."""

    cells: NDArray[np.int32]
    row_words: NDArray[np.int32]
    row_offsets: NDArray[np.int64]
    columns: NDArray[np.int32]


def index_bitext(bitext: Bitext, threads: int = 1) -> IndexedBitext:
    """Lay out a bitext in chunks, and number the word pairs that occur in it."""
    pieces = cut_into_pieces(bitext)
    plans = plan_chunks(pieces)
    vocabulary = (len(bitext.source.words), len(bitext.target.words))
    starts = (pieces.source_start, pieces.target_start)

    def index(plan: ChunkPlan) -> ChunkIndex:
        return ChunkIndex(*index_chunk(plan, starts, bitext.source.ids, bitext.target.ids, vocabulary))

    found = list(run(index, plans, threads))
    bases, row_offsets, columns, entries = _number_pairs(found, vocabulary)
    chunks = [
        Chunk(*plan, part.cells, entries[begin:end])
        for plan, part, (begin, end) in zip(plans, found, pairwise(bases), strict=True)
    ]
    return IndexedBitext(pieces, chunks, row_offsets, columns)


def _number_pairs(
    found: list[ChunkIndex], vocabulary: tuple[int, int]
) -> tuple[list[int], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Merge the rows of all chunks: where each chunk's entries begin, the lexicon's rows and columns, the entries."""
    if not found:
        rows = np.minimum(np.arange(vocabulary[0] + 2), 1)
        return [0], rows, np.zeros(1, np.int32), np.zeros(0, np.int32)
    bases = [0, *np.cumsum([len(part.columns) for part in found]).tolist()]
    row_words = np.concatenate([part.row_words for part in found])
    row_starts, row_ends = (
        np.concatenate([part.row_offsets[cut] + base for part, base in zip(found, bases, strict=False)])
        for cut in (slice(None, -1), slice(1, None))
    )
    entries = np.empty(bases[-1], np.int32)
    for k, (begin, end) in enumerate(pairwise(bases)):
        entries[begin:end] = found[k].columns
        found[k] = found[k]._replace(columns=entries[begin:end])  # the old array is free: it is a large one
    row_offsets, columns = merge_rows(row_words, row_starts, row_ends, entries, *vocabulary)
    return bases, row_offsets, columns, entries
