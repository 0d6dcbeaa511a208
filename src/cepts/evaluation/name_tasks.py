"""What a model is asked in a test of names: to rank, to put in order, to find the members of a group."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError
from cepts.evaluation.names import break_even

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.checking import Seed

    Group = Sequence[str]
    Tell = Callable[[float], None]  # told which share of the work is done

TOTAL = 1000  # strings that a group's members are ranked among, as in freitag-2007
AT_ONCE = 1 << 17  # pairs that are scored at once


class Scorer(Protocol):
    """What a model must be able to do."""

    def affinities(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.floating]:
        """Return how well each source goes with the target at the same place."""


def ignore(share: float) -> None:
    """Tell nobody."""


@checked
def rankings(
    model: Scorer, names: Sequence[str], candidates: Sequence[str], *, threads: int = 1, tell: Tell = ignore
) -> Iterator[list[str]]:
    """Yield for each name all candidates, best first; equals in the order of the list."""
    size = max(1, AT_ONCE // max(len(candidates), 1))
    for begin in range(0, len(names), size):
        some = names[begin : begin + size]
        sources = [name for name in some for _ in candidates]
        scores = model.affinities(sources, list(candidates) * len(some), threads=threads)
        for row in np.argsort(-scores.reshape(len(some), -1), axis=1, kind="stable").tolist():
            yield [candidates[place] for place in row]
        tell((begin + len(some)) / len(names))


@checked
def orders_right(
    model: Scorer, orders: Sequence[Sequence[str]], *, threads: int = 1, tell: Tell = ignore
) -> NDArray[np.float64]:
    """Return 1 for each (source, better, worse) whose better string has the higher affinity, else 0.

    A row with several worse strings is as many tests; a tie is wrong.
    """
    tests = [(row[0], row[1], worse) for row in orders for worse in row[2:]]
    if not tests:
        raise InputError("there is nothing to test: give rows of (source, better, worse)")
    parts = []
    for begin in range(0, len(tests), AT_ONCE):
        sources, better, worse = zip(*tests[begin : begin + AT_ONCE], strict=True)
        above = model.affinities(sources, better, threads=threads)
        parts.append(above > model.affinities(sources, worse, threads=threads))
        tell(min(1.0, (begin + AT_ONCE) / len(tests)))
    return np.concatenate(parts).astype(np.float64)


@checked
def groups_right(
    model: Scorer,
    groups: Sequence[Group],
    *,
    total: int = TOTAL,
    seed: Seed = 1,
    threads: int = 1,
    tell: Tell = ignore,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rank for each string the members of its groups among others, `total` in all; return what `break_even` does.

    A string without fellow members is no test, but one of the others; those are drawn by the seed.
    """
    fellows = _fellows(groups)
    strings = list(fellows)
    random = np.random.default_rng(seed)
    asked = [string for string in strings if fellows[string]]
    if not asked:
        raise InputError("there is nothing to test: no group has two members")
    found = []
    for number, string in enumerate(asked, 1):
        right = list(fellows[string])
        others = _others(strings, {string, *right}, total - len(right), random)
        scores = model.affinities([string] * (len(right) + len(others)), right + others, threads=threads)
        found.append(break_even(scores, np.arange(len(scores)) < len(right)))
        tell(number / len(asked))
    hits, counts = zip(*found, strict=True)
    return np.array(hits, np.float64), np.array(counts, np.int64)


def _fellows(groups: Sequence[Group]) -> dict[str, dict[str, None]]:
    """Return for each string those that share a group with it, in the order of the groups."""
    fellows: dict[str, dict[str, None]] = {string: {} for string in chain.from_iterable(groups) if string}
    for group in groups:
        members = dict.fromkeys(filter(None, group))
        for string in members:
            fellows[string] |= members
    for string, members in fellows.items():
        members.pop(string)
    return fellows


def _others(strings: list[str], known: set[str], count: int, random: np.random.Generator) -> list[str]:
    """Draw so many strings that are not known, or all if there are not more."""
    if count >= len(strings) - len(known):
        return [string for string in strings if string not in known]
    found: dict[str, None] = {}
    while len(found) < count:
        drawn = (strings[place] for place in random.integers(len(strings), size=count).tolist())
        found |= dict.fromkeys(string for string in drawn if string not in known)
    return list(found)[: max(count, 0)]
