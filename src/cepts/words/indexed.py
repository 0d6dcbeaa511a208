"""`IndexedBitext`: a bitext whose every cell knows its lexicon entry."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from cepts.running import run
from cepts.storage.scratch import Scratch, release
from cepts.words.index_kernels import index_chunk, merge_rows
from cepts.words.lane_kernels import Chunk
from cepts.words.layout import ChunkPlan, Pieces, cut_into_pieces, plan_chunks, plan_shards, runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.running.cluster import Cluster
    from cepts.words.elsewhere import Elsewhere, Portion


IN_MEMORY = 1 << 29  # bytes, unless told; what is more waits on disk for its turn
MERGED_AT_ONCE = 1 << 23  # word pairs of all tables


class Words(NamedTuple):
    """The words of a text's pieces: where each piece begins, on both sides, their ids, and how many there are."""

    starts: tuple[NDArray[np.int64], NDArray[np.int64]]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    vocabulary: tuple[int, int]


class Shard(NamedTuple):
    """A run of chunks that share a part of the lexicon: its `entries`, which their own are numbers of.

    If the cells of its chunks are elsewhere it has the `words` of the text, from which they can be made here, too.
    """

    chunks: list[Chunk]
    entries: NDArray[np.int32]
    words: Words | None = None

    def here(self) -> Shard:
        """Return the shard with its cells."""
        if self.words is None:
            return self
        ((chunks, _),) = index_shards([[plan_of(chunk) for chunk in self.chunks]], self.words)
        return Shard(chunks, self.entries)


class IndexedBitext(NamedTuple):
    """The pieces of a bitext, its shards, and the word pairs that occur: columns in rows, NULL first on both sides.

    `scratch` is where arrays as large as these go; `elsewhere` is the cluster that works on the shards, if any.
    """

    pieces: Pieces
    shards: list[Shard]
    row_offsets: NDArray[np.int64]
    columns: NDArray[np.int32]
    scratch: Scratch
    elsewhere: Elsewhere | None = None

    def renumbered(
        self, new: NDArray[np.int32], row_offsets: NDArray[np.int64], columns: NDArray[np.int32]
    ) -> IndexedBitext:
        """Return the bitext with another table of word pairs; `new` are the numbers that its own have there."""
        if len(self.shards) == 1:  # its chunks have no numbers but the table's
            (shard,) = self.shards
            chunks = [chunk._replace(entries=new[chunk.entries]) for chunk in shard.chunks]
            shards = [shard._replace(chunks=chunks)]
        else:
            shards = [shard._replace(entries=self.scratch.kept(new[shard.entries])) for shard in self.shards]
        other = self._replace(shards=shards, row_offsets=row_offsets, columns=columns)
        elsewhere = self.elsewhere
        return other if elsewhere is None else other._replace(elsewhere=elsewhere.renumbered(other))

    @property
    def chunks(self) -> list[Chunk]:
        """The chunks of all shards."""
        return [chunk for shard in self.shards for chunk in shard.chunks]

    @property
    def longest(self) -> int:
        """The length of the longest sentence, of either side."""
        lengths = (self.pieces.source_length, self.pieces.target_length)
        return int(max(side.max(initial=1) for side in lengths))


class OnShards(Protocol):
    """Whatever works on the chunks of a shard once it has the shard's entries."""

    def on(self, shard: Shard) -> Self:
        """Return the same for the chunks of a shard."""

    def whole_text(self) -> tuple[object, ...]:
        """Return what it has of the text: always the same objects, as long as that is the same."""

    def text_of(self, portion: Portion) -> Any:
        """Return what it has of the text of a portion alone."""

    def without_text(self, portion: Portion) -> Self:
        """Return the same, of a portion's shard already, without what it has of the text."""

    def with_text(self, text: Any) -> Self:
        """Return the same with what it has of the text of a portion."""


Worker = TypeVar("Worker", bound=OnShards)


def by_shards(worker: Worker, indexed: IndexedBitext) -> Iterator[tuple[Worker, Chunk]]:
    """Walk over all chunks, each with who works on it; of a text that is one shard, the entries are all there are."""
    for shard in indexed.shards:
        local = worker if len(indexed.shards) == 1 else worker.on(shard)
        for chunk in shard.here().chunks:
            yield local, chunk


class ChunkIndex(NamedTuple):
    """What `index_chunk` finds: each cell's local entry, the rows' words and offsets, the entries' target words."""

    cells: NDArray[np.int32]
    row_words: NDArray[np.int32]
    row_offsets: NDArray[np.int64]
    columns: NDArray[np.int32]


class Table(NamedTuple):
    """Rows of word pairs, those of the source words `words`: their target words, row by row."""

    words: NDArray[np.int32]
    offsets: NDArray[np.int64]
    columns: NDArray[np.int32]


def index_bitext(
    bitext: Bitext, threads: int = 1, scratch: Scratch | None = None, cluster: Cluster | None = None
) -> IndexedBitext:
    """Lay out a bitext in chunks, and number the word pairs that occur in it: in each chunk, shard, and in all.

    On a cluster, if one is given. The cells of a text of several shards are numbered there, and never come here.
    """
    scratch = Scratch(IN_MEMORY) if scratch is None else scratch
    pieces = cut_into_pieces(bitext)
    plans = plan_chunks(pieces)
    vocabulary = (len(bitext.source.words), len(bitext.target.words))
    if not plans:
        rows = np.minimum(np.arange(vocabulary[0] + 2), 1)
        return _spread(IndexedBitext(pieces, [], rows, np.zeros(1, np.int32), scratch), cluster)
    words = Words(
        (pieces.source_start, pieces.target_start), bitext.source.ids, bitext.target.ids, vocabulary
    )
    planned = plan_shards(plans)
    elsewhere = None
    if cluster is not None and len(planned) > 1:
        elsewhere = _spread(_unnumbered(pieces, planned, words, scratch), cluster).elsewhere
    numbered = elsewhere.tables() if elsewhere else index_shards(planned, words, threads, scratch)
    shards, tables = [], []
    for chunks, table in numbered:
        shards.append(chunks)
        tables.append(table._replace(columns=scratch.kept(table.columns)))
    table, entries = merged(tables, vocabulary, scratch)
    together = [
        Shard(chunks, numbers, words if elsewhere else None)
        for chunks, numbers in zip(shards, entries, strict=True)
    ]
    row_offsets = np.zeros(vocabulary[0] + 2, np.int64)
    row_offsets[table.words + 1] = np.diff(table.offsets)
    indexed = IndexedBitext(pieces, together, np.cumsum(row_offsets), table.columns, scratch)
    if elsewhere is not None:
        return indexed._replace(elsewhere=elsewhere.renumbered(indexed))
    return _spread(indexed, cluster)


def _spread(indexed: IndexedBitext, cluster: Cluster | None) -> IndexedBitext:
    """Lay a bitext out on the workers of a cluster, if there is one."""
    from cepts.words.elsewhere import Elsewhere  # which knows of bitexts that are laid out

    return indexed if cluster is None else indexed._replace(elsewhere=Elsewhere(cluster, indexed))


def _unnumbered(
    pieces: Pieces, planned: list[list[ChunkPlan]], words: Words, scratch: Scratch
) -> IndexedBitext:
    """Return a bitext of several shards without any cells or word pairs."""
    nothing = np.empty(0, np.int32)
    shards = [Shard([Chunk(*plan, nothing, nothing) for plan in plans], nothing, words) for plans in planned]
    return IndexedBitext(pieces, shards, np.zeros(1, np.int64), nothing, scratch)


def plan_of(chunk: Chunk) -> ChunkPlan:
    """Return a chunk without its cells."""
    return ChunkPlan(*chunk[: len(ChunkPlan._fields)])


def index_shards(
    shards: list[list[ChunkPlan]], words: Words, threads: int = 1, scratch: Scratch | None = None
) -> Iterator[tuple[list[Chunk], Table]]:
    """Number the word pairs of each chunk, and of each shard; yields a shard's chunks and its table."""
    scratch = Scratch() if scratch is None else scratch

    def index(plan: ChunkPlan) -> ChunkIndex:
        return ChunkIndex(*index_chunk(plan, *words))

    found = run(index, [plan for plans in shards for plan in plans], threads)
    for planned in shards:
        parts = []
        for _ in planned:
            part = next(found)
            parts.append(part._replace(cells=scratch.kept(part.cells)))
        release(words.source)
        release(words.target)
        table, entries = merged([Table(*part[1:]) for part in parts], words.vocabulary, Scratch())
        chunks = [
            Chunk(*plan, part.cells, scratch.kept(numbers.copy()))
            for plan, part, numbers in zip(planned, parts, entries, strict=True)
        ]
        yield chunks, table


def merged(
    tables: list[Table], vocabulary: tuple[int, int], scratch: Scratch
) -> tuple[Table, list[NDArray[np.int32]]]:
    """Make one table of several; returns also, for each of them, the numbers that its word pairs have there."""
    if len(tables) == 1:
        return tables[0], [np.arange(len(tables[0].columns), dtype=np.int32)]
    begins = np.cumsum([0, *(len(table.columns) for table in tables)])
    entries, columns = (scratch.zeros((int(begins[-1]),), np.int32) for _ in range(2))
    for (first, end), table in zip(pairwise(begins.tolist()), tables, strict=True):
        entries[first:end] = table.columns
        release(entries)
        release(table.columns)
    starts, ends = (
        np.concatenate([table.offsets[cut] + begin for table, begin in zip(tables, begins, strict=False)])
        for cut in (slice(None, -1), slice(1, None))
    )
    words = np.concatenate([table.words for table in tables])
    sizes = np.bincount(words, ends - starts, minlength=vocabulary[0] + 1)
    rows = _rows_by_word(words, vocabulary[0] + 1)
    seen = np.full((2, vocabulary[1] + 1), -1, np.int32)
    offsets, count = np.zeros(vocabulary[0] + 2, np.int64), 0
    for first, end in runs_of((np.cumsum(sizes) - sizes) // MERGED_AT_ONCE):
        span = np.array([first, end, count])
        count = merge_rows(*rows, span, starts, ends, entries, seen, columns, offsets)
        release(entries)
        release(columns)
    there = np.flatnonzero(np.diff(offsets)).astype(np.int32)
    own = Table(there, np.append(offsets[there], offsets[-1]), columns[:count])
    return own, [entries[first:end] for first, end in pairwise(begins.tolist())]


def _rows_by_word(words: NDArray[np.int32], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort rows by their words, in their order; returns also where the rows of each word begin."""
    first = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(words, minlength=count), out=first[1:])
    return np.argsort(words, kind="stable"), first
