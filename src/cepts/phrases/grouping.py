"""Records in order, with the count of the phrase that they begin with.

That count is known only when the last record of the phrase has come, which may be far from the first. So the
records are walked over twice: once to add up, into a file of one number for each phrase, and once to give each
record its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.phrases.sorting import spooled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray


class _Grouped(NamedTuple):
    """A block of records, which of them begin with another phrase than the one before, and the records' counts."""

    block: NDArray[np.int32]
    begins: NDArray[np.bool_]
    counts: NDArray[np.int64]


def with_totals(
    blocks: Callable[[], Iterable[NDArray[np.int32]]], bar: int, path: Path
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """Yield each block of records and, for each record, the total count of those with the same first phrase.

    `blocks` gives the same blocks each time; `bar` stands behind a phrase; `path` is a file that can be written.
    """
    with spooled(path) as file:
        for totals in _totals(_grouped(blocks(), bar)):
            file.write(totals.data)
    with path.open("rb") as file:
        last = np.empty(0, np.int64)
        for group in _grouped(blocks(), bar):
            new = int(np.count_nonzero(group.begins))
            known = np.concatenate((last, np.fromfile(file, np.int64, new)))
            number = np.cumsum(group.begins) - (0 if len(last) else 1)
            yield group.block, known[number]
            last = known[-1:]


def _grouped(blocks: Iterable[NDArray[np.int32]], bar: int) -> Iterator[_Grouped]:
    """Look for the phrases of each block."""
    from cepts.phrases.records_kernels import find_groups
    from cepts.phrases.sorting_kernels import count_records

    before = np.empty(0, np.int32)
    for block in blocks:
        records = count_records(block, len(block))
        if not records:
            continue
        begins, counts = np.empty(records, np.bool_), np.empty(records, np.int64)
        last = find_groups(block, before, bar, begins, counts)
        before = block[last:].copy()
        yield _Grouped(block, begins, counts)


def _totals(groups: Iterable[_Grouped]) -> Iterator[NDArray[np.int64]]:
    """Yield the totals of the phrases, in order, each when the next one has begun."""
    opened, total = False, 0
    for group in groups:
        first = np.flatnonzero(group.begins)
        total += int(group.counts[: first[0] if len(first) else None].sum())
        if len(first):
            sums = np.add.reduceat(group.counts, first)
            yield np.concatenate((np.full(int(opened), total), sums[:-1]))
            opened, total = True, int(sums[-1])
    if opened:
        yield np.array([total], np.int64)
