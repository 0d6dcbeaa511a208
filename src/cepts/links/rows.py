"""`Rows`: the links of a file as they stand there, before anything is sorted, joined or dropped."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from cepts.links.links import Link, Links, links_from_rows

if TYPE_CHECKING:
    from collections.abc import Callable

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


class Collected:
    """Links as they are read one by one."""

    def __init__(self) -> None:
        self._place = array("q")  # line and pair of each link
        self._link = array("i")  # source, target and kind
        self._confidence = array("f")

    def add(self, line: int, pair: int, link: Link) -> None:
        """Take in a link of a pair, from 0, in a line, from 1."""
        source, target, confidence, sure = link
        self._place.extend((line, pair))
        self._link.extend((source, target, sure))
        self._confidence.append(confidence)

    @property
    def pairs(self) -> int:
        """The number of pairs up to the last one with a link."""
        return max(self._place[1::2], default=-1) + 1

    def rows(self, pairs: int, scores: NDArray[np.float64] | None = None) -> Rows:
        """Return everything as arrays.

        >>> collected = Collected()
        >>> collected.add(1, 0, Link(2, 3))
        >>> collected.rows(1).links()[0]
        [Link(source=2, target=3, confidence=1.0, sure=True)]
        """
        line, pair = np.array(self._place, np.int64).reshape(-1, 2).T.copy()
        source, target, sure = np.array(self._link, np.int32).reshape(-1, 3).T.copy()
        confidence = np.array(self._confidence, np.float32)
        return Rows(line, pair, source, target, confidence, sure.astype(np.bool_), pairs, scores)


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
