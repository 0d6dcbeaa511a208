"""The formats by name: how each is recognised, read and written."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.errors import OptionError
from cepts.links.corrections import corrections_rows, is_corrections
from cepts.links.giza import giza_rows, write_giza
from cepts.links.jsonl import jsonl_rows, write_jsonl
from cepts.links.memories import write_tmx, write_xliff
from cepts.links.memories_reading import memory_rows
from cepts.links.naacl import naacl_rows, write_naacl
from cepts.links.pharaoh import PHARAOH, TALP, pharaoh_rows, write_lines
from cepts.links.rows import Rows, refuse
from cepts.links.tsv import is_header, tsv_rows, write_tsv

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from cepts.links.links import Links
    from cepts.links.rows import Complain
    from cepts.links.text import Text

FORMATS = ("pharaoh", "pharaoh-scores", "naacl", "talp", "giza", "jsonl", "tsv", "marian", "tmx", "xliff")
NEED_TEXT = ("giza", "jsonl", "tsv", "tmx", "xliff")
ONE_PIECE = ("tmx", "xliff")  # cannot be written pair by pair, as something comes behind the last one
NUMBERED = ("naacl", "tsv")  # do not say how many pairs there are
OPEN_ENDED = (*NUMBERED, "giza")  # may end before the last pairs
FROM_ONE = ("naacl", "talp")  # where 0 is NULL

NAACL_LINE = re.compile(r"\s*+\d++\s++-?\d++\s++-?\d++(\s|$)")
TALP_LINE = re.compile(r"(\d++[-p]\d++(:\S*+)? ++)*+\d++s\d+")


class Parsed(NamedTuple):
    """What a file holds: the format that it has, the links as they stand, the text if it has any.

    Corrections, which are JSON Lines too, have digests of the words of their pairs instead of these.
    """

    format: str
    rows: Rows
    text: Text | None = None
    digests: Mapping[int, str] | None = None

    @property
    def first(self) -> int:
        """The number that the format has for a first word."""
        return 1 if self.format in FROM_ONE else 0


def check_format(name: str) -> None:
    """Refuse a name that is none."""
    if name not in FORMATS:
        raise OptionError(f"no link format {name!r}; there are {', '.join(FORMATS)}")


def detect(lines: Sequence[str]) -> str:
    """Name the format that the first line with text has.

    >>> detect(["", "1 1 1 S"]), detect(["0-0 1-1"]), detect(["1-1 2s3"]), detect(['{"links": []}'])
    ('naacl', 'pharaoh', 'talp', 'jsonl')
    """
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("<"):
        return "xliff" if any("<xliff" in line for line in lines[:100]) else "tmx"
    if first.startswith("# Sentence pair"):
        return "giza"
    if first.lstrip().startswith("{"):
        return "jsonl"
    if is_header(first):
        return "tsv"
    if NAACL_LINE.match(first):
        return "naacl"
    return "talp" if TALP_LINE.match(first) else "pharaoh"


def parse(
    lines: Sequence[str],
    name: str,
    format: str | None = None,  # noqa: A002
    pairs: int | None = None,
    complain: Complain = refuse,
) -> Parsed:
    """Parse the lines of a file in the named format, or in the one that they seem to have."""
    if format is None:
        format = detect(lines)  # noqa: A001
    check_format(format)
    if format == "naacl":
        return Parsed(format, naacl_rows(lines, name, pairs, complain))
    if format == "tsv":
        return Parsed(format, tsv_rows(lines, name, pairs, complain))
    if format == "giza":
        return Parsed(format, *giza_rows(lines, name, pairs, complain))
    if format == "jsonl" and is_corrections(lines):
        rows, digests = corrections_rows(lines, name, pairs, complain)
        return Parsed(format, rows, None, digests)
    if format == "jsonl":
        return Parsed(format, *jsonl_rows(lines, name, complain))
    if format in ("tmx", "xliff"):
        return Parsed(format, *memory_rows(lines, name, complain))
    return Parsed(format, pharaoh_rows(lines, name, complain, TALP if format == "talp" else PHARAOH))


def write(
    format: str,  # noqa: A002
    links: Links,
    stream: TextIO,
    text: Text | None,
    first: int = 0,
    languages: tuple[str | None, str | None] = (None, None),
) -> None:
    """Write links that fit their text in a format; pairs count from `first`."""
    if text is None:
        _write_links(format, links, stream, first)
    elif format in ("giza", "jsonl", "tsv"):
        {"giza": write_giza, "jsonl": write_jsonl, "tsv": write_tsv}[format](links, stream, text, first)
    elif format in ONE_PIECE:
        {"tmx": write_tmx, "xliff": write_xliff}[format](links, stream, text, languages)
    else:
        _write_links(format, links, stream, first)


def _write_links(format: str, links: Links, stream: TextIO, first: int) -> None:  # noqa: A002
    """Write a format that holds no words."""
    if format == "naacl":
        write_naacl(links, stream, first)
    elif format == "marian":  # which knows one kind of link
        write_lines(replace(links, sure=np.ones_like(links.sure)), stream, PHARAOH)
    else:
        write_lines(links, stream, TALP if format == "talp" else PHARAOH, format == "pharaoh-scores")
