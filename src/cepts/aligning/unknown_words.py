"""The shares of the words of a text that a model does not know, and what they say of its languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.words import Vocabularies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side

LEAST_PAIRS = 20  # fewer say too little
LOOKED_AT = 10_000  # pairs
FEWER = 0.8  # words are known better one way round if each side has at most this share of the unknown words
LESS = 0.1  # that it has the other way round, and this share of its words less
MOST = (
    0.6  # of the words of a side: if more are unknown, and are known better neither way, languages are others
)
LETTER = re.compile(r"[^\W\d_]")
GLUED = re.compile(r"[^\W_][,;:!?،؛؟。，！？]$|[^\W\d_]{5}\.$")
RAW = 0.05  # share of words with a mark at their end: raw text has more
TOKENS = 0.01  # and tokens have fewer


class UnknownWords(NamedTuple):
    """Shares of a text's tokens with letters that a model has never seen, also with the sides of the text exchanged."""

    source: float
    target: float
    exchanged_source: float
    exchanged_target: float
    enough: bool = True  # there are pairs enough to judge
    raw: bool = False  # words of the text have punctuation at their ends, those of the model have none

    @property
    def wrong_way_round(self) -> bool:
        """Whether both sides are known better with the sides of the text exchanged.

        >>> UnknownWords(0.9, 0.8, 0.1, 0.2).wrong_way_round, UnknownWords(0.1, 0.2, 0.9, 0.8).wrong_way_round
        (True, False)
        """
        return self.enough and _known_better(self[2:4], self[:2])

    @property
    def other_languages(self) -> bool:
        """Whether most words of a side are unknown, and neither way round knows both sides better."""
        one_way = _known_better(self[:2], self[2:4]) or _known_better(self[2:4], self[:2])
        return self.enough and not one_way and max(self.source, self.target) > MOST


def _known_better(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Tell whether both sides have clearly fewer unknown words one way round than the other."""
    return all(a <= FEWER * b and a <= b - LESS for a, b in zip(one, other, strict=True))


def unknown_words(bitext: Bitext, known: Vocabularies) -> UnknownWords:
    """Look up the words of the first pairs of a text."""
    part = bitext.part(0, LOOKED_AT)
    filled = int(((part.source.lengths > 0) & (part.target.lengths > 0)).sum())
    (source, source_counts), (target, target_counts) = (_counted(side) for side in (part.source, part.target))
    given = known.maps_of(Vocabularies(source, target))
    exchanged = known.maps_of(Vocabularies(target, source))
    counts = (source_counts, target_counts)
    own = [_share(ids, count) for ids, count in zip(given, counts, strict=True)]
    other = [_share(ids, count) for ids, count in zip(exchanged[::-1], counts, strict=True)]
    raw = _glued(source, target) > RAW and _glued(known.source, known.target) < TOKENS
    return UnknownWords(own[0], own[1], other[0], other[1], filled >= LEAST_PAIRS, raw)


def _counted(side: Side) -> tuple[list[str], NDArray[np.int64]]:
    """Return the words of a side that have letters, and how often each is there."""
    counts = np.bincount(side.ids, minlength=len(side.words))
    used = [k for k in np.flatnonzero(counts).tolist() if LETTER.search(side.words[k])]
    return [side.words[k] for k in used], counts[used]


def _glued(*sides: Sequence[str]) -> float:
    """Return the share of words that have a mark at their end."""
    glued = sum(GLUED.search(word) is not None for words in sides for word in words)
    return glued / max(sum(map(len, sides)), 1)


def _share(ids: NDArray[np.int32], counts: NDArray[np.int64]) -> float:
    """Return the share of tokens whose word has no id; the first id is that of NULL."""
    return float(counts[ids[1:] < 0].sum() / max(counts.sum(), 1))
