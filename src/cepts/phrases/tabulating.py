"""The stages of a phrase table, from pieces of text to lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.phrases.alphabet import Unwritable, alphabet
from cepts.phrases.counting import LexicalCounts
from cepts.phrases.extraction import extract_in_pieces
from cepts.phrases.grouping import with_totals
from cepts.phrases.sorting import Sorter
from cepts.running.steps import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cepts.phrases.alphabet import Alphabet
    from cepts.phrases.extraction import PhrasePairs
    from cepts.phrases.pieces import Piece
    from cepts.phrases.sorting import Sorted
    from cepts.phrases.writing_kernels import Lexical, Words

    Records = NDArray[np.int32]
    Counted = Iterator[tuple[Records, NDArray[np.int64]]]

SHARE = 10  # bytes of memory for each number of a sorter: there may be two, with what sorting takes
MOST_NUMBERS = (1 << 31) - 1  # of a sorter: places are int32


class Wanted(NamedTuple):
    """Which phrase pairs are wanted, and how many bytes of memory may be used; see `write_phrase_table`."""

    max_length: int
    unaligned: str
    min_count: int
    memory: int


class Found(NamedTuple):
    """The phrase pairs of a text by target phrase, the words of both sides, and how probably they translate each other.

    The counts are those of `TableCounts`.
    """

    phrase_pairs: Sorted
    words: tuple[Sequence[str], Sequence[str]]
    lexical: Lexical
    counts: NDArray[np.int64]


def find_phrase_pairs(pieces: Iterable[Piece], folder: Path, wanted: Wanted) -> Found:
    """Walk over the text: count linked words, and sort phrase pairs by target phrase."""
    tell("extracting phrases")
    sorter = _sorter(folder / "by-target", wanted)
    lexical, unwritable = LexicalCounts(), (Unwritable(), Unwritable())
    counts = np.zeros(4, np.int64)
    words: tuple[Sequence[str], Sequence[str]] = ((), ())
    for piece in pieces:
        sides = piece.bitext.source, piece.bitext.target
        words = sides[0].words, sides[1].words
        lexical.add(piece)
        empty = (sides[0].lengths == 0) | (sides[1].lengths == 0)
        marked = unwritable[0].sentences(sides[0]) | unwritable[1].sentences(sides[1])
        found = _add_phrase_pairs(piece, marked, sorter, wanted)
        counts += np.array([len(piece.bitext), empty.sum(), (marked & ~empty).sum(), found])
    return Found(sorter.finish(), words, lexical.lexical(len(words[0])), counts)


def make_lines(found: Found, folder: Path, wanted: Wanted) -> Iterator[tuple[memoryview, int]]:
    """Yield the lines of the table, many at a time, and how many they are."""
    from cepts.phrases.records_kernels import END

    tell("counting phrases")
    source, target = (alphabet(words) for words in found.words)
    by_target = with_totals(lambda: _with_best_links(found.phrase_pairs), int(END), folder / "target-counts")
    sorter = _sorter(folder / "by-source", wanted)
    _add_turned_round(by_target, source, target, sorter)
    found.phrase_pairs.remove()
    by_source = sorter.finish()
    with_counts = with_totals(by_source.blocks, source.bar, folder / "source-counts")
    room = np.empty((4, max(by_source.largest, 1)), np.float64)
    return _lines(with_counts, (source.words, target.words), found.lexical, wanted.min_count, room)


def _sorter(folder: Path, wanted: Wanted) -> Sorter:
    """Make a sorter with a folder of its own."""
    folder.mkdir()
    return Sorter(folder, min(wanted.memory // SHARE, MOST_NUMBERS))


def _add_phrase_pairs(piece: Piece, unwritable: NDArray[np.bool_], sorter: Sorter, wanted: Wanted) -> int:
    """Add the phrase pairs of a piece to the sorter; return how many there are."""
    from cepts.phrases.records_kernels import Text

    source, target, links = piece.bitext.source, piece.bitext.target, piece.links
    if unwritable.any():
        links = links.select(~unwritable[links.row_pairs()])
    offsets = source.offsets, target.offsets
    text = Text(source.ids, target.ids, *offsets, links.source, links.target, links.offsets)
    count = 0
    lengths = source.lengths, target.lengths
    for found in extract_in_pieces(links, *lengths, wanted.max_length, wanted.unaligned):
        _add_records(text, found, sorter)
        count += len(found.pair)
    return count


def _add_records(text: object, found: PhrasePairs, sorter: Sorter) -> None:
    """Add a record for each phrase pair."""
    from cepts.phrases.records_kernels import Boxes, compose

    boxes = Boxes(*found)
    next_one = 0
    while next_one < len(found.pair):
        next_one, sorter.used, lacking = compose(text, boxes, next_one, sorter.buffer, sorter.used)
        if lacking:
            sorter.make_room(lacking)


def _with_best_links(by_target: Sorted) -> Iterator[Records]:
    """Yield one record for each phrase pair, in order, with its most frequent links."""
    from cepts.phrases.records_kernels import choose_links

    kept, rest = np.empty(0, np.int32), 0
    for block in by_target.blocks():
        data = np.concatenate((kept, block))
        out = np.empty_like(data)
        used, best, last, rest = choose_links(data, rest, False, out)
        kept = np.concatenate([data[k : k + data[k]] for k in (best, last) if k >= 0])
        yield out[:used]
    out = np.empty_like(kept)
    used, *_ = choose_links(kept, rest, True, out)
    yield out[:used]


def _add_turned_round(by_target: Counted, source: Alphabet, target: Alphabet, sorter: Sorter) -> None:
    """Add phrase pairs to a sorter by source phrase, in alphabetical order, each with its target phrase's count."""
    from cepts.phrases.records_kernels import turn_round

    for block, totals in by_target:
        place = number = 0
        while place < len(block):
            place, number, sorter.used, lacking = turn_round(
                block, place, totals, number, source.ranks, target.ranks, sorter.buffer, sorter.used
            )
            if lacking:
                sorter.make_room(lacking)


def _lines(
    by_source: Counted,
    words: tuple[Words, Words],
    lexical: Lexical,
    min_count: int,
    room: NDArray[np.float64],
) -> Iterator[tuple[memoryview, int]]:
    """Write blocks of records as lines; `room` is for the words of the longest phrase."""
    from cepts.phrases.writing_kernels import most_bytes, write_lines

    tell("writing phrases")
    for block, totals in by_source:
        out = np.empty(most_bytes(block, *words), np.uint8)
        used, lines = write_lines(block, totals, *words, lexical, min_count, room, out)
        yield out[:used].data, lines
