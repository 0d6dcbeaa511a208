"""Logistic regression by Newton's method, with a ridge: few columns, many rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RIDGE = 1e-3  # of the mean loss: what a weight costs, so that rows that can be told apart for sure keep them small
STEPS = 50
SMALLEST_STEP = 1e-6
LARGEST = 30.0  # of log odds, so that their exponential stays a number


@dataclass(frozen=True, eq=False)
class Logistic:
    """log odds = bias + weights . (row - middle) / spread."""

    weights: Floats
    bias: float
    middle: Floats
    spread: Floats

    def log_odds(self, rows: NDArray[np.floating]) -> Floats:
        """Return the log odds [rows] of a table [rows, columns]; those of a row depend on no other row.

        >>> model = Logistic(np.array([2.0]), 1.0, np.array([3.0]), np.array([0.5]))
        >>> model.log_odds(np.array([[3.0], [4.0]])).tolist()
        [1.0, 5.0]
        """
        total = np.full(len(rows), self.bias)
        for column, (weight, middle, spread) in enumerate(
            zip(self.weights, self.middle, self.spread, strict=True)
        ):
            total += weight * ((rows[:, column] - middle) / spread)
        clipped: Floats = np.clip(total, -LARGEST, LARGEST)
        return clipped


def fit_logistic(
    rows: NDArray[np.floating],
    labels: NDArray[np.bool_],
    importance: Floats,
    ridge: float = RIDGE,
    start: Logistic | None = None,
) -> Logistic:
    """Fit to rows [rows, columns], a label of each and how much it counts.

    Minimises the weighted mean of the log loss plus ridge / 2 times the squared weights of standardised columns.
    `start`, fitted to much the same rows, spares steps.
    """
    middle, spread = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64)
    spread[spread < 1e-9] = 1.0  # a column that says nothing
    table = np.column_stack([(rows - middle) / spread, np.ones(len(rows))])
    share = importance / importance.sum()
    costs = np.append(np.full(rows.shape[1], ridge), 0.0)
    weights = np.zeros(table.shape[1]) if start is None else np.append(start.weights, start.bias)
    for _ in range(STEPS):
        step = _newton_step(table, labels, share, costs, weights)
        weights -= step
        if np.abs(step).max() < SMALLEST_STEP:
            break
    return Logistic(weights[:-1], float(weights[-1]), middle, spread)


def _newton_step(
    table: Floats, labels: NDArray[np.bool_], share: Floats, costs: Floats, weights: Floats
) -> Floats:
    """Return the gradient divided by the curvature, not longer than a unit per weight."""
    odds = np.clip(table @ weights, -LARGEST, LARGEST)
    probability = 1 / (1 + np.exp(-odds))
    gradient = table.T @ (share * (probability - labels)) + costs * weights
    curved = table * (share * probability * (1 - probability))[:, None]
    curvature = curved.T @ table + np.diag(costs + 1e-12)
    step = np.linalg.solve(curvature, gradient).astype(np.float64)
    return step / max(1.0, float(np.abs(step).max()))
