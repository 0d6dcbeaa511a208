"""`Scratch`: arrays stay in memory up to a limit; what is more goes to a temporary folder and is mapped."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from types import TracebackType

    from numpy.typing import NDArray

LIMIT = 1 << 29  # bytes


class Scratch:
    """Keeps arrays for as long as the `with` block lasts."""

    def __init__(self, limit: int = LIMIT) -> None:
        """Keep up to `limit` bytes in memory."""
        self._room = limit
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = 0

    def __enter__(self) -> Scratch:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary folder."""
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def is_full(self) -> bool:
        """Whether something has gone to the folder."""
        return self._folder is not None

    def kept(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array, in memory or mapped; it may be written to either way."""
        self._room -= array.nbytes
        if self._room >= 0 or array.size == 0:
            return array
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="cepts-", ignore_cleanup_errors=True)
        self._count += 1
        mapped = np.memmap(
            Path(self._folder.name) / str(self._count), dtype=array.dtype, mode="w+", shape=array.shape
        )
        mapped[...] = array
        return np.asarray(mapped)
