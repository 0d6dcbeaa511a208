"""Which names of a list may be the same as a name: an index of the list that an edit model searches."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.characters.letters import UNKNOWN, Strings
from cepts.characters.weights import table_of
from cepts.running import run
from cepts.storage.scratch import Scratch, release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.characters import EditModel
    from cepts.names.matching_kernels import Beside, Tries
    from cepts.running.cluster import Cluster

    Numbers = NDArray[np.int64]

LEAVES = 512  # names of a trie
LETTERS = 64  # different ones that many names have, usually at most
NAMES = 1024  # that a thread searches for at once
TRIES = 64  # that are searched at once: whatever the list's size, what they take is bounded
CELLS = 1 << 24  # different letters of those names, times nodes of these tries


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

    def __init__(
        self,
        model: EditModel,
        names: Sequence[str],
        company: Sequence[str] = (),
        scratch: Scratch | None = None,
    ) -> None:
        """Put names into tries, which are kept in `scratch`: in memory, or on disk."""
        self.model, self._table = model, table_of(model.weights)
        self._scratch = Scratch() if scratch is None else scratch
        strings = model.encode_targets(names)
        self._order = _in_order(strings)
        self._ends = np.zeros(len(self._order), np.int64)
        size = LEAVES * TRIES
        self._blocks = [
            self._tries_of(strings, first, min(first + size, len(self._order)))
            for first in range(0, len(self._order), size)
        ]
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

    @property
    def at_once(self) -> int:
        """How many bytes one thread needs to search a block of tries, at most."""
        return self._largest * (LETTERS * 8 + 8 + 4 * self.model.order)

    @property
    def _largest(self) -> int:
        """How many nodes the largest block of tries has."""
        return max((len(tries.marks) for tries in self._blocks), default=1)

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
        most = CELLS // self._largest
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
        letters = np.unique(sources.letters)
        for tries in self._blocks:  # in the order of the list, so that of equals the first stays before
            beside = self._beside(letters, tries)
            common = (self._table, self.model.order, sources, tries, beside)
            find_names(*common, self._usual, *found, totals)
            for array in tries:
                release(array)
        there = found.names >= 0
        found.names[there] = self._order[found.names[there]]
        return found, totals

    def _beside(self, letters: NDArray[np.int32], tries: Tries) -> Beside:
        from cepts.names.matching_kernels import Beside, fill_beside

        rows = np.zeros(self._table.plain.shape[0], np.int64)
        rows[letters] = np.arange(len(letters))
        nodes = len(tries.marks)
        beside = Beside(
            rows,
            np.zeros(nodes, np.float32),
            np.zeros((len(letters), nodes), np.float32),
            np.zeros((len(letters), nodes), np.float32),
        )
        fill_beside(self._table, self.model.order, tries, letters, beside)
        return beside

    def _tries_of(self, strings: Strings, first: int, end: int) -> Tries:
        """Put the strings from `first` to `end`, sorted, into tries, so that those of a trie have much in common."""
        from cepts.names.matching_kernels import Tries, number_nodes

        starts = range(first, end, LEAVES)
        parts = [_trie_of(strings, self._order[begin : min(begin + LEAVES, end)]) for begin in starts]
        nodes = Nodes(*map(np.concatenate, zip(*parts, strict=True)))
        marks = np.zeros(len(nodes.parents), np.uint32)
        inner = nodes.depths > 0
        marks[inner] = strings.letters[(strings.offsets[nodes.owners] + nodes.depths - 1)[inner]]
        self._ends[first:end] = nodes.ends
        grams = np.empty(len(nodes.parents) * self.model.order, np.int32)
        number_nodes(self._table, self.model.order, strings, nodes.owners, nodes.depths, grams)
        kept = self._scratch.kept
        return Tries(
            nodes=np.cumsum([0, *(len(part.parents) for part in parts)]),
            names=np.array([*starts, end]),
            parents=kept(nodes.parents.astype(np.uint32)),
            marks=kept(marks),
            ends=self._ends,
            grams=kept(grams),
            letters=np.unique(marks[inner]).astype(np.int32),
        )


class Nodes(NamedTuple):
    """The nodes of a trie: parents, a string through each and how many letters of it; and the node of each string."""

    parents: Numbers
    owners: Numbers
    depths: Numbers
    ends: Numbers


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
