"""`Lexicon`: translation probabilities of both directions for every word pair that matters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from cepts.errors import ModelError
from cepts.running import run
from cepts.storage.scratch import release
from cepts.words.lane_kernels import gather
from cepts.words.layout import runs_of
from cepts.words.lexicon_kernels import column_norms, column_totals, look_up, maximise, prune, row_sums
from cepts.words.regularity import weighted_rows
from cepts.words.spelling import entries_of_pairs, same_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.words.indexed import IndexedBitext
    from cepts.words.model import Training
    from cepts.words.regularity import Regularity

    Counted = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]  # rows, columns, counts

Kind = TypeVar("Kind", bound=np.generic)

FLOOR = 1e-7  # no probability of a word pair is smaller: nothing is impossible, and nothing underflows
KEPT = 1e-6  # a pair that is less probable than this in both directions is not kept in a finished model
# What a pair gets that a finished model does not hold: both words known, one of them, none, a new word with NULL.
UNSEEN = np.array([FLOOR, FLOOR, 1e-4, 1e-5], np.float32)
ROW_BLOCK = 1 << 20  # entries that one thread works on at a time in the M step
SAME_SPELLING = np.float32(0.5)  # a new word that is spelled like a word of the other side


class Smoothing(NamedTuple):
    """How counts become probabilities: a symmetric Dirichlet prior (0: maximum likelihood) and a smallest value."""

    prior: float = 0.0
    floor: float = FLOOR


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A sparse table in rows: entry k of row e pairs source word e with target word `columns[k]`.

    Words count from 1; row 0 and column 0 are the NULL words, and entry 0 is (NULL, NULL), which stands for nothing
    and has probability 0. `values[k]` holds p(target | source) and p(source | target); where both are below `smallest`,
    they are read as `FLOOR`, and so is what has no entry of its own but 0 (see `pruning`).
    """

    row_offsets: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    smallest: float = 0.0

    @classmethod
    def uniform(cls, indexed: IndexedBitext) -> Lexicon:
        """Give all pairs of a bitext the same probability."""
        values = indexed.scratch.zeros((len(indexed.columns), 2), np.float32)
        for first, end in parts_of(len(values)):
            values[first:end] = 1e-3
            release(values)
        values[0] = 0.0
        return cls(indexed.row_offsets, indexed.columns, values)

    @classmethod
    def even(cls, indexed: IndexedBitext) -> Lexicon:
        """Share each row of both directions evenly: a point from which an objective can fall."""
        lexicon = cls.uniform(indexed)
        return lexicon.maximised(lexicon.values, Smoothing())

    def local(self, entries: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the values of some entries: those that a chunk or a shard uses, in its order."""
        values = np.empty((len(entries), 2), np.float32)
        limits = (np.float32(self.smallest), np.float32(FLOOR))
        for first, end in parts_of(len(entries)):  # a shard's entries are all over the table, in its order
            gather(self.values, entries[first:end], *limits, values[first:end])
            release(self.values)
        return with_padding(values, entries)

    def part(self, entries: NDArray[np.int32]) -> Lexicon:
        """Return a lexicon of some entries alone, without rows: enough for an E step on their shard."""
        return Lexicon(np.zeros(1, np.int64), np.empty(0, np.int32), self.local(entries))

    def with_values(self, found: NDArray[np.float32]) -> Lexicon:
        """Return the lexicon with other values, which are copied to where its own are."""
        check_values(found, len(self.values))
        for first, end in parts_of(len(found)):
            self.values[first:end] = found[first:end]
            release_all((self.values, found))
        return self

    @cached_property
    def labels(self) -> tuple[int, int]:
        """How many rows the forward direction has, and the reverse (the table's columns); NULL's are counted."""
        return len(self.row_offsets) - 1, int(self.columns[: self.row_offsets[1]].max()) + 1

    def maximised(
        self,
        counts: NDArray[np.float32],
        smoothing: Smoothing,
        threads: int = 1,
        regularity: Regularity | None = None,
    ) -> Lexicon:
        """Return the lexicon after an M step; `counts` is used up and holds the new values."""
        table = (self.row_offsets, self.columns, counts)
        sources, targets = self.labels
        weights = (np.zeros(sources), np.zeros(targets)) if regularity is None else regularity.weights
        mixed = [] if regularity is None else list(zip(regularity.mixed, (0, 1), strict=True))
        counted = [counts[rows.entries, way].astype(np.float64) for rows, way in mixed]
        totals = totals_of_columns(table, targets, threads)
        norms = column_norms(totals, smoothing.prior, weights[1][:targets])
        write_estimates(table, weights[0], norms, smoothing, threads)
        for (rows, way), known in zip(mixed, counted, strict=True):
            counts[rows.entries, way] = np.maximum(
                smoothing.floor, weighted_rows(rows.labels, known, rows.weights)
            )
        return Lexicon(*table)

    def _row_blocks(self) -> list[tuple[int, int]]:
        return row_blocks(self.row_offsets)

    def after(self, counts: Any, training: Training, threads: int = 1) -> Lexicon:
        """M step, with all that is known beside counts: the lexicon that follows. The counts are used up."""
        if training.extra is not None:
            counts[training.extra.entries] += training.extra.counts[:, None]
            release(counts)
        if training.families is not None:
            return training.families.maximised(self, counts, training.smoothing, threads)
        return self.maximised(counts, training.smoothing, threads, training.regularity)

    def penalty(self, way: int, training: Training) -> float:
        """What the objective of one direction has beside the negative log likelihood."""
        total = 0.0
        if training.regularity is not None:
            total += self.regularity_term(way, training.regularity)
        if training.extra is not None:
            total += price_of_known(self.values[training.extra.entries, way], training.extra.counts)
            release(self.values)
        return total

    def regularity_term(self, way: int, regularity: Regularity) -> float:
        """What the mass of rare words costs in one direction."""
        size = self.labels[way]
        masses = row_sums(self.row_offsets, self.columns, self.values, self.values, way, size)[0]
        mixed = regularity.mixed[way]
        relief = float(np.dot(mixed.relief, self.values[mixed.entries, way]))
        return float(np.dot(regularity.weights[way][:size], masses)) - relief

    def whole_values(self) -> NDArray[np.float32]:
        """Return all values."""
        return self.values

    def kept_entries(self, smallest: float = KEPT) -> Iterator[NDArray[np.int64]]:
        """Yield the numbers of the entries that `pruned` keeps, in its order, a block of rows at a time."""
        for first, end in self._row_blocks():
            begin, finish = self.row_offsets[first], self.row_offsets[end]
            wanted = np.max(self.values[begin:finish], axis=1, initial=0) >= np.float32(smallest)
            chosen = begin + np.flatnonzero(wanted)
            if begin == 0 and not wanted[0]:
                chosen = np.append(0, chosen)  # (NULL, NULL), which is always there
            rows = np.searchsorted(self.row_offsets, chosen, side="right")
            yield chosen[np.lexsort((self.columns[chosen], rows))]
            release_all((self.values, self.columns))

    def kept_counts(self, counts: Any, smallest: float = KEPT) -> NDArray[np.float32]:
        """Return a count for each entry that `pruned` keeps, in its order: forward, but for the target's NULL."""
        parts = [
            counts[kept, np.where(self.columns[kept] == 0, 1, 0)] for kept in self.kept_entries(smallest)
        ]
        return np.concatenate(parts)

    def pruned(self, smallest: float = KEPT) -> Lexicon:
        """Return the pairs that are probable in one direction at least, each row sorted by target word."""
        table = (self.row_offsets, self.columns, self.values)
        parts = []
        for rows in self._row_blocks():
            parts.append(prune(*table, *rows, np.float32(smallest)))
            release_all(table)
        sizes, columns, values = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Lexicon(np.concatenate([[0], np.cumsum(sizes)]), columns, values)

    def normalised(self) -> Lexicon:
        """Return the lexicon whose rows sum to one in the forward direction, and whose columns in the reverse one."""
        rows = np.repeat(np.arange(len(self.row_offsets) - 1), np.diff(self.row_offsets))
        values = np.empty(self.values.shape, np.float32)
        for way, given in enumerate((rows, self.columns.astype(np.int64))):
            sums = np.bincount(given, self.values[:, way])[given]
            values[:, way] = np.divide(self.values[:, way], sums, out=np.zeros_like(sums), where=sums > 0)
        return replace(self, values=values)

    def settled(self, smallest: float = KEPT) -> Lexicon:
        """Return the lexicon whose values are read as `pruned` and then `for_text` would give them."""
        return replace(self, smallest=smallest)

    def for_text(self, indexed: IndexedBitext, text: Vocabularies, known: Vocabularies) -> Lexicon:
        """Return the lexicon of another text, with this (pruned) lexicon's values for its pairs."""
        values = indexed.scratch.zeros((len(indexed.columns), 2), np.float32)
        maps = known.maps_of(text)
        table = (read_only(self.row_offsets), read_only(self.columns), read_only(self.values))
        theirs = (indexed.row_offsets, indexed.columns)
        look_up(table, theirs, maps, UNSEEN, values)
        if any((side < 0).any() for side in maps):  # spelling is looked at where a word is new
            source, target = same_spelling(text.source, text.target)
            new = (maps[0][source + 1] < 0) | (maps[1][target + 1] < 0)
            values[entries_of_pairs(indexed, source[new], target[new])] = SAME_SPELLING
        values[0] = 0.0
        return Lexicon(*theirs, values)


@dataclass(frozen=True, eq=False)
class Vocabularies:
    """The words of both sides, by id."""

    source: Sequence[str]
    target: Sequence[str]

    @cached_property
    def _ids(self) -> tuple[dict[str, int], dict[str, int]]:
        """The ids of both sides, counted from 1: made once, as a stream looks up every line."""
        source, target = ({word: k for k, word in enumerate(side, 1)} for side in (self.source, self.target))
        return source, target

    def maps_of(self, text: Vocabularies) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Map a text's ids (from 1) of both sides into ours; 0, the NULL word, to itself, new words to -1."""
        source, target = (
            np.array([0, *(ids.get(word, -1) for word in words)], np.int32)
            for ids, words in zip(self._ids, (text.source, text.target), strict=True)
        )
        return source, target


def with_padding(values: NDArray[np.float32], entries: NDArray[Any]) -> NDArray[np.float32]:
    """Set the value of what stands for no pair at all: entry 0, in the first place of whoever uses it."""
    if len(entries) and entries[0] == 0:
        values[0] = 0.0
    return values


def price_of_known(values: NDArray[np.float32], counts: NDArray[np.float32]) -> float:
    """The negative log probability of counts that are known beforehand, from the values of their entries."""
    return -float((counts * np.log(np.maximum(values.astype(np.float64), 1e-300))).sum())


def check_values(found: NDArray[np.float32], size: int) -> None:
    """Refuse values that are not those of so many word pairs."""
    if found.shape != (size, 2) or found.dtype != np.float32:
        raise ModelError(f"{len(found)} values, expected those of {size} word pairs")


def totals_of_columns(table: Counted, targets: int, threads: int = 1) -> NDArray[np.int64]:
    """Sum the reverse counts of each column, exactly, and count its entries: of a table, or of some rows of it."""
    totals = np.zeros((3, targets), np.int64)
    blocks = row_blocks(table[0])
    for part in run(lambda rows: column_totals(*table, *rows, targets), blocks, threads):
        totals += part
        release_all(table)
    return totals


def write_estimates(
    table: Counted,
    weights: NDArray[np.float64],
    norms: NDArray[np.float64],
    smoothing: Smoothing,
    threads: int = 1,
) -> None:
    """Put probabilities in the place of counts, in all rows of a table; `norms` are those of its columns."""
    blocks = row_blocks(table[0])
    for _ in run(lambda rows: maximise(*table, *rows, weights, norms, *smoothing), blocks, threads):
        release_all(table)


def row_blocks(row_offsets: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Cut rows into runs of about `ROW_BLOCK` entries."""
    return runs_of(row_offsets[1:] // ROW_BLOCK)


def parts_of(size: int) -> list[tuple[int, int]]:
    """Cut so many entries into parts of `ROW_BLOCK`.

    >>> parts_of(ROW_BLOCK + 1) == [(0, ROW_BLOCK), (ROW_BLOCK, ROW_BLOCK + 1)]
    True
    """
    return [(first, min(first + ROW_BLOCK, size)) for first in range(0, size, ROW_BLOCK)]


def release_all(arrays: Iterable[NDArray[np.generic]]) -> None:
    """Give back the memory of those arrays that are on disk."""
    for array in arrays:
        release(array)


def read_only(array: NDArray[Kind]) -> NDArray[Kind]:
    """View an array as one that cannot be written, as mapped files are: one type, one compiled kernel."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view
