"""Which entries of a lexical table are listed, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@checked
@dataclass(frozen=True)
class Pruning:
    """Which entries are left out: fewer counts than `min_count`, a lower score than `threshold`, worse than the `best`.

    A score of 0 is always left out; the best are counted for each given word, among what is left.
    """

    min_count: int = 1
    threshold: float = 0.0
    best: int | None = None

    def __post_init__(self) -> None:
        """Refuse what would leave nothing."""
        bounds.MIN_COUNT.check("min_count", self.min_count)
        bounds.PROBABILITY.check("threshold", self.threshold)
        if self.best is not None:
            bounds.BEST_WORDS.check("best", self.best)

    def enough(self, counts: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Mark the entries that occur and score enough; without counts the score alone decides."""
        if len(counts) not in (0, len(scores)):
            raise OptionError(f"{len(counts)} counts and {len(scores)} scores, expected as many")
        enough: NDArray[np.bool_] = (scores > 0) & (scores >= self.threshold)
        return enough & (counts >= self.min_count) if len(counts) else enough


def alphabetical(words: Sequence[str]) -> NDArray[np.int64]:
    """Return the place of each word in the order of their characters' numbers.

    >>> alphabetical(["b", "a", "B"]).tolist()
    [2, 1, 0]
    """
    places = np.empty(len(words), np.int64)
    places[sorted(range(len(words)), key=words.__getitem__)] = np.arange(len(words))
    return places


def listed(
    entries: NDArray[np.int64],
    given: NDArray[np.int64],
    generated: NDArray[np.int64],
    scores: NDArray[np.float64],
    best: int | None,
) -> NDArray[np.int64]:
    """Return the entries by given word, falling score, then generated word, at most `best` for each given word.

    `given` and `generated` say where each entry's words stand in the alphabet.
    """
    order = entries[np.lexsort((generated[entries], -scores[entries], given[entries]))]
    if best is None:
        return order
    words = given[order]
    first = np.concatenate(([True], words[1:] != words[:-1]))[: len(words)]
    place = np.arange(len(words))
    return order[place - np.maximum.accumulate(np.where(first, place, 0)) < best]
