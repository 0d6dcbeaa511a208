"""Loops of lexical tables."""

import numpy as np
from numpy.typing import NDArray

from cepts.running.kernel import kernel

Ids = NDArray[np.int64]


@kernel
def look_up(
    rows: Ids,
    columns: NDArray[np.int32],
    values: NDArray[np.float32],
    given: Ids,
    generated: Ids,
    found: NDArray[np.float32],
) -> None:
    """Fill `found` with the values of the entries (given, generated), 0 where there is none."""
    for k in range(len(found)):
        found[k] = 0.0
        row, column = given[k], generated[k]
        if row < 0 or row >= len(rows) - 1:
            continue
        low, high = rows[row], rows[row + 1]
        end = high
        while low < high:  # halve the row until its first column that is not smaller is left
            middle = (low + high) // 2
            if columns[middle] < column:
                low = middle + 1
            else:
                high = middle
        if low < end and columns[low] == column:
            found[k] = values[low]
