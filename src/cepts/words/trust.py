"""`Trust`: how far the probability of a link can be trusted, as its words tell.

Posteriors know nothing of how they came about. That two words which were seen once belong together may follow from
nothing but what is left over in their sentence; of words that were seen a hundred times, or that are spelled alike, the
same posterior means far more. So the log odds of every link that is more likely right than wrong are multiplied by a
factor that depends on its words and its sentence pair. No link changes sides: which ones are probable stays as it is,
and with it the links of every threshold up to a half.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.running import run
from cepts.words.confidence import log_odds, size_of_text
from cepts.words.layout import runs_of
from cepts.words.lexicon import read_only, release_all
from cepts.words.likeness import letters_of_words
from cepts.words.spelling import spelling_key
from cepts.words.trust_kernels import EVEN, gather_evidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.links import Links
    from cepts.words.families import Seen

    Weigh = Callable[[Links], Links]

LEAST_TRUST = 0.05  # more likely right than wrong stays so
NEAREST = 1e-7  # how close to 1 a confidence is taken for what it is
BLOCK = 1 << 18  # links that are weighed at a time


class Trust(NamedTuple):
    """What log odds are multiplied by: `always`, and so much for what is known of a link.

    `rare`: how rare the rarer of its words is, 1 / sqrt(times seen), the less it matters the more they are alike.
    `alike`: how alike they are spelled, from 0 to 1. `rare_pair`: how rare the words of the sentence pair are, the mean
    of each side, added up. `linked`: how many probable links the pair has, over the geometric mean of its lengths.
    `size`: the tenfolds of 10,000 pairs that the text of training has.
    """

    always: float
    rare: float
    alike: float
    rare_pair: float
    linked: float
    size: float

    def factor(self, evidence: NDArray[np.float64], pairs: int) -> NDArray[np.float64]:
        """What the log odds of links are multiplied by, from rows of evidence; `pairs` is the size of training."""
        numbers = np.array([self.rare, self.alike, self.rare_pair, self.linked])
        found: NDArray[np.float64] = evidence @ numbers + (self.always + self.size * size_of_text(pairs))
        return np.maximum(found, LEAST_TRUST)


class SideWords(NamedTuple):
    """One side of a text, and for each of its different words what a link's evidence is made of."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    rarity: NDArray[np.float64]
    spellings: NDArray[np.int32]
    letters: NDArray[np.int32]
    letter_offsets: NDArray[np.int64]

    @classmethod
    def of(
        cls, side: Side, seen: NDArray[np.int64], keys: dict[str, int], letters: dict[str, int]
    ) -> SideWords:
        """Look at each word of a side; `seen` is how often it was there in training. Both sides share their numbers."""
        spellings = [keys.setdefault(spelling_key(word), len(keys)) for word in side.words]
        return cls(
            read_only(side.ids),
            read_only(side.offsets),
            1.0 / np.sqrt(np.maximum(seen, 1)),
            np.array(spellings, np.int32),
            *letters_of_words(side.words, letters),
        )


def weigher(trust: Trust, bitext: Bitext, seen: Seen, pairs: int, threads: int = 1) -> Weigh:
    """Return what weighs the links of a bitext.

    `seen` is how often the words of its sides were there in the text of training, which had so many pairs.
    """
    return partial(weighed, trust=trust, sides=sides_of(bitext, seen), pairs=pairs, threads=threads)


def sides_of(bitext: Bitext, seen: Seen) -> tuple[SideWords, SideWords]:
    """Look at the words of both sides of a bitext."""
    keys: dict[str, int] = {}
    letters: dict[str, int] = {}
    return (
        SideWords.of(bitext.source, seen[0], keys, letters),
        SideWords.of(bitext.target, seen[1], keys, letters),
    )


def weighed(
    links: Links, trust: Trust, sides: tuple[SideWords, SideWords], pairs: int, threads: int = 1
) -> Links:
    """Multiply the log odds of all links that are more likely right than wrong by what can be trusted."""
    confidence = links.confidence.copy()

    def weigh(block: tuple[int, int]) -> None:
        rows = slice(int(links.offsets[block[0]]), int(links.offsets[block[1]]))
        given = links.confidence[rows].astype(np.float64)
        odds = log_odds(given, NEAREST) * trust.factor(evidence(links, sides, block), pairs)
        confidence[rows] = np.where(given > EVEN, 1.0 / (1.0 + np.exp(-odds)), given)

    for _ in run(weigh, runs_of(links.offsets[1:] // BLOCK), threads):
        release_all((links.source, links.target, links.confidence, confidence))
    return replace(links, confidence=confidence)


def evidence(links: Links, sides: tuple[SideWords, SideWords], block: tuple[int, int]) -> NDArray[np.float64]:
    """Return what the words of the links of some pairs tell, [links, 4]; zeros for links that are not probable."""
    first, end = block
    found = np.zeros((int(links.offsets[end] - links.offsets[first]), 4))
    columns = (links.offsets, links.source, links.target, links.confidence)
    gather_evidence(tuple(read_only(column) for column in columns), first, end, *sides, found)
    return found
