"""Pairs of a corpus, looked for one by one."""

from __future__ import annotations

from math import inf, isnan
from typing import Any, NamedTuple


class Pair(NamedTuple):
    """All that is known of a pair; `error` and `score` are None or not a number where there is none."""

    line: int
    source: list[str]
    target: list[str]
    links: set[tuple[int, int]]
    other: set[tuple[int, int]] | None
    sure: set[tuple[int, int]]
    possible: set[tuple[int, int]]
    score: float | None
    corrected: bool

    @property
    def words(self) -> int:
        return max(len(self.source), len(self.target))

    @property
    def error(self) -> float | None:
        if not self.possible:
            return None
        right = len(self.links & self.sure) + len(self.links & self.possible)
        of = len(self.links) + len(self.sure)
        return 1 - right / of if of else 0.0

    @property
    def different(self) -> int | None:
        if self.other is not None:
            return len(self.links ^ self.other)
        if not self.possible:
            return None
        return len(self.links - self.possible) + len(self.sure - self.links)


def found(pairs: list[Pair], order: str, **query: Any) -> list[int]:
    """Return the lines of the pairs that a query wants, in their order."""
    return [pair.line for pair in sorted(pairs, key=lambda pair: key(pair, order)) if wanted(pair, **query)]


def key(pair: Pair, order: str) -> tuple[float, ...]:
    """Return what a pair is sorted by."""
    if order == "line":
        return (pair.line,)
    if order == "longest":
        return (-pair.words, pair.line)
    sign = 1 if order == "worst" else -1
    error = inf if pair.error is None else -sign * pair.error
    score = inf if pair.score is None or isnan(pair.score) else sign * pair.score
    return (error, score, pair.line)


def wanted(
    pair: Pair,
    word: str = "",
    min_score: float | None = None,
    max_score: float | None = None,
    min_words: int | None = None,
    max_words: int | None = None,
    show: str = "all",
) -> bool:
    """Whether a query wants a pair."""
    both = [each.lower() for each in pair.source + pair.target]
    if any(each.lower() not in both for each in word.split()):
        return False
    if (min_score is not None or max_score is not None) and (pair.score is None or isnan(pair.score)):
        return False
    if min_score is not None and pair.score is not None and pair.score < min_score:
        return False
    if max_score is not None and pair.score is not None and pair.score > max_score:
        return False
    if min_words is not None and pair.words < min_words:
        return False
    if max_words is not None and pair.words > max_words:
        return False
    if show == "different":
        return bool(pair.different)
    return show == "all" or pair.corrected == (show == "corrected")
