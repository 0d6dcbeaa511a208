"""From a path to the reader of its format."""

from __future__ import annotations

import os
import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus.files import STDIN, read_bytes, shown
from cepts.corpus.formats.detecting import (
    FORMATS,
    LINES,
    LOOKED_AT,
    PARQUET_MAGIC,
    TWO_FILES,
    ZIP_MAGIC,
    detect,
)
from cepts.errors import OptionError, said, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.corpus.formats.batches import Reader

BINARY = (*ZIP_MAGIC, PARQUET_MAGIC)
MARKED_UP = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!DOCTYPE[^>\[]*+>\s*+)?<(?:tmx|xliff)[\s>]"
)
SEPARATORS = {"bars": b"|||", "tsv": b"\t", LINES: b""}
ONE_PAIR = ("text", "bars", "tsv", "po", LINES)  # which hold two languages and do not name them


class Opened(NamedTuple):
    """A file with both languages: its bytes, with what separates them on a line; or a reader of its format."""

    format: str
    pieces: Iterator[bytes]
    separator: bytes
    reader: Reader | None


def check_format(input_format: str | None, two_files: bool) -> None:
    """Refuse a format that is unknown, or that needs one file, or two."""
    if input_format is None:
        return
    if input_format not in FORMATS:
        raise OptionError(f"input format {input_format!r}: expected one of {', '.join(FORMATS)}")
    if two_files and input_format != TWO_FILES:
        raise OptionError(
            f"{said('input_format', input_format)} is one file with both languages: drop"
            f" {worded('TARGET', 'target')}, or the format"
        )
    if not two_files and input_format == TWO_FILES:
        raise OptionError(
            f"{said('input_format', 'text')} is two files, line by line: add"
            f" {worded('TARGET', 'target')}, or choose another format"
        )


def check_plain(path: FilePath) -> None:
    """Refuse, of two files, one that holds both languages by itself and would be read as lines of nonsense."""
    if os.fspath(path) == STDIN or not Path(path).is_file():  # what can be read once only is not looked into
        return
    head = next(read_bytes(path), b"")
    if head.startswith(BINARY) or MARKED_UP.match(head):
        raise OptionError(
            f"{shown(path)} is {detect(head, path)}, which holds both languages: give it alone; or say"
            f" {said('input_format', 'text')}, if it is text"
        )


def check_languages(name: str, source_language: str | None, target_language: str | None) -> None:
    """Refuse to choose languages in a format that does not name them."""
    for option, code in (("source_language", source_language), ("target_language", target_language)):
        if code is not None:
            raise OptionError(f"{said(option, code)}: {name} does not name its languages; drop that")


def open_input(
    path: FilePath,
    *,
    input_format: str | None,
    errors: Errors,
    source_language: str | None,
    target_language: str | None,
) -> Opened:
    """Open one file with both languages; what it is, is seen from its first bytes, unless a format is given."""
    check_format(input_format, two_files=False)
    stream = read_bytes(path)
    head = b""
    while len(head) < LOOKED_AT and (piece := next(stream, b"")):
        head += piece
    found = input_format or detect(head, path)
    pieces = chain([head], stream)
    if found in ONE_PAIR:
        check_languages(shown(path), source_language, target_language)
    if found in SEPARATORS:
        return Opened(found, pieces, SEPARATORS[found], None)
    if found in ("parquet", "moses-zip"):
        stream.close()  # type: ignore[attr-defined]
        if os.fspath(path) == STDIN:
            raise OptionError(f"{found} cannot be read from standard input: give the file")
    return Opened(
        found, pieces, b"", _reader(found, path, pieces, errors, (source_language, target_language))
    )


def _reader(
    found: str,
    path: FilePath,
    pieces: Iterator[bytes],
    errors: Errors,
    languages: tuple[str | None, str | None],
) -> Reader:
    """Make the reader of a format; its module is loaded now."""
    name = shown(path)
    if found == "tmx":
        from cepts.corpus.formats.tmx import TmxReader

        return TmxReader(pieces, name, errors, *languages)
    if found == "xliff":
        from cepts.corpus.formats.xliff import XliffReader

        return XliffReader(pieces, name, errors, *languages)
    if found == "po":
        from cepts.corpus.formats.po import PoReader

        return PoReader(pieces, name, errors)
    if found == "jsonl":
        from cepts.corpus.formats.jsonl import JsonlReader

        return JsonlReader(pieces, name, errors, *languages)
    if found == "parquet":
        from cepts.corpus.formats.parquet import ParquetReader

        return ParquetReader(path, errors, *languages)
    from cepts.corpus.formats.moses_zip import MosesZipReader

    return MosesZipReader(path, errors, *languages)
