"""`Pieces`: what text without spaces is made of, as far as the text itself has shown; a run is cut at its best path."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from cepts.corpus.tokenizer import unit_ends

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST = 4  # units of a piece
JOIN = 3.0  # what it costs, in log probability, that a unit belongs to the piece before it
UNKNOWN = 10.0  # how much less probable a unit is that was never seen than the rarest that was


class Pieces:
    """A unigram model of pieces: the score of a cut run is the sum of the scores of its pieces.

    `scores` has for each piece its log probability, less the price of the joins within it.

    >>> Pieces({"に": -2.0, "ほん": -3.0, "ご": -4.0, "んご": -3.5, "ほ": -4.0}).cut("にほんご")
    [1, 3, 4]
    """

    def __init__(self, scores: Mapping[str, float]) -> None:
        self.scores = dict(scores)

    def cut(self, run: str) -> list[int]:
        """Return where the pieces of the best path end; with equal scores, the longer last piece wins."""
        ends = [0, *unit_ends(run)]
        best, back = [0.0], [0]
        find, unknown = self.scores.get, self._unknown
        for last in range(1, len(ends)):
            end = ends[last]
            top, place = best[-1] + find(run[ends[last - 1] : end], unknown), last - 1
            for first in range(max(0, last - LONGEST), last - 1):
                score = best[first] + find(run[ends[first] : end], -math.inf)
                if score > top or (score == top and first < place):
                    top, place = score, first
            best.append(top)
            back.append(place)
        return _followed(back, ends)

    @cached_property
    def _unknown(self) -> float:
        """The score of a unit that was never seen."""
        return min(self.scores.values(), default=0.0) - UNKNOWN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pieces) and self.scores == other.scores

    def __hash__(self) -> int:
        return hash(tuple(self.scores.items()))

    def __len__(self) -> int:
        """Count the pieces."""
        return len(self.scores)


def _followed(back: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Follow the best path from the end of a run to its beginning."""
    path = []
    place = len(back) - 1
    while place:
        path.append(ends[place])
        place = back[place]
    return path[::-1]
