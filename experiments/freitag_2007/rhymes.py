"""The rhyme task (section 3.3): words that rhyme are to have a higher affinity than words that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.characters import EditModel
from cepts.evaluation import break_even
from freitag_2007.fixed import CommonSuffix, levenshtein
from freitag_2007.material import SEED, folds_of
from freitag_2007.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Scorer = Callable[
        [int, NDArray[np.int64]], NDArray[Any]
    ]  # of a held-out word and others, by their numbers

RANKED, QUICK_RANKED = 1000, 60  # words, rhyming or not, that a word's affinities rank
TRUES = DECOYS = 5
BLOCKS = 100
EVERY = 3  # so many-th held-out word is judged: that is enough words, and costs a third
CHANCE, SUFFIX, LEVENSHTEIN, SHARE = "chance", "suffix", "levenshtein", "-share"


class Hits(NamedTuple):
    """For each block of test words, how many rhyming words were found before the break-even point, and how many are.

    `shares` is the sum of each word's share, and `words` how many words have a rhyming one.
    """

    found: NDArray[np.float64]
    rhyming: NDArray[np.int64]
    shares: NDArray[np.float64]
    words: NDArray[np.int64]

    @classmethod
    def empty(cls) -> Hits:
        """Start counting."""
        return cls(np.zeros(BLOCKS), np.zeros(BLOCKS, np.int64), np.zeros(BLOCKS), np.zeros(BLOCKS, np.int64))

    def without_empty_blocks(self) -> Hits:
        """Leave blocks out that no word is in, as little data has them; they are the same for all rows."""
        filled = self.words > 0
        return Hits(*(counts[filled] for counts in self))


def measure_rhymes(
    groups: Sequence[Sequence[str]], row: str, options: dict[str, Any], ranked: int, threads: int
) -> tuple[Hits, Readings]:
    """Judge a row in three folds of the words; the words that are ranked are the same for all rows."""
    words = [word for group in groups for word in group]
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    hits, readings = Hits.empty(), Readings()
    for fold, (learned, held) in enumerate(folds_of(len(words))):
        scorer = scorer_of(row, options, grouped(words, group_of, learned), [words[n] for n in held], threads)
        count_hits(scorer, group_of[held], ranked, SEED + fold, hits, readings)
    return hits, readings


def grouped(
    words: Sequence[str], group_of: NDArray[np.int64], places: NDArray[np.int64]
) -> list[tuple[str, ...]]:
    """Put words of the same group together again."""
    groups: dict[int, list[str]] = {}
    for place in places.tolist():
        groups.setdefault(int(group_of[place]), []).append(words[place])
    return [tuple(group) for group in groups.values()]


def scorer_of(
    row: str, options: dict[str, Any], groups: list[tuple[str, ...]], held: list[str], threads: int
) -> Scorer:
    """Return what scores held-out words: a baseline, or a model that is trained on the groups of the others."""
    if row.endswith(SHARE):
        return shared(scorer_of(row.removesuffix(SHARE), options, groups, held, threads), held)
    if row == CHANCE:
        return lambda word, others: np.random.default_rng([SEED, word]).random(len(others))
    if row == SUFFIX:
        return CommonSuffix(held).scores
    model = levenshtein(held) if row == LEVENSHTEIN else EditModel.fit(groups, **options)
    sources, targets = model.encode_sources(held), model.encode_targets(held)

    def score(word: int, others: NDArray[np.int64]) -> NDArray[np.float32]:
        return model.affinities_of(sources, targets, np.full(len(others), word), others, threads=threads)

    return score


def shared(scorer: Scorer, held: list[str]) -> Scorer:
    """Divide scores by the length of the longer word."""
    lengths = np.array([len(word) for word in held])
    return lambda word, others: scorer(word, others) / np.maximum(lengths[word], lengths[others])


def count_hits(
    scorer: Scorer, group_of: NDArray[np.int64], ranked: int, seed: int, hits: Hits, readings: Readings
) -> None:
    """Rank, for every third held-out word if it has rhyming ones, these and enough others to make `ranked` words."""
    random = np.random.default_rng(seed)
    for word in range(0, len(group_of), EVERY):
        others, rhyming = competitors(word, group_of == group_of[word], ranked, random)
        if not rhyming.any():
            continue
        scores = scorer(word, others)
        found, count = break_even(scores, rhyming)
        readings.take(scores, rhyming)
        block = word // EVERY % BLOCKS
        hits.found[block] += found
        hits.rhyming[block] += count
        hits.shares[block] += found / count
        hits.words[block] += 1


def competitors(
    word: int, same: NDArray[np.bool_], ranked: int, random: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return all words that rhyme with a word, and others drawn at random, and which of them rhyme."""
    drawn = random.permutation(np.flatnonzero(~same))
    rhyming = np.flatnonzero(same)
    rhyming = rhyming[rhyming != word]
    others = np.concatenate([rhyming, drawn[: max(ranked - len(rhyming), 0)]])
    return others, np.arange(len(others)) < len(rhyming)
