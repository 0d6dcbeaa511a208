"""Reading a bitext from files, from standard input, from Python strings."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
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
from cepts.corpus.segmenter import Segmenter, Segmenters, segmenters
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cepts.corpus.formats.batches import Reader

Markup = Literal["strip", "keep"]


class Text(NamedTuple):
    """How lines become words, and what is kept of them."""

    tokenize: bool = False
    keep_case: bool = False
    errors: Errors = "strict"
    segmenters: Segmenters = Segmenters()
    keep_text: KeepText = False

    def encoders(self, names: tuple[str, str], cleaner: Cleaner) -> tuple[Encoder, Encoder]:
        """Make an encoder of each side; `names` are what messages call their origins."""
        source, target = (
            Encoder(
                name,
                tokenize=self.tokenize,
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
    tokenize: bool = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: str | Segmenters = "auto",
    input_format: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    markup: Markup | None = None,
    keep_text: KeepText = False,
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

    HTML tags and placeholders such as `%s` and `{name}` are left out of TMX, XLIFF and PO, and kept in other formats,
    unless `markup` says otherwise. With `keep_text` the sentences are kept as they were read, in `Side.originals` (with
    `keep_text="decoded"` without the elements and entities of XML), and
    `Side.spans` has the places of words in them.
    """
    begin = perf_counter()
    text = Text(tokenize, keep_case, errors, segmenters(segmenter), keep_text)
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
            bitext = _read_units(opened.reader, text, cleaner_of(opened.reader, markup))
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
    _encode(path, encoder)
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
    tokenize: bool = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: str | Segmenters = "auto",
    keep_text: KeepText = False,
) -> Bitext:
    """Encode (source, target) strings, with the same words as the same lines in files would give.

    >>> bitext = bitext_from_pairs([("la maison", "the house"), ("Maison", "House")])
    >>> bitext.source.words, bitext.target.sentence(1)
    (['la', 'maison'], ['house'])
    """
    begin = perf_counter()
    text = Text(tokenize, keep_case, errors, segmenters(segmenter), keep_text)
    source, target = text.encoders(("source", "target"), Cleaner())
    left = iter(pairs)
    while batch := list(islice(left, LINES_AT_ONCE)):
        source.add_lines([pair[0] for pair in batch])
        target.add_lines([pair[1] for pair in batch])
    return Bitext(source.side(), target.side(), perf_counter() - begin)


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
    left, right = text.encoders((shown(source), shown(target)), cleaner)
    _encode(source, left)
    _encode(target, right)
    _check_counts(shown(source), left.line_count, shown(target), right.line_count)
    return Bitext(left.side(), right.side())


def _encode(path: FilePath, encoder: Encoder) -> None:
    """Encode the lines of a file."""
    for block in read_blocks(path):
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
        raise InputError(f"no sentence pairs: {source} and {target} are empty")


def _read_columns(path: FilePath, opened: Opened, text: Text, cleaner: Cleaner) -> Bitext:
    """Read one file with both sides on each line."""
    left, right = text.encoders((shown(path), shown(path)), cleaner)
    columns = Columns(shown(path), opened.separator)
    for block in cut_blocks(opened.pieces, shown(path)):
        sources, targets = columns.split(block)
        left.add(sources, block)
        right.add(targets, block)
    if left.line_count == 0:
        raise InputError(f"no sentence pairs: {shown(path)} is empty")
    return Bitext(left.side(), right.side())


def _read_units(reader: Reader, text: Text, cleaner: Cleaner) -> Bitext:
    """Read what a format holds."""
    left, right = text.encoders((reader.name, reader.name), cleaner)
    units = [np.empty(0, np.int64)]
    for batch in reader.batches():
        left.add_segments(batch.sources, batch.origin)
        right.add_segments(batch.targets, batch.origin)
        units.append(np.array(batch.units, np.int64))
    return Bitext(
        left.side(),
        right.side(),
        units=np.concatenate(units),
        left_out=dict(reader.left_out),
        languages=reader.languages,
    )
