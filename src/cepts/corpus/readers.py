"""Reading a bitext from files, from standard input, from Python strings."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.corpus.bitext import Bitext, Side
from cepts.corpus.cleaning import Cleaner
from cepts.corpus.columns import Columns
from cepts.corpus.encoding import AUTO, LINES_AT_ONCE, Encoder, Errors, KeepText, decoded
from cepts.corpus.files import STDIN, FilePath, bad_bytes, check_file, cut_blocks, read_blocks, shown
from cepts.corpus.formats.opening import Opened, check_format, check_languages, check_plain, open_input
from cepts.corpus.raw_text import LOOKED_AT, RAW_FORMATS, first_lines, punctuation_of
from cepts.corpus.segmenter import Segmenter, Segmenters, segmenters
from cepts.corpus.text_options import PLAIN, Tokenize
from cepts.errors import EmptyTextError, InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cepts.corpus.files import Block
    from cepts.corpus.formats.batches import Batch, Reader

Markup = Literal["strip", "keep"]


class Text(NamedTuple):
    """How lines become words, and what is kept of them."""

    tokenize: Tokenize = None
    keep_case: bool = False
    errors: Errors = "strict"
    segmenters: Segmenters = Segmenters()
    keep_text: KeepText = False
    to_whitespace: bool = False

    def decided(self, format: str, *heads: Iterable[str]) -> tuple[Text, str | None]:  # noqa: A002
        """Decide whether a text is tokenised where that was left open, from its format and its first lines.

        Returns also what it is if it is tokenised without being asked for: the format, `text` for plain text.
        """
        found, raw_format = None, format in RAW_FORMATS
        if self.tokenize == "auto" or (self.tokenize is None and raw_format):
            seen = [punctuation_of(head) for head in heads]
            if any(one.raw for one in seen) or (raw_format and not any(one.separated for one in seen)):
                found = format if raw_format else PLAIN
        tokenize = self.tokenize is True or found is not None
        to_whitespace = tokenize and (self.to_whitespace or found == PLAIN)
        return self._replace(
            tokenize=tokenize, keep_text="decoded" if to_whitespace else self.keep_text
        ), found

    def encoders(self, names: tuple[str, str], cleaner: Cleaner) -> tuple[Encoder, Encoder]:
        """Make an encoder of each side; `names` are what messages call their origins."""
        source, target = (
            Encoder(
                name,
                tokenize=self.tokenize is True,
                keep_case=self.keep_case,
                errors=self.errors,
                keep_text=self.keep_text,
                cleaner=cleaner,
                segmenter=segmenter,
            )
            for name, segmenter in zip(names, self.segmenters, strict=True)
        )
        return source, target


@checked
def read_bitext(
    source: FilePath,
    target: FilePath | None = None,
    *,
    tokenize: Tokenize = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: str | Segmenters = "auto",
    input_format: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    markup: Markup | None = None,
    keep_text: KeepText = False,
    to_whitespace: bool = False,
) -> Bitext:
    """Read two line-aligned files, or one that holds both sides.

    Files may be plain, gzip, xz or zstd (told by their first bytes), `-` is standard input. A single file is TMX,
    XLIFF, PO, JSONL, Parquet or a zip of OPUS, or has a pair on each line; which of these, is seen from its content
    unless `input_format` says it. Where it has more than two languages, `source_language` and `target_language` choose.
    For pairs on lines the first line with text decides for all: `source ||| target` if it holds `|||`, else columns
    separated by TAB, of which the first two are used and further ones ignored; an empty line is a pair of empty
    sentences.

    Words are what stands between ASCII white space (so that a no-break space stays within its word, and
    positions agree with other tools), or with `tokenize` the tokens of `cepts.corpus.tokenize`, whose places
    in the lines are then in `Side.spans`; `segmenter` names how scripts without spaces are cut (`segmenter.py`), or
    is what an earlier text has taught. They are lower-cased unless `keep_case`. With `errors="replace"`,
    NUL and bytes that are not UTF-8 become U+FFFD instead of an InputError.

    With `tokenize=None` TMX, XLIFF, PO, JSONL and Parquet are tokenised, as what they hold is raw text, unless their
    punctuation stands alone; with "auto" plain text is tokenised, too, if its punctuation stands at its words.
    `Bitext.found_raw` says so. Sentences of raw plain text are kept, and with `to_whitespace` those of any text that is
    tokenised, so that `links_to_whitespace` can make links of words between spaces.

    HTML tags and placeholders such as `%s` and `{name}` are left out of TMX, XLIFF and PO, and kept in other formats,
    unless `markup` says otherwise. With `keep_text` the sentences are kept as they were read, in `Side.originals` (with
    `keep_text="decoded"` without the elements and entities of XML), and
    `Side.spans` has the places of words in them.
    """
    begin = perf_counter()
    text = Text(tokenize, keep_case, errors, segmenters(segmenter), keep_text, to_whitespace)
    languages = (source_language, target_language)
    if target is not None:
        bitext = _read_two(source, target, text, input_format, languages, Cleaner(markup=markup == "strip"))
    else:
        opened = open_input(
            source,
            input_format=input_format,
            errors=errors,
            source_language=source_language,
            target_language=target_language,
        )
        if opened.reader is None:
            bitext = _read_columns(source, opened, text, Cleaner(markup=markup == "strip"))
        else:
            bitext = read_units(
                opened.reader, cleaner_of(opened.reader, markup), *decided_units(opened, text)
            )
    return replace(bitext, seconds_to_read=perf_counter() - begin)


@checked
def read_side(
    path: FilePath,
    *,
    tokenize: bool = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: Segmenter = AUTO,
) -> Side:
    """Read one file as sentences; see `read_bitext`."""
    encoder = Encoder(shown(path), tokenize=tokenize, keep_case=keep_case, errors=errors, segmenter=segmenter)
    _encode(read_blocks(path), encoder)
    if not encoder.line_count:
        raise InputError(f"{shown(path)} is empty: give a file with a sentence on each line")
    return encoder.side()


def read_lines(path: FilePath, errors: Errors = "strict") -> list[str]:
    """Read the lines of a file as they stand, without their ends."""
    lines: list[str] = []
    for block in read_blocks(path):
        try:
            lines += decoded(block.text, errors).split("\n")[:-1]
        except UnicodeError:
            raise bad_bytes(shown(path), block) from None
    return [line.removesuffix("\r") for line in lines]


@checked
def bitext_from_pairs(
    pairs: Iterable[tuple[str, str]],
    *,
    tokenize: Tokenize = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: str | Segmenters = "auto",
    keep_text: KeepText = False,
    to_whitespace: bool = False,
) -> Bitext:
    """Encode (source, target) strings, with the same words as the same lines in files would give.

    With `tokenize="auto"` they are tokenised if punctuation stands at their words; see `read_bitext`.

    >>> bitext = bitext_from_pairs([("la maison", "the house"), ("Maison", "House")])
    >>> bitext.source.words, bitext.target.sentence(1)
    (['la', 'maison'], ['house'])
    """
    begin = perf_counter()
    left = iter(pairs)
    batch = list(islice(left, LINES_AT_ONCE))
    text = Text(tokenize, keep_case, errors, segmenters(segmenter), keep_text, to_whitespace)
    text, found = text.decided(PLAIN, *([pair[side] for pair in batch] for side in (0, 1)))
    source, target = text.encoders(("source", "target"), Cleaner())
    while batch:
        source.add_lines([pair[0] for pair in batch])
        target.add_lines([pair[1] for pair in batch])
        batch = list(islice(left, LINES_AT_ONCE))
    return Bitext(source.side(), target.side(), perf_counter() - begin, found_raw=found)


def cleaner_of(reader: Reader, markup: Markup | None) -> Cleaner:
    """Return what is done to the segments of a format."""
    strip = reader.markup if markup is None else markup == "strip"
    return Cleaner(xml=reader.xml, markup=strip, keys=strip and reader.keys)


def _read_two(
    source: FilePath,
    target: FilePath,
    text: Text,
    input_format: str | None,
    languages: tuple[str | None, str | None],
    cleaner: Cleaner,
) -> Bitext:
    """Read two line-aligned files."""
    check_format(input_format, two_files=True)
    check_languages("a pair of files", *languages)
    if os.fspath(source) == os.fspath(target) == STDIN:
        raise OptionError("source and target cannot both be standard input: give a file for one of them")
    for path in (source, target):  # before a long first file is read
        check_file(path)
        if input_format is None:
            check_plain(path)
    blocks = read_blocks(source)
    first = list(islice(blocks, 1))
    heads = [first_lines(block.text) for block in first]
    if text.tokenize == "auto" and _is_file(target):  # whoever writes a pipe may still be writing the source
        heads += [first_lines(block.text) for block in islice(read_blocks(target), 1)]
    text, found = text.decided(PLAIN, *heads)
    left, right = text.encoders((shown(source), shown(target)), cleaner)
    _encode(chain(first, blocks), left)
    _encode(read_blocks(target), right)
    _check_counts(shown(source), left.line_count, shown(target), right.line_count)
    return Bitext(left.side(), right.side(), found_raw=found)


def _is_file(path: FilePath) -> bool:
    return os.fspath(path) != STDIN and Path(path).is_file()


def _encode(blocks: Iterable[Block], encoder: Encoder) -> None:
    """Encode the lines of a file."""
    for block in blocks:
        encoder.add(block.text, block)


def _check_counts(source: str, source_lines: int, target: str, target_lines: int) -> None:
    """Refuse files of different lengths, and empty ones."""
    if source_lines != target_lines:
        first = source if source_lines < target_lines else target
        raise InputError(
            f"{source} has {source_lines} lines, {target} has {target_lines}: {first} ends first;"
            " line k of one file must translate line k of the other"
        )
    if source_lines == 0:
        raise EmptyTextError(f"no sentence pairs: {source} and {target} are empty")


def _read_columns(path: FilePath, opened: Opened, text: Text, cleaner: Cleaner) -> Bitext:
    """Read one file with both sides on each line."""
    name = shown(path)
    columns = Columns(name, opened.separator)
    blocks = ((block, *columns.split(block)) for block in cut_blocks(opened.pieces, name))
    first = next(blocks, None)
    if first is None:
        raise EmptyTextError(f"no sentence pairs: {name} is empty")
    text, found = text.decided(PLAIN, *map(first_lines, first[1:]))
    left, right = text.encoders((name, name), cleaner)
    for block, sources, targets in chain([first], blocks):
        left.add(sources, block)
        right.add(targets, block)
    return Bitext(left.side(), right.side(), found_raw=found)


def read_units(
    reader: Reader, cleaner: Cleaner, text: Text, found: str | None, batches: Iterator[Batch]
) -> Bitext:
    """Read what a format holds; `found` says what it is, if it is tokenised without being asked for."""
    left, right = text.encoders((reader.name, reader.name), cleaner)
    units = [np.empty(0, np.int64)]
    for batch in batches:
        left.add_segments(batch.sources, batch.origin)
        right.add_segments(batch.targets, batch.origin)
        units.append(np.array(batch.units, np.int64))
    source, target = left.side(), right.side()
    return Bitext(
        source,
        target,
        units=np.concatenate(units),
        left_out=dict(reader.left_out),
        languages=reader.languages,
        found_raw=found if source.cut or target.cut else None,
    )


def decided_units(opened: Opened, text: Text) -> tuple[Text, str | None, Iterator[Batch]]:
    """Decide whether what a format holds is tokenised; returns also what it is, and all of its pairs."""
    assert opened.reader is not None
    batches = opened.reader.batches()
    first = list(islice(batches, 1))
    heads = (
        [segment.decode("utf-8", "replace") for segment in islice(side, LOOKED_AT)]
        for batch in first
        for side in (batch.sources, batch.targets)
    )
    return *text.decided(opened.format, *heads), chain(first, batches)
