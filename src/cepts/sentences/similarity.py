"""How near two sentences are in the common space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[Any]

NEUTRAL = 0.0  # the score of a sentence of which nothing is known


@checked
def similarities(one: Array, other: Array, measure: str = "cosine") -> NDArray[np.float32]:
    """Return the similarity of each row with the row at the same place; larger is nearer.

    Where one of both is all zeros, nothing is known of a sentence, and its score is `NEUTRAL`.

    >>> similarities(np.array([[1.0, 0], [1, 1], [0, 0]]), np.array([[2.0, 0], [1, 0], [1, 0]])).round(3).tolist()
    [1.0, 0.7070000171661377, 0.0]
    """
    if measure not in MEASURES:
        raise OptionError(f"measure must be one of {', '.join(MEASURES)}, got {measure!r}")
    if one.shape != other.shape:
        raise InputError(
            f"rows of shapes {one.shape} and {other.shape} are no pairs: each needs its counterpart"
        )
    known = np.any(one != 0, axis=1) & np.any(other != 0, axis=1)
    scores = np.full(len(one), NEUTRAL, np.float32)
    scores[known] = MEASURES[measure](one[known].astype(np.float64), other[known].astype(np.float64))
    return scores


def unit_rows(rows: Array) -> Array:
    """Return rows of length 1, or of zeros where they were.

    >>> unit_rows(np.array([[3.0, 4], [0, 0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.sum(rows * rows, axis=1, keepdims=True))
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def _cosine(one: Array, other: Array) -> Array:
    result: Array = np.sum(unit_rows(one) * unit_rows(other), axis=1)
    return result


def _dot(one: Array, other: Array) -> Array:
    result: Array = np.sum(one * other, axis=1)
    return result


def _euclidean(one: Array, other: Array) -> Array:
    """1 / (1 + distance): 1 for sentences at the same place."""
    result: Array = 1 / (1 + np.sqrt(np.sum((one - other) ** 2, axis=1)))
    return result


def _hellinger(one: Array, other: Array) -> Array:
    """The Bhattacharyya coefficient of both as distributions over dimensions (of what is positive)."""
    one, other = np.maximum(one, 0), np.maximum(other, 0)
    total = np.sqrt(one.sum(axis=1) * other.sum(axis=1))
    result: Array = np.sum(np.sqrt(one * other), axis=1) / np.where(total > 0, total, 1)
    return result


MEASURES: dict[str, Callable[[Array, Array], Array]] = {
    "cosine": _cosine,
    "dot": _dot,
    "euclidean": _euclidean,
    "hellinger": _hellinger,
}
