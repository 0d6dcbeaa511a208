"""Figures as they are kept: areas under curves, and means of blocks to compare rows by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paper_tables.records import rounded

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

BLOCKS = 50


def placements(bad: ArrayLike, good: ArrayLike) -> NDArray[np.float64]:
    """Return for each bad score the share of good ones above it, equal ones counting half; their mean is the area.

    >>> placements([1.0, 3.0], [2.0, 3.0]).tolist()
    [1.0, 0.25]
    """
    ranked = np.sort(np.asarray(good, np.float64))
    below = np.searchsorted(ranked, bad, "left")
    not_above = np.searchsorted(ranked, bad, "right")
    return 1 - (below + not_above) / (2 * len(ranked))


def block_means(values: NDArray[Any]) -> list[float]:
    """Return the means of so many blocks of about equal size: enough to compare two rows on the same pairs.

    >>> len(block_means(np.arange(1000.0))), block_means(np.array([1.0, 2.0]))
    (50, [1.0, 2.0])
    """
    parts = np.array_split(values, min(BLOCKS, len(values)))
    return rounded(part.mean() for part in parts)
