"""`Rooms`: where the blocks of a lexicon's rows are, on the workers of a cluster, and who uses what of them."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.errors import said
from cepts.running.flow import Flow, GoneError
from cepts.storage.scratch import release
from cepts.words.lexicon import parts_of
from cepts.words.row_blocks import Beside, RowBlock, itself, level_of_rows, values_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.running.cluster import Cluster, Kept
    from cepts.running.flow import Left
    from cepts.words.elsewhere import Elsewhere
    from cepts.words.families import Families
    from cepts.words.indexed import IndexedBitext
    from cepts.words.model import Training

    Integers = NDArray[np.int64]

BLOCK = 1 << 21  # word pairs, if that gives neither fewer blocks than workers nor too many messages
MOST = 64  # blocks
COPIES = 2  # of each block


class Cut(NamedTuple):
    """How rows are shared out: the block of each row, and where the row begins there."""

    blocks: int
    block: NDArray[np.int16]
    begin: Integers
    row_offsets: Integers

    @classmethod
    def of(cls, row_offsets: Integers, groups: NDArray[np.int32] | None, fewest: int) -> Cut:
        """Share rows out in their order; those of one group, if there are any, stay together. NULL is in the first."""
        sizes = np.diff(row_offsets)
        groups = np.arange(len(sizes), dtype=np.int32) if groups is None else groups
        totals = np.bincount(groups, sizes).astype(np.int64)
        wanted = min(MOST, max(fewest, int(totals.sum()) // BLOCK))
        before = np.cumsum(totals) - totals
        numbers = np.unique(before // -(-int(totals.sum()) // wanted), return_inverse=True)[1]
        block = numbers.reshape(-1)[groups].astype(np.int16)
        begin = np.zeros(len(sizes), np.int64)
        for number in range(int(block.max()) + 1):
            rows = np.flatnonzero(block == number)
            begin[rows] = np.cumsum(sizes[rows]) - sizes[rows] + (number > 0)  # behind (NULL, NULL)
        return cls(int(block.max()) + 1, block, begin, row_offsets)

    def rows(self, block: int) -> Integers:
        """List the rows of a block; that of NULL is the first of every block."""
        own = np.flatnonzero(self.block == block)
        return own if block == 0 else np.concatenate([[0], own])

    def offsets(self, block: int) -> Integers:
        """Return where the rows of a block begin there, and the end."""
        sizes = np.diff(self.row_offsets)[self.rows(block)]
        if block > 0:
            sizes[0] = 1
        return np.concatenate([[0], np.cumsum(sizes)])

    def entries(self, block: int) -> Integers:
        """Return the numbers that the entries of a block have in the whole lexicon."""
        offsets = self.offsets(block)
        return np.repeat(self.row_offsets[self.rows(block)] - offsets[:-1], np.diff(offsets)) + np.arange(
            offsets[-1]
        )

    def located(self, entries: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32], list[int]]:
        """Sort entries by their blocks: their places, their numbers in the blocks, and where each block's begin."""
        blocks, numbers = np.empty(len(entries), np.int16), np.empty(len(entries), np.int32)
        for first, end in parts_of(len(entries)):
            some = entries[first:end].astype(np.int64)
            rows = np.searchsorted(self.row_offsets, some, side="right") - 1
            blocks[first:end] = self.block[rows]
            numbers[first:end] = some - self.row_offsets[rows] + self.begin[rows]
        release(entries)
        order = np.argsort(blocks, kind="stable").astype(np.int32)
        ends = np.searchsorted(blocks[order], np.arange(self.blocks + 1))
        return order, numbers[order], ends.tolist()


class Rooms:
    """Where the blocks of a text's lexicon are, and which entries of each every portion of the text uses."""

    def __init__(self, elsewhere: Elsewhere, indexed: IndexedBitext, families: Families | None) -> None:
        self.elsewhere, self.indexed = elsewhere, indexed
        self.cluster: Cluster = elsewhere.cluster
        groups = None if families is None else families.levels[0].source
        self.cut = Cut.of(indexed.row_offsets, groups, len(self.cluster.workers()))
        self._used, places = [], []
        for portion in elsewhere.portions:
            order, numbers, ends = self.cut.located(portion.shard.entries)
            places.append((indexed.scratch.kept(order), ends))
            self._used.append((indexed.scratch.kept(numbers), ends))
        self.homes = self.cluster.places(self.cut.blocks)
        self.blocks = self.homes.keep([partial(self._block, number) for number in range(self.cut.blocks)])
        self.places = elsewhere.places.keep([partial(split, *each) for each in places])
        self._beside: tuple[tuple[object, ...], Kept] | None = None

    def _block(self, number: int) -> RowBlock:
        columns = self.indexed.columns[self.cut.entries(number)]
        used = [entries[ends[number] : ends[number + 1]] for entries, ends in self._used]
        return RowBlock(self.cut.rows(number), self.cut.offsets(number), columns, used)

    def beside(self, training: Training) -> Kept:
        """Keep what is known beside counts, until something else is."""
        known = (training.extra, training.families, training.regularity)
        if self._beside is None or any(a is not b for a, b in zip(known, self._beside[0], strict=True)):
            entries = np.zeros(0, np.int64) if training.extra is None else training.extra.entries
            located = self.cut.located(entries)
            makers = [
                partial(self._beside_of, number, training, located) for number in range(self.cut.blocks)
            ]
            self._beside = known, self.homes.keep(makers)
        return self._beside[1]

    def _beside_of(
        self,
        number: int,
        training: Training,
        located: tuple[NDArray[np.int32], NDArray[np.int32], list[int]],
    ) -> Beside:
        rows = self.cut.rows(number)
        order, numbers, ends = located
        own = slice(ends[number], ends[number + 1])
        entries, counts = numbers[own].astype(np.int64), np.zeros(0, np.float32)
        if training.extra is not None:
            counts = training.extra.counts[order[own]]
        weights = None
        if training.regularity is not None:
            sources, targets = training.regularity.weights
            weights = (sources[rows], targets)
        if training.families is None:
            return Beside(entries, counts, weights, [], np.zeros(1, np.uint8), 0.0)
        families = training.families
        likeness = families.likeness
        if families.strength > 0:
            likeness = likeness[self.cut.entries(number)]
            release(families.likeness)
        levels = [level_of_rows(level, rows) for level in families.levels]
        return Beside(entries, counts, weights, levels, likeness, families.strength)

    def values_of(
        self, flow: Flow, values: Sequence[list[Left]], portion: int, smallest: float
    ) -> list[Left]:
        """Have each block's worker pick out the values that a portion uses."""
        return [
            flow.task(
                self.homes.home(number),
                values_for,
                [flow.kept(self.blocks, number), self.copy(values, number)],
                portion,
                smallest,
                doubts=[partial(self.doubt, values, number)],
                urgent=True,
            )
            for number in range(self.cut.blocks)
        ]

    def copy(self, values: Sequence[list[Left]], number: int) -> Left:
        """Return a block's values, from where there are any."""
        alive = self.cluster.workers()
        there = [left for left in values[number] if left.is_there(alive)]
        if there:
            if sum(left.home in alive for left in values[number]) < COPIES:  # the other was lost
                values[number][:] = [*there, *self._copies(Flow(self.cluster), there[0])]
            return there[0]
        raise GoneError(
            f"a part of the lexicon is on no worker of {self.cluster.address} any more; run again, or"
            f" {said('resume', True)} from a checkpoint"
        )

    def doubt(self, values: Sequence[list[Left]], number: int) -> None:
        """Do not trust the first copy of a block's values any more."""
        alive = set(self.cluster.workers())
        there = [left for left in values[number] if left.is_there(alive)]
        values[number][:] = there[1:]

    def copied(self, flow: Flow, made: list[Left]) -> list[list[Left]]:
        """Copy each block's values to a second worker, if there is one; returns where they are then."""
        values = [[left, *self._copies(flow, left)] for left in made]
        flow.wait([left for copies in values for left in copies])
        return values

    def _copies(self, flow: Flow, left: Left) -> list[Left]:
        """Copy a block's values to the next worker, if there is one."""
        alive = self.cluster.workers()
        first = alive.index(left.home) + 1 if left.home in alive else 0
        others = [home for home in alive[first:] + alive[:first] if home != left.home]
        return [flow.task(home, itself, [left]) for home in others[: COPIES - 1]]


def split(order: NDArray[np.int32], ends: list[int]) -> list[NDArray[np.int32]]:
    """Cut places into those of each block."""
    return [order[first:end] for first, end in pairwise(ends)]
