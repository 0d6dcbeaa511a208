"""`Scratch`: arrays stay in memory up to a limit; what is more goes to temporary files and is mapped."""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

LIMIT = 1 << 29  # bytes


class Scratch:
    """Keeps arrays, each for as long as somebody has it: a temporary file has no name, and goes with its array.

    Where an array is makes no difference to what is computed, only to the memory and the time that it takes.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        """Keep up to `limit` bytes in memory at a time."""
        self._room = limit
        self.on_disk = 0  # bytes that have gone to disk, all together

    def kept(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array, in memory or mapped; it may be written to either way.

        Where the disk has no room, it stays in memory.
        """
        if self.fits(array.nbytes):
            self.count(array.nbytes, array)
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
        self.on_disk += array.nbytes
        return np.frombuffer(mapped, array.dtype).reshape(array.shape)

    def zeros(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """Return an array of zeros, in memory or mapped."""
        size = prod(shape) * np.dtype(dtype).itemsize
        if not self.fits(size):
            try:
                with tempfile.TemporaryFile(prefix="cepts-") as file:
                    _reserve(file.fileno(), size)
                    mapped = mmap.mmap(file.fileno(), size)
            except OSError:
                return np.zeros(shape, dtype)
            self.on_disk += size
            return np.frombuffer(mapped, dtype).reshape(shape)
        array = np.zeros(shape, dtype)
        self.count(array.nbytes, array)
        return array

    def fits(self, size: int) -> bool:
        """Tell whether so many bytes more stay in memory."""
        return size <= self._room or size == 0

    def count(self, size: int, owner: NDArray[Any]) -> None:
        """Count so many bytes that are in memory, until nobody has their owner any more."""
        self._room -= size
        weakref.finalize(owner, self._give_back, size).atexit = False

    def _give_back(self, size: int) -> None:
        self._room += size


def _reserve(file: int, size: int) -> None:
    """Make room for a file on disk before it is mapped: a full disk found later would kill the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:
        os.truncate(file, size)


def release(array: NDArray[Any]) -> None:
    """Give back the memory of an array that `Scratch` has put on disk, until it is used again."""
    base: Any = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)
