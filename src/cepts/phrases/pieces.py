"""Text and its links in pieces: a corpus of any size flows through a bounded part of memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.corpus import Bitext, Side, read_bitext, read_bitext_in_pieces
from cepts.corpus.cleaning import Cleaner
from cepts.corpus.encoding import Encoder
from cepts.corpus.files import STDIN, check_file, shown
from cepts.corpus.formats.opening import check_format, check_languages
from cepts.errors import EmptyTextError, InputError, OptionError
from cepts.links.fitting import check_fit
from cepts.phrases.lines import Lines
from cepts.phrases.linked_lines import cut_links, open_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import Block, FilePath
    from cepts.links import Links
    from cepts.phrases.linked_lines import PharaohLines, WholeLinks

WORDS_AT_ONCE = 1 << 19  # of both sides, in a piece of a bitext


class Piece(NamedTuple):
    """Some sentence pairs and their links; word ids are those of the whole corpus, whose words may become more."""

    bitext: Bitext
    links: Links


def cut_pieces(bitext: Bitext, links: Links) -> Iterator[Piece]:
    """Yield a bitext and its links in pieces of about `WORDS_AT_ONCE` words."""
    check_fit(links, bitext.source.lengths, bitext.target.lengths)
    for begin, end in _cuts(bitext):
        yield Piece(_cut(bitext, begin, end), cut_links(links, begin, end))


def _cuts(bitext: Bitext) -> list[tuple[int, int]]:
    """Return the first pair and the end of each piece."""
    before = (bitext.source.offsets + bitext.target.offsets)[:-1]
    first = np.flatnonzero(np.diff(before // WORDS_AT_ONCE, prepend=-1)).tolist()
    return list(zip(first, [*first[1:], len(bitext)], strict=False))  # none of no pairs


def _cut(bitext: Bitext, first: int, last: int) -> Bitext:
    """Return pairs `first` to `last`."""
    source, target = (_cut_side(side, first, last) for side in (bitext.source, bitext.target))
    return Bitext(source, target)


def _cut_side(side: Side, first: int, last: int) -> Side:
    """Return sentences `first` to `last` of one side."""
    offsets = side.offsets[first : last + 1]
    return Side(side.ids[offsets[0] : offsets[-1]], offsets - offsets[0], side.words)


def read_pieces(
    source: FilePath,
    target: FilePath | None,
    links: FilePath,
    errors: Errors = "strict",
    left_out: Counter[str] | None = None,
    tokenize: bool | None = None,
    **reading: Any,
) -> Iterator[Piece]:
    """Yield texts and their links, some lines at a time.

    Without a target, the source holds both languages. `tokenize` and `reading` are as in `cepts.read_bitext`;
    `left_out` counts what is no pair. A text that is tokenised is read whole, as `cepts.read_bitext` does: how
    scripts without spaces are cut is learned from all of it.
    """
    paths = [path for path in (source, target, links) if path is not None]
    if [str(path) for path in paths].count(STDIN) > 1:
        raise OptionError("source, target and links: only one of them can be standard input")
    for path in paths:  # before anything long is read
        check_file(path)
    counted = Counter[str]() if left_out is None else left_out
    if tokenize:
        whole = read_bitext(source, target, tokenize=True, keep_case=True, errors=errors, **reading)
        yield from _with_links(iter([whole]), shown(source), links, counted)
    elif target is None:
        pieces = read_bitext_in_pieces(source, tokenize=tokenize, keep_case=True, errors=errors, **reading)
        yield from _with_links(pieces, shown(source), links, counted)
    else:
        yield from read_two_files(source, target, links, errors, **reading)


@checked
def read_two_files(
    source: FilePath,
    target: FilePath,
    links: FilePath,
    errors: Errors,
    input_format: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    markup: str | None = None,
) -> Iterator[Piece]:
    """Yield line-aligned texts and their links."""
    check_format(input_format, two_files=True)
    check_languages("a pair of files", source_language, target_language)
    cleaner = Cleaner(markup=markup == "strip")
    left, right = (Lines(path) for path in (source, target))
    words = _Words(), _Words()
    linked = open_links(links)
    while (sources := left.take()).lines:
        targets = right.take(sources.lines)
        found = linked.take(sources.lines)
        if targets.lines < sources.lines or found is None:
            break
        bitext = Bitext(
            words[0].numbered(_encoded(sources, left.name, errors, cleaner)),
            words[1].numbered(_encoded(targets, right.name, errors, cleaner)),
        )
        try:
            linked.check(found, bitext, left.name)
        except InputError:
            _check_counts(left, right, linked)  # a line that is missing is the likelier cause
            raise
        yield Piece(bitext, found)
    _check_counts(left, right, linked)


def _with_links(
    pieces: Iterator[Bitext], name: str, links: FilePath, left_out: Counter[str]
) -> Iterator[Piece]:
    """Yield the pairs of a file with both languages, or of a text that was read whole, and their links."""
    words = _Words(), _Words()
    linked = open_links(links)
    pairs = 0
    for piece in pieces:
        left_out.update(piece.left_out)
        bitext = Bitext(words[0].numbered(piece.source), words[1].numbered(piece.target))
        for begin, end in _cuts(bitext):
            part, found = _cut(bitext, begin, end), linked.take(end - begin)
            pairs += end - begin
            if found is not None:
                linked.check(found, part, name)
                yield Piece(part, found)
    count = linked.count(pairs)
    if count != pairs:
        raise InputError(
            f"{name} has {pairs} pairs, {linked.name} has {count} lines: line k of {linked.name} must have the"
            " links of pair k"
        )


class _Words:
    """The words of one side that were met so far."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._words: list[str] = []

    def numbered(self, side: Side) -> Side:
        """Return some sentences with the ids of the whole corpus."""
        known = len(self._ids)
        ids = [self._ids.setdefault(word, len(self._ids)) for word in side.words]
        self._words.extend(word for word, number in zip(side.words, ids, strict=True) if number >= known)
        return Side(np.array(ids, np.int32)[side.ids], side.offsets, self._words)


def _encoded(block: Block, name: str, errors: Errors, cleaner: Cleaner) -> Side:
    """Encode some lines."""
    encoder = Encoder(name, tokenize=False, keep_case=True, errors=errors, cleaner=cleaner)
    encoder.add(block.text, block)
    return encoder.side()


def _check_counts(source: Lines, target: Lines, links: PharaohLines | WholeLinks) -> None:
    """Refuse files of different lengths, and empty ones."""
    counts = [source.count(), target.count()]
    counts.append(links.count(counts[0]))
    for count, file, what in zip(
        counts[1:], (target, links), ("translate", "have the links of"), strict=True
    ):
        if count != counts[0]:
            raise InputError(
                f"{source.name} has {counts[0]} lines, {file.name} has {count}: line k of {file.name} must"
                f" {what} line k of {source.name}"
            )
    if counts[0] == 0:
        raise EmptyTextError(f"no sentence pairs: {source.name} and {target.name} are empty")
