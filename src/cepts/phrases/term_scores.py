"""How good pairs of terms are: as translations of each other, and as terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.phrases.term_pairs import Half, TermPairs
    from cepts.phrases.term_phrases import Phrases

BACKGROUND = 1000  # segments with neither term that are added: in a small text, all else would be common
BORDER = 0.2  # share of a term's occurrences that stand at a border
SINGLE = 0.8  # most single words are no terms
JOINED = 0.8  # most phrases with function words on both sides are parts of sentences
STEADY = 0.5  # consistency of a longer term that counts where shorter ones are nested in it


class Scores(NamedTuple):
    """Of each pair of terms: its score, and the three that it is the product of, all from 0 to 1."""

    score: NDArray[np.float64]
    consistency: NDArray[np.float64]
    association: NDArray[np.float64]
    termhood: NDArray[np.float64]


def score_terms(source: Half, target: Half, terms: TermPairs, segments: int) -> Scores:
    """Score all pairs of terms of a text of so many pairs of segments.

    consistency: Dice's coefficient of both terms, 2 count / (segments with one + segments with the other + 1), whose
    1 asks for more than one find. association: log(1 + G2) as a share of the largest, where G2 is the log-likelihood
    ratio of Dunning (1993), in a text with `BACKGROUND` more segments. termhood: see `termhood`.
    """
    with_source = source.phrases.segments[terms.source]
    with_target = target.phrases.segments[terms.target]
    consistency = 2 * terms.count / (with_source + with_target + 1)
    strength = np.log1p(likelihood_ratio(terms.count, with_source, with_target, segments + BACKGROUND))
    association = strength / max(float(strength.max(initial=0.0)), 1e-9)
    hood = termhood(source, target, terms, consistency)
    return Scores(consistency * association * hood, consistency, association, hood)


def likelihood_ratio(
    both: NDArray[np.int64], source: NDArray[np.int64], target: NDArray[np.int64], segments: int
) -> NDArray[np.float64]:
    """Return G2: how much likelier the counts are if the two depend on each other; 0 if they avoid each other.

    >>> likelihood_ratio(np.array([2, 1]), np.array([2, 2]), np.array([2, 2]), 4).round(3).tolist()
    [5.545, 0.0]
    """
    neither = np.maximum(segments - source - target + both, 0)
    cells = np.array([both, source - both, target - both, neither], np.float64)
    total = cells.sum(axis=0)
    rows, columns = cells[0] + cells[1], cells[0] + cells[2]
    products = [row * column for row in (rows, total - rows) for column in (columns, total - columns)]
    expected = np.array(products) / np.maximum(total, 1)
    parts = cells * np.log(np.maximum(cells, 1e-12) / np.maximum(expected, 1e-12))
    ratio: NDArray[np.float64] = np.where(cells[0] > expected[0], 2 * parts.sum(axis=0), 0.0)
    return np.maximum(ratio, 0.0)


def termhood(
    source: Half, target: Half, terms: TermPairs, consistency: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how much a pair stands for itself.

    That is the `independence` of the side with less, times the geometric mean of how often both stand `at_borders`,
    times `JOINED` if there are function words within both. A pair that is a whole segment w times has at least
    w / (w + 1). A pair of single words has `SINGLE` of all that.
    """
    steady = (consistency >= STEADY) & (terms.count > 1)
    sides = ((source, terms.source), (target, terms.target))
    own = [independence(half.phrases, np.unique(numbers[steady]))[numbers] for half, numbers in sides]
    borders = [at_borders(half.phrases)[numbers] for half, numbers in sides]
    joined = [has_function_words(half)[numbers] for half, numbers in sides]
    hood: NDArray[np.float64] = np.minimum(own[0], own[1]) * np.sqrt(borders[0] * borders[1])
    hood = np.where(joined[0] & joined[1], JOINED * hood, hood)
    single = (source.phrases.length[terms.source] == 1) & (target.phrases.length[terms.target] == 1)
    return np.maximum(hood, terms.whole / (terms.whole + 1)) * np.where(single, SINGLE, 1.0)


def has_function_words(half: Half) -> NDArray[np.bool_]:
    """Mark the phrases with words that no term begins or ends with."""
    before = np.append(0, np.cumsum(half.side.word & ~half.side.edge))
    places = half.phrases.places
    found: NDArray[np.bool_] = before[places + half.phrases.length] > before[places]
    return found


def at_borders(phrases: Phrases) -> NDArray[np.float64]:
    """Return how often phrases stand at borders, as a share of what terms do: 1 for those that do it as often.

    Beginnings of sentences that come again and again, such as *Ensure this value*, do not.
    """
    return np.minimum((phrases.border + 1) / (BORDER * phrases.occurrences + 1), 1.0)


def independence(phrases: Phrases, longer: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each phrase the share of its segments outside of the longer term that has most of them.

    The idea is that of the C-value (Frantzi, Ananiadou and Mima, 2000), with the largest instead of the mean.
    """
    nested = np.zeros(len(phrases.segments), np.int64)
    for length in range(2, len(phrases.numbers) + 1):
        terms = longer[phrases.length[longer] == length]
        for part in range(1, length):
            for shift in range(length - part + 1):
                inner = phrases.numbers[part - 1][phrases.places[terms] + shift]
                np.maximum.at(nested, inner[inner >= 0], phrases.segments[terms[inner >= 0]])
    return 1 - nested / np.maximum(phrases.segments, 1)
