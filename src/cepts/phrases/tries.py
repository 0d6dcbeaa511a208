"""A trie of id sequences as two flat arrays: exact keys, built by sorting alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.storage.schema import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

ROOT = 0
TRIE = (
    Field("first_child", "int64", ("nodes + 1",)),
    Field("ids", "int32", ("nodes",)),
)  # see also `Trie.fits`


def writable(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array, or a copy if it cannot be written: kernels are compiled for writable ones alone."""
    return array if array.flags.writeable else np.array(array)


class Trie(NamedTuple):
    """The children of node n are the nodes `first_child[n]` up to `first_child[n + 1]`, with rising `ids`.

    Node 0 is the root. Nodes are numbered by depth, so that a child's number is larger than its parent's.
    """

    first_child: NDArray[np.int64]
    ids: NDArray[np.int32]

    def __len__(self) -> int:
        """Count the nodes."""
        return len(self.ids)

    def parents(self) -> NDArray[np.int64]:
        """Return each node's parent; the root is its own."""
        counts = np.diff(self.first_child)
        return np.concatenate(([ROOT], np.repeat(np.arange(len(self), dtype=np.int64), counts)))

    def fits(self, size: int) -> bool:
        """Tell whether arrays of these dtypes and shapes are such a trie, of ids below `size`."""
        first, ids = self
        return (
            len(ids) > 0
            and first[0] == 1
            and first[-1] == len(ids)
            and bool(np.all(first[1:] >= first[:-1]))
            and bool(np.all(first[:-1] > np.arange(len(ids))))
            and bool(np.all((ids[1:] >= 0) & (ids[1:] < size)))
            and self._children_rise()
        )

    def _children_rise(self) -> bool:
        parents = self.parents()
        brothers = parents[2:] == parents[1:-1]
        return bool(np.all(self.ids[2:][brothers] > self.ids[1:-1][brothers]))


class Level(NamedTuple):
    """One depth of a trie in the making: which rows reach it, at which node; the nodes' ids, parents and counts."""

    rows: NDArray[np.int64]
    nodes: NDArray[np.int64]
    ids: NDArray[np.int32]
    parents: NDArray[np.int64]
    counts: NDArray[np.int64]


def trie_levels(
    ids: NDArray[np.int32], starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> Iterator[Level]:
    """Yield the depths 1, 2, ... of the trie of all rows: row r is `lengths[r]` ids from place `starts[r]`."""
    width = int(ids.max(initial=0)) + 1
    rows = np.flatnonzero(lengths > 0)
    nodes, known, depth = np.zeros(len(rows), np.int64), 1, 0
    while len(rows):
        keys = nodes * width + ids[starts[rows] + depth]
        unique, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        nodes = place.reshape(-1) + known
        yield Level(rows, nodes, (unique % width).astype(np.int32), unique // width, counts)
        known, depth = known + len(unique), depth + 1
        longer = lengths[rows] > depth
        rows, nodes = rows[longer], nodes[longer]


def joined_trie(levels: list[Level]) -> Trie:
    """Make one trie of its depths."""
    ids = np.concatenate([np.full(1, -1, np.int32), *(level.ids for level in levels)])
    parents = np.concatenate([np.empty(0, np.int64), *(level.parents for level in levels)])
    first = 1 + np.searchsorted(parents, np.arange(len(ids) + 1))
    return Trie(first.astype(np.int64), ids)


def trie_of(
    ids: NDArray[np.int32], starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> tuple[Trie, NDArray[np.int64]]:
    """Return the trie of all rows and the node where each row ends.

    >>> ids = np.array([5, 6, 5, 7], np.int32)
    >>> trie, ends = trie_of(ids, np.array([0, 2, 0]), np.array([2, 2, 1]))
    >>> trie.ids.tolist(), trie.first_child.tolist(), ends.tolist()
    ([-1, 5, 6, 7], [1, 2, 4, 4, 4], [2, 3, 1])
    """
    rows = [np.flatnonzero(lengths == length) for length in range(1, int(lengths.max(initial=0)) + 1)]
    reach = np.zeros(len(ids), np.int64)  # of the longest row from each place: the others are its prefixes
    for length, own in enumerate(rows, 1):
        reach[starts[own]] = length
    levels, ends, nodes = [], np.zeros(len(starts), np.int64), np.empty(len(ids), np.int64)
    nobody = np.empty(0, np.int64)
    for level, own in zip(trie_levels(ids, np.arange(len(ids)), reach), rows, strict=True):
        nodes[level.rows] = level.nodes
        ends[own] = nodes[starts[own]]
        levels.append(level._replace(rows=nobody, nodes=nobody))  # most of the memory
    return joined_trie(levels), ends
