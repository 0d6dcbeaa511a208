"""`RowBlock`: some rows of a lexicon, kept wherever, and what is done with them there.

Every block begins with the row of NULL. In all blocks but the first that row has the entry (NULL, NULL) alone, which
stands for nothing: so row 0 and entry 0 mean the same in each of them, and kernels need not know of blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words.families import Level, write_logs
from cepts.words.lane_kernels import gather, scatter, scatter_add
from cepts.words.lexicon import FLOOR, Lexicon, price_of_known, totals_of_columns, write_estimates
from cepts.words.lexicon_kernels import column_norms, row_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.words.lexicon import Counted, Smoothing

    Values = NDArray[np.float32]
    Integers = NDArray[np.int64]


class RowBlock(NamedTuple):
    """Rows, by their numbers in the whole lexicon, their word pairs, and which of these each portion of a text uses."""

    rows: Integers
    row_offsets: Integers
    columns: NDArray[np.int32]
    used: list[NDArray[np.int32]]

    def table(self, counts: Values) -> Counted:
        """Return the rows with some counts, or values, of their entries."""
        return self.row_offsets, self.columns, counts


class Beside(NamedTuple):
    """What is known of a block beside what is counted.

    Counts that are given beforehand, by entries; weights of its rows and of all columns (none: no regularity); levels
    of families, and how alike the words of its entries are spelled.
    """

    entries: Integers
    counts: Values
    weights: tuple[NDArray[np.float64], NDArray[np.float64]] | None
    levels: list[Level]
    likeness: NDArray[np.uint8]
    strength: float


class Mixed(NamedTuple):
    """Values of entries in one direction that do not follow from totals: see `regularity.weighted_rows`."""

    way: int
    entries: NDArray[np.int32]
    values: Values


def level_of_rows(level: Level, rows: Integers) -> Level:
    """Return a level of families for some rows of its source words, which hold whole families, in their order."""
    families = np.unique(level.source[rows], return_inverse=True)[1].reshape(-1)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(families))]).astype(np.int64)
    return level._replace(
        source=families.astype(np.int32),
        shares=(level.shares[0][rows], level.shares[1]),
        members=np.argsort(families, kind="stable"),
        offsets=offsets,
    )


def even_values(block: RowBlock, value: float) -> Values:
    """Give all entries one value."""
    values = np.full((len(block.columns), 2), value, np.float32)
    values[0] = 0.0
    return values


def values_for(block: RowBlock, values: Values, portion: int, smallest: float) -> Values:
    """Return the values that a portion of the text uses, in its order."""
    return values_at(values, block.used[portion], smallest)


def values_at(values: Values, entries: NDArray[np.int32], smallest: float) -> Values:
    """Return the values of some entries; what is below `smallest` in both directions is read as the floor."""
    found = np.empty((len(entries), 2), np.float32)
    gather(values, entries, np.float32(smallest), np.float32(FLOOR), found)
    return found


def summed(block: RowBlock, beside: Beside, *parts: Values) -> Values:
    """Add up the counts of all portions, in their order, and those given beforehand; no parts count nothing."""
    counts = np.zeros((len(block.columns), 2), np.float32)
    for used, part in zip(block.used, parts, strict=False):
        scatter_add(counts, used, part)
    counts[beside.entries] += beside.counts[:, None]
    return counts


def column_sums(block: RowBlock, beside: Beside, counts: Values, targets: int) -> Integers:  # noqa: ARG001
    """Sum up the columns of words."""
    return totals_of_columns(block.table(counts), targets)


def estimated(
    block: RowBlock,
    beside: Beside,
    counts: Values,
    totals: Integers,
    mixed: Sequence[Mixed],
    smoothing: Smoothing,
) -> Values:
    """M step of a block, from its counts, the totals of columns of all blocks together, and what is known already."""
    values = counts.copy()
    table = block.table(values)
    if beside.levels:
        logs = np.zeros_like(values)
        for level in beside.levels:
            level.add_logs(table, totals, smoothing, logs)
        write_logs(table, logs, beside.likeness, beside.strength, smoothing)
        return values
    targets = totals.shape[1]
    weights = beside.weights or (np.zeros(len(block.rows)), np.zeros(targets))
    norms = column_norms(totals, smoothing.prior, weights[1][:targets])
    write_estimates(table, weights[0], norms, smoothing)
    for way, entries, known in mixed:
        values[entries, way] = known
    return values


def price(block: RowBlock, beside: Beside, values: Values, way: int) -> float:
    """What a block adds to the objective of one direction beside the likelihood."""
    total = price_of_known(values[beside.entries, way], beside.counts)
    if beside.weights is not None:
        weights = beside.weights[way]
        masses = row_sums(*block.table(values), values, way, len(weights))[0]
        total += float(np.dot(weights, masses))
    return total


def pruned_rows(block: RowBlock, values: Values, smallest: float) -> tuple[Integers, Lexicon]:
    """Return the numbers of a block's rows, and the word pairs that are probable in one direction at least."""
    return block.rows, Lexicon(block.row_offsets, block.columns, values).pruned(smallest)


def kept_counts(
    block: RowBlock, values: Values, counts: Values, smallest: float
) -> tuple[Integers, Integers, Values]:
    """Return the numbers of a block's rows, where they begin in `pruned_rows`, and counts of what that keeps."""
    lexicon = Lexicon(block.row_offsets, block.columns, values)
    return block.rows, lexicon.pruned(smallest).row_offsets, lexicon.kept_counts(counts, smallest)


def itself(values: Values) -> Values:
    """Return what is there already: where it is asked for, there is a copy."""
    return values


def part_of(found: tuple[list[Values], object], number: int) -> Values:
    """Return one block's part of what a portion has counted."""
    return found[0][number]


def rest_of(found: tuple[list[Values], object]) -> object:
    """Return what a portion has counted beside word pairs."""
    return found[1]


def put_in_place(places: Sequence[NDArray[np.int32]], parts: Sequence[Values]) -> Values:
    """Put together what several blocks have for a portion: each part belongs in some places."""
    values = np.empty((sum(map(len, places)), 2), np.float32)
    for where, part in zip(places, parts, strict=True):
        scatter(values, where, part)
    return values
