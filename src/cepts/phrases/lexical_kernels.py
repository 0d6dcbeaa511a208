"""Loops of lexical tables."""

import numpy as np
from numpy.typing import NDArray

from cepts.running.kernel import helper, kernel

Ids = NDArray[np.int64]


@helper
def find_entry(rows: Ids, columns: NDArray[np.int32], row: int, column: int) -> int:
    """Return the number of an entry, or how many there are where there is none."""
    low, end = rows[row], rows[row + 1]
    high = end
    while low < high:  # halve the row until its first column that is not smaller is left
        middle = (low + high) // 2
        if columns[middle] < column:
            low = middle + 1
        else:
            high = middle
    return low if low < end and columns[low] == column else len(columns)


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
        if 0 <= given[k] < len(rows) - 1:
            entry = find_entry(rows, columns, given[k], generated[k])
            if entry < len(columns):
                found[k] = values[entry]
