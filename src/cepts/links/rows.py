"""`Rows`: the links of a file as they stand there, before anything is sorted, joined or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from cepts.links.links import Links, links_from_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cepts.errors import InputError

    Complain = Callable[[int, InputError], None]


class Rows(NamedTuple):
    """One row for each link of a file, in the file's order: its line from 1, its pair from 0, and the link.

    Positions count from 0; -1 is NULL, in formats that have it. `pairs` is the number of sentence pairs.
    """

    line: NDArray[np.int64]
    pair: NDArray[np.int64]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    confidence: NDArray[np.float32]
    sure: NDArray[np.bool_]
    pairs: int
    scores: NDArray[np.float64] | None = None

    def links(self) -> Links:
        """Return them as `Links`: sorted, each place once, without those to NULL."""
        rows: Rows = self
        null = (self.source < 0) | (self.target < 0)
        if null.any():
            rows = self._replace(
                **{
                    name: getattr(self, name)[~null]
                    for name in ("pair", "source", "target", "confidence", "sure")
                }
            )
        return links_from_rows(
            rows.pair, rows.source, rows.target, rows.confidence, rows.sure, self.pairs, self.scores
        )


class Found(NamedTuple):
    """One link that was read, with its line and pair, as in `Rows`."""

    line: int
    pair: int
    source: int
    target: int
    confidence: float = 1.0
    sure: bool = True


def rows_of(found: Sequence[Found], pairs: int, scores: NDArray[np.float64] | None = None) -> Rows:
    """Make arrays of links that were read one by one.

    >>> rows_of([Found(1, 0, 2, 3)], 1).links()[0][0][:2]
    (2, 3)
    """
    columns = list(zip(*found, strict=True)) or [()] * len(Found._fields)
    line, pair = (np.array(column, np.int64) for column in columns[:2])
    source, target = (np.array(column, np.int32) for column in columns[2:4])
    confidence, sure = np.array(columns[4], np.float32), np.array(columns[5], np.bool_)
    return Rows(line, pair, source, target, confidence, sure, pairs, scores)


def score_array(scores: dict[int, float], pairs: int) -> NDArray[np.float64] | None:
    """Return the score of each pair, not a number for a pair without; None if no pair has one."""
    if not scores:
        return None
    all_scores = np.full(pairs, np.nan)
    all_scores[list(scores)] = list(scores.values())
    return all_scores


def refuse(line: int, error: InputError) -> NoReturn:  # noqa: ARG001
    """Stop at the first line that cannot be read."""
    raise error
