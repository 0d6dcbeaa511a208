"""The association measure `attached`: hardly a word stays alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.combine.shapes import Shapes

    Floats = NDArray[np.float64]

STANDING = (
    0.3  # the share of the other side from which on a word has company to offer; chosen on development data
)


def attached(
    values: Floats, source_null: Floats, target_null: Floats, shapes: Shapes
) -> tuple[Floats, Floats, Floats]:
    """Find company for what words leave to NULL: each other, else what their neighbours go with.

    Two words that are both left to NULL go together if the words behind them do, or those before them. What a word
    then still leaves to NULL goes to where the next word goes: articles and prepositions come into the cept
    of what follows them.
    """
    places = Places.of(shapes)
    before = word_sums(values, places)
    values = values + source_null[places.rows] * target_null[places.columns] * beside(values, places) / 2
    source_left, target_left = (
        np.maximum(null - (after - then), 0)
        for null, after, then in zip(
            (source_null, target_null), word_sums(values, places), before, strict=True
        )
    )
    gained = np.zeros(len(values))
    for words, null, step in ((places.rows, source_left, (1, 0)), (places.columns, target_left, (0, 1))):
        total = np.bincount(words, values, minlength=len(null))[words]
        shares = np.where(total > STANDING, values / np.maximum(total, STANDING), 0)
        here, there = places.neighbours(step)
        gained[here] += null[words[here]] * shares[there]
    return values + gained, source_left, target_left


def beside(values: Floats, places: Places) -> Floats:
    """Return, for each cell, the larger of the two that touch it on a falling diagonal."""
    larger = np.zeros(len(values))
    here, there = places.neighbours((1, 1))
    larger[here] = values[there]
    larger[there] = np.maximum(larger[there], values[here])
    return larger


class Places(NamedTuple):
    """Of each cell: its source and target word, counted through all pairs, the last ones of its pair, its row's length.

    And the numbers of words.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    last_rows: NDArray[np.int64]
    last_columns: NDArray[np.int64]
    widths: NDArray[np.int64]
    sources: int
    targets: int

    @classmethod
    def of(cls, shapes: Shapes) -> Places:
        """Look around in the matrices of all pairs."""
        counts = np.diff(shapes.cells())
        last_row, last_column = (np.repeat(side[1:] - 1, counts) for side in shapes)
        widths = np.repeat(np.diff(shapes.target), counts)
        return cls(
            shapes.rows(),
            shapes.columns(),
            last_row,
            last_column,
            widths,
            *(int(side[-1]) for side in shapes),
        )

    def neighbours(self, step: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all cells that have a cell so many rows and columns on in their pair, and these."""
        inside = (self.rows + step[0] <= self.last_rows) & (self.columns + step[1] <= self.last_columns)
        here = np.flatnonzero(inside)
        return here, here + step[0] * self.widths[here] + step[1]


def word_sums(values: Floats, places: Places) -> tuple[Floats, Floats]:
    """Add up the cells of each source and of each target word."""
    source, target = (
        np.bincount(words, values, minlength=count).astype(np.float64)
        for words, count in ((places.rows, places.sources), (places.columns, places.targets))
    )
    return source, target
