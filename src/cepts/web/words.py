"""Sentences of a request: checked against the limits, encoded, and their words as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus import bitext_from_pairs
from cepts.corpus.encoding import WORD
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.corpus import Bitext, TextOptions
    from cepts.corpus.bitext import Side
    from cepts.web.limits import Limits

SIDES = ("source", "target")


class Sentences(NamedTuple):
    """Pairs, encoded, and the words of both sides as they stand in the text."""

    bitext: Bitext
    source_words: list[list[str]]
    target_words: list[list[str]]


def encoded(pairs: Sequence[tuple[str, str]], text: TextOptions, limits: Limits) -> Sentences:
    """Encode pairs, or say which of them is more than the limits allow."""
    if len(pairs) > limits.pairs:
        raise InputError(f"{len(pairs):,} pairs, expected at most {limits.pairs:,}: send fewer at a time")
    for place, name in enumerate(SIDES):
        check_lines([pair[place] for pair in pairs], limits, name)
    bitext = bitext_from_pairs(pairs, **text._asdict())
    for name, side in zip(SIDES, (bitext.source, bitext.target), strict=True):
        _check(side.lengths.tolist(), limits.words, "words", name)
    if bitext.cells > limits.cells:
        raise InputError(
            f"the pairs have {bitext.cells:,} possible links together, expected at most {limits.cells:,}: send fewer"
            " at a time"
        )
    words = [
        words_of([pair[place] for pair in pairs], side)
        for place, side in enumerate((bitext.source, bitext.target))
    ]
    return Sentences(bitext, *words)


def check_lines(lines: Sequence[str], limits: Limits, name: str) -> None:
    """Refuse lines that are too long."""
    _check([len(line) for line in lines], limits.characters, "characters", name)


def _check(sizes: list[int], most: int, what: str, name: str) -> None:
    """Say which line is the first one that is too long."""
    if max(sizes, default=0) <= most:
        return
    number = next(k for k, size in enumerate(sizes) if size > most)
    place = f"{name} of pair {number + 1}" if len(sizes) > 1 else name
    raise InputError(f"{place}: {sizes[number]:,} {what}, expected at most {most:,}")


def words_of(lines: Sequence[str], side: Side) -> list[list[str]]:
    """Return the words of lines as they stand there, in any case.

    >>> side = bitext_from_pairs([("La  Maison", "")]).source
    >>> words_of(["La  Maison"], side)
    [['La', 'Maison']]
    """
    if side.spans is None:
        return [WORD.findall(line) for line in lines]
    spans, offsets = side.spans.tolist(), side.offsets.tolist()
    return [
        [line[start:end] for start, end in spans[offsets[k] : offsets[k + 1]]] for k, line in enumerate(lines)
    ]
