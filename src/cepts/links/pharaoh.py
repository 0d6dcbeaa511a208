"""The Pharaoh format: a line for each sentence pair, `i-j` for each link, counted from 0."""

from __future__ import annotations

import re
from itertools import repeat
from math import isnan
from typing import TYPE_CHECKING, TextIO

import numpy as np

from cepts.errors import InputError
from cepts.links.fields import parse_confidence, parse_position, parse_score, shorten
from cepts.links.links import Link, Links, links_from_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

LINK = re.compile(r"(-?[^-?p]+)([-?p])(-?[^-?p]+)")
STEPS = 10_000  # confidences are written in steps of 1/10000
BLOCK = 20_000  # pairs that are written at once: bounds memory


class _Links(dict[str, int]):
    """The distinct links of a file, each parsed once: `i-j`, `i?j` or `ipj` -> row of the three lists."""

    def __init__(self) -> None:
        super().__init__()
        self.source, self.target, self.sure = list[int](), list[int](), list[bool]()

    def __missing__(self, token: str) -> int:
        """Parse a link that is new."""
        match = LINK.fullmatch(token)
        if match is None:
            raise InputError(
                f"{shorten(token)!r} is not a link, expected i-j (sure), i?j (possible) or i-j:confidence"
            )
        self.source.append(parse_position(match[1], 0))
        self.target.append(parse_position(match[3], 0))
        self.sure.append(match[2] == "-")
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
    links, rows, lengths = _Links(), list[int](), np.zeros(len(lines), np.int64)
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
            raise InputError(f"{name}, line {number + 1}: {error}") from error
        lengths[number] = len(rows) - before
    confidences.extend(repeat(1.0, len(rows) - len(confidences)))
    row = np.array(rows, np.int64)
    return links_from_rows(
        np.repeat(np.arange(len(lines), dtype=np.int64), lengths),
        np.array(links.source, np.int32)[row],
        np.array(links.target, np.int32)[row],
        np.array(confidences, np.float32),
        np.array(links.sure, np.bool_)[row],
        len(lines),
        _score_array(scores, len(lines)),
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


def _score_array(scores: dict[int, float], pairs: int) -> NDArray[np.float64] | None:
    """Return the score of each pair, not a number for a line without; None if no line has one."""
    if not scores:
        return None
    all_scores = np.full(pairs, np.nan)
    all_scores[list(scores)] = list(scores.values())
    return all_scores


def format_pharaoh(links: Iterable[Link], score: float | None = None) -> str:
    """Write one pair's links as a line without its end; with a score, each link with its confidence.

    >>> format_pharaoh([Link(0, 0), Link(2, 1, 0.97, sure=False)])
    '0-0 2?1'
    >>> format_pharaoh([Link(0, 0), Link(2, 1, 0.97)], score=-2.5).split("\\t")
    ['0-0:1 2-1:0.97', '-2.5000']
    """
    if score is None:
        return " ".join(f"{link.source}{'-' if link.sure else '?'}{link.target}" for link in links)
    tokens = (
        f"{link.source}{'-' if link.sure else '?'}{link.target}:{_format_confidence(link.confidence)}"
        for link in links
    )
    return " ".join(tokens) + _format_score(score)


def _format_confidence(confidence: float) -> str:
    """Write a confidence with at most four decimals."""
    return f"{confidence:.4f}".rstrip("0").rstrip(".")


def _format_score(score: float) -> str:
    """Write a score behind its TAB, nothing for a pair that has none."""
    return "" if isnan(score) else f"\t{score:.4f}"


def write_pharaoh(links: Links, stream: TextIO, scores: bool = False) -> None:
    """Write a line for each pair; with `scores` each link's confidence and, after a TAB, the pair's score."""
    confidences = [f":{_format_confidence(step / STEPS)}" for step in range(STEPS + 1)] if scores else None
    for first in range(0, len(links), BLOCK):
        last = min(first + BLOCK, len(links))
        ends = ["\n"] * (last - first)
        if scores and links.scores is not None:
            ends = [f"{_format_score(score)}\n" for score in links.scores[first:last].tolist()]
        stream.write(format_block(links, first, last, ends, confidences))


def format_block(links: Links, first: int, last: int, ends: list[str], confidences: list[str] | None) -> str:
    """Join the lines of pairs `first` to `last`: table look-ups for all links at once, then one join."""
    offsets = links.offsets[first : last + 1]
    rows = slice(int(offsets[0]), int(offsets[-1]))
    offsets = offsets - offsets[0]
    pieces = [_before_links(links.source[rows], links.sure[rows], offsets), _numbers(links.target[rows])]
    if confidences is not None:
        steps = np.clip(np.rint(links.confidence[rows].astype(np.float64) * STEPS), 0, STEPS)
        pieces.append(np.array(confidences, object)[steps.astype(np.int64)])
    # Link r of pair k is preceded by r links, each of as many pieces, and by k line ends.
    text = np.empty(len(pieces) * int(offsets[-1]) + len(ends), object)
    text[len(pieces) * offsets[1:] + np.arange(len(ends))] = ends
    lines_before = np.repeat(np.arange(len(ends)), np.diff(offsets))
    place = len(pieces) * np.arange(int(offsets[-1])) + lines_before
    for shift, piece in enumerate(pieces):
        text[place + shift] = piece
    return "".join(text.tolist())


def _before_links(
    source: NDArray[np.int32], sure: NDArray[np.bool_], offsets: NDArray[np.int64]
) -> NDArray[np.object_]:
    """Return what stands before each target position: a space unless first, the source, `-` or `?`."""
    width = int(source.max(initial=-1)) + 1
    table = [f"{space}{number}{kind}" for space in (" ", "") for kind in "?-" for number in range(width)]
    begins = np.zeros(len(source) + 1, np.int64)
    begins[offsets[:-1]] = 1  # the begin of an empty line falls on the next line's, or on the spare last cell
    before: NDArray[np.object_] = np.array(table, object)[(2 * begins[:-1] + sure) * width + source]
    return before


def _numbers(positions: NDArray[np.int32]) -> NDArray[np.object_]:
    """Return the positions as strings."""
    return np.array([str(number) for number in range(int(positions.max(initial=-1)) + 1)], object)[positions]
