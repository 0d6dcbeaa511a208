"""Points of probability simplices: projections onto them, and descent along them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

KEPT = (
    1e-3  # of each coordinate in a step: what is zero could never grow again where a count is divided by it
)
SMALLEST = 1e-30  # of a coordinate after a step: counts can still be divided by it
LONGEST = 1e9  # of a step: everything goes to the coordinate with the steepest descent
ARMIJO = 1e-4  # the share of the promised decrease that a step must bring
HALVINGS = 20  # of a step that does not; then the point stays


def project(point: Vector) -> Vector:
    """Return the nearest point whose coordinates are not negative and sum to one (sort-based; Held et al. 1974).

    >>> project(np.array([0.5, 1.5])).tolist()
    [0.0, 1.0]
    """
    below = np.maximum(
        point - point.max(), -1.0
    )  # what is further below the largest gets nothing; precise for any size
    ordered = np.sort(below)[::-1]
    levels = (np.cumsum(ordered) - 1.0) / np.arange(1, len(point) + 1)
    level = levels[np.flatnonzero(ordered > levels)[-1]]
    projected: Vector = np.maximum(below - level, 0.0)
    return projected


def step_down(point: Vector, gradient: Vector, length: float) -> tuple[Vector, float]:
    """Step down a gradient, in proportion to its weight at the point, and project; returns also the slope there.

    The projection is mixed with a little of the old point: no coordinate becomes zero in one step.
    """
    steepest = float(np.abs(gradient).max())
    if length <= 0 or steepest == 0:
        return point, 0.0
    relative = gradient / steepest
    scale = min(length / max(float(np.dot(point, np.abs(relative))), 1e-30), LONGEST)
    direction = (1.0 - KEPT) * (project(point - scale * relative) - point)
    return np.maximum(point + direction, SMALLEST), min(0.0, float(np.dot(gradient, direction)))


def descend(
    value: Callable[[Vector], float], gradient: Callable[[Vector], Vector], start: Vector, steps: int
) -> Vector:
    """Take projected gradient steps with backtracking; the value falls, or stays, at each (Bertsekas 1999, 2.3)."""
    point, best, length = start, value(start), 1.0
    for _ in range(steps):
        stepped, promise = step_down(point, gradient(point), length)
        share = 1.0
        for _ in range(HALVINGS):
            trial = point + share * (stepped - point)
            reached = value(trial)
            if reached <= best + ARMIJO * share * promise:
                point, best = trial, min(best, reached)
                break
            share /= 2
        else:
            return point
        length = min(2 * length, 1e3) if share == 1.0 else max(length * share, 1e-6)
    return point
