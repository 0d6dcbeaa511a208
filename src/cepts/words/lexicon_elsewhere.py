"""`LexiconElsewhere`: a lexicon whose probabilities are on the workers of a cluster, in blocks of rows.

A portion of the text gets the values that it uses from the workers that have them, and its counts go back there: so no
machine ever has all values or all counts, and the client has none. An M step is done where the rows are, once the
client has added up the totals of columns. Every block has a copy on a second worker, and a block that is lost all the
same ends the run (`GoneError`), to be begun anew or resumed.

What the blocks are makes no difference: counts are added in the order of the portions, and totals of columns exactly.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.running.cluster import AHEAD
from cepts.running.flow import Flow, GoneError, until_done
from cepts.storage.scratch import release
from cepts.words.indexed import PAIR
from cepts.words.lexicon import KEPT, Lexicon, Smoothing, check_values, parts_of
from cepts.words.model import Training
from cepts.words.regularity import weighted_rows
from cepts.words.row_blocks import (
    Beside,
    Mixed,
    RowBlock,
    column_sums,
    estimated,
    even_values,
    itself,
    kept_counts,
    level_of_rows,
    part_of,
    price,
    pruned_rows,
    put_in_place,
    rest_of,
    summed,
    values_at,
    values_for,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Future
    from numpy.typing import NDArray

    from cepts.running.cluster import Cluster, Kept
    from cepts.running.flow import Left
    from cepts.words.elsewhere import Elsewhere
    from cepts.words.families import Families
    from cepts.words.indexed import IndexedBitext
    from cepts.words.model import WordModel

    Integers = NDArray[np.int64]
    Values = NDArray[np.float32]

NOWHERE = Lexicon(np.zeros(1, np.int64), np.empty(0, np.int32), np.zeros((0, 2), np.float32))
BLOCK = 1 << 21  # word pairs, if that gives neither fewer blocks than workers nor too many messages
MOST = 64
COPIES = 2
FEW = 4  # workers to whom one machine sends values, and whose counts it adds up, as fast as they work


def is_elsewhere(indexed: IndexedBitext) -> bool:
    """Tell whether workers keep the lexicon of a text: if it is too large for here, or workers are many.

    What comes out is the same. A small cluster is quicker with a lexicon that is all in one place.
    """
    if indexed.elsewhere is None:
        return False
    many = len(indexed.elsewhere.cluster.workers()) > FEW
    return many or not indexed.scratch.fits(PAIR * len(indexed.columns))


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
        self.places = elsewhere.places.keep([partial(_split, *each) for each in places])
        self._beside: tuple[tuple[object, ...], Kept] | None = None

    def _block(self, number: int) -> RowBlock:
        columns = self.indexed.columns[self.cut.entries(number)]
        used = [entries[ends[number] : ends[number + 1]] for entries, ends in self._used]
        return RowBlock(self.cut.rows(number), self.cut.offsets(number), columns, used)

    def beside(self, training: Training) -> Kept:
        """Keep what is known beside counts, until something else is."""
        known = (training.extra, training.families, training.regularity)
        if self._beside is None or any(a is not b for a, b in zip(known, self._beside[0], strict=True)):
            makers = [partial(self._beside_of, number, training) for number in range(self.cut.blocks)]
            self._beside = known, self.homes.keep(makers)
        return self._beside[1]

    def _beside_of(self, number: int, training: Training) -> Beside:
        rows = self.cut.rows(number)
        entries, counts = np.zeros(0, np.int64), np.zeros(0, np.float32)
        if training.extra is not None:
            order, numbers, ends = self.cut.located(training.extra.entries)
            own = slice(ends[number], ends[number + 1])
            entries, counts = numbers[own].astype(np.int64), training.extra.counts[order[own]]
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
                doubts=[partial(self.blocks.forget, number), partial(self.doubt, values, number)],
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
            f"a part of the lexicon is on no worker of {self.cluster.address} any more; run again, or --resume from"
            " a checkpoint"
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


def _split(order: NDArray[np.int32], ends: list[int]) -> list[NDArray[np.int32]]:
    """Cut places into those of each block."""
    return [order[first:end] for first, end in pairwise(ends)]


@dataclass(frozen=True, eq=False)
class CountsElsewhere:
    """Counts of all word pairs, block by block on workers, with those that are given beforehand."""

    blocks: list[Left]


@dataclass(frozen=True, eq=False)
class LexiconElsewhere(Lexicon):
    """A lexicon without values here: those of each block are `there`, on one worker or two."""

    rooms: Rooms = field(kw_only=True)
    there: Sequence[list[Left]] = field(kw_only=True)

    @classmethod
    def spread(cls, indexed: IndexedBitext, families: Families | None, even: bool) -> LexiconElsewhere:
        """Give all pairs of a bitext the same probability or, with `even`, share each row of both directions evenly."""
        assert indexed.elsewhere is not None
        rooms = Rooms(indexed.elsewhere, indexed, families)
        lexicon = cls(
            indexed.row_offsets, indexed.columns, np.zeros((0, 2), np.float32), rooms=rooms, there=()
        )

        def made() -> LexiconElsewhere:
            flow = Flow(rooms.cluster)
            blocks = [
                flow.task(rooms.homes.home(number), even_values, [flow.kept(rooms.blocks, number)], 1e-3)
                for number in range(rooms.cut.blocks)
            ]
            return replace(lexicon, there=rooms.copied(flow, blocks))

        uniform = until_done(made)
        if not even:
            return uniform

        def shared() -> LexiconElsewhere:
            counts = CountsElsewhere(
                [rooms.copy(uniform.there, number) for number in range(rooms.cut.blocks)]
            )
            return uniform.after(counts, Training(smoothing=Smoothing()))

        return until_done(shared)

    def expected(
        self,
        function: Callable[..., tuple[Values, Any]],
        model: WordModel,
        training: Training,
        hear: Callable[[Any], None],
    ) -> CountsElsewhere:
        """E step, where the portions of the text are; returns the counts of word pairs.

        `function(text, model, training)` is done there. It gives counts of word pairs and the rest, which is heard of
        here, in the order of the portions.
        """
        rooms, flow = self.rooms, Flow(self.rooms.cluster)
        texts = rooms.elsewhere.kept_texts(model)
        models: dict[str, Future] = {}
        bare = model.with_lexicon(NOWHERE)
        waiting: deque[Left] = deque()
        parts: list[list[Left]] = [[] for _ in range(rooms.cut.blocks)]
        for number, portion in enumerate(rooms.elsewhere.portions):
            home = rooms.elsewhere.places.home(number)
            if home not in models:
                models[home] = flow.send(home, (bare.without_text(portion), training.of_counts()))
            kept = (rooms.elsewhere.chunks, texts, rooms.places)
            things = [*(flow.kept(each, number) for each in kept), models[home]]
            found = flow.task(
                home,
                _expect_there,
                [*things, *rooms.values_of(flow, self.there, number, self.smallest)],
                function,
                doubts=[partial(each.forget, number) for each in kept],
            )
            for block, some in enumerate(parts):
                some.append(flow.task(home, part_of, [found], block, urgent=True))
            waiting.append(flow.task(home, rest_of, [found], urgent=True))
            portion.release()
            if len(waiting) >= AHEAD * max(1, rooms.cluster.slots):
                hear(next(flow.results([waiting.popleft()])))
        for rest in flow.results(waiting):
            hear(rest)
        return self._summed(flow, training, parts)

    def no_counts(self, training: Training) -> CountsElsewhere:
        """Return nothing but the counts that are given beforehand."""
        return until_done(
            lambda: self._summed(Flow(self.rooms.cluster), training, [[]] * self.rooms.cut.blocks)
        )

    def _summed(self, flow: Flow, training: Training, parts: list[list[Left]]) -> CountsElsewhere:
        """Add up counts where their blocks are."""
        sums = [self._at(flow, number, summed, training, some) for number, some in enumerate(parts)]
        flow.wait(sums)
        return CountsElsewhere(sums)

    def _at(
        self,
        flow: Flow,
        number: int,
        function: Callable[..., Any],
        training: Training,
        things: Sequence[Left | Future],
        *arguments: Any,
    ) -> Left:
        """Have something done with a block, and with what is known of it, where it is."""
        rooms, beside = self.rooms, self.rooms.beside(training)
        kept = (rooms.blocks, beside)
        return flow.task(
            rooms.homes.home(number),
            function,
            [*(flow.kept(each, number) for each in kept), *things],
            *arguments,
            doubts=[
                *(partial(each.forget, number) for each in kept),
                partial(rooms.doubt, self.there, number),
            ],
        )

    def after(self, counts: Any, training: Training, threads: int = 1) -> LexiconElsewhere:  # noqa: ARG002
        """M step, where the blocks are."""
        rooms, flow = self.rooms, Flow(self.rooms.cluster)
        targets = self.labels[1]
        sums = [
            self._at(flow, number, column_sums, training, [left], targets)
            for number, left in enumerate(counts.blocks)
        ]
        totals: list[Integers] = []
        for found in flow.results(sums):
            totals = [one + other for one, other in zip(totals, found, strict=True)] if totals else found
        mixed = self._mixed(flow, counts, training)
        sent = {home: flow.send(home, totals) for home in {rooms.homes.home(n) for n in range(len(sums))}}
        made = []
        for number, left in enumerate(counts.blocks):
            home = rooms.homes.home(number)
            things = [left, sent[home], flow.send(home, mixed[number])]
            made.append(self._at(flow, number, estimated, training, things, training.smoothing))
        return replace(self, there=rooms.copied(flow, made))

    def _mixed(self, flow: Flow, counts: CountsElsewhere, training: Training) -> list[list[Mixed]]:
        """Work out here what becomes of rows and columns whose entries have different weights: few, in any block."""
        found: list[list[Mixed]] = [[] for _ in counts.blocks]
        for way, rows in enumerate(() if training.regularity is None else training.regularity.mixed):
            if not len(rows.entries):
                continue
            order, numbers, ends = self.rooms.cut.located(rows.entries)
            known = self._picked(flow, counts.blocks, order, numbers, ends)[:, way].astype(np.float64)
            values = np.maximum(training.smoothing.floor, weighted_rows(rows.labels, known, rows.weights))
            for number, (first, end) in enumerate(pairwise(ends)):
                own = values[order[first:end]].astype(np.float32)
                found[number].append(Mixed(way, numbers[first:end], own))
        return found

    def penalty(self, way: int, training: Training) -> float:
        """What the objective of one direction has beside the negative log likelihood."""
        if training.extra is None and training.regularity is None:
            return 0.0

        def added() -> float:
            flow = Flow(self.rooms.cluster)
            prices = [
                self._at(flow, number, price, training, [self.rooms.copy(self.there, number)], way)
                for number in range(self.rooms.cut.blocks)
            ]
            return float(sum(flow.results(prices)))

        total = until_done(added)
        if training.regularity is not None:  # what costs less than its row
            mixed = training.regularity.mixed[way]
            total -= float(np.dot(mixed.relief, self.local(mixed.entries)[:, way]))
        return total

    def local(self, entries: NDArray[Any]) -> Values:
        """Bring the values of some entries here."""
        located = self.rooms.cut.located(entries)

        def found() -> Values:
            copies = [self.rooms.copy(self.there, number) for number in range(self.rooms.cut.blocks)]
            return self._picked(Flow(self.rooms.cluster), copies, *located)

        return until_done(found)

    def _picked(
        self,
        flow: Flow,
        blocks: Sequence[Left],
        order: NDArray[np.int32],
        numbers: NDArray[np.int32],
        ends: list[int],
    ) -> Values:
        """Bring values, or counts, of entries here that were located."""
        homes = [self.rooms.homes.home(number) for number in range(len(blocks))]
        parts = [
            flow.task(
                home,
                values_at,
                [left, flow.send(home, numbers[first:end])],
                self.smallest,
                doubts=[partial(self.rooms.doubt, self.there, number)],
            )
            for number, (home, left, (first, end)) in enumerate(
                zip(homes, blocks, pairwise(ends), strict=True)
            )
        ]
        return put_in_place(_split(order, ends), list(flow.results(parts)))

    def whole_values(self) -> Values:
        """Bring all values here, into memory or onto disk."""
        values = self.rooms.indexed.scratch.zeros((len(self.columns), 2), np.float32)
        for number, found in enumerate(self._from_blocks(_values)):
            own = slice(None) if number == 0 else slice(1, None)  # without (NULL, NULL), which the first has
            values[self.rooms.cut.entries(number)[own]] = found[own]
            release(values)
        return values

    def _from_blocks(self, function: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
        """Yield what workers make of each block and its values."""
        for number in range(self.rooms.cut.blocks):
            yield until_done(partial(self._from_block, number, function, *arguments))

    def _from_block(self, number: int, function: Callable[..., Any], *arguments: Any) -> Any:
        rooms, flow = self.rooms, Flow(self.rooms.cluster)
        left = flow.task(
            rooms.homes.home(number),
            function,
            [flow.kept(rooms.blocks, number), rooms.copy(self.there, number)],
            *arguments,
            doubts=[partial(rooms.blocks.forget, number), partial(rooms.doubt, self.there, number)],
        )
        return next(flow.results([left]))

    def with_values(self, found: Values) -> LexiconElsewhere:
        """Send other values to the workers."""
        check_values(found, len(self.columns))
        rooms = self.rooms

        def sent() -> LexiconElsewhere:
            flow, made = Flow(rooms.cluster), []
            for number in range(rooms.cut.blocks):
                home = rooms.homes.home(number)
                made.append(flow.task(home, itself, [flow.send(home, found[rooms.cut.entries(number)])]))
                release(found)
            return replace(self, there=rooms.copied(flow, made))

        return until_done(sent)

    def pruned(self, smallest: float = KEPT) -> Lexicon:
        """Bring the pairs here that are probable in one direction at least."""
        parts = list(self._from_blocks(pruned_rows, smallest))
        offsets = self._offsets_of([(rows, np.diff(part.row_offsets)) for rows, part in parts])
        columns, values = np.zeros(offsets[-1], np.int32), np.zeros((offsets[-1], 2), np.float32)
        for number, (rows, part) in enumerate(parts):
            own, where = _places_of(number, rows, part.row_offsets, offsets)
            columns[where], values[where] = part.columns[own], part.values[own]
        return Lexicon(offsets, columns, values)

    def kept_counts(self, counts: Any, smallest: float = KEPT) -> Values:
        """Bring one count of each pair here that `pruned` keeps."""
        flow, rooms = Flow(self.rooms.cluster), self.rooms
        tasks = [
            flow.task(
                rooms.homes.home(number),
                kept_counts,
                [flow.kept(rooms.blocks, number), rooms.copy(self.there, number), left],
                smallest,
            )
            for number, left in enumerate(counts.blocks)
        ]
        found = list(flow.results(tasks))
        sizes = [(rows, np.diff(part.row_offsets)) for rows, part in self._from_blocks(pruned_rows, smallest)]
        offsets = self._offsets_of(sizes)
        kept = np.zeros(offsets[-1], np.float32)
        for number, ((rows, size), part) in enumerate(zip(sizes, found, strict=True)):
            own, where = _places_of(number, rows, np.concatenate([[0], np.cumsum(size)]), offsets)
            kept[where] = part[own]
        return kept

    def _offsets_of(self, sizes: list[tuple[Integers, Integers]]) -> Integers:
        """Return where each row of all begins, from the sizes of the blocks' rows."""
        counted = np.zeros(len(self.row_offsets) - 1, np.int64)
        for rows, size in reversed(sizes):  # the first block's row of NULL is the one that counts
            counted[rows] = size
        return np.concatenate([[0], np.cumsum(counted)])


def _places_of(number: int, rows: Integers, own: Integers, offsets: Integers) -> tuple[slice, Integers]:
    """Return which entries of a block count, and where they are among those of all blocks."""
    where = np.repeat(offsets[rows] - own[:-1], np.diff(own)) + np.arange(own[-1])
    chosen = slice(None) if number == 0 else slice(int(own[1]), None)
    return chosen, where[chosen]


def _values(block: RowBlock, values: Values) -> Values:  # noqa: ARG001
    return values


def _expect_there(
    text: IndexedBitext,
    own: Any,
    places: list[NDArray[np.int32]],
    model: tuple[Any, Training],
    *rest: Any,
) -> tuple[list[Values], Any]:
    """E step on a portion, where it is: put its values together, count, and cut the counts into those of blocks."""
    *parts, function = rest
    worker, training = model
    values = put_in_place(places, parts)
    lexicon = Lexicon(np.zeros(1, np.int64), np.empty(0, np.int32), values)
    counts, others = function(text, worker.with_lexicon(lexicon).with_text(own), training)
    return [values_at(counts, where, 0.0) for where in places], others
