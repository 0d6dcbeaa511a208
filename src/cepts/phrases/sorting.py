"""`Sorter`: more records than fit into memory, sorted by way of files.

Records are collected in a buffer. When it is full they are sorted and written to a file, a *run*; in the end the
runs are merged, many at a time. What fits into the buffer never touches the disk.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from itertools import count
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.storage.atomic import cannot_write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

BLOCK = 1 << 18  # numbers that are read or handed on at once
MOST_RUNS = 64  # that are merged, and open, at once
LEAST_SHARE = 1 << 10  # numbers of a run that are held while it is merged


class Sorted(NamedTuple):
    """Sorted records, on disk (`path`) or, by `starts`, in memory; `largest` is the size of the largest one."""

    largest: int
    path: Path | None
    data: NDArray[np.int32]
    starts: NDArray[np.int32]

    def blocks(self) -> Iterator[NDArray[np.int32]]:
        """Walk over the records in order, some whole ones at a time; can be done again and again."""
        return self._from_memory() if self.path is None else read_blocks(self.path, self.largest)

    def remove(self) -> None:
        """Delete the file of the records, if there is one."""
        if self.path is not None:
            self.path.unlink()

    def _from_memory(self) -> Iterator[NDArray[np.int32]]:
        from cepts.phrases.sorting_kernels import gather

        first = 0
        while first < len(self.starts):
            block = np.empty(max(BLOCK, self.largest), np.int32)
            first, used = gather(self.data, self.starts, first, block)
            yield block[:used]


class Sorter:
    """Collects records in `buffer[:used]`, of `size` numbers, and sorts them with the help of a folder of its own."""

    def __init__(self, folder: Path, size: int) -> None:
        self.buffer: NDArray[np.int32] = np.empty(size, np.int32)
        self.used = 0
        self._largest = 0
        self._runs: list[Path] = []
        self._names = (folder / str(number) for number in count())

    def make_room(self, size: int) -> None:
        """Empty the buffer into a run, and see that a record of this size fits."""
        self._spill()
        if size > len(self.buffer):
            self.buffer = np.empty(size, np.int32)

    def finish(self) -> Sorted:
        """Return everything, sorted; nothing can be added any more."""
        nothing = np.empty(0, np.int32)
        if not self._runs:
            starts = self._sorted_starts()
            return Sorted(self._largest, None, self.buffer, starts)
        self._spill()
        while len(self._runs) > 1:
            self._merge_some()
        self.buffer = nothing
        return Sorted(self._largest, self._runs[0], nothing, nothing)

    def _sorted_starts(self) -> NDArray[np.int32]:
        """Return the places of the buffer's records in their order."""
        from cepts.phrases.sorting_kernels import count_records, find_starts, sort_starts

        starts = np.empty(count_records(self.buffer, self.used), np.int32)
        find_starts(self.buffer, self.used, starts)
        self._largest = max(self._largest, int(self.buffer[starts].max(initial=0)))
        sort_starts(self.buffer, starts, np.empty_like(starts))
        return starts

    def _spill(self) -> None:
        """Write the records in the buffer to a run."""
        if self.used:
            starts = self._sorted_starts()
            run = Sorted(self._largest, None, self.buffer, starts)
            self._runs.append(self._write(run.blocks()))
            self.used = 0

    def _write(self, blocks: Iterator[NDArray[np.int32]]) -> Path:
        """Write records to a new file."""
        path = next(self._names)
        with spooled(path) as file:
            for block in blocks:
                file.write(block.data)
        return path

    def _merge_some(self) -> None:
        """Make one run of as many runs as the buffer has room for."""
        share = max(2 * self._largest, LEAST_SHARE)
        several = max(2, min(MOST_RUNS, len(self.buffer) // share))
        if len(self.buffer) < several * share:
            self.buffer = np.empty(several * share, np.int32)
        runs, self._runs = self._runs[:several], self._runs[several:]
        self._runs.append(self._write(merged(runs, self.buffer, self._largest)))
        for run in runs:
            run.unlink()


@contextmanager
def spooled(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file for writing; a full disk is an `OutputError`."""
    try:
        with path.open("wb") as file:
            yield file
    except OSError as error:
        raise cannot_write(path, error) from error


def read_blocks(path: Path, largest: int) -> Iterator[NDArray[np.int32]]:
    """Walk over the records of a file, some whole ones at a time."""
    from cepts.phrases.sorting_kernels import whole_records

    rest = np.empty(0, np.int32)
    with path.open("rb") as file:
        while len(block := np.fromfile(file, np.int32, max(BLOCK, largest))):
            block = np.concatenate((rest, block))
            whole = whole_records(block, len(block))
            rest = block[whole:]
            if whole:
                yield block[:whole]


class _Shares:
    """The part of each run that is in memory: run r has `buffer[places[r]:ends[r]]` of its share of the buffer."""

    def __init__(self, files: list[IO[bytes]], buffer: NDArray[np.int32]) -> None:
        self.buffer = buffer
        self._files = files
        self._share = len(buffer) // len(files)
        begins = self._share * np.arange(len(files), dtype=np.int64)
        self.places, self.ends = begins.copy(), begins.copy()

    def refill(self, run: int) -> bool:
        """Read more of a run behind the part of a record that may be left of it; tell whether there is anything."""
        begin = run * self._share
        left = int(self.ends[run] - self.places[run])
        self.buffer[begin : begin + left] = self.buffer[self.places[run] : self.ends[run]]
        room = self.buffer[begin + left : begin + self._share].data.cast("B")
        got = self._files[run].readinto(room)  # type: ignore[attr-defined]
        self.places[run], self.ends[run] = begin, begin + left + got // self.buffer.itemsize
        return bool(self.ends[run] > begin)


def merged(paths: list[Path], buffer: NDArray[np.int32], largest: int) -> Iterator[NDArray[np.int32]]:
    """Walk over the records of several runs in order; what is handed on is overwritten by the next."""
    from cepts.phrases.sorting_kernels import make_heap, merge

    out = np.empty(max(BLOCK, largest), np.int32)
    used = 0
    with ExitStack() as stack:
        shares = _Shares([stack.enter_context(path.open("rb")) for path in paths], buffer)
        heap = np.array([run for run in range(len(paths)) if shares.refill(run)], np.int64)
        make_heap(buffer, shares.places, heap)
        while len(heap):
            used = merge(buffer, shares.places, shares.ends, heap, used, out)
            if used + largest > len(out):
                yield out[:used]
                used = 0
                continue
            if not shares.refill(int(heap[0])):
                heap[0] = heap[-1]
                heap = heap[:-1]
            make_heap(buffer, shares.places, heap)
        yield out[:used]
