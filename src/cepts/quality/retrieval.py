"""For each sentence of one text its best partners in another: scores in blocks, and nothing kept but the best.

A block is some sentences of one text and all of the other. No score depends on how the blocks are cut: overlaps are
added as integers, and products of vectors in a fixed order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.running import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.quality.overlap import BlockOverlaps

    Floats = NDArray[np.float32]

CELLS = 1 << 22  # scores that a thread works on at a time, unless something else is said
NEIGHBOURS = 4  # best partners of a sentence that say what score is usual for it


class Weights(NamedTuple):
    """A score is `bias + overlap * (lexical overlap) + factors * (product of the factors)`."""

    bias: float
    overlap: float
    factors: float

    def array(self) -> NDArray[np.float32]:
        """Return them as kernels want them."""
        return np.array(self, np.float32)


@checked
class Ranked(NamedTuple):
    """The best targets of some sources, best first: numbers [rows, n] (-1: no more), scores [rows, n] (-inf there)."""

    rows: NDArray[np.int64]
    targets: NDArray[np.int64]
    scores: Floats


@dataclass(frozen=True, eq=False)
class Vectors:
    """The factors of two texts, [sentences, k] each, of length 1 or 0: their product is a similarity."""

    sources: Floats
    targets: Floats

    def swapped(self) -> Vectors:
        """Return them with source and target exchanged."""
        return Vectors(self.targets, self.sources)


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores any source sentence with all targets, by overlap, by factors, or by both."""

    sizes: tuple[int, int]
    weights: Weights
    overlaps: BlockOverlaps | None
    vectors: Vectors | None
    columns: Floats | None = None

    def swapped(self) -> Scorer:
        """Return the scorer of the other direction."""
        return Scorer(
            self.sizes[::-1],
            self.weights,
            self.overlaps and self.overlaps.swapped(),
            self.vectors and self.vectors.swapped(),
        )

    def prepared(self) -> Scorer:
        """Return the scorer with the targets' factors as columns, which all blocks need."""
        if self.vectors is None:
            return self
        return replace(self, columns=np.ascontiguousarray(self.vectors.targets.T))

    def block(self, first: int, end: int) -> Floats:
        """Return the scores of the sources from `first` to `end`: [end - first, targets], -inf without any evidence."""
        from cepts.quality.retrieval_kernels import block_products, weigh  # late: they bring numba

        products = np.zeros((end - first, self.sizes[1]), np.float32)
        if self.vectors is not None and self.columns is not None:
            block_products(np.ascontiguousarray(self.vectors.sources[first:end]), self.columns, products)
        overlaps = np.zeros_like(products) if self.overlaps is None else self.overlaps.block(first, end)
        weigh(overlaps.reshape(-1), products.reshape(-1), self.weights.array(), products.reshape(-1))
        return products


def rank(
    scorer: Scorer, n_best: int, neighbours: int = NEIGHBOURS, block: int | None = None, threads: int = 1
) -> Iterator[Ranked]:
    """Yield the best targets of all sources, some sources at a time, in their order.

    With neighbours, a score is what the pair has above what is usual for its two sentences: the mean score of each with
    so many of its best partners, the mean of both means. Some sentences are near to all others, and would else be
    everybody's best (CSLS, Conneau et al. 2018). Of equals, the smaller line comes first. `block` sources are
    worked on at a time by each thread; it changes nothing but memory.
    """
    _check(n_best, neighbours, block)
    usual: Floats = np.zeros(scorer.sizes[1], np.float32)
    if neighbours:
        usual = usual_scores(scorer.swapped(), neighbours, block, threads) / np.float32(2)
    forward = scorer.prepared()
    return run(
        lambda span: _best(forward, usual, n_best, neighbours, *span), _spans(scorer.sizes, block), threads
    )


def usual_scores(scorer: Scorer, neighbours: int, block: int | None = None, threads: int = 1) -> Floats:
    """Return the mean score of each source with its best targets, 0 where it has evidence with none."""
    forward, nothing = scorer.prepared(), np.zeros(scorer.sizes[1], np.float32)
    found = run(
        lambda span: _means(_largest(forward.block(*span), nothing, neighbours)[1]),
        _spans(scorer.sizes, block),
        threads,
    )
    return np.concatenate([np.empty(0, np.float32), *found])


def _best(scorer: Scorer, usual: Floats, n_best: int, neighbours: int, first: int, end: int) -> Ranked:
    """Find the best targets of the sources from `first` to `end`."""
    scores = scorer.block(first, end)
    numbers, values = _largest(scores, usual, n_best)
    if neighbours:
        own = _means(_largest(scores, np.zeros_like(usual), neighbours)[1]) / np.float32(2)
        values -= own[:, None]
    return Ranked(np.arange(first, end), numbers, values)


def _largest(scores: Floats, handicaps: Floats, wanted: int) -> tuple[NDArray[np.int64], Floats]:
    """Return numbers and values of the largest of each row."""
    from cepts.quality.retrieval_kernels import best_of_rows  # late: it brings numba

    shape = (len(scores), min(wanted, scores.shape[1]))
    numbers, values = np.empty(shape, np.int64), np.empty(shape, np.float32)
    if shape[1]:
        best_of_rows(scores, handicaps, numbers, values)
    return numbers, values


def _means(values: Floats) -> Floats:
    """Return the mean of the finite values of each row, 0 where there is none."""
    there = np.isfinite(values)
    sums = np.where(there, values, 0).sum(axis=1, dtype=np.float64)
    means: Floats = (sums / np.maximum(there.sum(axis=1), 1)).astype(np.float32)
    return means


def _spans(sizes: tuple[int, int], block: int | None) -> list[tuple[int, int]]:
    """Cut the sources into blocks."""
    rows = block or max(1, CELLS // max(sizes[1], 1))
    return [(first, min(first + rows, sizes[0])) for first in range(0, sizes[0], rows)]


def _check(n_best: int, neighbours: int, block: int | None) -> None:
    bounds.CANDIDATES.check("n_best", n_best)
    bounds.NEIGHBOURS.check("neighbours", neighbours)
    if block is not None:
        bounds.BATCH.check("block", block)


def paired_products(sources: Floats, targets: Floats) -> Floats:
    """Return the product of each source vector with the target vector of the same number, to the bit as in blocks."""
    from cepts.quality.retrieval_kernels import pair_products  # late: it brings numba

    products = np.empty(len(sources), np.float32)
    pair_products(np.ascontiguousarray(sources), np.ascontiguousarray(targets), products)
    return products


def weighed(overlaps: Floats, products: Floats, weights: Weights) -> Floats:
    """Return the scores of pairs, -inf where there is no evidence, to the bit as in blocks."""
    from cepts.quality.retrieval_kernels import weigh  # late: it brings numba

    scores = np.empty(len(overlaps), np.float32)
    weigh(overlaps, products, weights.array(), scores)
    return scores
