"""Numbers inside link files, and what is said where there is none; who reads the file adds the place."""

from __future__ import annotations

import json
from typing import Any

from cepts.errors import InputError

LARGEST_POSITION = (
    999_999  # no sentence is longer: a larger number is damage, and would ask for absurd tables
)


def parse_position(text: str, base: int) -> int:
    """Return the position that `text` writes, counted from `base`, as counted from 0 (-1: NULL of base 1)."""
    if text.isascii() and text.isdigit():
        position = int(text.lstrip("0")[:20] or "0") - base
        if position <= LARGEST_POSITION:
            return position
        raise InputError(
            f"position {shorten(text)} is too large, expected at most {LARGEST_POSITION}; check the file"
        )
    if text.startswith("-") and text[1:].isdigit():
        raise InputError(f"negative position {shorten(text)}, expected a number from {base}")
    raise InputError(f"position {shorten(text)!r} is not a number, expected a number from {base}")


def parse_confidence(text: str) -> float:
    """Return a confidence, checked to be a probability."""
    value = _number(text)
    if value is None or not 0 <= value <= 1:
        raise InputError(f"confidence {shorten(text)!r}, expected a number from 0 to 1")
    return value


class Positions(dict[str, int]):
    """The distinct positions of a file, each parsed once."""

    def __init__(self, base: int) -> None:
        super().__init__()
        self._base = base

    def __missing__(self, text: str) -> int:
        """Parse a position that is new."""
        self[text] = position = parse_position(text, self._base)
        return position


class Confidences(dict[str, float]):
    """The distinct confidences of a file, each parsed once."""

    def __missing__(self, text: str) -> float:
        """Parse a confidence that is new."""
        self[text] = confidence = parse_confidence(text)
        return confidence


def parse_score(text: str) -> float:
    """Return a sentence pair's score, a log probability."""
    value = _number(text)
    if value is None:
        raise InputError(
            f"score {shorten(text)!r} is not a number, expected the pair's score after a TAB or |||; separate"
            " links by spaces"
        )
    return value


def _number(text: str) -> float | None:
    """Return the number that `text` writes, None if it writes none."""
    try:
        return float(text)
    except ValueError:
        return None


def shorten(text: str) -> str:
    """Return `text`, cut where it would fill a screen.

    >>> shorten("x" * 100)
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    return text if len(text) <= 30 else text[:30] + "..."


def parse_object(line: str, each: str) -> dict[str, Any]:
    """Parse a line of JSON that must hold an object, one for each of something.

    >>> parse_object('{"links": []}', "pair")
    {'links': []}
    """
    try:
        told = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep or too long a number"
        raise InputError(
            f"{shorten(line)!r} is not JSON ({reason}), expected an object for each {each}; is the line cut off?"
        ) from None
    if not isinstance(told, dict):
        raise InputError(f"{shorten(line)!r} is not an object, expected one for each {each}")
    return told
