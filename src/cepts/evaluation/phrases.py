"""`phrase_scores`: the phrase pairs that links make, against those of a gold standard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError
from cepts.evaluation.counting import check_lengths
from cepts.evaluation.scores import share, weighted_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.links.links import Links
    from cepts.phrases.extraction import PhrasePairs

    Positions = NDArray[np.int32]

POSSIBLE = ("all", "any")  # how many links a gold word needs inside a phrase pair if all of them are possible


@checked
@dataclass(frozen=True)
class PhraseScores:
    """How many phrase pairs are right: `common` of the `found` ones are in the `gold`, each a number of pairs.

    `precision` is common / found, `recall` common / gold, `f1` their harmonic mean. A share of nothing counts as 1 if
    the other set is empty too, otherwise as 0. Phrases have at most `max_length` words on each side.
    """

    precision: float
    recall: float
    f1: float
    found: int
    gold: int
    common: int
    max_length: int


@checked
def phrase_scores(links: Links, gold: Links, max_length: int = 5, possible: str = "all") -> PhraseScores:
    """Score the phrase pairs of links against those of gold links (denero-2011, section 5.3).

    A phrase pair is a run of source and a run of target words, each of at most `max_length` words and each with a
    link inside the pair, that no link leaves. Possible gold links are both included and excluded. With `possible`
    "all", the rule of the paper, a word with a sure link ignores its possible ones, and a word without needs all of
    its possible ones inside; with "any" one inside is enough. Of the links to be scored all are alike.

    >>> from cepts.links import Links
    >>> gold = Links.from_pairs([[(0, 0), (1, 1)]])
    >>> phrase_scores(Links.from_pairs([[(0, 0), (1, 1), (1, 2)]]), gold)
    PhraseScores(precision=0.3333333333333333, recall=0.3333333333333333, f1=0.3333333333333333, found=3, gold=3,
                 common=1, max_length=5)
    """
    bounds.PHRASE_LENGTH.check("phrases", max_length)
    if possible not in POSSIBLE:
        raise OptionError(f"possible {possible!r}: expected one of {', '.join(POSSIBLE)}")
    check_lengths(links, gold)
    found = _extracted(replace(links, sure=np.ones_like(links.sure)), max_length)
    right = _extracted(gold, max_length)
    if possible == "all":
        right = _with_all_possible(right, gold)
    common = _count_common(found, right)
    made, wanted = len(found.pair), len(right.pair)
    precision, recall = share(common, made, wanted), share(common, wanted, made)
    f1 = weighted_mean(precision, recall, 0.5)
    return PhraseScores(precision, recall, f1, made, wanted, common, max_length)


def _extracted(links: Links, max_length: int) -> PhrasePairs:
    """Return the phrase pairs without words that have no link; words behind the last link do not matter."""
    from cepts.phrases.extraction import extract

    source, target = (_extents(positions, links.offsets) for positions in (links.source, links.target))
    return extract(links, source, target, max_length, unaligned="never")


def _with_all_possible(found: PhrasePairs, gold: Links) -> PhrasePairs:
    """Keep the phrase pairs in which each word that has only possible links has all of them inside."""
    pair, first, last, low, high = found
    inside = _reaches_within(gold, gold.source, gold.target, (pair, first, last), (low, high))
    inside &= _reaches_within(gold, gold.target, gold.source, (pair, low, high), (first, last))
    return found._replace(
        pair=pair[inside],
        source_begin=first[inside],
        source_end=last[inside],
        target_begin=low[inside],
        target_end=high[inside],
    )


def _reaches_within(
    gold: Links,
    words: Positions,
    others: Positions,
    runs: tuple[NDArray[np.int64], Positions, Positions],
    box: tuple[Positions, Positions],
) -> NDArray[np.bool_]:
    """Tell for runs of words, (pair, begin, end), whether the links of those without a sure one end within a box.

    `words` are the ends of all links on the side of the runs, `others` on the side of the box (begin, end).
    """
    lengths = _extents(words, gold.offsets).astype(np.int64)
    begins = np.cumsum(lengths) - lengths  # of each pair's words, counted over all pairs
    size = int(lengths.sum()) + 1  # one more: a run may end behind the last word
    place = begins[gold.row_pairs()] + words
    has_sure = np.zeros(size, np.bool_)
    has_sure[place[gold.sure]] = True
    free = ~has_sure[place]
    lowest, highest = np.full(size, np.iinfo(np.int32).max), np.full(size, -1)
    np.minimum.at(lowest, place[free], others[free])
    np.maximum.at(highest, place[free], others[free])
    pair, begin, end = runs
    edges = np.stack((begins[pair] + begin, begins[pair] + end), axis=1).ravel()
    within = np.minimum.reduceat(lowest, edges)[::2] >= box[0]
    within &= np.maximum.reduceat(highest, edges)[::2] < box[1]
    return within


def _extents(positions: Positions, offsets: NDArray[np.int64]) -> Positions:
    """Return the length of the shortest sentence of each pair that holds all its positions."""
    lengths = np.zeros(len(offsets) - 1, np.int32)
    linked = np.flatnonzero(np.diff(offsets))
    if len(linked):
        lengths[linked] = np.maximum.reduceat(positions, offsets[linked]) + 1
    return lengths


def _count_common(one: PhrasePairs, other: PhrasePairs) -> int:
    """Count the rows that two tables without repeated rows share."""
    columns = np.concatenate((np.array(one, np.int64), np.array(other, np.int64)), axis=1)
    order = np.lexsort(columns)
    columns = columns[:, order]
    return int(np.all(columns[:, 1:] == columns[:, :-1], axis=0).sum())
