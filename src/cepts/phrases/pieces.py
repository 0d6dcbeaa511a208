"""Text and its links in pieces: a corpus of any size flows through a bounded part of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.corpus import Bitext, Side
from cepts.corpus.encoding import Encoder
from cepts.corpus.files import STDIN, check_file
from cepts.errors import InputError, OptionError
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
    before = (bitext.source.offsets + bitext.target.offsets)[:-1]
    first = np.flatnonzero(np.diff(before // WORDS_AT_ONCE, prepend=-1)).tolist()
    for begin, end in zip(first, [*first[1:], len(bitext)], strict=True):
        source, target = (_cut_side(side, begin, end) for side in (bitext.source, bitext.target))
        yield Piece(Bitext(source, target), cut_links(links, begin, end))


def _cut_side(side: Side, first: int, last: int) -> Side:
    """Return sentences `first` to `last` of one side."""
    offsets = side.offsets[first : last + 1]
    return Side(side.ids[offsets[0] : offsets[-1]], offsets - offsets[0], side.words)


def read_pieces(
    source: FilePath, target: FilePath, links: FilePath, errors: Errors = "strict"
) -> Iterator[Piece]:
    """Yield line-aligned texts and their links, some lines at a time; words stand between white space."""
    if [str(path) for path in (source, target, links)].count(STDIN) > 1:
        raise OptionError("source, target and links: only one of them can be standard input")
    for path in (source, target, links):  # before anything long is read
        check_file(path)
    left, right = _Text(source, errors), _Text(target, errors)
    linked = open_links(links)
    while (sources := left.lines.take()).lines:
        targets = right.lines.take(sources.lines)
        found = linked.take(sources.lines)
        if targets.lines < sources.lines or found is None:
            break
        bitext = Bitext(left.encoded(sources), right.encoded(targets))
        try:
            linked.check(found, bitext, left.lines.name)
        except InputError:
            _check_counts(left.lines, right.lines, linked)  # a line that is missing is the likelier cause
            raise
        yield Piece(bitext, found)
    _check_counts(left.lines, right.lines, linked)


class _Text:
    """One side's lines, and the words that were met so far."""

    def __init__(self, path: FilePath, errors: Errors) -> None:
        self.lines = Lines(path)
        self._errors = errors
        self._ids: dict[str, int] = {}
        self._words: list[str] = []

    def encoded(self, block: Block) -> Side:
        """Encode some lines."""
        encoder = Encoder(self.lines.name, tokenize=False, keep_case=True, errors=self._errors)
        encoder.add(block.text, block)
        side = encoder.side()
        known = len(self._ids)
        ids = [self._ids.setdefault(word, len(self._ids)) for word in side.words]
        self._words.extend(word for word, number in zip(side.words, ids, strict=True) if number >= known)
        return Side(np.array(ids, np.int32)[side.ids], side.offsets, self._words)


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
        raise InputError(f"no sentence pairs: {source.name} and {target.name} are empty")
