"""Which strings compete in an epoch: for each example some true targets and some decoys, -1 where there are no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.characters.examples import Material

    Numbers = NDArray[np.int64]


class Competition(NamedTuple):
    """Sources [example], trues and decoys [example][sample], as numbers of strings."""

    sources: Numbers
    trues: Numbers
    decoys: Numbers


Sampler: TypeAlias = Callable[[np.random.Generator], Competition]


def competing_targets(material: Material, decoys: int) -> Sampler:
    """Let the target of each pair compete with targets of other sources (transduction, ranking)."""
    sources, targets = material.rows[:, 0], material.rows[:, 1]
    count = len(material.targets)
    true = np.unique(sources * count + targets)

    def sample(random: np.random.Generator) -> Competition:
        order = random.permutation(len(sources))
        drawn = random.integers(count, size=(len(order), decoys))
        drawn[np.isin(sources[order, None] * count + drawn, true)] = -1
        return Competition(sources[order], targets[order, None], drawn)

    return sample


def competing_members(material: Material, trues: int, decoys: int) -> Sampler:
    """Let members of a string's group compete with strings that share no group with it (affinity, classification)."""
    strings, groups = material.rows.T
    by_group = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[by_group], np.arange(groups.max() + 2))
    sizes = np.diff(starts)
    members = np.flatnonzero(sizes[groups] > 1)  # rows whose string is not alone
    table = _groups_of(strings, groups, len(material.sources))

    def sample(random: np.random.Generator) -> Competition:
        rows = random.permutation(members)
        begin, size = starts[groups[rows], None], sizes[groups[rows], None]
        own = np.empty(len(by_group), np.int64)
        own[by_group] = np.arange(len(by_group))
        step = 1 + (random.random((len(rows), trues)) * (size - 1)).astype(np.int64)
        places = begin + (own[rows, None] - begin + step) % size  # any member but the string itself
        drawn = random.integers(len(material.sources), size=(len(rows), decoys))
        mine, theirs = table[strings[rows]][:, None, :, None], table[drawn][:, :, None, :]
        drawn[np.any((mine == theirs) & (mine >= 0), axis=(2, 3))] = -1
        return Competition(strings[rows], strings[by_group][places], drawn)

    return sample


def _groups_of(strings: Numbers, groups: Numbers, count: int) -> Numbers:
    """Return the groups of each string, [string][any], -1 where there are no more."""
    turns = np.zeros(len(strings), np.int64)
    seen = np.zeros(count, np.int64)
    for row, string in enumerate(strings):
        turns[row] = seen[string]
        seen[string] += 1
    table = np.full((count, int(seen.max())), -1, np.int64)
    table[strings, turns] = groups
    return table


def competing_orders(material: Material) -> Sampler:
    """Let the better target of each row compete with its worse ones (affinity, ranking)."""
    rows = material.rows

    def sample(random: np.random.Generator) -> Competition:
        order = random.permutation(len(rows))
        return Competition(rows[order, 0], rows[order, 1:2], np.ascontiguousarray(rows[order, 2:]))

    return sample
