"""`Evidence`: how well each word of a pair fits the other side, and its neighbours, by what other pairs say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.quality.evidence_counts import Stems, count_links, count_neighbours, own_links
from cepts.running import run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.quality.evidence_kernels import LinkCounts, Words

    Owners = NDArray[np.int64]

WORD_RATIOS = np.exp([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0])
NEIGHBOUR_RATIOS = np.exp([-4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
FREQUENCIES = np.array([0, 1, 3, 8, 20, 60, 200, 1000])
LEVELS = len(WORD_RATIOS) + 3  # and two of their own: the same spelling over there, a number without anything
BUCKETS = LEVELS * (len(FREQUENCIES) + 1)
PAIRS_AT_ONCE = 1 << 15


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


WORD_PARTS = 4  # the first of them; those of neighbours have a place more for each sentence


class Evidence:
    """What a bitext and its links say about words: which are linked, which follow each other, and how often.

    A bucket stands for how much more often than by chance, and for how frequent the words are. What buckets are
    worth is for others to learn.
    """

    def __init__(self, bitext: Bitext, links: Links) -> None:
        self._stems = Stems(bitext)
        self._texts = (bitext, self._stems.of(bitext))
        self._own = own_links(links)
        self._linked = tuple(count_links(text, self._own) for text in self._texts)
        self._neighbours = (count_neighbours(bitext.source), count_neighbours(bitext.target))

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
            judge_words(_changeable(counted), corpus, self._own, text, owners, *block, scale, *buckets)
        scale = Scale(NEIGHBOUR_RATIOS, FREQUENCIES)
        known, text = _words(self._texts[0]), _words(texts[0])
        for way, neighbours in enumerate(self._neighbours):
            own = neighbours._replace(counts=neighbours.counts.copy(), totals=neighbours.totals.copy())
            sides = slice(2 * way, 2 * way + 2)
            lines = tuple(known[sides]), tuple(text[sides])
            judge_neighbours(own, *lines, owners, *block, scale, found[WORD_PARTS + way])


def _changeable(counted: LinkCounts) -> LinkCounts:
    """Copy the counts that a kernel changes for a while."""
    names = ("counts", "source_totals", "target_totals")
    return counted._replace(**{name: getattr(counted, name).copy() for name in names})


def _words(text: Bitext) -> Words:
    from cepts.quality.evidence_kernels import Words

    return Words(text.source.ids, text.source.offsets, text.target.ids, text.target.offsets)
