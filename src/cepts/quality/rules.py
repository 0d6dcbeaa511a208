"""What a bitext is freed of before anything is scored: pairs that no model is needed for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from cepts import bounds
from cepts.quality.evidence_counts import twins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side


class Reason(IntEnum):
    """Why a pair is dropped; of several reasons the first counts."""

    KEPT = 0
    EMPTY = 1
    LONG = 2
    RATIO = 3
    IDENTICAL = 4
    DUPLICATE = 5
    SCORE = 6

    @property
    def text(self) -> str:
        """What people read."""
        return TEXTS[self]


TEXTS = ("kept", "empty side", "too long", "length ratio", "identical sides", "duplicate", "low score")


@dataclass(frozen=True)
class Rules:
    """The most words of a side, the most words of one side for each of the other, and what is dropped beside."""

    max_words: int = 250
    max_ratio: float = 9.0
    identical: bool = True
    duplicates: bool = True

    def __post_init__(self) -> None:
        """Refuse what makes no sense, in words."""
        bounds.PAIR_WORDS.check("max_words", self.max_words)
        bounds.MAX_RATIO.check("max_ratio", self.max_ratio)

    def reasons(self, bitext: Bitext) -> NDArray[np.int8]:
        """Return for each pair why it is dropped, or 0."""
        source, target = bitext.source.lengths, bitext.target.lengths
        shorter, longer = np.minimum(source, target), np.maximum(source, target)
        found = np.zeros(len(bitext), np.int8)
        checks = [
            (Reason.EMPTY, shorter == 0),
            (Reason.LONG, longer > self.max_words),
            (Reason.RATIO, longer > self.max_ratio * shorter),
        ]
        if self.identical:
            checks.append((Reason.IDENTICAL, identical(bitext)))
        for reason, broken in checks:
            found[broken & (found == 0)] = reason
        if self.duplicates:
            found[repeated(bitext, found == 0)] = Reason.DUPLICATE
        return found


def identical(bitext: Bitext) -> NDArray[np.bool_]:
    """Return which pairs have the same words on both sides.

    >>> from cepts.corpus import bitext_from_pairs
    >>> identical(bitext_from_pairs([("Oslo !", "oslo !"), ("a b", "b a"), ("a", "a b")])).tolist()
    [True, False, False]
    """
    source, target = bitext.source, bitext.target
    same: NDArray[np.bool_] = source.lengths == target.lengths
    pairs = np.flatnonzero(same)
    lengths = source.lengths[pairs]
    begin = np.concatenate(([0], np.cumsum(lengths)))
    within = np.arange(begin[-1]) - np.repeat(begin[:-1], lengths)
    ours = source.ids[np.repeat(source.offsets[pairs], lengths) + within]
    theirs = target.ids[np.repeat(target.offsets[pairs], lengths) + within]
    differing = np.concatenate(([0], np.cumsum(twins(source, target)[ours] != theirs)))
    same[pairs] = differing[begin[1:]] == differing[begin[:-1]]
    return same


def repeated(bitext: Bitext, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which pairs were there before, in both sides' words, among some of them.

    >>> from cepts.corpus import bitext_from_pairs
    >>> pairs = bitext_from_pairs([("la maison", "house"), ("La  Maison", "House"), ("la", "house")])
    >>> repeated(pairs, np.ones(3, bool)).tolist()
    [False, True, False]
    """
    found = np.zeros(len(bitext), np.bool_)
    seen: set[tuple[bytes, bytes]] = set()
    for k in np.flatnonzero(among).tolist():
        key = (_bytes(bitext.source, k), _bytes(bitext.target, k))
        found[k] = key in seen
        seen.add(key)
    return found


def _bytes(side: Side, k: int) -> bytes:
    return side.ids[side.offsets[k] : side.offsets[k + 1]].tobytes()
