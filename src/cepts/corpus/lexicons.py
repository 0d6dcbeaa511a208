"""Bilingual dictionaries: `source TAB target [TAB weight]`, or with ` ||| ` in place of the TABs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked
from cepts.corpus.columns import BARS, TAB
from cepts.corpus.encoding import Errors, decoded
from cepts.corpus.files import Block, bad_bytes, read_blocks, shown
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cepts.corpus.files import FilePath

HEADER = ("source", "target")  # of what `cepts lexicon --format tsv` writes
SCORE = "score"
LARGEST_WEIGHT = 1e6
EXPECTED = "`source TAB target`, or `source TAB target TAB weight`"


class Entry(NamedTuple):
    """A word of one language, or several, that translate into one of the other, or several."""

    source: str
    target: str
    weight: float = 1.0


@checked
def read_lexicon(path: FilePath, *, errors: Errors = "strict") -> list[Entry]:
    """Read a bilingual dictionary (also .gz or .xz, `-` for standard input).

    A line is `source TAB target`, with a weight after another TAB or without; ` ||| ` may stand for TAB. Weights below
    zero are natural logarithms, and then all are. In a file with the header of `cepts lexicon` the score is the weight.
    """
    return parse_lexicon(_lines(path, errors), shown(path))


def parse_lexicon(lines: Iterable[str], name: str) -> list[Entry]:
    r"""Parse the lines of a dictionary; empty lines are passed over.

    >>> parse_lexicon(["maison\thouse\t0.9", "", "New York\tNueva York"], "words.tsv")[1]
    Entry(source='New York', target='Nueva York', weight=1.0)
    """
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        return []
    separator = BARS.decode() if BARS.decode() in numbered[0][1] else TAB.decode()
    header = _columns(numbered[0][1], separator)
    column = 2
    if tuple(header[:2]) == HEADER and len(header) > 2:
        column = header.index(SCORE) if SCORE in header else 2
        numbered = numbered[1:]
    entries, places = [], []
    for number, line in numbered:
        try:
            entries.append(_entry(_columns(line, separator), column))
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from None
        places.append(number)
    return _with_plain_weights(entries, places, name)


def _columns(line: str, separator: str) -> list[str]:
    return [field.strip() for field in line.split(separator)]


def _entry(columns: list[str], column: int) -> Entry:
    """Make an entry of a line's columns."""
    if len(columns) < 2:
        raise InputError(f"one column, expected {EXPECTED}")
    if not columns[0] or not columns[1]:
        raise InputError(f"no {'source' if not columns[0] else 'target'} word, expected {EXPECTED}")
    return Entry(columns[0], columns[1], _weight(columns[column]) if len(columns) > column else 1.0)


def _weight(text: str) -> float:
    """Read a weight; nothing stands for one."""
    try:
        weight = float(text) if text else 1.0
    except ValueError:
        weight = math.nan
    if math.isnan(weight) or weight > LARGEST_WEIGHT:
        raise InputError(
            f"{text[:40]!r} is not a weight, expected a number from 0 to {LARGEST_WEIGHT:g}, or a logarithm below 0"
        )
    return weight


def _with_plain_weights(entries: list[Entry], places: list[int], name: str) -> list[Entry]:
    """Turn logarithms into what they are of; refuse a file that has both."""
    first = next((k for k, entry in enumerate(entries) if entry.weight < 0), None)
    if first is None:
        return entries
    for number, entry in zip(places, entries, strict=True):
        if entry.weight > 0:
            raise InputError(
                f"{name}, line {number}: weight {entry.weight:g}, but {entries[first].weight:g} in line"
                f" {places[first]}: weights below 0 are logarithms, expected all or none to be; write them alike"
            )
    return [entry._replace(weight=math.exp(entry.weight)) for entry in entries]


def _lines(path: FilePath, errors: Errors) -> Iterator[str]:
    """Yield the lines of a file."""
    for block in read_blocks(path):
        try:
            text = decoded(block.text, errors)
        except UnicodeError:
            raise bad_bytes(shown(path), Block(*block)) from None
        yield from text[:-1].split("\n")
