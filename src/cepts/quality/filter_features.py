"""From buckets to rows of numbers: what a bucket is worth, and what a pair's words add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.quality.evidence import BUCKETS, WORD_PARTS, Buckets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side

    Floats = NDArray[np.float64]

DOUBT = 5.0  # added to the counts of a bucket in good and in bad text: what is rarely seen proves little
SUMMARIES = 8  # columns of `summarise`
MOST = 8.0  # standard deviations; more would not be worse


class Lengths(NamedTuple):
    """How long targets are for their sources: the middle of the log ratio, and its spread at length one."""

    middle: float
    spread: float


class Worth(NamedTuple):
    """Log odds [bucket] of good against bad text, as `Buckets` has its parts, and lengths in words and letters."""

    evidence: tuple[NDArray[np.float32], ...]
    words: Lengths
    letters: Lengths


def learn_worth(text: Bitext, good: Buckets, good_share: Floats, bad: tuple[Buckets, Buckets]) -> Worth:
    """Learn from a text's buckets, how much each pair of it counts, and the buckets of spoiled text.

    Words are held against shuffled pairs, neighbours against pairs with replaced words.
    """
    wrong = (*bad[0][:WORD_PARTS], *bad[1][WORD_PARTS:])
    shares = [np.repeat(good_share, np.diff(offsets)) for offsets in offsets_of(text)]
    evidence = tuple(log_odds(*counted) for counted in zip(good, shares, wrong, strict=True))
    return Worth(evidence, learn_lengths(*word_lengths(text)), learn_lengths(*letter_lengths(text)))


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


def learn_lengths(source: Floats, target: Floats) -> Lengths:
    """Learn from the lengths of both sides; medians, so that bad pairs matter little."""
    ratios, precision = _log_ratios(source, target)
    middle = float(np.median(ratios)) if len(ratios) else 0.0
    off = np.abs(ratios - middle) * precision
    return Lengths(middle, max(1.4826 * float(np.median(off)) if len(off) else 0.0, 0.1))


def features(text: Bitext, buckets: Buckets, worth: Worth) -> Floats:
    """Return rows [pair, column]: the summaries of each part of `Buckets`, and how odd the lengths are."""
    from cepts.quality.evidence_kernels import summarise

    columns = []
    for found, evidence, offsets in zip(buckets, worth.evidence, offsets_of(text), strict=True):
        columns.append(np.zeros((len(text), SUMMARIES)))
        summarise(found, offsets, evidence, columns[-1])
    for learned, lengths in ((worth.words, word_lengths(text)), (worth.letters, letter_lengths(text))):
        odd = oddness(learned, *lengths)
        columns.append(np.stack([odd, odd**2 / MOST], axis=1))
    return np.concatenate(columns, axis=1)


def offsets_of(text: Bitext) -> list[NDArray[np.int64]]:
    """Return where the sentences begin in each part of `Buckets`."""
    sides = [text.source.offsets, text.target.offsets]
    borders = np.arange(len(text) + 1)
    return [*sides, *sides, *(offsets + borders for offsets in sides)]


def oddness(learned: Lengths, source: Floats, target: Floats) -> Floats:
    """Return how many standard deviations the lengths of each pair are off, at most `MOST`."""
    ratios, precision = _log_ratios(source, target)
    return np.minimum(np.abs(ratios - learned.middle) * precision / learned.spread, MOST)


def word_lengths(text: Bitext) -> tuple[Floats, Floats]:
    """Return the words of each sentence of both sides."""
    return text.source.lengths.astype(np.float64), text.target.lengths.astype(np.float64)


def letter_lengths(text: Bitext) -> tuple[Floats, Floats]:
    """Return the letters of each sentence of both sides."""
    return _letters(text.source), _letters(text.target)


def _letters(side: Side) -> Floats:
    lengths = np.array([len(word) for word in side.words], np.int64)
    before = np.concatenate(([0], np.cumsum(lengths[side.ids])))
    return np.diff(before[side.offsets]).astype(np.float64)


def _log_ratios(source: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Return the log ratio of both lengths, and what its spread is in proportion to: long sentences vary less."""
    return np.log((target + 1) / (source + 1)), np.sqrt(source + target + 2)
