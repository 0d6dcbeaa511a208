"""`Evidence`: how well words fit the other side and their neighbours, and lengths each other, by what others say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cepts.quality.evidence_counts import (
    Stems,
    count_letters,
    count_links,
    count_neighbours,
    own_letters,
    own_links,
    sentence_letters,
)
from cepts.running import run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.links import Links
    from cepts.quality.evidence_counts import Places
    from cepts.quality.evidence_kernels import LetterCounts, LinkCounts, NeighbourCounts, OwnLinks, Words

    Owners = NDArray[np.int64]
    Counts = TypeVar("Counts", LinkCounts, NeighbourCounts, LetterCounts)

WORD_RATIOS = np.exp([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0])
NEIGHBOUR_RATIOS = np.exp([-4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
FREQUENCIES = np.array([0, 1, 3, 8, 20, 60, 200, 1000])
LEVELS = len(WORD_RATIOS) + 3  # and two of their own: the same spelling over there, a number without anything
BUCKETS = LEVELS * (len(FREQUENCIES) + 1)
PAIRS_AT_ONCE = 1 << 15
LINK_COUNTS = ("counts", "source_totals", "target_totals")
NEIGHBOUR_COUNTS = ("counts", "totals")
LETTER_COUNTS = ("linked", "totals")


class Buckets(NamedTuple):
    """The bucket of each word of both sides, of its first letters, and of each two neighbours, borders included.

    The words of sentence k begin at its offset, its neighbours at its offset + k.
    """

    source_words: NDArray[np.int16]
    target_words: NDArray[np.int16]
    source_stems: NDArray[np.int16]
    target_stems: NDArray[np.int16]
    source_neighbours: NDArray[np.int16]
    target_neighbours: NDArray[np.int16]


class Judged(NamedTuple):
    """A text, its buckets, and how many letters [2][pair] each side has as a rule, given the words of the other."""

    text: Bitext
    buckets: Buckets
    expected: NDArray[np.float64]


WORD_PARTS = 4  # the first of them; those of neighbours have a place more for each sentence


class Evidence:
    """What a bitext and its links say about words: which are linked, which follow each other, how often, and how long.

    A bucket stands for how much more often than by chance, and for how frequent the words are. What buckets are
    worth is for others to learn.
    """

    def __init__(self, bitext: Bitext, links: Links) -> None:
        self._stems = Stems(bitext)
        self._texts = (bitext, self._stems.of(bitext))
        self._own = own_links(links)
        self._linked = tuple(count_links(text, self._own) for text in self._texts)
        self._neighbours = (count_neighbours(bitext.source), count_neighbours(bitext.target))
        sides, places = (bitext.source, bitext.target), (links.source, links.target)
        self._letters = (Letters(sides, places, self._own), Letters(sides[::-1], places[::-1], self._own))

    def judge(self, text: Bitext, owners: Owners, threads: int = 1) -> Judged:
        """Judge a text of the same vocabulary, its words and its lengths; see `buckets`."""
        return Judged(text, self.buckets(text, owners, threads), self.expected_letters(text, owners))

    def expected_letters(self, text: Bitext, owners: Owners) -> NDArray[np.float64]:
        """Return how many letters [2][pair] the sources and targets of a text have as a rule; see `buckets`."""
        owners = np.ascontiguousarray(owners, np.int64)
        by_source, by_target = self._letters
        return np.stack([by_target.expected(text.target, owners), by_source.expected(text.source, owners)])

    def buckets(self, text: Bitext, owners: Owners, threads: int = 1) -> Buckets:
        """Judge a text of the same vocabulary.

        `owners` [2][pair] are the pairs of the bitext that a pair of the text was made of, -1 for none; what they
        taught is left out. Other threads and other runs of pairs give the same.
        """
        sizes = [len(side.ids) for side in (text.source, text.target)]
        more = [size + len(text) for size in sizes]
        found = Buckets(*(np.zeros(size, np.int16) for size in (*sizes, *sizes, *more)))
        owners = np.ascontiguousarray(owners, np.int64)
        judge = partial(self._judge, (text, self._stems.of(text)), owners, found)
        blocks = [(k, min(k + PAIRS_AT_ONCE, len(text))) for k in range(0, len(text), PAIRS_AT_ONCE)]
        for _ in run(judge, blocks, threads):
            pass
        return found

    def _judge(
        self, texts: tuple[Bitext, Bitext], owners: Owners, found: Buckets, block: tuple[int, int]
    ) -> None:
        """Fill the buckets of a run of pairs, with counts of its own to change."""
        from cepts.quality.evidence_kernels import Scale, judge_neighbours, judge_words

        scale = Scale(WORD_RATIOS, FREQUENCIES)
        for which, counted in enumerate(self._linked):
            corpus, text = _words(self._texts[which]), _words(texts[which])
            buckets = found[2 * which : 2 * which + 2]
            judge_words(
                _changeable(counted, LINK_COUNTS), corpus, self._own, text, owners, *block, scale, *buckets
            )
        scale = Scale(NEIGHBOUR_RATIOS, FREQUENCIES)
        known, text = _words(self._texts[0]), _words(texts[0])
        for way, neighbours in enumerate(self._neighbours):
            own = _changeable(neighbours, NEIGHBOUR_COUNTS)
            sides = slice(2 * way, 2 * way + 2)
            lines = tuple(known[sides]), tuple(text[sides])
            judge_neighbours(own, *lines, owners, *block, scale, found[WORD_PARTS + way])


class Letters:
    """How many letters the words of one side become on the other.

    A side and the other, the places [2][link] of the words that are linked, and the links.
    """

    def __init__(self, sides: tuple[Side, Side], places: Places, links: OwnLinks) -> None:
        ours, theirs = sides
        self._corpus = (ours.ids, ours.offsets)
        self._own = own_letters(theirs, places, links)
        self._counted = count_letters(ours, self._own)
        self._ratio = float(sentence_letters(theirs).sum() / max(sentence_letters(ours).sum(), 1))

    def expected(self, side: Side, owners: Owners) -> NDArray[np.float64]:
        """Return how many letters the other side of each sentence has as a rule, without what its owners taught."""
        from cepts.quality.evidence_kernels import expect_letters

        found = np.zeros(len(side))
        counted = _changeable(self._counted, LETTER_COUNTS)
        expect_letters(counted, self._corpus, self._own, (side.ids, side.offsets), owners, self._ratio, found)
        return found


def _changeable(counted: Counts, names: tuple[str, ...]) -> Counts:
    """Copy the counts that a kernel changes for a while."""
    return counted._replace(**{name: getattr(counted, name).copy() for name in names})


def _words(text: Bitext) -> Words:
    from cepts.quality.evidence_kernels import Words

    return Words(text.source.ids, text.source.offsets, text.target.ids, text.target.offsets)
