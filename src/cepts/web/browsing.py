"""`Table`: what is known of each pair of a corpus as arrays, and which pairs a query wants, in which order."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.corpus import encode_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.corpus.segmenter import Segmenter

    Mask = NDArray[np.bool_]
    Floats = NDArray[np.float64]

ORDERS = ("worst", "best", "line", "longest")
SHOWN = ("all", "corrected", "uncorrected", "different")


class Wanted(NamedTuple):
    """Which pairs are wanted: those that have all of `word`, and are within all bounds."""

    word: str = ""
    min_score: float | None = None
    max_score: float | None = None
    min_words: int | None = None
    max_words: int | None = None
    show: str = "all"

    @property
    def everything(self) -> bool:
        """Whether every pair is."""
        return self == Wanted()


class WordIndex:
    """The pairs that each word of a side is in: those of word w are `pairs[starts[w]:starts[w + 1]]`.

    Words are looked up whole, with no regard to case.

    >>> from cepts.corpus import bitext_from_pairs
    >>> bitext = bitext_from_pairs([("La maison", "the house"), ("la la", "a")], keep_case=True)
    >>> WordIndex(bitext.source).lookup("LA").tolist(), WordIndex(bitext.target).lookup("ho").tolist()
    ([0, 1, 1], [])
    """

    def __init__(self, side: Side) -> None:
        self._pair_count, self._segmenter = len(side), side.segmenter
        self.starts = np.zeros(len(side.words) + 1, np.int64)
        np.cumsum(np.bincount(side.ids, minlength=len(side.words)), out=self.starts[1:])
        owner = np.repeat(np.arange(len(side), dtype=np.int32), side.lengths)
        self.pairs = owner[np.argsort(side.ids, kind="stable")]
        self._words: dict[str, list[int]] = {}
        for number, word in enumerate(side.words):
            self._words.setdefault(word.lower(), []).append(number)

    def mark(self, text: str) -> Mask:
        """Mark the pairs that have a word; or all the words that it is cut into, where the text was cut."""
        mask = self._marked(text)
        words = [] if self._segmenter is None else _cut(text, self._segmenter)
        if words:
            mask |= np.logical_and.reduce([self._marked(word) for word in words])
        return mask

    def _marked(self, word: str) -> Mask:
        """Mark the pairs that have a word."""
        mask = np.zeros(self._pair_count, np.bool_)
        mask[self.lookup(word)] = True
        return mask

    def lookup(self, word: str) -> NDArray[np.int32]:
        """Return the pairs, from 0, that have a word; one that has it twice may be there twice."""
        numbers = self._words.get(word.lower(), [])
        found = [self.pairs[self.starts[number] : self.starts[number + 1]] for number in numbers]
        return np.concatenate([self.pairs[:0], *found])


def _cut(text: str, segmenter: Segmenter) -> list[str]:
    """Cut what is looked for as the text was cut."""
    words = encode_lines([text], tokenize=True, errors="replace", segmenter=segmenter).words
    return list(words)


class Table:
    """The pairs of a corpus as arrays: score, error against gold, links that differ, words of the longer side.

    `scores` and `errors` have a NaN where there is none, and are None where no pair has one.
    """

    def __init__(
        self,
        bitext: Bitext,
        scores: Floats | None,
        errors: Floats | None,
        different: NDArray[np.int32] | None,
    ) -> None:
        self.scores = scores
        self.errors = errors
        self.different = different
        self.words = np.maximum(bitext.source.lengths, bitext.target.lengths).astype(np.int32)
        self._index = (WordIndex(bitext.source), WordIndex(bitext.target))
        self._orders: dict[str, NDArray[np.int32]] = {}

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.words)

    @cached_property
    def _worst_first(self) -> list[Floats]:
        """What pairs are sorted by, the more important last."""
        keys = [] if self.scores is None else [self.scores]
        return keys if self.errors is None else [*keys, -self.errors]

    def order(self, name: str) -> NDArray[np.int32]:
        """Return all pairs, from 0, in an order; equal ones as they stand in the text.

        Worst first is by error against gold, falling, then by score, rising; pairs without come last.
        """
        if name not in self._orders:
            keys: Sequence[NDArray[np.generic]] = ()
            if name == "longest":
                keys = [-self.words]
            elif name in ("worst", "best"):
                sign = 1 if name == "worst" else -1
                keys = [np.nan_to_num(sign * key, nan=np.inf) for key in self._worst_first]
            lines = np.arange(len(self), dtype=np.int32)
            self._orders[name] = np.lexsort(keys).astype(np.int32) if len(keys) else lines
        return self._orders[name]

    def found(self, order: str, wanted: Wanted, corrected: Mask) -> NDArray[np.int32]:
        """Return the pairs that are wanted, from 0, in an order."""
        ordered = self.order(order)
        return ordered if wanted.everything else ordered[self._mask(wanted, corrected)[ordered]]

    def _mask(self, wanted: Wanted, corrected: Mask) -> Mask:
        """Mark the pairs that are wanted."""
        mask = np.ones(len(self), np.bool_)
        for word in wanted.word.split():
            mask &= self._index[0].mark(word) | self._index[1].mark(word)
        for values, least, most in (
            (self.scores, wanted.min_score, wanted.max_score),
            (self.words, wanted.min_words, wanted.max_words),
        ):
            if least is not None:
                mask &= False if values is None else values >= least
            if most is not None:
                mask &= False if values is None else values <= most
        if wanted.show == "different":
            mask &= False if self.different is None else self.different > 0
        elif wanted.show != "all":
            mask &= corrected == (wanted.show == "corrected")
        return mask
