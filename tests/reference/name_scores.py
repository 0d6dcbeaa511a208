"""Scores of names, the slow and obvious way."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@cache
def edit_distance(one: str, other: str) -> int:
    """By the definition: the last letters are kept, replaced, taken out or put in."""
    if not one or not other:
        return len(one) + len(other)
    return min(
        edit_distance(one[:-1], other[:-1]) + (one[-1] != other[-1]),
        edit_distance(one[:-1], other) + 1,
        edit_distance(one, other[:-1]) + 1,
    )


def reciprocal_rank(found: Sequence[str], right: Sequence[str]) -> float:
    for place in range(len(found)):
        if found[place] in right:
            return 1 / (place + 1)
    return 0.0


def break_even_hits(scores: Sequence[float], relevant: Sequence[bool]) -> float:
    """The mean over all orders of the items that their scores allow."""
    count = sum(relevant)
    orders = [
        order
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    return sum(sum(relevant[item] for item in order[:count]) for order in orders) / len(orders)
