"""`Elsewhere`: the shards of a text on the workers of a cluster, and models that are sent to them.

A worker has shards as texts of their own, with pieces numbered from 0: what runs there is what runs here. It gets the
words of a shard and finds its word pairs itself. A model goes to a shard without what belongs to the text, which waits
there, and with the lexicon entries of the shard alone.
"""

from __future__ import annotations

from copy import copy
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from cepts.storage.scratch import Scratch, release
from cepts.words.indexed import IndexedBitext, Shard, Words, index_shards, plan_of
from cepts.words.layout import Pieces, begins_of, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from numpy.typing import NDArray

    from cepts.running.cluster import Cluster, Kept
    from cepts.words.indexed import OnShards, Table
    from cepts.words.lane_kernels import Chunk

Part = TypeVar("Part")


class Portion(NamedTuple):
    """A shard, the numbers of its pieces in the whole text, their lengths, and what models have found out about it."""

    shard: Shard
    pieces: NDArray[np.int64]
    lengths: tuple[NDArray[np.int32], NDArray[np.int32]]
    found: dict[Any, Any]

    @classmethod
    def of(cls, shard: Shard, whole: Pieces) -> Portion:
        """List the pieces of a shard, in the order of its chunks: so they are numbered where it is alone."""
        pieces = np.concatenate([chunk.pieces[chunk.pieces >= 0] for chunk in shard.chunks])
        return cls(shard, pieces, (whole.source_length[pieces], whole.target_length[pieces]), {})

    def release(self) -> None:
        """Give back the memory of what has been sent, if it is on disk."""
        for chunk in self.shard.chunks:
            release(chunk.cells)
            release(chunk.entries)

    def text(self) -> IndexedBitext:
        """Return the shard as a text of its own."""
        ends = np.cumsum([0, *((chunk.pieces >= 0).sum() for chunk in self.shard.chunks)])
        chunks = []
        for chunk, (first, end) in zip(self.shard.chunks, pairwise(ends.tolist()), strict=True):
            numbers = np.full(chunk.pieces.shape, -1, np.int64)
            numbers[chunk.pieces >= 0] = np.arange(first, end)
            chunks.append(chunk._replace(pieces=numbers))
        source, target = self.lengths
        pieces = Pieces(np.arange(len(self.pieces)), begins_of(source), source, begins_of(target), target)
        nothing = np.empty(0, np.int32)
        return IndexedBitext(pieces, [Shard(chunks, nothing)], np.zeros(1, np.int64), nothing, Scratch())

    def words(self) -> tuple[IndexedBitext, Words]:
        """Return the shard as a text of its own, without cells, and its words, to number them by."""
        text, whole = self.text(), self.shard.words
        assert whole is not None
        source, target = (
            words_of(ids, starts[self.pieces], lengths)
            for ids, starts, lengths in zip(whole[1:3], whole.starts, self.lengths, strict=True)
        )
        release(whole.source)
        release(whole.target)
        starts = text.pieces.source_start, text.pieces.target_start
        return text, Words(starts, source, target, whole.vocabulary)


def portions_of(indexed: IndexedBitext) -> list[Portion]:
    """Return what workers get: shards or, of a text that is one shard, its chunks; sums have the same order."""
    if len(indexed.shards) != 1:
        return [Portion.of(shard, indexed.pieces) for shard in indexed.shards]
    chunks = indexed.shards[0].chunks
    alone = [chunk._replace(entries=np.arange(len(chunk.entries), dtype=np.int32)) for chunk in chunks]
    return [
        Portion.of(Shard([one], chunk.entries), indexed.pieces)
        for one, chunk in zip(alone, chunks, strict=True)
    ]


@runtime_checkable
class NamesPieces(Protocol):
    """What has numbers of pieces in it."""

    def renamed(self, pieces: NDArray[np.int64]) -> Self:
        """Return the same with other numbers: those that stand where the old ones say."""


def renamed(part: Part, pieces: NDArray[np.int64]) -> Part:
    """Return what a worker found with the pieces' numbers in the whole text."""
    if isinstance(part, list):
        return [renamed(one, pieces) for one in part]  # type: ignore[return-value]
    return part.renamed(pieces) if isinstance(part, NamesPieces) else part


class Elsewhere:
    """A text on a cluster."""

    def __init__(self, cluster: Cluster, indexed: IndexedBitext) -> None:
        """Lay out a bitext there; the cells of its shards are numbered there, if they are not yet."""
        self.portions = portions_of(indexed)
        self.places = cluster.places(len(self.portions))
        self.cluster = cluster
        if any(portion.shard.words is not None for portion in self.portions):
            self._numbered = self.places.keep([one.words for one in self.portions]).then(_number)
            self.chunks = self._numbered.then(_first)
        else:
            self.chunks = self.places.keep([one.text for one in self.portions])
        self._texts: tuple[tuple[Any, ...], Kept] | None = None

    def tables(self) -> Iterator[tuple[list[Chunk], Table]]:
        """Have the cells numbered; yields the chunks of each portion, without cells, and its table of word pairs."""
        tasks = ((k, ()) for k in range(len(self.portions)))
        found = self.cluster.each(_second, (self._numbered,), tasks)
        for portion, table in zip(self.portions, found, strict=True):
            yield portion.shard.chunks, table

    def renumbered(self, indexed: IndexedBitext) -> Elsewhere:
        """Return the same text with the numbers that its word pairs have in another table."""
        other = copy(self)
        entries = [portion.shard.entries for portion in portions_of(indexed)]
        other.portions = [
            portion._replace(shard=portion.shard._replace(entries=own))
            for portion, own in zip(self.portions, entries, strict=True)
        ]
        return other

    def each(
        self, function: Callable[..., Part], worker: OnShards, *arguments: Any
    ) -> Iterator[tuple[Portion, Part]]:
        """Yield each portion with `function(text, worker, *arguments)` for it, in their order."""
        tasks = (
            (k, (function, worker.on(portion.shard).without_text(portion), *arguments))
            for k, portion in enumerate(self.portions)
        )
        results = self.cluster.each(_on_portion, (self.chunks, self.kept_texts(worker)), tasks)
        for portion, part in zip(self.portions, results, strict=True):
            portion.release()
            yield portion, part

    def kept_texts(self, worker: OnShards) -> Kept:
        """Keep what a model has of the text beside its chunks, until another has something else."""
        whole = worker.whole_text()
        if self._texts is None or [*map(id, whole)] != [*map(id, self._texts[0])]:
            kept = self.places.keep([partial(worker.text_of, portion) for portion in self.portions])
            self._texts = whole, kept
        return self._texts[1]


def _number(unnumbered: tuple[IndexedBitext, Words]) -> tuple[IndexedBitext, Table]:
    """Number the cells of a shard, where it is to stay."""
    text, words = unnumbered
    (shard,) = text.shards
    ((chunks, table),) = index_shards([[plan_of(chunk) for chunk in shard.chunks]], words)
    return text._replace(shards=[shard._replace(chunks=chunks)]), table


def _first(pair: tuple[Part, object]) -> Part:
    return pair[0]


def _second(pair: tuple[object, Part]) -> Part:
    return pair[1]


def _on_portion(
    indexed: IndexedBitext, text: Any, function: Callable[..., Part], worker: OnShards, *arguments: Any
) -> Part:
    """Work on a portion, where it is."""
    return function(indexed, worker.with_text(text), *arguments)
