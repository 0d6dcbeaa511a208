"""Lists of the n best alignments of each pair, in one direction."""

from __future__ import annotations

from functools import partial
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.links import BestLists, Link
from cepts.links.links import links_from_rows
from cepts.words.best_kernels import Lists, list_chains
from cepts.words.linking import decoded_chunks
from cepts.words.training import ignore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.blocks import Block
    from cepts.words.hmm_kernels import Transitions
    from cepts.words.indexed import IndexedBitext
    from cepts.words.lane_kernels import Chunk
    from cepts.words.model import WordModel
    from cepts.words.training import Monitor

Entry = tuple[float, list[Link]]


def new_lists(block: Block, way: int, n: int) -> Lists:
    """Return room for n alignments of each pair of a block, in one direction."""
    batches, lanes = block.end - block.first, block.chunk.pieces.shape[1]
    steps = int(block.chunk.shapes[block.first : block.end, 1 - way].max())
    return Lists(
        np.zeros((batches, lanes), np.int64),
        np.zeros((batches, lanes, n)),
        np.zeros((batches, lanes, n, steps), np.int16),
    )


def lists_of_chains(block: Block, way: int, n: int, transitions: Transitions, remembers: bool) -> Lists:
    """List the n best paths of chains."""
    lists = new_lists(block, way, n)
    list_chains(block.chunk, block.first, block.end, way, transitions, not remembers, block.emission, lists)
    return lists


def best_lists(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    way: int,
    n: int,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> BestLists:
    """List the n most probable alignments of every pair in one direction (0 forward, 1 reverse), best first.

    Log probabilities are natural, of an alignment and the words that it generates, given those that generate them.
    """
    check_n_best(n)
    parts = decoded_chunks(partial(_rows_of_chunk, way, n), model, indexed, threads, monitor)
    return _joined([rows for part in parts for rows in part], bitext, indexed, way, n)


def check_n_best(n: int) -> None:
    """Refuse what is no number of alignments."""
    bounds.N_BEST_ALIGNMENTS.check("n_best", n)


class Rows(NamedTuple):
    """Entries of lists, each with its piece, and their links: the row, the word that generates, the generated word."""

    piece: NDArray[np.int64]
    logs: NDArray[np.float64]
    row: NDArray[np.int64]
    state: NDArray[np.int32]
    step: NDArray[np.int32]

    def renamed(self, pieces: NDArray[np.int64]) -> Rows:
        """Return the same entries with other numbers of pieces."""
        return self._replace(piece=pieces[self.piece])


NOTHING = Rows(
    np.empty(0, np.int64),
    np.empty(0),
    np.empty(0, np.int64),
    np.empty(0, np.int32),
    np.empty(0, np.int32),
)


def _rows_of_chunk(way: int, n: int, model: WordModel, chunk: Chunk) -> list[Rows]:
    """List the alignments of a chunk's pieces, block by block."""
    return [
        _rows_of_block(block, model.best_lists(block, way, n), way) for block in model.loaded_blocks(chunk)
    ]


def _rows_of_block(block: Block, lists: Lists, way: int) -> Rows:
    """Make one table of a block's lists."""
    chunk = block.chunk
    batch, lane, rank = np.nonzero(np.arange(lists.logs.shape[2]) < lists.lengths[:, :, None])
    paths = lists.paths[batch, lane, rank]
    lengths = (chunk.target_lengths, chunk.source_lengths)[way][block.first + batch, lane]
    row, step = np.nonzero((paths >= 0) & (np.arange(paths.shape[1]) < lengths[:, None]))
    pieces = chunk.pieces[block.first + batch, lane].astype(np.int64)
    state = paths[row, step].astype(np.int32)
    return Rows(pieces, lists.logs[batch, lane, rank], row, state, step.astype(np.int32))


def _joined(parts: list[Rows], bitext: Bitext, indexed: IndexedBitext, way: int, n: int) -> BestLists:
    """Make lists of whole sentences of those of their pieces, in the order of the text."""
    pieces = indexed.pieces
    begins = np.cumsum([0, *(len(part.piece) for part in parts)])
    piece, logs, row, state, step = (np.concatenate(column) for column in zip(NOTHING, *parts, strict=True))
    row = row + np.repeat(begins[:-1], [len(part.row) for part in parts])
    order = np.argsort(piece, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    source, target = (state, step) if way == 0 else (step, state)
    owner = piece[row]
    source = source + (pieces.source_start - bitext.source.offsets[pieces.pair])[owner].astype(np.int32)
    target = target + (pieces.target_start - bitext.target.offsets[pieces.pair])[owner].astype(np.int32)
    confidence, sure = np.ones(len(row), np.float32), np.ones(len(row), np.bool_)
    links = links_from_rows(rank[row], source, target, confidence, sure, len(piece))
    lists = BestLists(links, pieces.pair[piece[order]], logs[order])
    cut = np.flatnonzero(np.bincount(pieces.pair, minlength=len(bitext)) > 1)
    return _with_whole_pairs(lists, piece[order], cut.tolist(), n) if len(cut) else lists


def _with_whole_pairs(lists: BestLists, piece: NDArray[np.int64], cut: list[int], n: int) -> BestLists:
    """Join the lists of the pieces of pairs that were cut: the n best sums, one list after the other."""
    entries: dict[int, list[Entry]] = {}
    for pair in cut:
        rows = np.flatnonzero(lists.owner == pair)
        joined: list[Entry] = [(0.0, [])]
        for one in np.unique(piece[rows]):
            own = [(float(lists.log_probability[row]), lists.links[row]) for row in rows[piece[rows] == one]]
            sums = ((log + other, [*links, *more]) for log, links in joined for other, more in own)
            joined = nlargest(n, sums, key=lambda entry: entry[0])
        entries[pair] = joined
    return lists.replaced(entries)
