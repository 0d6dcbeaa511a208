"""`IndexedBitext`: a bitext whose every cell knows its lexicon entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.running import run
from cepts.storage.scratch import Scratch
from cepts.words.index_kernels import index_chunk, merge_rows
from cepts.words.lane_kernels import Chunk
from cepts.words.layout import ChunkPlan, Pieces, cut_into_pieces, plan_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext


IN_MEMORY = 1 << 27  # bytes of cells and entries; what is more waits on disk for its turn


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
    if not plans:
        rows = np.minimum(np.arange(vocabulary[0] + 2), 1)
        return IndexedBitext(pieces, [], rows, np.zeros(1, np.int32))
    text = ((pieces.source_start, pieces.target_start), bitext.source.ids, bitext.target.ids, vocabulary)

    def index(plan: ChunkPlan) -> ChunkIndex:
        return ChunkIndex(*index_chunk(plan, *text))

    # The entries of all chunks in one array, filled from its beginning: of its room for the worst case, what is not
    # touched takes no memory. An array for each chunk, kept until all are known, would leave the heap in pieces.
    entries = np.empty(sum(int(plan.offsets[-1]) + 1 for plan in plans), np.int32)
    found, begins, scratch = [], [0], Scratch(IN_MEMORY)
    for part in run(index, plans, threads):
        begins.append(begins[-1] + len(part.columns))
        entries[begins[-2] : begins[-1]] = part.columns
        found.append(part._replace(cells=scratch.kept(part.cells), columns=entries[begins[-2] : begins[-1]]))
    row_offsets, columns = _number_pairs(found, begins, entries, vocabulary)
    chunks = [
        Chunk(*plan, part.cells, scratch.kept(part.columns)) for plan, part in zip(plans, found, strict=True)
    ]
    return IndexedBitext(pieces, chunks, row_offsets, columns)


def _number_pairs(
    found: list[ChunkIndex], begins: list[int], entries: NDArray[np.int32], vocabulary: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Merge the rows of all chunks into the lexicon's; `entries` held target words and then holds entry numbers."""
    row_starts, row_ends = (
        np.concatenate([part.row_offsets[cut] + begin for part, begin in zip(found, begins, strict=False)])
        for cut in (slice(None, -1), slice(1, None))
    )
    row_words = np.concatenate([part.row_words for part in found])
    row_offsets, columns = merge_rows(row_words, row_starts, row_ends, entries, *vocabulary)
    return row_offsets, columns
