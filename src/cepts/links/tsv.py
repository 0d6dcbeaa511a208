"""A table: a line for each link, with a header, for spreadsheets and data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import numpy as np

from cepts.errors import InputError
from cepts.links.fields import parse_confidence, parse_position, shorten
from cepts.links.naacl import SURE, parse_pair
from cepts.links.pharaoh import confidence_steps, confidence_texts, number_texts
from cepts.links.rows import Found, Rows, refuse, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.links.links import Links
    from cepts.links.rows import Complain
    from cepts.links.text import Text, TextSide

COLUMNS = ("pair", "source", "target", "source_word", "target_word", "probability", "kind")
NEEDED = COLUMNS[:3]
BLOCK = 5_000  # pairs that are written at once: their words are in memory


def is_header(line: str) -> bool:
    """Tell whether a line names the columns of such a table."""
    return set(NEEDED) <= set(line.rstrip("\r").split("\t"))


def tsv_rows(lines: Sequence[str], name: str, pairs: int | None = None, complain: Complain = refuse) -> Rows:
    """Parse a table whose header names at least pair, source and target, in any order; all count from 0."""
    header = lines[0].rstrip("\r").split("\t") if lines else []
    missing = [column for column in NEEDED if column not in header]
    if missing:
        raise InputError(
            f"{name}, line 1: no column {missing[0]}, expected a header with pair, source and target, separated by TAB"
        )
    rows: list[Found] = []
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            try:
                rows.append(_parse_line(number, header, line.rstrip("\r").split("\t"), pairs))
            except InputError as error:
                complain(number, InputError(f"{name}, line {number}: {error}"))
    most = max((row.pair for row in rows), default=-1)
    return rows_of(rows, most + 1 if pairs is None else pairs)


def _parse_line(number: int, header: list[str], fields: list[str], pairs: int | None) -> Found:
    """Parse the fields of one line."""
    if len(fields) != len(header):
        raise InputError(f"{len(fields)} columns, expected {len(header)}, as in the header")
    row = dict(zip(header, fields, strict=True))
    kind, probability = row.get("kind", "S"), row.get("probability", "")
    if kind not in SURE:
        raise InputError(f"kind {shorten(kind)!r}, expected S (sure) or P (possible)")
    return Found(
        number,
        parse_pair(row["pair"], 0, pairs, "pair"),
        parse_position(row["source"], 0),
        parse_position(row["target"], 0),
        parse_confidence(probability) if probability else 1.0,
        SURE[kind],
    )


def write_tsv(links: Links, stream: TextIO, text: Text, first: int = 0) -> None:
    """Write a line for each link, below a header; pairs count from `first`, and the header stands before pair 0."""
    if first == 0:
        stream.write("\t".join(COLUMNS) + "\n")
    confidences, kinds = confidence_texts(""), np.array(["P\n", "S\n"], object)
    for begin in range(0, len(links), BLOCK):
        end = min(begin + BLOCK, len(links))
        rows = slice(int(links.offsets[begin]), int(links.offsets[end]))
        owner = np.repeat(np.arange(end - begin), np.diff(links.offsets[begin : end + 1]))
        numbers = np.array([str(first + pair) for pair in range(begin, end)], object)
        source, target = links.source[rows], links.target[rows]
        cells = np.full((len(owner), 2 * len(COLUMNS) - 1), "\t", object)
        cells[:, 0], cells[:, 2], cells[:, 4] = numbers[owner], number_texts(source), number_texts(target)
        cells[:, 6] = _words(text.source, begin, end, owner, source)
        cells[:, 8] = _words(text.target, begin, end, owner, target)
        cells[:, 10] = confidences[confidence_steps(links.confidence[rows])]
        cells[:, 12] = kinds[links.sure[rows].astype(np.int64)]
        stream.write("".join(cells.ravel().tolist()))


def _words(
    side: TextSide, begin: int, end: int, owner: NDArray[np.int64], place: NDArray[np.int32]
) -> NDArray[np.object_]:
    """Return the word at each place of its pair."""
    lines = [side.words(k) for k in range(begin, end)]
    starts = np.zeros(len(lines) + 1, np.int64)
    np.cumsum([len(words) for words in lines], out=starts[1:])
    flat = np.empty(int(starts[-1]), object)
    flat[:] = [word for words in lines for word in words]
    found: NDArray[np.object_] = flat[starts[owner] + place]
    return found
