"""`Jumps`: where the next word is aligned, given where the last one was.

schoenemann-2011, section 3: free weights for jumps of up to `band` positions, one bucket for all longer ones, shared
evenly by the positions that it reaches; a normaliser that depends on position and length; a start distribution; the
probability of NULL.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cepts.words.hmm_kernels import JumpCounts, Transitions
from cepts.words.reach import VANISHED, Expected
from cepts.words.simplex import step_down

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

NULL_BOUNDS = (
    1e-4,
    0.9,
)  # between which the probability of NULL is learned: never impossible, never everything


@lru_cache(maxsize=16)
def _contexts(band: int, longest: int) -> NDArray[np.int64]:
    """Number what [I, i] can reach: how far left and right, up to just beyond the band; row by row 0 <= i < I."""
    position, length = np.arange(longest), np.arange(longest + 1)[:, None]
    left = np.minimum(position, band + 1)
    right = np.clip(length - 1 - position, 0, band + 1)
    contexts: NDArray[np.int64] = left * (band + 2) + right
    return contexts


@lru_cache(maxsize=16)
def _reach(band: int) -> Vector:
    """Which of the weights -band..band and the bucket each context reaches."""
    left, right = np.divmod(np.arange((band + 2) ** 2), band + 2)
    distance = np.arange(-band, band + 1)
    near = (distance >= -left[:, None]) & (distance <= right[:, None])
    far = (left > band) | (right > band)
    return np.concatenate([near, far[:, None]], axis=1).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Jumps:
    """Weights r[-band..band], the bucket r_L, start weights s by position, and the probability of NULL."""

    weights: Vector
    far: float
    starts: Vector
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

    @property
    def vectors(self) -> tuple[Vector, Vector, Vector]:
        """The free parameters, each a point of a simplex: jumps with the bucket, starts, NULL or not."""
        return np.append(self.weights, self.far), self.starts, np.array([self.null, 1.0 - self.null])

    def with_vectors(self, weights: Vector, starts: Vector, null: Vector) -> Jumps:
        """Return jumps with other parameters."""
        return replace(self, weights=weights[:-1], far=float(weights[-1]), starts=starts, null=float(null[0]))

    def reaching(self, longest: int) -> Jumps:
        """Return the same for sentences of up to `longest` words: further starts are as probable as the last one."""
        missing = max(0, longest - len(self.starts))
        starts = np.pad(self.starts, (0, missing), mode="edge")
        return replace(self, starts=starts / starts.sum())

    def transitions(self, longest: int) -> Transitions:
        """Tabulate the probabilities for sentences of up to `longest` states."""
        weights = np.maximum(self.vectors[0], VANISHED)
        tau = (_reach(self.band) @ weights)[_contexts(self.band, longest)]
        position, length = np.arange(longest), np.arange(longest + 1)[:, None]
        inside = position < length
        real = 1.0 - self.null
        inverse = np.divide(real, tau, out=np.zeros_like(tau), where=inside & (tau > 0))
        beyond = np.maximum(position - self.band, 0) + np.maximum(length - 1 - position - self.band, 0)
        far = np.divide(weights[-1] * inverse, beyond, out=np.zeros_like(tau), where=beyond > 0)
        missing = max(0, longest - len(self.starts))
        starts = np.pad(np.maximum(self.starts, VANISHED), (0, missing), mode="edge")[:longest]
        sums = np.concatenate([[1.0], np.cumsum(starts)])[:, None]
        start = np.where(inside, real * starts / np.where(sums > 0, sums, 1.0), 0.0)
        near, distant, begun = (np.ascontiguousarray(table, np.float32) for table in (inverse, far, start))
        shape = weights[:-1].astype(np.float32)
        return Transitions(shape, shape[::-1].copy(), near, distant, begun, np.float32(self.null))

    def expected(self, counts: JumpCounts) -> tuple[Expected, Expected]:
        """What the counts say of the jumps, and of the starts."""
        longest = counts.starts.shape[1]
        size = (self.band + 2) ** 2
        contexts = _contexts(self.band, longest)
        departures = np.bincount(contexts.ravel(), counts.departures.ravel(), size).astype(np.float64)
        open_to = np.tri(longest)  # a sentence of I words can start at its first I positions
        return (
            Expected(counts.jumps, departures, _reach(self.band)),
            Expected(counts.starts.sum(axis=0), counts.starts.sum(axis=1)[1:], open_to),
        )

    def gradients(self, counts: JumpCounts) -> tuple[Vector, Vector, Vector]:
        """The derivatives of the negative log likelihood by `vectors`."""
        (jumps, starts), (weights, begun, null) = self.expected(counts), self.vectors
        return (
            jumps.gradient(weights),
            starts.gradient(begun),
            -_null_counts(counts) / np.maximum(null, 1e-300),
        )

    def maximised(self, counts: JumpCounts, update: str = "exact", learn_null: bool = False) -> Jumps:
        """Return the weights after an M step; see `reach`."""
        if counts.words[0] <= 0:
            return self
        jumps, starts = self.expected(counts)
        null = self.null
        if learn_null:
            null = float(np.clip(_null_counts(counts)[0] / counts.words[0], *NULL_BOUNDS))
        return self.with_vectors(
            jumps.maximised(self.vectors[0], update),
            starts.maximised(self.starts, "exact" if update == "renormalised" else update),
            np.array([null, 1.0 - null]),
        )

    def descended(
        self, counts: JumpCounts, length: float, free: tuple[bool, bool, bool]
    ) -> tuple[Jumps, float]:
        """Step down the gradient of those `vectors` that are free; returns the jumps and the slope towards them."""
        stepped, slopes = zip(
            *(
                step_down(vector, slope, length if wanted else 0.0)
                for vector, slope, wanted in zip(self.vectors, self.gradients(counts), free, strict=True)
            ),
            strict=True,
        )
        return self.with_vectors(*stepped), sum(slopes)

    def between(self, other: Jumps, share: float) -> Jumps:
        """Return the jumps on the way from these to others."""
        return self.with_vectors(
            *(one + share * (two - one) for one, two in zip(self.vectors, other.vectors, strict=True))
        )


def _null_counts(counts: JumpCounts) -> Vector:
    """How many words are expected to be generated by NULL, and by real words."""
    real = float(counts.starts.sum() + counts.departures.sum())
    return np.array([max(0.0, float(counts.words[0]) - real), real])
