"""How much is taken from each count to make room for what was never seen (Chen and Goodman, 1998)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Where counts of counts are too few to say: half of a count of one, and half a count more for each step.
USUAL = (0.5, 1.0, 1.5)


def discounts(counts: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return what is taken from counts of 0, 1, 2, and of 3 or more (modified Kneser-Ney, equation 26).

    Where the text is too small for that, or its counts are no natural ones, each has its usual discount.

    >>> discounts(np.array([1, 1, 1, 1, 2, 2, 3, 4])).tolist()
    [0.0, 0.5, 1.25, 1.0]
    >>> discounts(np.array([1, 1])).tolist()
    [0.0, 0.5, 1.0, 1.5]
    """
    of_count = np.bincount(np.minimum(counts, 5), minlength=6).astype(np.float64)
    found = np.array([0.0, *USUAL])
    if not of_count[1] or not of_count[2]:
        return found
    share = of_count[1] / (of_count[1] + 2.0 * of_count[2])
    for k in (1, 2, 3):
        if of_count[k] and of_count[k + 1]:
            taken = k - (k + 1) * share * of_count[k + 1] / of_count[k]
            if 0.0 < taken < k:
                found[k] = taken
    return found


def discounted(
    counts: NDArray[np.integer], groups: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each count's share of its group after the discount, and what each of `size` groups has left.

    A group without any counts has everything left.
    """
    taken = discounts(counts)[np.minimum(counts, 3)]
    totals = np.bincount(groups, counts, minlength=size)
    shares = (counts - taken) / np.maximum(totals[groups], 1.0)
    left = np.bincount(groups, taken, minlength=size) / np.maximum(totals, 1.0)
    left[totals <= 0] = 1.0
    return shares, left
