"""What an edit model learns from: strings as numbers, and which of them are true to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.characters.letters import Alphabet, Strings
from cepts.checking import checked
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Row = tuple[str, ...]  # strings in normal form

LONGEST = 1000  # letters of a string to learn from


@checked
class Left(NamedTuple):
    """What was left out of the examples: those with an empty string, with too long a one, and repeated ones."""

    empty: int = 0
    long: int = 0
    repeated: int = 0


class Material(NamedTuple):
    """Examples: rows of numbers of strings.

    `rows` are a source and a target (pairs), a string and its group (groups), or a source, a better target and worse
    ones, -1 where there are no more (orders). For groups, sources and targets are the same strings.
    """

    source_alphabet: Alphabet
    target_alphabet: Alphabet
    sources: Strings
    targets: Strings
    rows: NDArray[np.int64]
    left: Left


def pairs_to_learn(pairs: Iterable[Row]) -> Material:
    """Number the different strings of (source, target) pairs, and list the different pairs."""
    return _material(*_kept(pairs))


def orders_to_learn(orders: Iterable[Row]) -> Material:
    """Number the strings of (source, better target, worse target, ...) rows."""
    return _material(*_kept(orders))


def groups_to_learn(groups: Iterable[Row]) -> Material:
    """Number the strings of groups, and list each with each group that it is in."""
    members = [(string, number) for number, group in enumerate(groups) for string in group]
    used = [(string, number) for string, number in members if 0 < len(string) <= LONGEST]
    different = list(dict.fromkeys(used))
    empty = sum(not string for string, _ in members)
    left = Left(empty, len(members) - len(used) - empty, len(used) - len(different))
    _check_any(different, left)
    numbers = {string: n for n, string in enumerate(dict.fromkeys(string for string, _ in different))}
    alphabet = Alphabet.of(numbers)
    strings = alphabet.encode(list(numbers))
    rows = np.array([(numbers[string], number) for string, number in different], np.int64)
    return Material(alphabet, alphabet, strings, strings, rows, left)


def _kept(rows: Iterable[Row]) -> tuple[list[Row], Left]:
    """Return the rows that can be learned from, each once."""
    empty = long = 0
    kept: list[Row] = []
    for row in rows:
        if not all(row):
            empty += 1
        elif max(map(len, row)) > LONGEST:
            long += 1
        else:
            kept.append(row)
    different = list(dict.fromkeys(kept))
    left = Left(empty, long, len(kept) - len(different))
    _check_any(different, left)
    return different, left


def _check_any(examples: Sequence[object], left: Left) -> None:
    if not examples:
        raise InputError(
            f"there is nothing to learn from: {left.empty} examples have an empty string,"
            f" {left.long} one of more than {LONGEST} letters"
        )


def _material(rows: list[Row], left: Left) -> Material:
    sources = {string: n for n, string in enumerate(dict.fromkeys(row[0] for row in rows))}
    targets = {
        string: n for n, string in enumerate(dict.fromkeys(string for row in rows for string in row[1:]))
    }
    numbers = np.full((len(rows), max(map(len, rows))), -1, np.int64)
    for n, row in enumerate(rows):
        numbers[n, 0] = sources[row[0]]
        numbers[n, 1 : len(row)] = [targets[string] for string in row[1:]]
    alphabets = Alphabet.of(sources), Alphabet.of(targets)
    strings = alphabets[0].encode(list(sources)), alphabets[1].encode(list(targets))
    return Material(*alphabets, *strings, numbers, left)
