"""The NAACL (WPT) format: a line for each link, everything counted from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.errors import InputError
from cepts.links.fields import parse_confidence, parse_position, shorten
from cepts.links.links import Links, links_from_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

SURE = {"S": True, "P": False}
MOST_SENTENCES = 100_000_000  # a larger number is damage, and would ask for an absurd table


class _Row(NamedTuple):
    """One line: positions from 0, -1 for NULL."""

    pair: int
    source: int
    target: int
    confidence: float
    sure: bool


def parse_naacl(lines: Sequence[str], name: str, pairs: int | None = None) -> Links:
    """Parse `sentence source target [S|P] [confidence]` lines; links to word 0 (NULL) are dropped."""
    rows: list[_Row] = []
    most = -1
    for number, line in enumerate(lines, 1):
        if fields := line.split():
            try:
                rows.append(_parse_line(fields, pairs))
            except InputError as error:
                raise InputError(f"{name}, line {number}: {error}") from error
            most = max(most, rows[-1].pair)
    rows = [row for row in rows if row.source >= 0 and row.target >= 0]
    return links_from_rows(
        np.array([row.pair for row in rows], np.int64),
        np.array([row.source for row in rows], np.int32),
        np.array([row.target for row in rows], np.int32),
        np.array([row.confidence for row in rows], np.float32),
        np.array([row.sure for row in rows], np.bool_),
        most + 1 if pairs is None else pairs,
    )


def _parse_line(fields: list[str], pairs: int | None) -> _Row:
    """Parse the fields of one line."""
    if not 3 <= len(fields) <= 5:
        raise InputError(
            f"{shorten(' '.join(fields))!r} is not a link, expected: sentence source target [S|P] [number]"
        )
    pair = _parse_sentence(fields[0], pairs)
    source, target = parse_position(fields[1], 1), parse_position(fields[2], 1)
    rest = fields[3:]
    sure = SURE[rest.pop(0)] if rest and rest[0] in SURE else True
    if len(rest) > 1 or (rest and rest[0].isalpha()):
        raise InputError(f"{shorten(rest[0])!r}, expected S (sure) or P (possible)")
    return _Row(pair, source, target, parse_confidence(rest[0]) if rest else 1.0, sure)


def _parse_sentence(text: str, pairs: int | None) -> int:
    """Return the pair, from 0, of a sentence number."""
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"sentence {shorten(text)!r} is not a number, expected a number from 1")
    sentence = int(text.lstrip("0")[:20] or "0")
    if sentence == 0:
        raise InputError("sentence 0, expected a number from 1")
    most = MOST_SENTENCES if pairs is None else pairs
    if sentence > most:
        raise InputError(
            f"sentence {sentence}, expected at most {most}, the number of sentence pairs;"
            " are these links for another text?"
        )
    return sentence - 1
