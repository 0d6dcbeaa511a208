"""Cepts as lines of text: the groups of each pair, `source words-target words:probability`, words counted from 0."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TextIO

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.combine.cepts import Cepts

BLOCK = 20_000  # pairs that are written at once: bounds memory
Group = tuple[list[int], list[int], list[float]]  # source words, target words, the confidences of both


def format_cepts(cepts: Cepts, pair: int, min_confidence: float = 0.0) -> str:
    """Write the groups of one pair as a line without its end.

    A group has the probability that its least certain word belongs to it. Words of NULL are groups of one word with an
    empty side. Words that are less certain than `min_confidence` are left out, and groups that lose a side with them.

    >>> from cepts.combine import CeptsOptions, factorise, from_matrices
    >>> found = factorise(from_matrices([[[0, 0, 9], [0, 90, 0], [95, 0, 5]]], null=True), CeptsOptions(noise=False))
    >>> format_cepts(found, 0)
    '0-0:1 1-:0.95 -1:0.6429'
    """
    if not -len(cepts) <= pair < len(cepts):
        raise IndexError(pair)
    pair %= len(cepts)
    return next(_lines(cepts, pair, pair + 1, min_confidence))


def write_cepts(cepts: Cepts, stream: TextIO, min_confidence: float = 0.0) -> None:
    """Write a line for each pair; see `format_cepts`."""
    for first in range(0, len(cepts), BLOCK):
        end = min(first + BLOCK, len(cepts))
        stream.write("".join(f"{line}\n" for line in _lines(cepts, first, end, min_confidence)))


def _lines(cepts: Cepts, first: int, end: int, min_confidence: float) -> Iterator[str]:
    """Give out the lines of the pairs `first` to `end`."""
    least = float(np.float32(min_confidence))  # as confidences are kept: 0.7 must reach 0.7
    source = _sentences(cepts.source, cepts.source_confidence, cepts.source_offsets[first : end + 1])
    target = _sentences(cepts.target, cepts.target_confidence, cepts.target_offsets[first : end + 1])
    for one, other in zip(source, target, strict=True):
        groups = _groups(one, other, least)
        yield " ".join(_format_group(*group) for group in groups)


def _sentences(
    cepts: NDArray[np.int32], confidences: NDArray[np.float32], offsets: NDArray[np.int64]
) -> Iterator[list[tuple[int, float]]]:
    """Give out each sentence as a list of its words' cepts and confidences."""
    rows = slice(int(offsets[0]), int(offsets[-1]))
    words = list(zip(cepts[rows].tolist(), confidences[rows].tolist(), strict=True))
    bounds = (offsets - offsets[0]).tolist()
    return (words[begin:end] for begin, end in pairwise(bounds))


def _groups(source: list[tuple[int, float]], target: list[tuple[int, float]], least: float) -> list[Group]:
    """Put the words of a pair into groups: by their first source words, then target words of NULL."""
    found: dict[int, Group] = {}
    alone: list[Group] = []  # target words of NULL
    for word, (cept, confidence) in enumerate(source):
        if confidence >= least:  # a word of NULL has a key of its own, below 0
            group = found.setdefault(cept if cept >= 0 else -1 - word, ([], [], []))
            group[0].append(word)
            group[2].append(confidence)
    for word, (cept, confidence) in enumerate(target):
        if confidence >= least and cept < 0:
            alone.append(([], [word], [confidence]))
        elif confidence >= least and cept in found:
            found[cept][1].append(word)
            found[cept][2].append(confidence)
    return [group for cept, group in found.items() if cept < 0 or group[1]] + alone


def _format_group(source: list[int], target: list[int], confidences: list[float]) -> str:
    """Write a group; its probability has at most four decimals.

    >>> _format_group([0, 2], [1], [0.9, 1.0, 0.80004])
    '0,2-1:0.8'
    """
    words = "-".join(",".join(map(str, side)) for side in (source, target))
    return f"{words}:{round(min(confidences), 4):g}"
