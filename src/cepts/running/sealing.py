"""`Sealed`: something on its way to another process, with a checksum; arrays travel as they are, without copies."""

from __future__ import annotations

import pickle
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

BLOCK = 1 << 12  # bytes
ALIGNMENT = 16  # bytes; kernels are compiled for arrays that begin at such an address


class CorruptedError(Exception):
    """What arrived is not what was sent."""


class Sealed:
    """An object as one string of bytes and the arrays in it.

    >>> Sealed.of({"numbers": np.arange(3)}).opened()
    {'numbers': array([0, 1, 2])}
    """

    def __init__(self, head: bytes, arrays: list[NDArray[np.uint8]], checksum: int) -> None:
        self.head, self.arrays, self.checksum = head, arrays, checksum
        self._is_checked = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Sealed, (self.head, self.arrays, self.checksum)  # it is checked anew wherever it arrives

    def __sizeof__(self) -> int:
        return len(self.head) + sum(array.nbytes for array in self.arrays)

    @classmethod
    def of(cls, thing: Any) -> Sealed:
        """Seal a thing; its arrays are not copied, and must not be changed before it has left."""
        buffers: list[pickle.PickleBuffer] = []
        head = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
        arrays = [np.frombuffer(buffer.raw(), np.uint8) for buffer in buffers]
        return cls(head, arrays, checksum_of(head, arrays))

    def opened(self) -> Any:
        """Return the thing, after a look at the checksum; its arrays are shared with all who open it."""
        if not self._is_checked and checksum_of(self.head, self.arrays) != self.checksum:
            raise CorruptedError("what arrived is not what was sent: its checksum differs")
        if not self._is_checked:
            self.arrays = [_placed(array) for array in self.arrays]
            self._is_checked = True
        return pickle.loads(self.head, buffers=self.arrays)


def checksum_of(head: bytes, arrays: Iterable[NDArray[np.uint8]]) -> int:
    """Return a checksum of some bytes: CRC-32 of sums of blocks, which are added up as fast as memory is read."""
    checksum = zlib.crc32(head)
    for array in arrays:
        whole = len(array) // BLOCK * BLOCK
        sums = array[:whole].view(np.uint64).reshape(-1, BLOCK // 8).sum(axis=1, dtype=np.uint64)
        checksum = zlib.crc32(array[whole:].tobytes(), zlib.crc32(sums.tobytes(), checksum))
    return checksum


def _placed(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return bytes that can be written to and begin where kernels expect it."""
    if array.flags.writeable and array.ctypes.data % ALIGNMENT == 0:
        return array
    return np.array(array)
