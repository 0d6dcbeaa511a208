"""How much memory a text needs, when all that can wait on disk does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.running.run import AHEAD
from cepts.storage.memory import PROGRAM
from cepts.storage.scratch import mapping_of
from cepts.words.layout import LARGEST_CHUNK, LARGEST_SHARD

if TYPE_CHECKING:
    from cepts.corpus import Bitext, Side
    from cepts.words.indexed import IndexedBitext

# Bytes that things take.
WORD = 200  # a different word: as a string, in the list of them and in a table to find it by
PIECE = 100  # a sentence pair beside its words: where it begins, its place, its links and its score
VALUE = 8  # a word pair: two probabilities, or two counts
SHARD = 3 * VALUE  # a word pair of a shard: probabilities and counts, and probabilities of the shard after it
CELL = 4  # a cell, and a word of a text: a number

# What a text is expected to be before it is read: bytes of a word and of a pair, words of a sentence, and how many of
# the cells of a shard are word pairs of their own. A text of n words has up to `VARIETY` n ** `HEAPS` different ones.
SHORT_WORD, LONG_WORD, SHORT_PAIR, LONG_SENTENCE, NEW = 4, 32, 64, 30, 0.45
VARIETY, HEAPS = 25, 0.6


def least_memory(bitext: Bitext, indexed: IndexedBitext | None, threads: int) -> int:
    """Return how many bytes are needed to work on a text.

    That is the program, the words, what is known of each pair, a shard and the one after it, chunks that threads work
    on, and counts that wait for their turn. Before a text is indexed, all word pairs of a shard might be different.
    """
    if indexed is None:
        with_null = bitext.cells + len(bitext.source.ids) + len(bitext.target.ids)
        shard, chunk = min(with_null, LARGEST_SHARD), min(with_null, LARGEST_CHUNK)
        cells = chunk
    else:
        shard = max((len(shard.entries) for shard in indexed.shards), default=0)
        chunk = max((len(chunk.entries) for chunk in indexed.chunks), default=0)
        cells = max((len(chunk.cells) for chunk in indexed.chunks), default=0)
    sides = _side(bitext.source) + _side(bitext.target)
    return PROGRAM + sides + PIECE * len(bitext) + SHARD * shard + _working(chunk, cells, threads)


def memory_for_bytes(size: int, threads: int) -> tuple[int, int]:
    """Return how many bytes of memory a text of so many bytes needs at least, and how many will do, before it is read.

    What will do allows for shorter words and pairs, and for more different words and pairs of them, than texts have.
    """
    words = size // SHORT_WORD
    different = int(VARIETY * words**HEAPS)
    cells = min(words * LONG_SENTENCE, LARGEST_SHARD)
    text = CELL * words + WORD * different + PIECE * (size // SHORT_PAIR)
    chunk = min(cells, LARGEST_CHUNK)
    enough = PROGRAM + text + int(SHARD * NEW * cells) + _working(chunk, chunk, threads)
    return PROGRAM + CELL * (size // LONG_WORD), enough


def _side(side: Side) -> int:
    """Return what one side of a text takes in memory."""
    arrays = [side.ids, *(() if side.spans is None else (side.spans,))]
    if side.originals is not None:
        arrays += [side.originals.text, side.originals.first, side.originals.end]
    held: int = sum(array.nbytes for array in arrays if mapping_of(array) is None)
    return WORD * len(side.words) + held


def _working(chunk: int, cells: int, threads: int) -> int:
    """Return what chunks of so many word pairs and cells take that threads work on, and counts that wait."""
    waiting = 1 if threads == 1 else AHEAD * threads + 1
    return threads * (VALUE * chunk + CELL * cells) + waiting * VALUE * chunk
