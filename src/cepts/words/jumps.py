"""`Jumps`: where the next word is aligned, given where the last one was.

schoenemann-2011, section 2: free weights for jumps of up to `band` positions, one bucket for all longer ones, shared
evenly by the positions that it reaches; a normaliser that depends on position and length; a start distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cepts.words.hmm_kernels import JumpCounts, Transitions
from cepts.words.jump_kernels import monotone_step, normalisers

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEPS = 10  # monotone steps in one M step; each costs no more than a few thousand additions


@dataclass(frozen=True, eq=False)
class Jumps:
    """Weights r[-band..band], the bucket r_L, start weights s by position, and the probability of NULL."""

    weights: NDArray[np.float64]
    far: float
    starts: NDArray[np.float64]
    null: float

    @classmethod
    def initial(cls, band: int, longest: int, null: float) -> Jumps:
        """Begin with a mild preference for the next position, and with a uniform start."""
        distances = np.arange(-band, band + 1)
        weights = 0.6 ** np.abs(distances - 1.0) + 0.02
        far = 0.1 * weights.sum()
        total = weights.sum() + far
        return cls(weights / total, far / total, np.full(longest, 1.0 / max(longest, 1)), null)

    @property
    def band(self) -> int:
        """The longest jump with a weight of its own."""
        return len(self.weights) // 2

    def transitions(self, longest: int) -> Transitions:
        """Tabulate the probabilities for sentences of up to `longest` states."""
        tau = normalisers(self.weights, self.far, longest)
        real = 1.0 - self.null
        inverse = np.divide(real, tau, out=np.zeros_like(tau), where=tau > 0)
        position, length = np.arange(longest), np.arange(longest + 1)[:, None]
        beyond = np.maximum(position - self.band, 0) + np.maximum(length - 1 - position - self.band, 0)
        far = np.divide(self.far * inverse, beyond, out=np.zeros_like(tau), where=beyond > 0)
        missing = max(0, longest - len(self.starts))
        starts = np.pad(self.starts, (0, missing), mode="edge")[:longest]
        inside = position < length
        sums = np.concatenate([[1.0], np.cumsum(starts)])[:, None]
        start = np.where(inside, real * starts / np.where(sums > 0, sums, 1.0), 0.0)
        weights, backwards, near, distant, begun = (
            np.ascontiguousarray(table, np.float32)
            for table in (self.weights, self.weights[::-1], inverse, far * inside, start)
        )
        return Transitions(weights, backwards, near, distant, begun, np.float32(self.null))

    def maximised(self, counts: JumpCounts, exact: bool = True) -> Jumps:
        """Return the weights after an M step that never lowers the likelihood, or that only renormalises counts."""
        total = counts.jumps.sum()
        if total <= 0:
            return self
        if exact:
            weights, far = self.weights, self.far
            for _ in range(STEPS):
                weights, far = monotone_step(counts.jumps, counts.departures, weights, far)
        else:
            weights, far = counts.jumps[:-1] / total, counts.jumps[-1] / total
        return Jumps(weights, float(far), self._maximised_starts(counts.starts), self.null)

    def _maximised_starts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        starts = self.starts
        by_length = counts.sum(axis=1)
        by_position = counts.sum(axis=0)
        for _ in range(STEPS):
            totals = np.cumsum(starts)
            shares = np.divide(by_length[1:], totals, out=np.zeros_like(totals), where=totals > 0)
            room = np.cumsum(shares[::-1])[::-1]  # position i is open to sentences longer than i
            starts = np.divide(by_position, room, out=np.zeros_like(starts), where=room > 0)
            starts = starts / max(starts.sum(), 1e-300)
        return starts
