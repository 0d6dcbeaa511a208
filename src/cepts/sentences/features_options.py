"""What counts as a feature of a sentence, and what it weighs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError

LONGEST = 8  # units of an n-gram
WEIGHTINGS = ("count", "tfidf")
NORMS = ("none", "sum", "length")
ARCS = ("words", "tags")
CHARACTERS = (3, 5)  # lengths of character n-grams where none are given
LENGTH = re.compile("([0-9]{1,3})")
LENGTHS = re.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?")


@checked
@dataclass(frozen=True)
class FeatureOptions:
    """Which n-grams a sentence is described by, which of them are kept, and what their counts become.

    `words` and `tags` are the longest n-grams of each (0: none); with tags, tokens are `word_TAG`. `characters` are
    the shortest and the longest n-gram inside of a word, borders included. `arcs` adds dependency triples of head,
    relation and dependent, these being `words` or `tags`; tokens are `word_TAG_relation_head` then. Features with a
    count below `min_count` are left out, and all but the `max_features` most frequent. `weighting` tfidf multiplies a
    count by log((1 + sentences) / (1 + sentences with it)) + 1; `norm` divides a sentence by its sum, or by its
    Euclidean length.
    """

    words: int = 1
    tags: int = 0
    characters: tuple[int, int] | None = None
    weighting: str = "count"
    norm: str = "none"
    min_count: int = 2
    max_features: int | None = None
    arcs: str | None = None

    def __post_init__(self) -> None:
        for name in ("words", "tags"):
            _check_length(name, getattr(self, name), 0)
        if self.characters is not None:
            object.__setattr__(self, "characters", _checked_range(self.characters))
        if self.arcs is not None:
            _check_choice("arcs", self.arcs, ARCS)
        if not (self.words or self.tags or self.characters or self.arcs):
            raise OptionError("no features: ask for words, tags, chars or arcs, such as words:1,chars:3-5")
        _check_choice("weighting", self.weighting, WEIGHTINGS)
        _check_choice("norm", self.norm, NORMS)
        bounds.MIN_COUNT.check("min_count", self.min_count)
        if self.max_features is not None:
            bounds.FEATURES.check("max_features", self.max_features)


@checked
def parse_features(text: str) -> dict[str, Any]:
    """Read a list of features into fields of `FeatureOptions`; those not named are off.

    >>> parse_features("words:2,chars:3-5,tags:3")
    {'words': 2, 'tags': 3, 'characters': (3, 5), 'arcs': None}
    >>> parse_features("chars:4,arcs:tags")
    {'words': 0, 'tags': 0, 'characters': (4, 4), 'arcs': 'tags'}
    """
    fields: dict[str, Any] = {"words": 0, "tags": 0, "characters": None, "arcs": None}
    seen = set()
    for part in text.split(","):
        name, colon, value = (piece.strip() for piece in part.partition(":"))
        if name not in ("words", "tags", "chars", "arcs"):
            raise OptionError(
                f"features {text!r}: {name!r} is unknown; expected words, chars, tags or arcs, such as"
                " words:2,chars:3-5"
            )
        if name in seen:
            raise OptionError(f"features {text!r}: {name} is there twice; name it once")
        seen.add(name)
        given = value if colon else None
        if name == "arcs":
            fields[name] = _arcs(text, given)
        else:
            fields["characters" if name == "chars" else name] = _length(text, name, given)
    FeatureOptions(**fields)  # refuses lengths that cannot be
    return fields


def _arcs(text: str, value: str | None) -> str:
    """Read what dependency triples are made of: words, if nothing stands behind a colon."""
    if value is not None and value not in ARCS:
        raise OptionError(f"features {text!r}: arcs:{value}: expected arcs:words or arcs:tags")
    return value or ARCS[0]


def _length(text: str, name: str, value: str | None) -> int | tuple[int, int]:
    """Read what stands behind a colon."""
    if value is None:
        return CHARACTERS if name == "chars" else 1
    match = (LENGTHS if name == "chars" else LENGTH).fullmatch(value)
    if match is None:
        example = "chars:3-5" if name == "chars" else f"{name}:2"
        raise OptionError(
            f"features {text!r}: {name}:{value} has no length; expected a number as in {example}"
        )
    if name != "chars":
        return int(match[1])
    return int(match[1]), int(match[2] or match[1])


def _checked_range(lengths: Any) -> tuple[int, int]:
    if len(tuple(lengths)) != 2:
        raise OptionError(
            f"characters {lengths!r}: expected the shortest and the longest length, such as (3, 5)"
        )
    shortest, longest = lengths
    for length in (shortest, longest):
        _check_length("characters", length, 1)
    if shortest > longest:
        raise OptionError(
            f"characters {shortest}-{longest}: the shortest is longer than the longest; exchange them"
        )
    return int(shortest), int(longest)


def _check_length(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LONGEST:
        raise OptionError(f"{name} {value!r}: expected the length of n-grams, from {least} to {LONGEST}")


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"{name} {value!r}: expected one of {', '.join(choices)}")
