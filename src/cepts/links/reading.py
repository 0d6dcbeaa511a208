"""`read_links`: Pharaoh and NAACL files, which of the two is seen from the text."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cepts.corpus.files import read_blocks, shown
from cepts.errors import InputError
from cepts.links.naacl import parse_naacl
from cepts.links.pharaoh import parse_pharaoh

if TYPE_CHECKING:
    from cepts.links.links import Links

NAACL_LINE = re.compile(r"\s*\d+\s+-?\d+\s+-?\d+(\s|$)")


def read_links(path_or_stream: str | Path | IO[str] | IO[bytes], pairs: int | None = None) -> Links:
    """Read links from a file (also .gz or .xz), `-` for standard input, or an open stream.

    Pharaoh: one line for each pair, positions from 0, `i-j` sure, `i?j` or `ipj` possible, `i-j:0.9` with a
    confidence, and at the end of a line TAB or ` ||| ` with the pair's score. NAACL: a line for each link,
    `sentence source target [S|P] [confidence]`, all from 1; there `pairs` says how many sentences there are,
    where the last ones may have no link.

    >>> import io
    >>> read_links(io.StringIO("0-0 1?2\\n"))[0][1]
    Link(source=1, target=2, confidence=1.0, sure=False)
    """
    name, data = _read_bytes(path_or_stream)
    lines = _decode(data, name)
    first = next((line for line in lines if line.strip()), "")
    if NAACL_LINE.match(first):
        return parse_naacl(lines, name, pairs)
    return parse_pharaoh(lines, name)


def _read_bytes(path_or_stream: str | Path | IO[str] | IO[bytes]) -> tuple[str, bytes]:
    """Return what to call the input in messages, and all its bytes."""
    if isinstance(path_or_stream, str | Path):
        return shown(path_or_stream), b"".join(block.text for block in read_blocks(path_or_stream))
    content = path_or_stream.read()
    name = str(getattr(path_or_stream, "name", "links"))
    return name, content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content


def _decode(data: bytes, name: str) -> list[str]:
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
