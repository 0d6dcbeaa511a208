"""Other ways to read how table 4 was counted: what becomes of words with equal scores, and what is summed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.evaluation import break_even

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Found = tuple[
        float, float
    ]  # rhyming words that were found, and what to divide their sum over all words by

READINGS = {
    "against": "equal scores: others first",
    "together": "equal scores: found together",
    "one": "all words in one ranking",
}


def against(scores: NDArray[Any], rhyming: NDArray[np.bool_]) -> Found:
    """Rank words that do not rhyme before rhyming ones of the same score.

    >>> against(np.array([2, 1, 1]), np.array([True, True, False]))
    (1.0, 2.0)
    """
    count = int(rhyming.sum())
    return float(rhyming[np.lexsort((rhyming, -scores))][:count].sum()), float(count)


def together(scores: NDArray[Any], rhyming: NDArray[np.bool_]) -> Found:
    """Find all words of a score or none; divide by how many are found where precision and recall are nearest.

    Of the scores down to which a rhyming word is found, that is the one where the difference is least; of equals the
    highest.

    >>> together(np.array([3, 2, 2, 2, 1]), np.array([False, True, False, False, True]))
    (1.0, 4.0)
    """
    order = np.argsort(-scores, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    found, taken = np.cumsum(rhyming[order])[ends], ends + 1
    apart = np.where(found > 0, np.abs(found / taken - found / rhyming.sum()), np.inf)
    best = int(np.argmin(apart))
    return float(found[best]), float(taken[best])


class Readings:
    """Counts by each reading, word after word."""

    def __init__(self) -> None:
        self._sums = {"against": np.zeros(2), "together": np.zeros(2)}
        self._scores: list[NDArray[Any]] = []
        self._rhyming: list[NDArray[np.bool_]] = []

    def take(self, scores: NDArray[Any], rhyming: NDArray[np.bool_]) -> None:
        """Count a word whose affinities with others are given, and which of these rhyme with it."""
        self._sums["against"] += against(scores, rhyming)
        self._sums["together"] += together(scores, rhyming)
        self._scores.append(scores)
        self._rhyming.append(rhyming)

    def precisions(self) -> dict[str, float]:
        """Return the precision by each reading."""
        found, count = break_even(np.concatenate(self._scores), np.concatenate(self._rhyming))
        return {name: float(sums[0] / sums[1]) for name, sums in self._sums.items()} | {"one": found / count}
