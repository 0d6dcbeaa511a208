"""The Pharaoh format: a line for each sentence pair, `i-j` for each link, counted from 0.

TALP is the same, counted from 1, and with other letters for possible links.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import repeat
from math import isnan
from typing import TYPE_CHECKING, NamedTuple, TextIO

import numpy as np

from cepts.checking import checked
from cepts.errors import InputError
from cepts.links.fields import parse_confidence, parse_position, parse_score, shorten
from cepts.links.rows import Rows, refuse, score_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cepts.checking import AnyFloat
    from cepts.links.links import Link, Links
    from cepts.links.rows import Complain


class Dialect(NamedTuple):
    """How a link is written: the number of the first word, what may stand between numbers, and what we write."""

    base: int
    link_pattern: re.Pattern[str]
    expected: str
    possible: str
    sure: str = "-"


PHARAOH = Dialect(
    0,
    re.compile(r"(-?[^-?p]+)([-?p])(-?[^-?p]+)"),
    "i-j (sure), i?j (possible) or i-j:confidence",
    "?",
)
TALP = Dialect(
    1,
    re.compile(r"(-?[^-sp]+)([-sp])(-?[^-sp]+)"),
    "i-j or isj (sure), ipj (possible) or i-j:confidence",
    "p",
)
POSSIBLE = "?p"
STEPS = 10_000  # confidences are written in steps of 1/10000
MOST_LISTED = 1 << 12  # positions that are written out before they are needed
BLOCK = 20_000  # pairs that are written at once: bounds memory


class _Links(dict[str, int]):
    """The distinct links of a file, each parsed once: `i-j`, `i?j` or `ipj` -> row of the three lists."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self.dialect = dialect
        self.source, self.target, self.sure = list[int](), list[int](), list[bool]()

    def __missing__(self, token: str) -> int:
        """Parse a link that is new."""
        match = self.dialect.link_pattern.fullmatch(token)
        if match is None:
            raise InputError(f"{shorten(token)!r} is not a link, expected {self.dialect.expected}")
        places = [parse_position(match[side], self.dialect.base) for side in (1, 3)]
        self.source.append(places[0])
        self.target.append(places[1])
        self.sure.append(match[2] not in POSSIBLE)
        self[token] = row = len(self.sure) - 1
        return row


class _Confidences(dict[str, float]):
    """The distinct confidences of a file, each parsed once: `:0.97` -> 0.97, nothing -> 1."""

    def __missing__(self, token: str) -> float:
        """Parse a confidence that is new."""
        self[token] = confidence = parse_confidence(token[1:]) if token else 1.0
        return confidence


def parse_pharaoh(lines: Sequence[str], name: str) -> Links:
    """Parse one line of links for each sentence pair."""
    return pharaoh_rows(lines, name).links()


def pharaoh_rows(
    lines: Sequence[str], name: str, complain: Complain = refuse, dialect: Dialect = PHARAOH
) -> Rows:
    """Parse one line of links for each sentence pair; a line that is complained of has no links."""
    links, rows, lengths = _Links(dialect), list[int](), np.zeros(len(lines), np.int64)
    known, confidences, scores = _Confidences(), list[float](), dict[int, float]()
    for number, line in enumerate(lines):
        before = len(rows)
        try:
            if "\t" in line or "|||" in line:
                line, scores[number] = _split_score(line)
            tokens = line.split()
            if ":" in line:
                tokens, values = _split_confidences(line)
                confidences.extend(repeat(1.0, before - len(confidences)))
                confidences.extend(map(known.__getitem__, values))
            rows.extend(map(links.__getitem__, tokens))
        except InputError as error:
            del rows[before:], confidences[before:]
            complain(number + 1, InputError(f"{name}, line {number + 1}: {error}"))
        lengths[number] = len(rows) - before
    confidences.extend(repeat(1.0, len(rows) - len(confidences)))
    row = np.array(rows, np.int64)
    pair = np.repeat(np.arange(len(lines), dtype=np.int64), lengths)
    return Rows(
        pair + 1,
        pair,
        np.array(links.source, np.int32)[row],
        np.array(links.target, np.int32)[row],
        np.array(confidences, np.float32),
        np.array(links.sure, np.bool_)[row],
        len(lines),
        score_array(scores, len(lines)),
    )


def _split_confidences(line: str) -> tuple[list[str], list[str]]:
    """Return the links and, for each, its confidence with the colon before it, or nothing.

    >>> _split_confidences("0-0:0.97 1-1")
    (['0-0', '1-1'], [':0.97', ''])
    """
    fields = line.replace(":", " :").split()
    if len(fields) == 2 * line.count(":"):  # each link has one, as in all that we write: much faster
        return fields[::2], fields[1::2]
    parts = [token.partition(":") for token in line.split()]
    return [link for link, _, _ in parts], [colon + value for _, colon, value in parts]


def _split_score(line: str) -> tuple[str, float]:
    """Cut off the score that follows the links after a TAB, or after fast_align's `|||`."""
    links, _, score = line.partition("|||" if "|||" in line else "\t")
    return links, parse_score(score.strip())


@checked
def format_pharaoh(links: Iterable[Link], score: AnyFloat | None = None) -> str:
    """Write one pair's links as a line without its end; with a score, each link with its confidence.

    >>> from cepts.links import Link
    >>> format_pharaoh([Link(0, 0), Link(2, 1, 0.97, sure=False)])
    '0-0 2?1'
    >>> format_pharaoh([Link(0, 0), Link(2, 1, 0.97)], score=-2.5).split("\\t")
    ['0-0:1 2-1:0.97', '-2.5000']
    """
    if score is None:
        return " ".join(f"{link.source}{'-' if link.sure else '?'}{link.target}" for link in links)
    tokens = (
        f"{link.source}{'-' if link.sure else '?'}{link.target}:{format_confidence(link.confidence)}"
        for link in links
    )
    return " ".join(tokens) + _format_score(score)


def format_confidence(confidence: float) -> str:
    """Write a confidence with at most four decimals."""
    return f"{confidence:.4f}".rstrip("0").rstrip(".")


def _format_score(score: float) -> str:
    """Write a score behind its TAB, nothing for a pair that has none."""
    return "" if isnan(score) else f"\t{score:.4f}"


@checked
def write_pharaoh(links: Links, stream: TextIO, scores: bool = False) -> None:
    """Write a line for each pair; with `scores` each link's confidence and, after a TAB, the pair's score."""
    write_lines(links, stream, PHARAOH, scores)


def write_lines(links: Links, stream: TextIO, dialect: Dialect, scores: bool = False) -> None:
    """Write a line for each pair in the given dialect."""
    confidences = confidence_texts(":") if scores else None
    for first in range(0, len(links), BLOCK):
        last = min(first + BLOCK, len(links))
        ends = ["\n"] * (last - first)
        if scores and links.scores is not None:
            ends = [f"{_format_score(score)}\n" for score in links.scores[first:last].tolist()]
        stream.write(format_block(links, first, last, ends, confidences, dialect))


@cache
def confidence_texts(before: str) -> NDArray[np.object_]:
    """Return all confidences that are written, in rising order, each behind the same text."""
    return np.array([before + format_confidence(step / STEPS) for step in range(STEPS + 1)], object)


def confidence_steps(confidence: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return where in `confidence_texts` each confidence is."""
    return np.clip(np.rint(confidence.astype(np.float64) * STEPS), 0, STEPS).astype(np.int64)


def format_block(
    links: Links,
    first: int,
    last: int,
    ends: list[str],
    confidences: NDArray[np.object_] | None,
    dialect: Dialect = PHARAOH,
) -> str:
    """Join the lines of pairs `first` to `last`: table look-ups for all links at once, then one join."""
    offsets = links.offsets[first : last + 1]
    rows = slice(int(offsets[0]), int(offsets[-1]))
    offsets = offsets - offsets[0]
    pieces = [
        _before_links(links.source[rows], links.sure[rows], offsets, dialect),
        number_texts(links.target[rows], dialect.base),
    ]
    if confidences is not None:
        pieces.append(confidences[confidence_steps(links.confidence[rows])])
    # Link r of pair k is preceded by r links, each of as many pieces, and by k line ends.
    text = np.empty(len(pieces) * int(offsets[-1]) + len(ends), object)
    text[len(pieces) * offsets[1:] + np.arange(len(ends))] = ends
    lines_before = np.repeat(np.arange(len(ends)), np.diff(offsets))
    place = len(pieces) * np.arange(int(offsets[-1])) + lines_before
    for shift, piece in enumerate(pieces):
        text[place + shift] = piece
    return "".join(text.tolist())


def _before_links(
    source: NDArray[np.int32], sure: NDArray[np.bool_], offsets: NDArray[np.int64], dialect: Dialect
) -> NDArray[np.object_]:
    """Return what stands before each target position: a space unless first, the source, `-` or `?`."""
    positions, places = _listed(source)
    width = len(positions)
    table = [
        f"{space}{number + dialect.base}{kind}"
        for space in (" ", "")
        for kind in (dialect.possible, dialect.sure)
        for number in positions
    ]
    begins = np.zeros(len(source) + 1, np.int64)
    begins[offsets[:-1]] = 1  # the begin of an empty line falls on the next line's, or on the spare last cell
    before: NDArray[np.object_] = np.array(table, object)[(2 * begins[:-1] + sure) * width + places]
    return before


def number_texts(positions: NDArray[np.integer], base: int = 0) -> NDArray[np.object_]:
    """Return the positions as strings, counted from `base`."""
    listed, places = _listed(positions)
    texts: NDArray[np.object_] = np.array([str(number + base) for number in listed], object)[places]
    return texts


def _listed(positions: NDArray[np.integer]) -> tuple[Sequence[int], NDArray[np.integer]]:
    """Return positions that hold all these, and where each is among them: a short list, however long a sentence is."""
    width = int(positions.max(initial=-1)) + 1
    if width <= MOST_LISTED:
        return range(width), positions
    found, places = np.unique(positions, return_inverse=True)
    return found.tolist(), places.reshape(-1)
