"""Blocks: as many batches of a chunk as fit the processor's cache, with the arrays that kernels fill for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words.layout import runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.words.lane_kernels import Chunk

Ratios = tuple["NDArray[np.float32]", ...]

BLOCK_PLACES = 1 << 16


class Block(NamedTuple):
    """The batches `first` to `end` of a chunk; each array's first index is the direction.

    `ratios` are for the whole chunk: what a bi-word model needs of the E step to update its pairs (see `pairs`).
    """

    chunk: Chunk
    first: int
    end: int
    emission: NDArray[np.float32]
    posterior: NDArray[np.float32]
    best: NDArray[np.int32]
    likelihoods: NDArray[np.float64]
    ratios: Ratios = ()


def blocks_of(chunk: Chunk, ratios: Ratios = ()) -> Iterator[Block]:
    """Cut a chunk into blocks. They share their arrays: one must be done with before the next is taken."""
    runs = runs_of((chunk.offsets[1:] - 1) // BLOCK_PLACES)
    places = max(int(chunk.offsets[b] - chunk.offsets[a]) for a, b in runs)
    emission, posterior = np.zeros((2, 2, places), np.float32)
    best = np.zeros((2, places), np.int32)
    for first, end in runs:
        likelihoods = np.zeros((2, end - first, chunk.pieces.shape[1]))
        yield Block(chunk, first, end, emission, posterior, best, likelihoods, ratios)
