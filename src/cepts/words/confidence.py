"""What a link's confidence means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cepts.words.decode_kernels import CERTAIN, FAR, NEAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound="float | NDArray[np.float64]")

SIZES = (500, 100_000)  # pairs of a text, between which more of them make posteriors more trustworthy


class Calibration(NamedTuple):
    """From two posteriors to the probability that a link is right.

    Posteriors are too sure of themselves, less so in a large text. With the logarithms of both posteriors' odds, those
    of being right are: `offset`, plus `both` times their sum, plus `least` times the smaller one, if that speaks for
    the link `growth` times it for every tenfold of 10,000 pairs, and `certain` times what it has beyond certainty.
    """

    offset: float
    both: float
    least: float
    growth: float
    certain: float

    def of_text(self, pairs: int) -> Calibration:
        """Return the calibration for models of so many pairs; `growth` is what it comes to."""
        return self._replace(growth=self.growth * size_of_text(pairs))

    def probability(self, forward: float, reverse: float) -> float:
        """Return the probability of a link that the directions believe in so much, in a text of 10,000 pairs.

        >>> round(Calibration(0.0, 0.5, 0.0, 0.0, 0.0).probability(0.9, 0.1), 6)
        0.5
        """
        first, second = (log_odds(posterior, NEAR) for posterior in (forward, reverse))
        least = min(first, second)
        score = (
            self.offset + self.both * (first + second) + self.least * least + self.growth * max(0.0, least)
        )
        score += self.certain * max(0.0, log_odds(min(forward, reverse), FAR) - CERTAIN)
        return float(1.0 / (1.0 + np.exp(-score)))


def size_of_text(pairs: int) -> float:
    """How many tenfolds of 10,000 pairs a text has, as far as that matters.

    >>> size_of_text(100_000), size_of_text(1_000), size_of_text(10**7)
    (1.0, -1.0, 1.0)
    """
    return float(np.log10(np.clip(pairs, *SIZES) / 10_000))


def threshold_for(confidences: NDArray[np.float32], precision: float) -> float:
    """Return the lowest confidence from which on links are expected to have this precision, together.

    That is, from which on the mean confidence is as high. If not even the best links have it: above all of them.

    >>> threshold_for(np.array([0.9, 0.99, 0.6], np.float32), 0.9)  # 0.99 and 0.9 have a mean of 0.945
    0.8999999761581421
    """
    falling = np.sort(confidences)[::-1].astype(np.float64)
    means = np.cumsum(falling) / np.arange(1, len(falling) + 1)
    enough = int(np.count_nonzero(means >= precision))  # means fall
    return float(falling[enough - 1]) if enough else 1.0


def log_odds(probability: Number, nearest: float) -> Number:
    """The logarithm of a probability's odds, or of many, no nearer to 0 and 1 than `nearest`."""
    bounded = np.clip(probability, nearest, 1.0 - nearest)
    return np.log(bounded / (1.0 - bounded))  # type: ignore[return-value]
