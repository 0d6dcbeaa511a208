"""Numbers as they go over the wire: short, and never what JSON has no word for."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLACES = 4  # decimals of probabilities and scores: more than anybody reads


def number(value: float) -> float | None:
    """Return a number, or None for what is none.

    >>> number(-2.123456), number(float("nan"))
    (-2.1235, None)
    """
    return round(float(value), PLACES) if isfinite(value) else None


def rounded(probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """Round probabilities, as the nearest numbers that are written so.

    >>> rounded(np.array([0.98], np.float32)).tolist()
    [0.98]
    """
    return np.asarray(np.round(probabilities.astype(np.float64), PLACES), np.float64)
