"""The regularity term: a price for the probability that rare words, or word pairs, give away.

schoenemann-2011, section 4: to the negative log likelihood is added sum w[e] p(f | e). Every row of the dictionary has
one more entry, p(NULL | e), that costs nothing and explains nothing: a rare word need not use its whole mass. Here that
entry is what a row's other entries leave of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.indexed import IndexedBitext

RARE_WORD = 6  # a word that occurs this often costs nothing
RARE_PAIR = 5  # a pair of words that occurs less often costs more
PAPER_STRENGTHS = (2.5, 0.5)  # lambda of mono-word and of bi-word models
TYPICAL_LENGTH, LARGEST_AUTOMATIC = 16.0, 10.0  # see `automatic_strength`
NEWTON_STEPS = 100


class MixedRows(NamedTuple):
    """Rows of one direction whose entries have different weights: all their entries, row labels from 0, weights.

    `relief` is what an entry costs less than its row.
    """

    entries: NDArray[np.int64]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]
    relief: NDArray[np.float64]


class Regularity(NamedTuple):
    """Weights of the rows of both directions: [0] of source words, [1] of target words; NULL, the first, is free."""

    weights: tuple[NDArray[np.float64], NDArray[np.float64]]
    mixed: tuple[MixedRows, MixedRows]


def word_weights(occurrences: NDArray[np.int64], strength: float) -> NDArray[np.float64]:
    """The weight of each word: strength * max(0, 6 - N).

    >>> word_weights(np.array([1, 5, 6, 100]), 2.5).tolist()
    [12.5, 2.5, 0.0, 0.0]
    """
    return strength * np.maximum(0.0, RARE_WORD - occurrences.astype(np.float64))


def pair_weights(occurrences: NDArray[np.int64], strength: float) -> NDArray[np.float32]:
    """The weight of each ordered pair of words: strength * max(1, 5 - N).

    >>> pair_weights(np.array([1, 4, 100]), 0.5).tolist()
    [2.0, 0.5, 0.5]
    """
    return (strength * np.maximum(1.0, RARE_PAIR - occurrences)).astype(np.float32)


def regularity_of(
    bitext: Bitext, indexed: IndexedBitext, strength: float, exempt: NDArray[np.int64] | None = None
) -> Regularity:
    """Weigh the words of a bitext by how often they occur in it; `exempt` lexicon entries cost nothing."""
    source, target = (
        np.concatenate([[0.0], word_weights(np.bincount(side.ids, minlength=len(side.words)), strength)])
        for side in (bitext.source, bitext.target)
    )
    free = np.zeros(0, np.int64) if exempt is None else np.unique(exempt)
    row_of = np.searchsorted(indexed.row_offsets, free, side="right") - 1
    rows = np.unique(row_of[source[row_of] > 0])
    first, size = indexed.row_offsets[rows], np.diff(indexed.row_offsets)[rows]
    in_rows = np.repeat(first - np.cumsum(size) + size, size) + np.arange(size.sum())
    in_rows, row_label = (
        in_rows[indexed.columns[in_rows] > 0],
        np.repeat(np.arange(len(rows)), size)[indexed.columns[in_rows] > 0],
    )
    wanted = np.zeros(len(target), np.bool_)
    wanted[indexed.columns[free]] = True
    in_columns = np.flatnonzero((wanted & (target > 0))[indexed.columns])
    in_columns = in_columns[in_columns >= indexed.row_offsets[1]]  # without the row of NULL
    column_label = np.unique(indexed.columns[in_columns], return_inverse=True)[1]
    return Regularity(
        (source, target),
        (
            _mixed(in_rows, row_label, source[rows[row_label]], free),
            _mixed(in_columns, column_label, target[indexed.columns[in_columns]], free),
        ),
    )


def _mixed(
    entries: NDArray[np.int64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    free: NDArray[np.int64],
) -> MixedRows:
    relief = np.where(np.isin(entries, free), weights, 0.0)
    return MixedRows(entries, labels, weights - relief, relief)


def automatic_strength(bitext: Bitext, bi_word: bool) -> float:
    """Choose lambda from the text: 2 (L / 16)^2 (1 - s) for mono-word models, the paper's 0.5 for bi-word models.

    L is the mean number of words in a sentence, s the mean share of words that occur once, over both sides. The longer
    the sentences, the more garbage a rare word can collect; the more words are rare, the more of them are needed to
    explain the text. Derived on the development parts of seven corpora: see experiments/strength.py and its results.
    """
    if bi_word:
        return PAPER_STRENGTHS[1]
    sides = (bitext.source, bitext.target)
    occurrences = [np.bincount(side.ids) for side in sides]
    full = (bitext.source.lengths > 0) & (bitext.target.lengths > 0)
    length = float(sum(side.lengths[full].mean() for side in sides)) / 2 if full.any() else 0.0
    singletons = sum(float((counts == 1).mean()) for counts in occurrences) / 2
    return strength_for(length, singletons)


def strength_for(length: float, singletons: float) -> float:
    """The rule of `automatic_strength`, from the mean length of sentences and the share of words that occur once.

    >>> strength_for(16.0, 0.5), strength_for(24.0, 0.5)
    (1.0, 2.25)
    """
    return min(2.0 * (length / TYPICAL_LENGTH) ** 2 * (1.0 - singletons), LARGEST_AUTOMATIC)


def weighted_rows(
    labels: NDArray[np.int64], counts: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """M step of rows whose entries have different weights: p = c / (w + mu).

    mu is 0 where that sums to at most one, else the root that makes it one. Entries with the same label form a
    row. Newton's method from the left, where the sum is convex and falling: it never overshoots.
    """
    rows = int(labels.max(initial=-1)) + 1
    totals = np.bincount(labels, counts, rows)
    # The root is not below mu where all weights are the row's largest; there the sum is at least one, if it ever is.
    largest = np.zeros(rows)
    np.maximum.at(largest, labels, weights)
    level = np.maximum(0.0, totals - largest)
    for _ in range(NEWTON_STEPS):
        room = weights + level[labels]
        shares = np.divide(counts, room, out=np.zeros_like(counts), where=room > 0)
        slopes = np.divide(shares, room, out=np.zeros_like(counts), where=room > 0)
        free = (counts > 0) & (room <= 0)  # a count that costs nothing yet: the sum is infinite here
        excess = np.bincount(labels, shares, rows) - 1.0
        slope = np.bincount(labels, slopes, rows)
        step = np.divide(excess, slope, out=np.zeros(rows), where=(slope > 0) & (excess > 0))
        stuck = np.bincount(labels, free * counts, rows)
        level = level + np.where(stuck > 0, stuck, step)
        if not np.any((step > 1e-12 * level) | (stuck > 0)):
            break
    room = weights + level[labels]
    return np.divide(counts, room, out=np.zeros_like(counts), where=room > 0)
