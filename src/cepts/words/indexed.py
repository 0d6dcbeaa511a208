"""`IndexedBitext`: a bitext whose every cell knows its lexicon entry."""

from __future__ import annotations

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


def index_bitext(bitext: Bitext, threads: int = 1) -> IndexedBitext:
    """Lay out a bitext in chunks, and number the word pairs that occur in it."""
    pieces = cut_into_pieces(bitext)
    plans = plan_chunks(pieces)
    vocabulary = (len(bitext.source.words), len(bitext.target.words))
    starts = (pieces.source_start, pieces.target_start)
    ids = (bitext.source.ids, bitext.target.ids)

    def index(
        plan: ChunkPlan,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        return index_chunk(plan, starts, *ids, vocabulary)  # type: ignore[no-any-return]

    parts = list(run(index, plans, threads))
    row_words = [part[1] for part in parts] or [np.zeros(1, np.int32)]
    row_offsets = [part[2] for part in parts] or [np.array([0, 1], np.int64)]
    columns = [part[3] for part in parts] or [np.zeros(1, np.int32)]
    bases = np.concatenate([[0], np.cumsum([len(part) for part in columns])])
    entries = np.concatenate(columns)
    del columns
    lexicon_rows, lexicon_columns = merge_rows(
        np.concatenate(row_words),
        np.concatenate([offsets[:-1] + base for offsets, base in zip(row_offsets, bases, strict=False)]),
        np.concatenate([offsets[1:] + base for offsets, base in zip(row_offsets, bases, strict=False)]),
        entries,
        *vocabulary,
    )
    chunks = [
        Chunk(*plan, part[0], entries[bases[k] : bases[k + 1]])
        for k, (plan, part) in enumerate(zip(plans, parts, strict=True))
    ]
    return IndexedBitext(pieces, chunks, lexicon_rows, lexicon_columns)
