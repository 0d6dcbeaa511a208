"""`read_links`: files of links in every format; which one it is, is seen from the text."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cepts.checking import checked
from cepts.corpus.files import read_blocks, shown
from cepts.errors import InputError
from cepts.links.best_lists import is_list, parse_best_lists
from cepts.links.corrections import check_digests
from cepts.links.fitting import check_fit
from cepts.links.formats import NAACL_LINE, Parsed, parse
from cepts.links.rows import refuse

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.links.best_lists import BestLists
    from cepts.links.links import Links
    from cepts.links.rows import Complain

__all__ = [
    "NAACL_LINE",
    "decoded_lines",
    "read_best_lists",
    "read_fitting",
    "read_links",
    "read_parsed",
    "read_parsed_or_lists",
]

Input = str | Path | IO[str] | IO[bytes]


@checked
def read_links(
    path_or_stream: Input,
    pairs: int | None = None,
    *,
    format: str | None = None,  # noqa: A002
) -> Links:
    """Read links from a file (also .gz or .xz), `-` for standard input, or an open stream.

    `format` is one of `FORMATS`; without it the first line with text decides, and what may be Pharaoh or TALP is
    taken for Pharaoh. `pairs` says how many sentence pairs there are, for the formats that do not, and where
    the last ones may have no link. Links to NULL are dropped.

    >>> import io
    >>> read_links(io.StringIO("0-0 1?2\\n"))[0][1]
    Link(source=1, target=2, confidence=1.0, sure=False)
    """
    return read_parsed(path_or_stream, format, pairs)[1].rows.links()


def read_fitting(
    path_or_stream: Input, bitext: Bitext, text: str, *, words: bool = True, beginning: bool = False
) -> Links:
    """Read links that must fit a bitext, which messages call `text`; without `words` only its lengths are true.

    With `beginning`, links of its first pairs are enough: those behind have none.
    """
    name, parsed = read_parsed(path_or_stream, pairs=len(bitext))
    place = "sentence" if parsed.format == "naacl" else "line"
    if parsed.digests is not None:
        place = "correction of line"
        if words:
            check_digests(parsed.digests.items(), bitext.words_of, name, text)
    rows = parsed.rows
    if beginning and rows.pairs < len(bitext):
        rows = rows._replace(pairs=len(bitext), scores=None)
    links = rows.links()
    check_fit(links, bitext.source.lengths, bitext.target.lengths, name, text, place)
    return links


def read_parsed(
    path_or_stream: Input,
    format: str | None = None,  # noqa: A002
    pairs: int | None = None,
    complain: Complain = refuse,
) -> tuple[str, Parsed]:
    """Return what to call the input in messages, and everything that it holds."""
    name, data = _read_bytes(path_or_stream)
    return name, parse(decoded_lines(data, name), name, format, pairs, complain)


@checked
def read_best_lists(path_or_stream: Input) -> BestLists:
    """Read n-best lists, lines of `line ||| links ||| log probability`; lines count from 0.

    >>> import io
    >>> read_best_lists(io.StringIO("0 ||| 0-0 ||| -1.5\\n0 ||| 0-1 ||| -2\\n")).owner.tolist()
    [0, 0]
    """
    name, data = _read_bytes(path_or_stream)
    return parse_best_lists(decoded_lines(data, name), name)


def read_parsed_or_lists(
    path_or_stream: Input,
    format: str | None = None,  # noqa: A002
    pairs: int | None = None,
) -> tuple[str, Parsed | BestLists]:
    """Return what to call the input in messages, and the links that it holds, or the n-best lists."""
    name, data = _read_bytes(path_or_stream)
    lines = decoded_lines(data, name)
    if format is None and is_list(lines):
        return name, parse_best_lists(lines, name)
    return name, parse(lines, name, format, pairs)


def _read_bytes(path_or_stream: Input) -> tuple[str, bytes]:
    """Return what to call the input in messages, and all its bytes."""
    if isinstance(path_or_stream, str | Path):
        return shown(path_or_stream), b"".join(block.text for block in read_blocks(path_or_stream))
    content = path_or_stream.read()
    name = str(getattr(path_or_stream, "name", "links"))
    return name, content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content


def decoded_lines(data: bytes, name: str) -> list[str]:
    """Return the lines without their ends; only LF and CR LF end a line."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError(f"{name}, line {line}: a NUL byte, expected text; is this a file of links?")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}, line {line}: invalid UTF-8 (byte 0x{data[error.start]:02x}), expected plain text;"
            " is this a file of links?"
        ) from error
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:  # what follows the last line end is no line
        lines.pop()
    return lines
