"""Reading a bitext from files, from standard input, from Python strings."""

from __future__ import annotations

import os
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

from cepts.corpus.bitext import Bitext, Side
from cepts.corpus.columns import Columns
from cepts.corpus.encoding import AUTO, LINES_AT_ONCE, Encoder, Errors
from cepts.corpus.files import STDIN, FilePath, check_file, read_blocks, shown
from cepts.corpus.segmenter import Segmenter, Segmenters, segmenters
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_bitext(
    source: FilePath,
    target: FilePath | None = None,
    *,
    tokenize: bool = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: str | Segmenters = "auto",
) -> Bitext:
    """Read two line-aligned files, or one that holds both sides of a pair on each line.

    Files may be plain, gzip or xz (told by their first bytes), `-` is standard input. In a single file, the
    first line with text decides for all: `source ||| target` if it holds `|||`, else columns separated by
    TAB, of which the first two are used and further ones ignored; an empty line is a pair of empty sentences.

    Words are what stands between ASCII white space (so that a no-break space stays within its word, and
    positions agree with other tools), or with `tokenize` the tokens of `cepts.corpus.tokenize`, whose places
    in the lines are then in `Side.spans`; `segmenter` names how scripts without spaces are cut (`segmenter.py`), or
    is what an earlier text has taught. They are lower-cased unless `keep_case`. With `errors="replace"`,
    NUL and bytes that are not UTF-8 become U+FFFD instead of an InputError.
    """
    begin = perf_counter()
    left, right = (
        Encoder(shown(path), tokenize=tokenize, keep_case=keep_case, errors=errors, segmenter=one)
        for path, one in zip(
            (source, source if target is None else target), segmenters(segmenter), strict=True
        )
    )
    if target is None:
        _read_columns(source, left, right)
    else:
        _read_both(source, target, left, right)
    return Bitext(left.side(), right.side(), perf_counter() - begin)


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


def bitext_from_pairs(
    pairs: Iterable[tuple[str, str]],
    *,
    tokenize: bool = False,
    keep_case: bool = False,
    errors: Errors = "strict",
    segmenter: str | Segmenters = "auto",
) -> Bitext:
    """Encode (source, target) strings, with the same words as the same lines in files would give.

    >>> bitext = bitext_from_pairs([("la maison", "the house"), ("Maison", "House")])
    >>> bitext.source.words, bitext.target.sentence(1)
    (['la', 'maison'], ['house'])
    """
    begin = perf_counter()
    source, target = (
        Encoder(name, tokenize=tokenize, keep_case=keep_case, errors=errors, segmenter=one)
        for name, one in zip(("source", "target"), segmenters(segmenter), strict=True)
    )
    left = iter(pairs)
    while batch := list(islice(left, LINES_AT_ONCE)):
        source.add_lines([pair[0] for pair in batch])
        target.add_lines([pair[1] for pair in batch])
    return Bitext(source.side(), target.side(), perf_counter() - begin)


def _read_both(source: FilePath, target: FilePath, left: Encoder, right: Encoder) -> None:
    """Encode two line-aligned files."""
    if os.fspath(source) == os.fspath(target) == STDIN:
        raise OptionError("source and target cannot both be standard input: give a file for one of them")
    for path in (source, target):  # before a long first file is read
        check_file(path)
    _encode(source, left)
    _encode(target, right)
    _check_counts(shown(source), left.line_count, shown(target), right.line_count)


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


def _read_columns(path: FilePath, left: Encoder, right: Encoder) -> None:
    """Encode one file with both sides on each line."""
    columns = Columns(shown(path))
    for block in read_blocks(path):
        sources, targets = columns.split(block)
        left.add(sources, block)
        right.add(targets, block)
    if left.line_count == 0:
        raise InputError(f"no sentence pairs: {shown(path)} is empty")
