"""How the work of a function grows with the size of what it is given."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

STEEP = 10  # times the work for four times the size: 4 is linear, 16 is quadratic
TRIES = 3  # all of which must say the same, as other programs disturb the clock


def steep(work: Callable[[int], object], size: int) -> bool:
    """Tell whether a size costs much more than four times what a quarter of it costs."""

    def seconds(size: int) -> float:
        begin = process_time()
        work(size)
        return process_time() - begin

    seconds(size // 4)  # what is done once, such as imports
    return all(seconds(size) > STEEP * min(seconds(size // 4) for _ in range(3)) for _ in range(TRIES))
