"""Whether confidences mean what they say: links by confidence, and how many of them are right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.evaluation.counting import in_gold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cepts.links.links import Links

BINS = 10


@checked
class Bin(NamedTuple):
    """The links of a range of confidences: how many, the sum of their confidences, how many are right."""

    links: int
    confidence: float
    right: int

    @property
    def mean_confidence(self) -> float:
        """The mean confidence of the links; there must be one."""
        return self.confidence / self.links

    @property
    def share_right(self) -> float:
        """The share of the links that is right; there must be one."""
        return self.right / self.links


@checked
def reliability(links: Links, gold: Links, bins: int = BINS) -> list[Bin]:
    """Put links into bins of equal ranges of confidence, and count those that are right: sure or possible.

    >>> from cepts.links import Links
    >>> made, gold = Links.from_pairs([[(0, 0, 0.25), (1, 1, 1.0)]]), Links.from_pairs([[(0, 0)]])
    >>> reliability(made, gold, bins=2)
    [Bin(links=1, confidence=0.25, right=1), Bin(links=1, confidence=1.0, right=0)]
    """
    return binned(links.confidence, in_gold(links, gold), bins)


def binned(confidence: NDArray[np.floating], right: NDArray[np.bool_], bins: int = BINS) -> list[Bin]:
    """Put confidences, each with whether it was right, into bins."""
    bounds.BINS.check("bins", bins)
    numbers = np.clip((confidence * bins).astype(np.int64), 0, bins - 1)
    links = np.bincount(numbers, minlength=bins)
    sums = np.bincount(numbers, confidence, minlength=bins)
    rights = np.bincount(numbers[right], minlength=bins)
    return [Bin(*row) for row in zip(links.tolist(), sums.tolist(), rights.tolist(), strict=True)]


@checked
def calibration_error(bins: Iterable[Bin]) -> float:
    """Return how far, on average over links, the share that is right is from the mean confidence of a bin.

    Guo et al. (2017) call it the expected calibration error. 0 where there are no links.

    >>> round(calibration_error([Bin(3, 0.3, 0), Bin(0, 0.0, 0), Bin(1, 0.9, 1)]), 6)
    0.1
    """
    filled = [one for one in bins if one.links]
    gaps = sum(abs(one.right - one.confidence) for one in filled)
    return gaps / max(sum(one.links for one in filled), 1)
