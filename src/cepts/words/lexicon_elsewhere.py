"""`LexiconElsewhere`: a lexicon whose probabilities are on the workers of a cluster, in blocks of rows.

A portion of the text gets the values that it uses from the workers that have them, and its counts go back there: so no
machine ever has all values or all counts, and the client has none. An M step is done where the rows are, once the
client has added up the totals of columns. Every block has a copy on a second worker, and a block that is lost all the
same ends the training (`GoneError`), which is begun anew or resumed.

What the blocks are makes no difference: counts are added in the order of the portions, and totals of columns exactly.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.running.cluster import AHEAD
from cepts.running.flow import Flow, until_done
from cepts.storage.scratch import release
from cepts.words.lexicon import KEPT, Lexicon, Smoothing, check_values, with_padding
from cepts.words.memory import VALUE
from cepts.words.model import Training
from cepts.words.regularity import weighted_rows
from cepts.words.rooms import Rooms, split
from cepts.words.row_blocks import (
    Mixed,
    RowBlock,
    column_sums,
    estimated,
    even_values,
    itself,
    kept_counts,
    part_of,
    price,
    pruned_rows,
    put_in_place,
    rest_of,
    summed,
    values_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Future
    from numpy.typing import NDArray

    from cepts.running.flow import Left
    from cepts.words.families import Families
    from cepts.words.indexed import IndexedBitext
    from cepts.words.model import WordModel

    Integers = NDArray[np.int64]
    Values = NDArray[np.float32]

NOWHERE = Lexicon(np.zeros(1, np.int64), np.empty(0, np.int32), np.zeros((0, 2), np.float32))
FEW = 4  # workers to whom one machine sends values, and whose counts it adds up, as fast as they work


def is_elsewhere(indexed: IndexedBitext) -> bool:
    """Tell whether workers keep the lexicon of a text: if it is too large for here, or workers are many.

    What comes out is the same. A small cluster is quicker with a lexicon that is all in one place.
    """
    if indexed.elsewhere is None:
        return False
    many = len(indexed.elsewhere.cluster.workers()) > FEW
    return many or not indexed.scratch.fits(2 * VALUE * len(indexed.columns))


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
            doubts=[partial(rooms.doubt, self.there, number)],
        )

    def after(self, counts: Any, training: Training, threads: int = 1) -> LexiconElsewhere:  # noqa: ARG002
        """M step, where the blocks are."""
        rooms, flow = self.rooms, Flow(self.rooms.cluster)
        targets = self.labels[1]
        sums = [
            self._at(flow, number, column_sums, training, [left], targets)
            for number, left in enumerate(counts.blocks)
        ]
        totals = sum(flow.results(sums), np.zeros((3, targets), np.int64))
        mixed = self._mixed(flow, counts, training)
        sent: dict[str, Future] = {}
        made = []
        for number, left in enumerate(counts.blocks):
            home = rooms.homes.home(number)
            if home not in sent:
                sent[home] = flow.send(home, totals)
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

        return with_padding(until_done(found), entries)

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
        return put_in_place(split(order, ends), list(flow.results(parts)))

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
            doubts=[partial(rooms.doubt, self.there, number)],
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
        offsets = self._offsets_of([(rows, np.diff(begins)) for rows, begins, _ in found])
        kept = np.zeros(offsets[-1], np.float32)
        for number, (rows, begins, part) in enumerate(found):
            own, where = _places_of(number, rows, begins, offsets)
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
    values[0] = 0.0  # padding, as in `Lexicon.local`
    lexicon = Lexicon(np.zeros(1, np.int64), np.empty(0, np.int32), values)
    counts, others = function(text, worker.with_lexicon(lexicon).with_text(own), training)
    return [values_at(counts, where, 0.0) for where in places], others
