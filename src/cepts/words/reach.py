"""Weights that are shared out among what can be reached: jumps, starts, distances inside a pair.

A weight's probability depends on the context: it is divided by the sum of all weights that the context can reach.
Renormalising expected counts is therefore not the M step (schoenemann-2011, section 5.2). With n the expected counts
of the weights r, C those of the contexts and `reach` the 0/1 matrix of what each context can reach, the weights
minimise  - sum_k n_k log r_k + sum_c C_c log tau_c,  tau = reach r.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words.simplex import descend

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

VANISHED = (
    1e-20  # a smaller weight counts as this: where nothing else can be reached, its share still is a number
)
STEPS = 10  # monotone steps in one M step; each costs no more than a few thousand additions
GRADIENT_STEPS = 50


class Expected(NamedTuple):
    """What the E step says of weights: counts of each weight, counts of each context, and what contexts reach."""

    counts: Vector
    departures: Vector
    reach: Vector

    def energy(self, weights: Vector) -> float:
        """The part of the bound that the weights decide; infinite where something that happens is impossible."""
        tau = self.reach @ weights
        seen, left = self.counts > 0, self.departures > 0
        if np.any(weights[seen] <= 0) or np.any(tau[left] <= 0):
            return float("inf")
        return float(np.dot(self.departures[left], np.log(tau[left]))) - float(
            np.dot(self.counts[seen], np.log(weights[seen]))
        )

    def gradient(self, weights: Vector) -> Vector:
        """The derivative of the energy, and of the negative log likelihood, by each weight."""
        return self._room(weights) - _ratio(self.counts, weights)

    def _room(self, weights: Vector) -> Vector:
        """For each weight the sum of C / tau over the contexts that reach it."""
        room: Vector = self.reach.T @ _ratio(self.departures, self.reach @ weights)
        return room

    def monotone(self, weights: Vector) -> Vector:
        """One step that never raises the energy: each weight's count over its room, rescaled to sum to one."""
        room = self._room(weights)
        updated = np.where(room > 0, _ratio(self.counts, room), weights)
        total = float(updated.sum())
        scaled: Vector = updated / total if total > 0 else weights
        return scaled

    def maximised(self, weights: Vector, update: str = "exact") -> Vector:
        """Return the weights after an M step: exact, by projected gradient, or by renormalising the counts."""
        total = self.counts.sum()
        if total <= 0:
            return weights
        if update == "exact":
            for _ in range(STEPS):
                weights = self.monotone(weights)
            return weights
        renormalised: Vector = self.counts / total
        if update == "renormalised":
            return renormalised
        start = min((weights, renormalised), key=self.energy)
        return descend(self.energy, self.gradient, start, GRADIENT_STEPS)


def _ratio(over: Vector, under: Vector) -> Vector:
    """Divide; nothing over nothing is nothing."""
    return np.divide(over, under, out=np.zeros_like(over), where=under > 0)
