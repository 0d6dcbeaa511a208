"""GIZA++'s A3.final: three lines for each pair, the words among them.

    # Sentence pair (1) source length 2 target length 3 alignment score : 0.0021
    the white house
    NULL ({ 1 }) maison ({ 3 }) blanche ({ 2 })

The second line is the target, the third the source: behind each word, and behind NULL, the target words that
belong to it, counted from 1.
"""

from __future__ import annotations

import re
from math import exp, isnan, log
from typing import TYPE_CHECKING, NamedTuple, TextIO

from cepts.corpus.encoding import WORD
from cepts.errors import InputError
from cepts.links.fields import Positions, shorten
from cepts.links.links import Link
from cepts.links.naacl import parse_pair
from cepts.links.rows import Collected, Rows, refuse, score_array
from cepts.links.text import Text, TextSide

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cepts.links.links import Links
    from cepts.links.rows import Complain

HEAD = re.compile(
    r"# Sentence pair \((.*?)\) source length (\S++) target length (\S++) alignment score\s*+:?\s*+(\S++)\s*+"
)
OPEN, CLOSE, NULL = "({", "})", "NULL"


class _Pair(NamedTuple):
    """What three lines say: the number from 0, the words, the links from 0, the score."""

    number: int
    source: list[str]
    target: list[str]
    links: list[tuple[int, int]]
    score: float | None


def giza_rows(
    lines: Sequence[str], name: str, pairs: int | None = None, complain: Complain = refuse
) -> tuple[Rows, Text]:
    """Parse A3.final; a number that is missing is a pair without words and links."""
    found: dict[int, _Pair] = {}
    collected = Collected()
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    positions = Positions(1)
    for first in range(0, end, 3):
        try:
            pair = _parse(lines[first : min(first + 3, end)], pairs, first + 1, name, positions)
            if pair.number in found:
                raise InputError(f"{name}, line {first + 1}: sentence pair {pair.number + 1} comes twice")
        except InputError as error:
            complain(first + 1, error)
            continue
        found[pair.number] = pair
        for source, target in pair.links:
            collected.add(first + 3, pair.number, Link(source, target))
    count = max(found, default=-1) + 1 if pairs is None else pairs
    scores = {number: pair.score for number, pair in found.items() if pair.score is not None}
    return collected.rows(count, score_array(scores, count)), _text(found, count)


def _text(found: dict[int, _Pair], count: int) -> Text:
    """Return the words as lines."""
    sides = [[""] * count, [""] * count]
    for number, pair in found.items():
        sides[0][number], sides[1][number] = " ".join(pair.source), " ".join(pair.target)
    return Text(TextSide(sides[0]), TextSide(sides[1]))


def _parse(three: Sequence[str], pairs: int | None, number: int, name: str, positions: Positions) -> _Pair:
    """Parse the lines of a pair, of which the first has this number."""
    if len(three) < 3:
        raise InputError(
            f"{name}, line {number}: the file ends within a pair, expected three lines for each; it may be cut off"
        )
    head = HEAD.fullmatch(three[0])
    if head is None:
        raise InputError(
            f"{name}, line {number}: {shorten(three[0])!r}, expected: # Sentence pair (1) source length 2 target"
            " length 3 alignment score : 0.1; is a line missing before?"
        )
    step = 0
    try:
        pair, score = parse_pair(head[1], 1, pairs, "sentence pair"), _parse_score(head[4])
        target = WORD.findall(three[1])
        _check_length("target", head[3], len(target))
        step = 2
        source, links = _parse_words(WORD.findall(three[2]), len(target), positions)
        _check_length("source", head[2], len(source))
    except InputError as error:
        raise InputError(f"{name}, line {number + step}: {error}") from None
    return _Pair(pair, source, target, links, score)


def _parse_score(text: str) -> float | None:
    """Return the logarithm of a probability, None for 1, which we write where there is no score."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"alignment score {shorten(text)!r}, expected a probability")
    return None if value == 1 else log(max(value, 5e-324))


def _check_length(side: str, told: str, words: int) -> None:
    """Refuse a line that has not as many words as its head says."""
    if told != str(words):
        raise InputError(f"{words} {side} words, but its head says {side} length {shorten(told)}")


def _parse_words(
    fields: list[str], targets: int, positions: Positions
) -> tuple[list[str], list[tuple[int, int]]]:
    """Parse `NULL ({ 1 }) word ({ 2 3 }) ...` into words and links; those of NULL are dropped."""
    words: list[str] = []
    links: list[tuple[int, int]] = []
    for word, numbers in _groups(fields):
        if not words and word != NULL:
            raise InputError(f"begins with {shorten(word)!r}, expected {NULL} ({{ ... }})")
        for number in numbers:
            position = positions[number]
            if not 0 <= position < targets:
                raise InputError(f"target word {shorten(number)}, expected 1 to {targets}")
            links.append((len(words) - 1, position))
        words.append(word)
    if not words:
        raise InputError(f"an empty line, expected {NULL} ({{ ... }})")
    return words[1:], [link for link in links if link[0] >= 0]


def _groups(fields: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each word with the numbers between its brackets; a word may look like a bracket itself.

    >>> list(_groups("NULL ({ }) ({ ({ 1 2 })".split()))
    [('NULL', []), ('({', ['1', '2'])]
    """
    place = 0
    while place < len(fields):
        try:
            end = fields.index(CLOSE, place + 2)
        except ValueError:
            end = 0
        if not end or fields[place + 1] != OPEN:
            raise InputError(f"no ({{ ... }}) behind {shorten(fields[place])!r}; is the line cut off?")
        yield fields[place], fields[place + 2 : end]
        place = end + 1


def write_giza(links: Links, stream: TextIO, text: Text, first: int = 0) -> None:
    """Write three lines for each pair; pairs count from `first`. Confidences and possible links have no place."""
    sources, targets, offsets = links.source.tolist(), links.target.tolist(), links.offsets.tolist()
    for k in range(len(links)):
        source, target = text.source.words(k), text.target.words(k)
        groups: list[list[str]] = [[] for _ in source]
        linked = targets[offsets[k] : offsets[k + 1]]
        for i, j in zip(sources[offsets[k] : offsets[k + 1]], linked, strict=True):
            groups[i].append(f"{j + 1} ")
        unlinked = set(range(len(target))).difference(linked)
        nothing = "".join([f"{j + 1} " for j in sorted(unlinked)])
        listed = [f"{word} ({{ {''.join(group)}}}) " for word, group in zip(source, groups, strict=True)]
        stream.write(
            f"# Sentence pair ({first + k + 1}) source length {len(source)} target length {len(target)}"
            f" alignment score : {_format_score(links, k)}\n{' '.join(target)} \n"
            f"{NULL} ({{ {nothing}}}) {''.join(listed)}\n"
        )


def _format_score(links: Links, k: int) -> str:
    """Write a pair's score as a probability."""
    score = float("nan") if links.scores is None else float(links.scores[k])
    return "1" if isnan(score) else f"{exp(min(score, 0.0)):.8g}"
