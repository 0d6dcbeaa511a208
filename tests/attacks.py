"""Strings that make a regular expression try as much as it can: built from its own parts, repeated, and cut short."""

from __future__ import annotations

import re
from itertools import islice, product, repeat
from random import Random
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from time import process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

# What stands for a class of characters, and what is tried on every expression.
ALPHABET = " a0-_.:,;=\"'<>/%{}()[]\\&#@$|?!+*~^`\n\té’漢"
GENERIC = (
    " ", "\n", "\t ", "a", "0", "a0", ".", "-", "a.", "a-", "a:", "_", "<", "<a", "<a ", "<!--", "<!-- -->", "<?",
    "<??>", "<!DOCTYPE ", "[", "]", "{", "{{", "%", "%(", "&", "&a", '"', "'", '\\"', "\\", "#", "#\n", "\n#", "|||", "://",
    "www.", "@", "a@", "(", ")", "1-1 ", "漢", "e\u0301",
)  # fmt: skip
TAILS = ("", "\x01")
SIZES = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64)  # repeats, in which what is exponential shows
LENGTHS = (512, 2048, 8192)  # characters, in which what is quadratic shows
WORTH_A_LOOK = 0.004  # seconds: most linear searches of the longest strings take a tenth of it
WORTH_THE_LONGEST = 0.0003  # seconds for the last length but one: few linear searches take that long
STEEP = 8  # times the cost for four times the text: 4 is linear, 16 is quadratic
TRIES = 3  # all of which must say the same, as other programs disturb the clock
MOST = 800  # of the simple attacks, and of the others
SEED = 31
SAMPLES = 2  # of each part
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)

Pattern = re.Pattern[Any]


def steep(pattern: Pattern, method: str) -> str | None:
    """Return the attack on which a method of an expression takes more than linear time, None if there is none."""
    for prefix, pump, tail in attacks(pattern):
        if size := _steep_at(pattern, method, prefix, pump, tail):
            return f"{prefix!r} + {size} * {pump!r} + {tail!r}"
    return None


def attacks(pattern: Pattern) -> list[tuple[str, str, str]]:
    """Return what comes first, what is repeated, and what comes last; at most so many, drawn by chance."""
    parsed = _parser.parse(pattern.pattern, pattern.flags & ~re.LOCALE)
    beginnings = list(dict.fromkeys(["", *_beginnings(parsed)]))
    parts = list(dict.fromkeys(text for text in (*_parts(parsed), *beginnings) if text))
    found = [*product([""], [*parts, *GENERIC], TAILS), *product(beginnings, parts, TAILS[1:])]
    more = list(product(beginnings[1:], GENERIC, TAILS))
    more += [("", first + second, TAILS[-1]) for first, second in product(parts, (*parts, *GENERIC))]
    draw = Random(SEED)
    return [*draw.sample(found, min(len(found), MOST)), *draw.sample(more, min(len(more), MOST))]


def _steep_at(pattern: Pattern, method: str, prefix: str, pump: str, tail: str) -> int:
    """Return at how many repeats four times the text costs far more than four times the work, or 0."""

    def cost(size: int, repeats: int = 1) -> float:
        text: str | bytes = prefix + size * pump + tail
        if isinstance(pattern.pattern, bytes):
            text = str(text).encode()
        return min(_seconds(pattern, method, text) for _ in range(repeats))

    def grows(size: int) -> bool:
        return cost(size, 3) > max(WORTH_A_LOOK, STEEP * cost(size // 4, 5))

    for size in (*SIZES, *(length // len(pump) for length in LENGTHS if length > SIZES[-1] * len(pump))):
        seconds = cost(size)
        if seconds > WORTH_A_LOOK and all(grows(size) for _ in range(TRIES)):
            return size
        if seconds < WORTH_THE_LONGEST and size == LENGTHS[-2] // len(pump):
            return 0
    return 0


def _seconds(pattern: Pattern, method: str, text: str | bytes) -> float:
    """Measure the time of the processor that a method takes."""
    begin = process_time()
    if method in ("match", "fullmatch"):
        getattr(pattern, method)(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return process_time() - begin


def _beginnings(parsed: Any) -> Iterator[str]:
    """Yield texts that an expression begins with: before and behind each of its repeats, and inside of these."""
    before = ""
    for op, argument in parsed:
        if op in REPEATS:
            yield before
        for inner in _inner(op, argument):
            for text in _beginnings(inner):
                yield before + text
        before += _sample([(op, argument)], 0)
        if op in REPEATS:
            yield before
    yield before


def _parts(parsed: Any) -> Iterator[str]:
    """Yield texts for what is repeated, and for its parts."""
    for op, argument in parsed:
        inner = _inner(op, argument)
        if op in REPEATS:
            yield from _samples(argument[2])
        elif len(inner) > 1:
            yield from map(_sample, inner, repeat(0))
        for part in inner:
            yield from _parts(part)


def _inner(op: Any, argument: Any) -> list[Any]:
    """Return what is inside of a part."""
    if op in REPEATS:
        return [argument[2]]
    if op is _constants.SUBPATTERN:
        return [argument[3]]
    if op is _constants.BRANCH:
        return list(argument[1])
    if op is _constants.ATOMIC_GROUP:
        return [argument]
    return []


def _samples(parsed: Any) -> list[str]:
    """Return texts that a sequence of parts fits."""
    return [_sample(parsed, k) for k in range(SAMPLES)]


def _sample(parsed: Any, k: int) -> str:
    return "".join(_one(op, argument, k) for op, argument in parsed)


def _one(op: Any, argument: Any, k: int) -> str:
    """Return a text that one part fits; `k` chooses which."""
    if op is _constants.LITERAL:
        return chr(argument)
    if op in (_constants.NOT_LITERAL, _constants.IN, _constants.ANY):
        fitting = _fitting(op, argument)
        return fitting[k % len(fitting)] if fitting else ""
    if op in REPEATS:
        least, most, inner = argument
        return max(least, min(1, most)) * _sample(inner, k)
    inner = _inner(op, argument)
    return _sample(inner[k % len(inner)], k) if inner else ""


def _fitting(op: Any, argument: Any) -> str:
    """Return some characters that a class holds."""
    tree = _parser.parse("")
    tree.append((op, argument))
    one = _compiler.compile(tree)
    own = (
        "".join(chr(value) for kind, value in argument if kind is _constants.LITERAL)
        if op is _constants.IN
        else ""
    )
    return "".join(islice((char for char in dict.fromkeys(own + ALPHABET) if one.match(char)), 3 * SAMPLES))
