"""What a link's confidence means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Calibration(NamedTuple):
    """From two posteriors to the probability that a link is right.

    Posteriors are too sure of themselves. With the logarithms of both posteriors' odds, those of being right are:
    `offset`, plus `both` times their sum, plus `least` times the smaller one; and `certain` times the smaller one
    again, followed farther into the ends of the scale. How far each is followed, say `near` and `far`.
    """

    offset: float
    both: float
    least: float
    certain: float
    near: float = 1e-3
    far: float = 1e-5

    def probability(self, forward: float, reverse: float) -> float:
        """Return the probability that a link is right which the directions believe in with these posteriors.

        >>> Calibration(0.0, 0.5, 0.0, 0.0).probability(0.9, 0.1)
        0.5
        """
        first, second = (_log_odds(posterior, self.near) for posterior in (forward, reverse))
        score = self.offset + self.both * (first + second) + self.least * min(first, second)
        score += self.certain * _log_odds(min(forward, reverse), self.far)
        return float(1.0 / (1.0 + np.exp(-score)))


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


def _log_odds(probability: float, nearest: float) -> float:
    bounded = min(max(probability, nearest), 1.0 - nearest)
    return float(np.log(bounded / (1.0 - bounded)))
