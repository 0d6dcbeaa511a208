"""`Jumps`: where the next word is aligned, given where the last one was.

schoenemann-2011, section 3: free weights for jumps of up to `band` positions, one bucket for all longer ones, shared
evenly by the positions that it reaches; a normaliser that depends on position and length; a start distribution; the
probability of NULL.

The weights may depend on the class of the word that is left, as in Och and Ney 2003, who look at classes of both sides:
some words like to be followed, others stand apart. What a class has been seen to do is joined by some of what all words
do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words.hmm_kernels import JumpCounts, Transitions
from cepts.words.layout import begins_of, words_of
from cepts.words.reach import VANISHED, Expected
from cepts.words.simplex import step_down

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

CLASS_PRIOR = 100.0  # jumps of the average kind that those of a class are joined by
NULL_BOUNDS = (
    1e-4,
    0.9,
)  # between which the probability of NULL is learned: never impossible, never everything


class Kinds(NamedTuple):
    """The classes of the words of one side of a text, and where each piece begins; both are empty without classes."""

    of_words: NDArray[np.uint8]
    begins: NDArray[np.int64]

    def on(self, pieces: NDArray[np.int64], lengths: NDArray[np.int32]) -> Kinds:
        """Return the same for some pieces, one after the other."""
        if len(self.of_words) == 0:
            return self
        return Kinds(words_of(self.of_words, self.begins[pieces], lengths), begins_of(lengths))


ALIKE = Kinds(np.empty(0, np.uint8), np.empty(0, np.int64))


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
    """Weights r[-band..band], the bucket r_L, start weights s by position, and the probability of NULL.

    `of_class` are weights and bucket of each class of words, [class, 2 band + 2], where there are classes; `weights`
    and `far` are then what all words do.
    """

    weights: Vector
    far: float
    starts: Vector
    null: float
    of_class: Vector | None = None

    @classmethod
    def initial(cls, band: int, longest: int, null: float) -> Jumps:
        """Begin with a mild preference for the next position, and with a uniform start."""
        distances = np.arange(-band, band + 1)
        weights = 0.6 ** np.abs(distances - 1.0) + 0.02
        far = 0.1 * weights.sum()
        total = weights.sum() + far
        return cls(weights / total, far / total, np.full(longest, 1.0 / max(longest, 1)), null)

    def with_classes(self, classes: int) -> Jumps:
        """Return jumps of so many classes, which are alike so far."""
        return replace(self, of_class=np.tile(self.vectors[0], (classes, 1)))

    @property
    def of_kinds(self) -> Vector:
        """Weights and bucket of each kind of words: there is one, unless jumps have classes."""
        return self.vectors[0][None] if self.of_class is None else self.of_class

    @property
    def classes(self) -> int:
        """How many kinds of words there are."""
        return len(self.of_kinds)

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
        return replace(self, starts=starts / (starts.sum() or 1.0))

    def transitions(self, longest: int, kinds: Kinds = ALIKE) -> Transitions:
        """Tabulate the probabilities for sentences of up to `longest` states; `kinds` as `Transitions` has them."""
        weights, own = (np.maximum(rows, VANISHED) for rows in (self.vectors[0], self.of_kinds.T))
        normaliser = _reach(self.band) @ weights
        tau = normaliser[_contexts(self.band, longest)]
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
        nearer = normaliser[:, None] / (_reach(self.band) @ own)
        farther = nearer * (own[-1] / weights[-1])
        shape, near, distant, begun, near_of_class, far_of_class = (
            np.ascontiguousarray(table, np.float32)
            for table in (own[:-1], inverse, far, start, nearer, farther)
        )
        null = np.float32(self.null)
        return Transitions(shape, near, distant, begun, null, near_of_class, far_of_class, *kinds)

    def new_counts(self, longest: int) -> JumpCounts:
        """Return counts of zero for sentences of up to `longest` words."""
        return JumpCounts(
            np.zeros((2 * self.band + 2, self.classes)),
            np.zeros(((self.band + 2) ** 2, self.classes)),
            np.zeros((longest + 1, longest)),
            np.zeros(1),
        )

    def by_context(self, departures: Vector) -> Vector:
        """Add up departures [length, position] by what can be reached from there, [context, 1]."""
        contexts = _contexts(self.band, departures.shape[1])
        total = np.bincount(contexts.ravel(), departures.ravel(), (self.band + 2) ** 2)
        return total.astype(np.float64)[:, None]

    def expected(self, counts: JumpCounts) -> tuple[Expected, Expected]:
        """What the counts say of the jumps of all words, and of the starts."""
        open_to = np.tri(counts.starts.shape[1])  # a sentence of I words can start at its first I positions
        return (
            Expected(counts.jumps.sum(axis=1), counts.departures.sum(axis=1), _reach(self.band)),
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
        shared = jumps.maximised(self.vectors[0], update)
        found = self.with_vectors(
            shared,
            starts.maximised(self.starts, "exact" if update == "renormalised" else update),
            np.array([null, 1.0 - null]),
        )
        return replace(found, of_class=self._maximised_classes(counts, shared, update))

    def _maximised_classes(self, counts: JumpCounts, shared: Vector, update: str) -> Vector | None:
        """The weights of each class after an M step, as far as it has been seen; else what all words do."""
        if self.of_class is None:
            return None
        own = [
            Expected(jumps, departures, _reach(self.band)).maximised(weights, update)
            for jumps, departures, weights in zip(
                counts.jumps.T, counts.departures.T, self.of_class, strict=True
            )
        ]
        seen = counts.jumps.sum(axis=0)[:, None]
        joined: Vector = (seen * np.array(own) + CLASS_PRIOR * shared) / (seen + CLASS_PRIOR)
        return joined

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
