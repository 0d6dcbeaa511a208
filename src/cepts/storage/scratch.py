"""`Scratch`: arrays stay in memory up to a limit; what is more goes to temporary files and is mapped."""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from math import prod
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

LIMIT = 1 << 29  # bytes
WINDOW = (
    24 << 20
)  # bytes of mapped files that may be resident whatever else there is: fewer would be read all the time
LOOK_EVERY = 0.004  # seconds; what becomes resident meanwhile is above the bound
STATM = "/proc/self/statm"  # sizes of the process in pages; Linux alone has it


class Scratch:
    """Keeps arrays, each for as long as somebody has it: a temporary file has no name, and goes with its array.

    Where an array is makes no difference to what is computed, only to the memory and the time that it takes. With
    `resident`, the pages of mapped files are given back when the process has more bytes than that in memory.
    """

    def __init__(self, limit: int = LIMIT, resident: int | None = None) -> None:
        """Keep up to `limit` bytes in memory at a time."""
        self._room = self._limit = limit
        self._resident = resident
        self._mapped: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._lock = Lock()  # of what is mapped
        self._watched = False
        self.on_disk = 0  # bytes that have gone to disk, all together

    @property
    def limit(self) -> int:
        """How many bytes stay in memory at a time. Arrays that are in memory stay there when it is lowered."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._room += limit - self._limit
        self._limit = limit

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
        return self._mapped_array(mapped, array.dtype, array.shape)

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
            return self._mapped_array(mapped, dtype, shape)
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

    def _mapped_array(self, mapped: mmap.mmap, dtype: DTypeLike, shape: tuple[int, ...]) -> NDArray[Any]:
        array: NDArray[Any] = np.frombuffer(mapped, dtype).reshape(shape)
        self.on_disk += array.nbytes
        self.watch(array)
        return array

    def watch(self, array: NDArray[Any]) -> None:
        """Give back the pages of an array, too, if it is a mapped file, when there are too many in memory."""
        mapped = mapping_of(array)
        if mapped is None:
            return
        with self._lock:
            self._mapped.add(mapped)
            if self._resident is not None and not self._watched and Path(STATM).exists():
                self._watched = True
                given = weakref.ref(self), self._resident
                Thread(target=_watch, args=given, name="cepts-scratch", daemon=True).start()

    def __reduce__(self) -> tuple[Any, ...]:
        """Be sent to another process without any arrays: those that are sent with it are in its memory."""
        return Scratch, (self._limit, self._resident)

    def release_all(self) -> None:
        """Give back the memory of all arrays that are on disk, until they are used again."""
        with self._lock:
            for mapped in self._mapped:
                mapped.madvise(mmap.MADV_DONTNEED)


def _watch(reference: weakref.ref[Scratch], resident: int) -> None:
    """As long as a `Scratch` is there, give back its pages whenever the process has more than `resident` bytes.

    If it has more without them, they may take `WINDOW`.
    """
    most = resident
    while (scratch := reference()) is not None:
        if resident_size() > most:
            scratch.release_all()
            most = max(resident, resident_size() + WINDOW)
        del scratch
        sleep(LOOK_EVERY)


def resident_size() -> int:
    """Return how many bytes of this process are in memory."""
    with open(STATM, "rb") as sizes:  # noqa: PTH123 (a hundred times a second)
        return int(sizes.read().split()[1]) * mmap.PAGESIZE


def _reserve(file: int, size: int) -> None:
    """Make room for a file on disk before it is mapped: a full disk found later would kill the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
    else:
        os.truncate(file, size)


def release(array: NDArray[Any]) -> None:
    """Give back the memory of an array that `Scratch` has put on disk, until it is used again."""
    mapped = mapping_of(array)
    if mapped is not None:
        mapped.madvise(mmap.MADV_DONTNEED)


def mapping_of(array: NDArray[Any]) -> mmap.mmap | None:
    """Return the mapped file whose bytes an array has, if it has those of any, and pages of it can be given back."""
    base: Any = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    return base if isinstance(base, mmap.mmap) and hasattr(base, "madvise") else None
