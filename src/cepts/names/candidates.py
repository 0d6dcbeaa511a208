"""Which names of a list may be the same as a name: an index of the list that an edit model searches."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.characters.letters import UNKNOWN, Strings
from cepts.characters.weights import table_of
from cepts.running import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.characters import EditModel
    from cepts.names.matching_kernels import Beside, Tries
    from cepts.running.cluster import Cluster

    Numbers = NDArray[np.int64]

LEAVES = 512  # names of a trie
NAMES = 1024  # that a thread searches for at once
CELLS = 1 << 24  # different letters of those names, times nodes


class Candidates(NamedTuple):
    """Names of the index for each name that was searched for, best first, [name][rank]; -1 where there are no more.

    `strengths` say how much more affinity two names have than is usual for that of the index.
    """

    names: Numbers
    strengths: NDArray[np.float32]


class Index:
    """Names in tries: with one walk over a trie an edit model knows the affinity of a name with all names in it.

    `company` are some source names: the mean affinity with them is what is usual for a name of the index.
    """

    def __init__(self, model: EditModel, names: Sequence[str], company: Sequence[str] = ()) -> None:
        self.model, self._table = model, table_of(model.weights)
        strings = model.encode_targets(names)
        self._order = _in_order(strings)
        self._tries = self._tries_of(strings)
        self._usual = np.zeros(len(names), np.float32)
        if company:
            self._usual = (self._search(model.encode_sources(company), 1)[1] / len(company)).astype(
                np.float32
            )

    def search(
        self,
        names: Sequence[str],
        count: int,
        *,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
        cluster: Cluster | None = None,
    ) -> Candidates:
        """Find for each name those of the index whose affinity with it is most above what is usual for them."""
        parts = [Candidates(np.empty((0, count), np.int64), np.empty((0, count), np.float32))]
        if cluster is None:
            found = run(lambda part: self.find(part, count), self._parts(names), threads)
        else:
            found = self._find_elsewhere(cluster, names, count)
        for part in found:
            parts.append(part)
            if progress is not None:
                progress(len(part.names))
        return Candidates(*map(np.concatenate, zip(*parts, strict=True)))

    def find(self, sources: Strings, count: int) -> Candidates:
        """Find the candidates of encoded source names."""
        return self._search(sources, count)[0]

    def _find_elsewhere(self, cluster: Cluster, names: Sequence[str], count: int) -> Iterator[Candidates]:
        """Let the workers of a cluster search, each with a copy of the index."""
        copies = cluster.places(len(cluster.workers()))
        kept = copies.keep([lambda: self] * len(copies))
        tasks = ((k % len(copies), (part, count)) for k, part in enumerate(self._parts(names)))
        return cluster.each(_find, [kept], tasks)

    def _parts(self, names: Sequence[str]) -> Iterator[Strings]:
        """Cut a list into pieces that have few different letters; they depend on the names alone."""
        most = CELLS // max(len(self._tries.marks), 1)
        begin, letters = 0, set[str]()
        for at, name in enumerate(names):
            if at > begin and (at - begin == NAMES or len(letters | {*name}) > most):
                yield self.model.encode_sources(names[begin:at])
                begin, letters = at, set()
            letters |= {*name}
        if begin < len(names):
            yield self.model.encode_sources(names[begin:])

    def _search(self, sources: Strings, count: int) -> tuple[Candidates, NDArray[np.float64]]:
        """Return the candidates of source names, and the sums of their affinities with each name of the tries."""
        from cepts.names.matching_kernels import find_names

        found = Candidates(
            np.full((len(sources), count), -1, np.int64), np.zeros((len(sources), count), np.float32)
        )
        totals = np.zeros(len(self._order))
        beside = self._beside(np.unique(sources.letters))
        common = (self._table, self.model.order, sources, self._tries, beside)
        find_names(*common, self._usual, *found, totals)
        there = found.names >= 0
        found.names[there] = self._order[found.names[there]]
        return found, totals

    def _beside(self, letters: NDArray[np.int32]) -> Beside:
        from cepts.names.matching_kernels import Beside, fill_beside

        rows = np.zeros(self._table.plain.shape[0], np.int64)
        rows[letters] = np.arange(len(letters))
        nodes = len(self._tries.marks)
        beside = Beside(
            rows,
            np.zeros(nodes, np.float32),
            np.zeros((len(letters), nodes), np.float32),
            np.zeros((len(letters), nodes), np.float32),
        )
        fill_beside(self._table, self.model.order, self._tries, letters, beside)
        return beside

    def _tries_of(self, strings: Strings) -> Tries:
        """Put strings into tries, sorted, so that those of a trie have much in common."""
        from cepts.names.matching_kernels import Tries, number_nodes

        starts = range(0, len(self._order), LEAVES)
        parts = [_trie_of(strings, self._order[begin : begin + LEAVES]) for begin in starts]
        nodes = Nodes(*map(np.concatenate, zip(*parts, strict=True))) if parts else _NO_NODES
        marks = np.zeros(len(nodes.parents), np.uint32)
        inner = nodes.depths > 0
        marks[inner] = strings.letters[(strings.offsets[nodes.owners] + nodes.depths - 1)[inner]]
        tries = Tries(
            nodes=np.cumsum([0, *(len(part.parents) for part in parts)]),
            names=np.array([*starts, len(self._order)]),
            parents=nodes.parents.astype(np.uint32),
            marks=marks,
            ends=nodes.ends,
            grams=np.empty(len(nodes.parents) * self.model.order, np.int32),
            letters=np.unique(strings.letters),
        )
        number_nodes(self._table, self.model.order, strings, nodes.owners, nodes.depths, tries.grams)
        return tries


class Nodes(NamedTuple):
    """The nodes of a trie: parents, a string through each and how many letters of it; and the node of each string."""

    parents: Numbers
    owners: Numbers
    depths: Numbers
    ends: Numbers


_NO_NODES = Nodes(*(np.zeros(0, np.int64) for _ in range(4)))


def _trie_of(strings: Strings, order: Numbers) -> Nodes:
    """Number the beginnings of sorted strings, depth by depth."""
    begins, lengths = strings.offsets[order], strings.offsets[order + 1] - strings.offsets[order]
    ends, count = np.zeros(len(order), np.int64), 1
    layers = [(np.zeros(1, np.int64), order[:1], np.zeros(1, np.int64))]
    for depth in range(lengths.max()):
        longer = np.flatnonzero(lengths > depth)
        parents, marks = ends[longer], strings.letters[begins[longer] + depth]
        is_new = np.ones(len(longer), np.bool_)
        is_new[1:] = (parents[1:] != parents[:-1]) | (marks[1:] != marks[:-1])
        ends[longer] = count - 1 + np.cumsum(is_new)
        owners = order[longer[is_new]]
        layers.append((parents[is_new], owners, np.full(len(owners), depth + 1)))
        count += len(owners)
    parents, owners, depths = map(np.concatenate, zip(*layers, strict=True))
    return Nodes(parents, owners, depths, ends)


def _find(index: Index, sources: Strings, count: int) -> Candidates:
    return index.find(sources, count)


def _in_order(strings: Strings) -> Numbers:
    """Return the numbers of strings in the order of their letters."""
    text = strings.letters.astype("<u4").tobytes().decode("utf-32-le")
    offsets = strings.offsets.tolist()
    keys = [text[begin:end] for begin, end in pairwise(offsets)]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)


def has_letters(strings: Strings) -> NDArray[np.bool_]:
    """Say of each string whether it has a letter that is known."""
    known = np.concatenate([np.zeros(1, np.int64), np.cumsum(strings.letters != UNKNOWN)])
    return known[strings.offsets[1:]] > known[strings.offsets[:-1]]
