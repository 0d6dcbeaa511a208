"""From buckets to rows of numbers: what a bucket is worth, and what a pair's words add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.quality.evidence import BUCKETS, WORD_PARTS, Buckets
from cepts.quality.evidence_counts import sentence_letters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.quality.evidence import Judged

    Floats = NDArray[np.float64]
    Ratios = tuple[Floats, Floats]

DOUBT = 5.0  # added to the counts of a bucket in good and in bad text: what is rarely seen proves little
SUMMARIES = 10  # columns of `summarise`
MOST = 8.0  # standard deviations; more would not be worse
NARROWEST = 0.01  # spread of a log ratio


class Lengths(NamedTuple):
    """How long targets are for their sources: the middle of a log ratio, its spread, and that at length one."""

    middle: float
    spread: float
    spread_at_one: float


class Worth(NamedTuple):
    """Log odds [bucket] of good against bad text, as `Buckets` has its parts, and lengths as `log_ratios` has them."""

    evidence: tuple[NDArray[np.float32], ...]
    lengths: tuple[Lengths, ...]


def learn_worth(good: Judged, good_share: Floats, bad: tuple[Buckets, Buckets]) -> Worth:
    """Learn from a text, how much each pair of it counts, and the buckets of spoiled text.

    Words are held against shuffled pairs, neighbours against pairs with replaced words.
    """
    wrong = (*bad[0][:WORD_PARTS], *bad[1][WORD_PARTS:])
    shares = [np.repeat(good_share, np.diff(offsets)) for offsets in offsets_of(good.text)]
    evidence = tuple(log_odds(*counted) for counted in zip(good.buckets, shares, wrong, strict=True))
    return Worth(evidence, tuple(learn_lengths(*found) for found in log_ratios(good)))


def log_odds(good: NDArray[np.int16], share: Floats, bad: NDArray[np.int16]) -> NDArray[np.float32]:
    """Return for each bucket the log of how much more often it is met in good text.

    Here bucket 0 is met 15 times in good and 5 times in bad text: log((15 + 5) / (5 + 5)).

    >>> good, bad = np.repeat([0, 1], [15, 5]).astype(np.int16), np.repeat([0, 1], [5, 15]).astype(np.int16)
    >>> [round(float(odds), 3) for odds in log_odds(good, np.ones(20), bad)[:3]]
    [0.693, -0.693, 0.0]
    """
    kept = np.bincount(good, share, minlength=BUCKETS)
    lost = np.bincount(bad, minlength=BUCKETS) * (share.sum() / max(len(bad), 1))
    odds: NDArray[np.float32] = np.log((kept + DOUBT) / (lost + DOUBT)).astype(np.float32)
    return odds


def learn_lengths(ratios: Floats, precision: Floats) -> Lengths:
    """Learn from log ratios and their precision; medians, so that bad pairs matter little."""
    if not len(ratios):
        return Lengths(0.0, NARROWEST, NARROWEST)
    middle = float(np.median(ratios))
    off = np.abs(ratios - middle)
    spreads = (1.4826 * float(np.median(one)) for one in (off, off * precision))
    return Lengths(middle, *(max(spread, NARROWEST) for spread in spreads))


def features(judged: Judged, worth: Worth) -> Floats:
    """Return rows [pair, column]: the summaries of each part of `Buckets`, and how odd the lengths are."""
    from cepts.quality.evidence_kernels import summarise

    columns = []
    for found, evidence, offsets in zip(judged.buckets, worth.evidence, offsets_of(judged.text), strict=True):
        columns.append(np.zeros((len(judged.text), SUMMARIES)))
        summarise(found, offsets, evidence, columns[-1])
    columns += [oddness(*pair) for pair in zip(worth.lengths, log_ratios(judged), strict=True)]
    return np.concatenate(columns, axis=1)


def offsets_of(text: Bitext) -> list[NDArray[np.int64]]:
    """Return where the sentences begin in each part of `Buckets`."""
    sides = [text.source.offsets, text.target.offsets]
    borders = np.arange(len(text) + 1)
    return [*sides, *sides, *(offsets + borders for offsets in sides)]


def oddness(learned: Lengths, found: Ratios) -> Floats:
    """Return how many standard deviations a log ratio is off, for all pairs alike and for their length, and squares.

    A long pair varies less than a short one, yet more than words that vary each on their own would have it. Here the
    ratio is off by two spreads; the pair is so long that this is rarer still.

    >>> oddness(Lengths(0.0, 0.1, 0.5), (np.array([-0.2]), np.array([10.0]))).tolist()
    [[2.0, 0.5, 4.0, 2.0]]
    """
    ratios, precision = found
    off = np.abs(ratios - learned.middle)
    alike = np.minimum(off / learned.spread, MOST)
    for_length = np.minimum(off * precision / learned.spread_at_one, MOST)
    return np.stack([alike, alike**2 / MOST, for_length, for_length**2 / MOST], axis=1)


def log_ratios(judged: Judged) -> list[Ratios]:
    """Return log ratios of target to source [pair], each with what its spread falls with: the root of the length.

    In words; in letters; and in letters, those of each side by what the words of the other let one expect.
    """
    text = judged.text
    words = [side.lengths + 1.0 for side in (text.source, text.target)]
    letters = [sentence_letters(side) + 1.0 for side in (text.source, text.target)]
    usual = [have / (expected + 1) for have, expected in zip(letters, judged.expected, strict=True)]
    by_words, by_letters = (np.sqrt(one + other) for one, other in (words, letters))
    sides = ((words, by_words), (letters, by_letters), (usual, by_letters))
    return [(np.log(target / source), root) for (source, target), root in sides]
