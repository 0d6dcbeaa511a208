"""Projected gradient descent on the lexicon: all rows of one direction at once.

Each row takes a step of its own length, in proportion to one over its expected count: rows of frequent words have
gradients a thousand times those of rare ones. A row is projected back onto the simplex by Michelot's method (1986),
whose passes serve all rows together, each over the points that are still above their row's level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.words.lexicon import Lexicon
from cepts.words.lexicon_kernels import (
    highest_points,
    list_points,
    mix,
    points_below,
    row_sums,
    slope_between,
    sums_above,
    write_above,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.words.regularity import Regularity

MICHELOT_PASSES = 200


class LexiconDescent:
    """The gradient of one direction of a lexicon, from the counts that it expects."""

    def __init__(
        self, lexicon: Lexicon, counts: NDArray[np.float32], way: int, regularity: Regularity | None
    ) -> None:
        self.lexicon, self.counts, self.way = lexicon, counts, way
        self._table = (lexicon.row_offsets, lexicon.columns)
        size = lexicon.labels[way]
        self.weights = np.zeros(size) if regularity is None else regularity.weights[way][:size]
        if regularity is not None:  # what costs less than its row: as if it were counted more often
            mixed = regularity.mixed[way]
            counts[mixed.entries, way] += (mixed.relief * lexicon.values[mixed.entries, way]).astype(
                np.float32
            )
        self._masses, self._totals = row_sums(*self._table, lexicon.values, counts, way, size)

    def stepped(self, length: float, floor: float) -> Lexicon:
        """Step down the gradient and project every row onto its simplex."""
        lexicon, way = self.lexicon, self.way
        steps = length / np.maximum(np.maximum(self._totals, self.weights), 1e-30)
        gradient = (*self._table, lexicon.values, self.counts, way, self.weights, steps)
        unused = np.where(self.weights > 0, np.maximum(0.0, 1.0 - self._masses), -np.inf)
        highest = np.maximum(highest_points(*gradient), unused)
        points = np.empty(len(lexicon.values), np.float32)
        points_below(*gradient, highest, points)
        with np.errstate(invalid="ignore"):  # a row without entries has no highest point, and no level
            levels = self._levels(points, unused - highest)
        values = lexicon.values.copy()
        write_above(*self._table, points, way, levels, floor, values)
        return Lexicon(*self._table, values)

    def _levels(self, points: NDArray[np.float32], unused: NDArray[np.float64]) -> NDArray[np.float64]:
        """The height at which each row's points, and its entry of NULL, stand one above in sum.

        Heights are below the row's highest point; a point one below it stands nowhere above.
        """
        levels = np.full(len(unused), -1.0)
        labels, heights = list_points(*self._table, points, self.way)
        count = len(labels)
        for _ in range(MICHELOT_PASSES):
            (sums, sizes), count = sums_above(labels, heights, count, levels)
            with_null = unused > levels
            sums, sizes = sums + np.where(with_null, unused, 0.0), sizes + with_null
            raised = np.divide(sums - 1.0, sizes, out=levels.copy(), where=sizes > 0)
            if not np.any(raised > levels + 1e-12):
                break
            levels = np.maximum(levels, raised)
        return levels

    def slope(self, other: Lexicon) -> float:
        """The objective's derivative towards another lexicon."""
        gain = float(slope_between(self.lexicon.values, other.values, self.counts, self.way))
        masses = row_sums(*self._table, other.values, other.values, self.way, len(self.weights))[0]
        return float(np.dot(self.weights, masses - self._masses)) - gain


def between(lexicon: Lexicon, other: Lexicon, shares: tuple[float, float]) -> Lexicon:
    """The point on the way from one lexicon to another, so far in each direction."""
    values = np.empty_like(lexicon.values)
    mix(lexicon.values, other.values, np.array(shares, np.float32), values)
    return Lexicon(lexicon.row_offsets, lexicon.columns, values)
