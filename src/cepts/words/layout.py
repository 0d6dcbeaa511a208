"""How sentence pairs are laid out for the kernels: pieces, batches of lanes, chunks.

The kernels work on `LANES` pairs at once, lane beside lane, so that every inner loop is one vector operation
whatever the length of the sentences. A batch is padded to its longest source and target sentence; pairs are
packed so that neighbours have nearly the same shape. A chunk is a run of batches; the larger it is, the fewer
lexicon entries are copied for it, until they no longer fit the processor's cache. All of this follows from the
sentence lengths alone: never from threads, memory or machine.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cepts.running.vector_kernels import LANES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext

Number = TypeVar("Number", bound=np.generic)

CHUNKS = 32  # enough to keep threads busy; a chunk has within these bounds of cells
SMALLEST_CHUNK, LARGEST_CHUNK = 1 << 17, 1 << 20
# A text of fewer cells is one shard; a larger one has about eight, of sizes within these bounds.
SHARDS, WHOLE = 8, 1 << 24
SMALLEST_SHARD, LARGEST_SHARD = 1 << 22, 1 << 24
MAX_WORDS = 400  # a longer sentence is cut into pieces: memory per pair stays bounded


class Pieces(NamedTuple):
    """Sentence pairs to align, as ranges of words; a long pair gives several, an empty side none."""

    pair: NDArray[np.int64]
    source_start: NDArray[np.int64]
    source_length: NDArray[np.int32]
    target_start: NDArray[np.int64]
    target_length: NDArray[np.int32]


class ChunkPlan(NamedTuple):
    """One chunk's batches.

    For each batch: the piece in each lane (or -1), the lengths in each lane (0 for an empty one), the padded
    shape (source, target), and where its places begin in the chunk's index (`offsets`, one more than batches).
    """

    pieces: NDArray[np.int64]
    source_lengths: NDArray[np.int32]
    target_lengths: NDArray[np.int32]
    shapes: NDArray[np.int64]
    offsets: NDArray[np.int64]


def cut_into_pieces(bitext: Bitext, max_words: int = MAX_WORDS) -> Pieces:
    """Cut pairs with a side longer than `max_words` at proportional places; leave out pairs with an empty side."""
    source_lengths, target_lengths = bitext.source.lengths, bitext.target.lengths
    parts = -(-np.maximum(source_lengths, target_lengths) // max_words)
    parts[(source_lengths == 0) | (target_lengths == 0)] = 0
    pair = np.repeat(np.arange(len(bitext)), parts)
    part = np.arange(len(pair)) - np.repeat(np.cumsum(parts) - parts, parts)
    total = parts[pair]
    source_from, source_to = source_lengths[pair] * part // total, source_lengths[pair] * (part + 1) // total
    target_from, target_to = target_lengths[pair] * part // total, target_lengths[pair] * (part + 1) // total
    kept = (source_to > source_from) & (target_to > target_from)
    return Pieces(
        pair[kept],
        (bitext.source.offsets[pair] + source_from)[kept],
        (source_to - source_from)[kept].astype(np.int32),
        (bitext.target.offsets[pair] + target_from)[kept],
        (target_to - target_from)[kept].astype(np.int32),
    )


def packing_order(source_lengths: NDArray[np.int32], target_lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Order pieces so that any `LANES` neighbours have nearly one shape: strips by source, then by target length."""
    count = len(source_lengths)
    by_source = np.lexsort((target_lengths, source_lengths))
    strips = max(1, math.isqrt(count // LANES))
    strip_of_rank = np.arange(count) * strips // max(count, 1)
    target = target_lengths[by_source].astype(np.int64)
    snake = np.where(strip_of_rank % 2 == 0, target, -target)
    return by_source[np.lexsort((snake, strip_of_rank))]


def runs_of(labels: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Cut a row of labels where they change: the first place and the end of each run.

    >>> runs_of(np.array([0, 0, 2, 3, 3]))
    [(0, 2), (2, 3), (3, 5)]
    """
    changes = (np.flatnonzero(np.diff(labels)) + 1).tolist()
    return list(pairwise([0, *changes, len(labels)]))


def begins_of(lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where each of some runs of words begins, if they follow each other.

    >>> begins_of(np.array([2, 1, 3], np.int32)).tolist()
    [0, 2, 3]
    """
    ends: NDArray[np.int64] = np.cumsum(lengths, dtype=np.int64)
    return ends - lengths


def words_of(ids: NDArray[Number], begins: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[Number]:
    """Return the words of some pieces, or what stands for each of them, one piece after the other."""
    places = np.repeat(begins - begins_of(lengths), lengths) + np.arange(int(lengths.sum()))
    found: NDArray[Number] = ids[places]
    return found


def plan_chunks(pieces: Pieces, chunk_cells: int | None = None) -> list[ChunkPlan]:
    """Pack pieces into batches of `LANES`, and batches into chunks of about `chunk_cells` padded cells."""
    order = packing_order(pieces.source_length, pieces.target_length)
    if len(order) == 0:
        return []
    batches = -(-len(order) // LANES)
    lanes = np.full((batches, LANES), -1, np.int64)
    lanes.reshape(-1)[: len(order)] = order
    filled = lanes >= 0
    source_lengths = np.where(filled, pieces.source_length[lanes], 0).astype(np.int32)
    target_lengths = np.where(filled, pieces.target_length[lanes], 0).astype(np.int32)
    shapes = np.stack([source_lengths.max(axis=1), target_lengths.max(axis=1)], axis=1).astype(np.int64)
    cells = shapes.prod(axis=1) * LANES
    if chunk_cells is None:
        chunk_cells = min(LARGEST_CHUNK, max(SMALLEST_CHUNK, int(cells.sum()) // CHUNKS))
    plans = []
    for a, b in runs_of((np.cumsum(cells) - cells) // chunk_cells):
        places = cells[a:b] + shapes[a:b].sum(axis=1) * LANES
        offsets = np.concatenate([[0], np.cumsum(places)])
        plans.append(ChunkPlan(lanes[a:b], source_lengths[a:b], target_lengths[a:b], shapes[a:b], offsets))
    return plans


def plan_shards(plans: list[ChunkPlan]) -> list[list[ChunkPlan]]:
    """Cut the chunks of a text into shards."""
    cells = np.array([plan.offsets[-1] for plan in plans])
    total = int(cells.sum())
    size = total + 1 if total <= WHOLE else min(LARGEST_SHARD, max(SMALLEST_SHARD, total // SHARDS))
    return [plans[first:end] for first, end in runs_of((np.cumsum(cells) - cells) // size)]
