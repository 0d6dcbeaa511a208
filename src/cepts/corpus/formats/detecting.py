"""What a file is, told by its first bytes; by its name only where these say nothing."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from cepts.corpus.formats.xml import encoding_of
from cepts.errors import InputError, said

if TYPE_CHECKING:
    from cepts.corpus.files import FilePath

FORMATS = ("text", "bars", "tsv", "tmx", "xliff", "po", "jsonl", "parquet", "moses-zip")
LINES = "lines"  # bars or tsv: the first line decides
TWO_FILES = "text"
ENDINGS = {
    ".tmx": "tmx",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".sdlxliff": "xliff",
    ".mxliff": "xliff",
    ".po": "po",
    ".pot": "po",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".zip": "moses-zip",
}
COMPRESSED = (".gz", ".xz", ".zst")
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
PARQUET_MAGIC = b"PAR1"
LOOKED_AT = 1 << 16  # bytes

# All repeats are possessive: what a head begins with is read once, and never tried in another way.
BEFORE_ROOT = r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>)*+"
ROOT = re.compile(rf"{BEFORE_ROOT}<(?:[\w.-]++:)?([\w.-]++)", re.DOTALL)
XML = re.compile(r"\s*+<(\?xml\s|!DOCTYPE\s|!--)")
FIRST_MESSAGE = r'(?:msgctxt|msgid|#~\s*+msgid)\s++"'
PO = re.compile(rf"(?:\s++|(?!{FIRST_MESSAGE})#.*+)*+{FIRST_MESSAGE}")
ROW = re.compile(r'\{\s*+"(translation|source|target)"\s*+:')


def detect(head: bytes, path: FilePath) -> str:
    """Return the format of a file with both languages, by its first bytes; `lines` if it is none that is known.

    >>> detect(b'msgid ""', "x"), detect(b'{"source": "a", "target": "b"}', "x"), detect(b"a ||| b", "x")
    ('po', 'jsonl', 'lines')
    """
    if head.startswith(ZIP_MAGIC):
        return "moses-zip"
    if head.startswith(PARQUET_MAGIC):
        return "parquet"
    text = head[:LOOKED_AT].decode(encoding_of(head, os.fspath(path)), "replace").removeprefix("\ufeff")
    root = ROOT.match(text)
    if root and root[1].lower() in ("tmx", "xliff"):
        return root[1].lower()
    if XML.match(text) and root:
        raise InputError(
            f"{os.fspath(path)}: XML with the root element {root[1]}, expected tmx or xliff; {said('input_format')}"
            " forces another reading"
        )
    if PO.match(text):
        return "po"
    if _is_object(text.strip().partition("\n")[0]):
        return "jsonl"
    return LINES if "|||" in text or "\t" in text else by_name(path)


def by_name(path: FilePath) -> str:
    """Return the format that a name promises.

    >>> by_name("memory.TMX.gz"), by_name("both")
    ('tmx', 'lines')
    """
    name = os.fspath(path).lower()
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return ENDINGS.get(Path(name).suffix, LINES)


def _is_object(line: str) -> bool:
    """Tell whether a line is an object in JSON, or at least begins like one and is cut off."""
    if not line.startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return ROW.match(line) is not None
