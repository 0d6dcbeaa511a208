"""The factorisation of a stream: batches of sentences are seen, heard, and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.sentences.divergence import denominators, moments, multiplied
from cepts.sentences.factorising import Pair, known_of, said_of_features, updated_rows
from cepts.sentences.matrices import chunk_of
from cepts.sentences.starting import random_factors, random_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.sentences.matrices import Matrix
    from cepts.sentences.options import FactorOptions

    Array = NDArray[Any]

STEPS = 10  # for the sentences of a batch, the features held fast
DECAY = 0.6  # batch t has a weight of (t + 2) ** -DECAY in what is remembered


class Stream:
    """What is remembered of the batches so far: sums for the features, by one sentence, and moments of sentences."""

    def __init__(self, options: FactorOptions) -> None:
        """Begin with nothing."""
        self.options, self.batches, self.sentences = options, 0, 0
        self.factors: list[Array] = []
        self.losses: list[float] = []  # of one sentence, in each batch before features learned from it
        self._random = np.random.default_rng(options.seed)
        self._sums: list[Array] = []
        self._moments: Array = np.zeros(0)

    def add(self, source: Matrix, target: Matrix, is_new: bool = True) -> None:
        """Learn from a batch, whose sentences are new or were seen in an epoch before."""
        options = self.options
        self.sentences += source.rows if is_new else 0
        chunks = chunk_of(source), chunk_of(target)
        pair = Pair(chunks, random_rows(source.rows, options.k, self._random))
        if not self.factors:
            self._begin(pair.rows, (source, target))
        known = known_of(self.factors, options.beta)
        for _ in range(STEPS):
            rows, loss = updated_rows(pair, self.factors, known, options)
            pair.rows[...] = rows
        self.losses.append(loss / source.rows)
        self._remember(pair)
        for side in (0, 1):
            self._update(side)

    def _begin(self, rows: Array, matrices: tuple[Matrix, Matrix]) -> None:
        """Remember what would have led to the first factors, so that features not in the first batch stay alive."""
        beta = self.options.beta
        self.factors = [self._first(matrix) for matrix in matrices]
        self._moments = moments(rows, beta) / len(rows)
        slopes = [denominators(each, self._moments, beta) for each in self.factors]
        sums = slopes if beta else [one * other for one, other in zip(slopes, self.factors, strict=True)]
        self._sums = [each.astype(np.float64) for each in sums]

    def _first(self, matrix: Matrix) -> Array:
        totals = np.bincount(matrix.features, matrix.values, matrix.width)
        half = 0.5 * float(matrix.values.mean()) if len(matrix.values) else 0.5
        return random_factors((totals + half) / (matrix.rows + 1), self.options.k, self._random)

    def _remember(self, pair: Pair) -> None:
        weight = (self.batches + 2) ** -DECAY
        self.batches += 1
        beta, count = self.options.beta, len(pair.rows)
        self._moments = (1 - weight) * self._moments + weight * moments(pair.rows, beta) / count
        for side, sums in enumerate(said_of_features(pair, self.factors, beta)):
            used = pair.sides[side].used
            if beta == 0:  # a share of what the features' factors are now
                sums = sums * self.factors[side][used]
            self._sums[side] *= 1 - weight
            self._sums[side][used] += weight * sums / count

    def _update(self, side: int) -> None:
        options, mine = self.options, self.factors[side]
        penalty = options.factor_sparsity + options.coupling * self.factors[1 - side].sum(axis=0)
        slopes = denominators(mine, self._moments, options.beta) + penalty / self.sentences
        slopes = slopes.astype(np.float32)  # what is remembered is by one sentence, so penalties are too
        sums = self._sums[side].astype(np.float32)
        if options.beta == 0:
            self.factors[side] = multiplied(np.ones_like(mine), sums, slopes, 0.0)
        else:
            self.factors[side] = multiplied(mine, sums, slopes, 1.0)
