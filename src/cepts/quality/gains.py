"""What a word gains by another one: how much more probable a translation makes it than it is by itself, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words.spelling import same_spelling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.corpus.bitext import Side
    from cepts.words import Lexicon

SCALE = 1024.0  # gains are whole numbers of this part of a nat: sums are exact in any order
DAMPING = 0.3  # a lift as large as this gains log 2: small lifts, which chance makes, gain little
LEAST = 1e-4  # probability, in both directions, of words that count as translations
UNSEEN = 0.5  # times that a word was seen that never was
ALIKE = 0.5  # probability of a new word's translation by one that is written alike


class GainTable(NamedTuple):
    """Source word w gains `gains[k]` by target word `columns[k]`, the largest gain of each row first."""

    row_offsets: NDArray[np.int64]
    columns: NDArray[np.int32]
    gains: NDArray[np.int32]

    @classmethod
    def of(
        cls, rows: NDArray[np.int64], columns: NDArray[np.int64], gains: NDArray[np.int32], size: int
    ) -> GainTable:
        """Sort entries into a table of so many rows; gains of 0 are left out."""
        kept = np.flatnonzero(gains > 0)
        order = kept[np.lexsort((columns[kept], -gains[kept], rows[kept]))]
        row_offsets = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(rows[order], minlength=size), out=row_offsets[1:])
        return cls(row_offsets, columns[order].astype(np.int32), gains[order].astype(np.int32))

    def rows(self) -> NDArray[np.int64]:
        """Return the row of each entry."""
        return np.repeat(np.arange(len(self.row_offsets) - 1, dtype=np.int64), np.diff(self.row_offsets))

    def swapped(self, size: int) -> GainTable:
        """Return the table of the other direction, which has so many rows."""
        return GainTable.of(self.columns.astype(np.int64), self.rows(), self.gains, size)


@dataclass(frozen=True, eq=False)
class KnownWords:
    """The words of one side of a training text, in how many of its sentences each stands, and how many there are."""

    words: Sequence[str]
    counts: NDArray[np.int64]
    sentences: int

    @cached_property
    def ids(self) -> dict[str, int]:
        """The number of each word."""
        return {word: k for k, word in enumerate(self.words)}

    @classmethod
    def of(cls, side: Side, words: Sequence[str]) -> KnownWords:
        """Count words in the sentences of a text, whose words may have other numbers."""
        owners = np.repeat(np.arange(len(side)), side.lengths)
        different = np.unique(owners * max(len(side.words), 1) + side.ids) % max(len(side.words), 1)
        counted = np.bincount(different, minlength=len(side.words))
        known = cls(words, np.zeros(len(words), np.int64), len(side))
        numbers = known.numbers_of(side.words)
        known.counts[numbers[numbers >= 0]] = counted[numbers >= 0]
        return known

    def numbers_of(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the number of each word, -1 for new ones."""
        ids = self.ids
        return np.array([ids.get(word, -1) for word in words], np.int64)

    def is_new(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which words, by their numbers, were in no sentence of the training text."""
        new: NDArray[np.bool_] = np.append(self.counts, 0)[numbers] == 0
        return new

    def shares(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the share of sentences that have a word, by its number, -1 for new ones: never 0."""
        known = np.append(self.counts, 0)[numbers]
        shares: NDArray[np.float64] = np.maximum(known, UNSEEN) / max(self.sentences, 1)
        return shares


def gains_of_lifts(lifts: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return what is gained where a translation makes a word so many times as probable.

    >>> gains_of_lifts(np.array([0.0, 0.3, 1000.0])).tolist()
    [0, 710, 8307]
    """
    return np.rint(np.log1p(lifts / DAMPING) * SCALE).astype(np.int32)


def gains_of_lexicon(lexicon: Lexicon, source: KnownWords, target: KnownWords) -> GainTable:
    """Return the gains of a lexicon's word pairs, by the smaller lift p(word | other) / p(word) of both directions."""
    probable = (np.asarray(lexicon.values) >= LEAST).all(axis=1)
    rows = np.repeat(np.arange(len(lexicon.row_offsets) - 1, dtype=np.int64), np.diff(lexicon.row_offsets))
    kept = np.flatnonzero(probable & (rows > 0) & (lexicon.columns > 0))
    rows, columns = rows[kept] - 1, lexicon.columns[kept].astype(np.int64) - 1
    values = np.asarray(lexicon.values)[kept].astype(np.float64)
    lifts = np.minimum(values[:, 0] / target.shares(columns), values[:, 1] / source.shares(rows))
    return GainTable.of(rows, columns, gains_of_lifts(lifts), len(source.words))


def gains_of_text(
    table: GainTable, known: tuple[KnownWords, KnownWords], source: Sequence[str], target: Sequence[str]
) -> GainTable:
    """Return the gains of a text's words by its own numbers; new words gain by those that are written alike."""
    source_numbers, target_numbers = known[0].numbers_of(source), known[1].numbers_of(target)
    rows, entries = _entries(table, source_numbers)
    place = np.full(len(known[1].words), -1, np.int64)
    there = np.flatnonzero(target_numbers >= 0)
    place[target_numbers[there]] = there
    columns = place[table.columns[entries]]
    inside = columns >= 0
    ones, others = same_spelling(source, target)
    new = known[0].is_new(source_numbers[ones]) | known[1].is_new(target_numbers[others])
    ones, others = ones[new], others[new]
    usual = np.maximum(known[0].shares(source_numbers[ones]), known[1].shares(target_numbers[others]))
    return GainTable.of(
        np.append(rows[inside], ones),
        np.append(columns[inside], others),
        np.append(table.gains[entries[inside]], gains_of_lifts(ALIKE / usual)),
        len(source),
    )


def _entries(table: GainTable, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the entries of the rows with these numbers (-1: none), and each entry's place in the list of numbers."""
    places = np.flatnonzero(numbers >= 0)
    begins = table.row_offsets[numbers[places]]
    counts = table.row_offsets[numbers[places] + 1] - begins
    ends = np.cumsum(counts)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    return np.repeat(places, counts), np.repeat(begins, counts) + within
