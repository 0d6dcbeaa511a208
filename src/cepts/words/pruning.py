"""Between two models: word pairs that are improbable after the first are not in the second one's table.

What is left out has the entry 0 from then on, which is read as the smallest probability and counts nothing; see
`Lexicon`. Which pairs that are follows from their probabilities alone: not from memory, threads or machines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.storage.scratch import release
from cepts.words.lexicon import parts_of, release_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.words.indexed import IndexedBitext


def probable_pairs(
    indexed: IndexedBitext,
    values: NDArray[np.float32],
    smallest: float,
    known: NDArray[np.int64] | None = None,
) -> NDArray[np.bool_]:
    """Tell which word pairs stay: those that are probable enough in a direction, NULL's, and what is known."""
    kept = np.zeros(len(values), np.bool_)
    for first, end in parts_of(len(values)):
        kept[first:end] = np.max(values[first:end], axis=1) >= np.float32(smallest)
        kept[first:end] |= indexed.columns[first:end] == 0
        release_all((values, indexed.columns))
    kept[: indexed.row_offsets[1]] = True
    if known is not None:
        kept[known] = True
    return kept


def without_others(
    indexed: IndexedBitext, kept: NDArray[np.bool_]
) -> tuple[IndexedBitext, NDArray[np.int32]]:
    """Return the text with the kept word pairs alone in its table, and the numbers that all pairs have there."""
    before = np.concatenate([[0], np.cumsum(kept)])
    new = indexed.scratch.zeros((len(kept),), np.int32)
    columns = indexed.scratch.zeros((int(before[-1]),), np.int32)
    for first, end in parts_of(len(kept)):
        new[first:end] = np.where(kept[first:end], before[first:end], 0)
        columns[before[first] : before[end]] = indexed.columns[first:end][kept[first:end]]
        release_all((new, columns, indexed.columns))
    return indexed.renumbered(new, before[indexed.row_offsets], columns), new


def values_of_kept(
    indexed: IndexedBitext, values: NDArray[np.float32], kept: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return the values of the kept pairs, in their order."""
    found = indexed.scratch.zeros((int(kept.sum()), 2), np.float32)
    begin = 0
    for first, end in parts_of(len(kept)):
        own = values[first:end][kept[first:end]]
        found[begin : begin + len(own)] = own
        begin += len(own)
        release(values)
    return found
