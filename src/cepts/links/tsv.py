"""A table: a line for each link, with a header, for spreadsheets and data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import numpy as np

from cepts.errors import InputError
from cepts.links.fields import Confidences, Positions, shorten
from cepts.links.links import Link
from cepts.links.naacl import SURE, parse_pair
from cepts.links.pharaoh import confidence_steps, confidence_texts, number_texts
from cepts.links.rows import Collected, Rows, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.links.links import Links
    from cepts.links.rows import Complain
    from cepts.links.text import Text

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
    table = _Table(header)
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            try:
                fields = line.rstrip("\r").split("\t")
                link = table.link(fields)
                table.collected.add(number, parse_pair(fields[table.pair], 0, pairs, "pair"), link)
            except InputError as error:
                complain(number, InputError(f"{name}, line {number}: {error}"))
    return table.collected.rows(table.collected.pairs if pairs is None else pairs)


class _Table:
    """Which column holds what, and the links so far."""

    def __init__(self, header: list[str]) -> None:
        self.collected = Collected()
        self.pair, self._source, self._target = (header.index(column) for column in NEEDED)
        self._probability, self._kind = (
            header.index(column) if column in header else None for column in ("probability", "kind")
        )
        self._columns = len(header)
        self._positions, self._confidences = Positions(0), Confidences()

    def link(self, fields: list[str]) -> Link:
        """Parse a line."""
        if len(fields) != self._columns:
            raise InputError(f"{len(fields)} columns, expected {self._columns}, as in the header")
        kind = "S" if self._kind is None else fields[self._kind]
        probability = "" if self._probability is None else fields[self._probability]
        if kind not in SURE:
            raise InputError(f"kind {shorten(kind)!r}, expected S (sure) or P (possible)")
        return Link(
            self._positions[fields[self._source]],
            self._positions[fields[self._target]],
            self._confidences[probability] if probability else 1.0,
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
        cells[:, 6] = text.source.words_at(begin, end, owner, source)
        cells[:, 8] = text.target.words_at(begin, end, owner, target)
        cells[:, 10] = confidences[confidence_steps(links.confidence[rows])]
        cells[:, 12] = kinds[links.sure[rows].astype(np.int64)]
        stream.write("".join(cells.ravel().tolist()))
