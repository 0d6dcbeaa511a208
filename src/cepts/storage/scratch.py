"""`Scratch`: arrays stay in memory up to a limit; what is more goes to temporary files and is mapped."""

from __future__ import annotations

import mmap
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT = 1 << 29  # bytes


class Scratch:
    """Keeps arrays, each for as long as somebody has it: a temporary file has no name, and goes with its array."""

    def __init__(self, limit: int = LIMIT) -> None:
        """Keep up to `limit` bytes in memory."""
        self._room = limit
        self.is_full = False  # whether something has gone to disk

    def kept(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array, in memory or mapped; it may be written to either way.

        Where the disk has no room, it stays in memory.
        """
        self._room -= array.nbytes
        if self._room >= 0 or array.size == 0:
            return array
        try:
            with tempfile.TemporaryFile(prefix="cepts-") as file:
                file.write(
                    np.ascontiguousarray(array).data
                )  # not by the map: a full disk would kill the process
                file.flush()
                mapped = mmap.mmap(file.fileno(), array.nbytes)
        except OSError:
            return array
        self.is_full = True
        return np.frombuffer(mapped, array.dtype).reshape(array.shape)


def release(array: NDArray[Any]) -> None:
    """Give back the memory of an array that `Scratch` has put on disk, until it is used again."""
    base: Any = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)
