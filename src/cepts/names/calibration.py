"""How sure a match is: a logistic regression on what is seen of it, learned where the right matches are known."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.errors import ModelError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.characters import EditModel

    Floats = NDArray[np.float64]

NOTES = "matching"  # where a model's notes keep it
RIDGE = 1e-2  # pulls the coefficients to zero where examples are few, or all right, or all wrong
ROUNDS = 30  # of Newton's method
CAUTION = 1.2816  # standard errors (one in ten is further off) by which the precision on dev is taken to be too high
PROMISES = tuple(percent / 100 for percent in range(50, 100))


class Calibration(NamedTuple):
    """What a model needs to say how sure a match is.

    `company` are source names: the mean affinity with them is what is usual for a target name. `promises` are pairs of
    a precision and the least score that keeps it.
    """

    company: list[str]
    centre: list[float]
    coefficients: list[float]
    promises: list[tuple[float, float]]

    @classmethod
    def of(cls, model: EditModel) -> Calibration | None:
        """Return the calibration that a model's notes have, if any."""
        notes = model.notes.get(NOTES)
        if notes is None:
            return None
        try:
            fields = cls(**notes)
            return fields._replace(promises=[(float(one), float(other)) for one, other in fields.promises])
        except (TypeError, ValueError):
            raise ModelError("the model's notes on matching are damaged; calibrate it again") from None

    def keep(self, model: EditModel) -> None:
        """Write the calibration into a model's notes."""
        model.notes[NOTES] = self._asdict()

    def sure(self, features: Floats) -> Floats:
        """Return the probability that a match is right, for features [.., feature]."""
        return _logistic((features - np.array(self.centre)) @ np.array(self.coefficients))

    def score_for(self, precision: float) -> float:
        """Return the least score that keeps a precision."""
        if not 0 < precision < 1:
            raise OptionError(f"precision must be between 0 and 1, got {precision}")
        for promised, score in self.promises:
            if promised >= precision - 1e-9:
                return score
        reached = f"{self.promises[-1][0]:.2f}" if self.promises else f"less than {PROMISES[0]:.2f}"
        raise OptionError(
            f"a precision of {precision} cannot be promised: names of dev reached {reached}; ask for less, or give"
            " more dev names"
        )


def features_of(strengths: Floats, lengths: Floats) -> Floats:
    """Return what is seen of candidates, [name][rank][feature]; arguments are [name][rank], -inf where there is none.

    Strength, and how far it is above that of the best other candidate of the name; both also for each letter.
    """
    rivals = np.repeat(strengths[:, :1], strengths.shape[1], axis=1)
    rivals[:, 0] = strengths[:, 1] if strengths.shape[1] > 1 else 0
    margins = strengths - np.maximum(rivals, 0)  # no rival is one that is no better than any name
    letters = np.maximum(lengths, 1)
    columns = (
        np.ones_like(letters),
        strengths,
        margins,
        strengths / letters,
        margins / letters,
        np.log(letters),
    )
    return np.stack(columns, axis=-1)


def fit_calibration(
    company: Sequence[str], features: Floats, is_right: NDArray[np.bool_], is_first: NDArray[np.bool_]
) -> Calibration:
    """Learn from candidates [candidate][feature]; precision is measured on those that are a name's first."""
    centre, scale = features.mean(axis=0), features.std(axis=0)
    centre[0], scale = 0.0, np.where(scale > 0, scale, 1.0)
    coefficients = _newton((features - centre) / scale, is_right.astype(np.float64)) / scale
    found = Calibration(list(company), centre.tolist(), coefficients.tolist(), [])
    return found._replace(promises=promises_of(found.sure(features[is_first]), is_right[is_first]))


def _newton(features: Floats, is_right: Floats) -> Floats:
    """Fit a logistic regression."""
    coefficients = np.zeros(features.shape[1])
    ridge = RIDGE * np.eye(features.shape[1])
    for _ in range(ROUNDS):
        sure = _logistic(features @ coefficients)
        slope = features.T @ (is_right - sure) - ridge @ coefficients
        curvature = (features * (sure * (1 - sure))[:, None]).T @ features + ridge
        coefficients = coefficients + np.linalg.solve(curvature, slope)
    return coefficients


def _logistic(values: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(values, -40, 40)))
    return result


def promises_of(scores: Floats, is_right: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Return for each precision that is reached the least score that keeps it, with caution.

    >>> promises_of(np.array([0.9] * 98 + [0.2] * 2), np.array([True] * 98 + [False] * 2))[-1]
    (0.98, 0.9)
    """
    best = np.argsort(-scores, kind="stable")
    scores, right = scores[best], np.cumsum(is_right[best])
    last = np.flatnonzero(np.append(scores[1:] != scores[:-1], True))  # equal scores are kept together
    precisions = [lower_bound(int(right[at]), int(at) + 1) for at in last]
    promises = []
    for promise in PROMISES:
        kept = [
            float(scores[at]) for at, precision in zip(last, precisions, strict=True) if precision >= promise
        ]
        if kept:
            promises.append((promise, kept[-1]))
    return promises


def lower_bound(right: int, count: int) -> float:
    """Return a precision that the true one is hardly below (Wilson's interval, one side).

    >>> round(lower_bound(95, 100), 3)
    0.914
    """
    share, square = right / count, CAUTION**2 / count
    middle = share + square / 2
    return (middle - CAUTION * sqrt(share * (1 - share) / count + square / (4 * count))) / (1 + square)
