"""How sure a mean is, and whether one system is better than another: by drawing the names anew, many times."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.checking import Row, Seed

    Values = NDArray[np.float64]

BLOCK = 50  # samples that are drawn at once: bounds memory


@checked
class Estimate(NamedTuple):
    """A mean, and the middle 95 % of the means of samples."""

    value: float
    low: float
    high: float


@checked
class Comparison(NamedTuple):
    """By how much the first of two systems is above the second, with its 95 % interval, and how likely by chance.

    `p` is two-sided: twice the share of samples in which the difference is 0 or has the other sign, at most 1.
    """

    difference: float
    low: float
    high: float
    p: float


@checked
def estimate(values: Row, weights: Row | None = None, *, resamples: int = 1000, seed: Seed = 1) -> Estimate:
    """Return the mean of values, each of one name, with its interval; with `weights`, sum of values / sum of weights.

    >>> estimate([1, 1, 1, 1])
    Estimate(value=1.0, low=1.0, high=1.0)
    """
    above = np.asarray(values, np.float64)
    below = np.ones_like(above) if weights is None else np.asarray(weights, np.float64)
    _check(len(above), len(below), resamples)
    if not np.all(below > 0):
        raise InputError("a weight is not above 0: leave such names out")
    ratios = _sampled(above, below, resamples, seed)
    low, high = np.percentile(ratios, [2.5, 97.5])
    return Estimate(float(above.sum() / below.sum()), float(low), float(high))


@checked
def paired_bootstrap(values: Row, others: Row, *, resamples: int = 1000, seed: Seed = 1) -> Comparison:
    """Compare two systems by the values that each has for the same names, in the same order.

    >>> paired_bootstrap([1, 1, 0], [1, 1, 0]).p
    1.0
    """
    one, other = np.asarray(values, np.float64), np.asarray(others, np.float64)
    _check(len(one), len(other), resamples)
    gains = one - other
    sampled = _sampled(gains, np.ones_like(gains), resamples, seed)
    low, high = np.percentile(sampled, [2.5, 97.5])
    difference = float(gains.mean())
    contrary = int(np.sum(sampled <= 0) if difference > 0 else np.sum(sampled >= 0))
    p = 1.0 if difference == 0 else min(1.0, 2 * (contrary + 1) / (resamples + 1))
    return Comparison(difference, float(low), float(high), p)


def _check(ones: int, others: int, resamples: int) -> None:
    if ones != others:
        raise InputError(f"{ones} values and {others} values, expected as many: one of each for every name")
    if ones == 0:
        raise InputError("there are no values: give at least one")
    bounds.RESAMPLES.check("resamples", resamples)


def _sampled(above: Values, below: Values, resamples: int, seed: int) -> Values:
    """Return the ratios of sums of samples of as many names, drawn with replacement.

    Names with equal values are one kind, and the draws of kinds are multinomial: the same distribution, but cheaper.
    """
    kinds, frequency = np.unique(np.stack((above, below), axis=1), axis=0, return_counts=True)
    random = np.random.default_rng(seed)
    ratios = []
    for first in range(0, resamples, BLOCK):
        draws = random.multinomial(len(above), frequency / len(above), min(BLOCK, resamples - first))
        sums = draws @ kinds
        ratios.append(sums[:, 0] / sums[:, 1])
    return np.concatenate(ratios)
