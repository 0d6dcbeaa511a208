"""The consonant task (section 3.2): an affinity that is known, learned from which of ten words has most of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.characters import EditModel
from freitag_2007.fixed import consonant_affinity, levenshtein
from freitag_2007.material import SEED, folds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Scores = NDArray[np.floating[Any]]

LEARNED = "edits-0"
EPOCHS, SAMPLED = 5, 10
COMPETING, QUICK_COMPETING = 1000, 60  # words that a test word is compared with
BLOCKS = 100  # of test words: what is kept of each for the bootstrap is its sum
SHOWN = 6  # weights, as in table 3
AT_ONCE = 64  # test words that are scored together


class Orders(NamedTuple):
    """For each block of test words, counts of pairs of words they are compared with; and the largest weights.

    `right` is how many pairs are in the right order, `equal` how many have equal scores though they differ in truth,
    `different` how many differ in truth, `every` how many there are.
    """

    right: NDArray[np.int64]
    equal: NDArray[np.int64]
    different: NDArray[np.int64]
    every: NDArray[np.int64]
    weights: list[list[Any]]

    @classmethod
    def empty(cls) -> Orders:
        """Start counting."""
        right, equal, different, every = np.zeros((4, BLOCKS), np.int64)
        return cls(right, equal, different, every, [])

    def add(self, block: int, true: NDArray[np.int64], scores: Scores) -> None:
        """Count the pairs of one test word."""
        right, equal, different = count_orders(true, scores)
        self.right[block] += right
        self.equal[block] += equal
        self.different[block] += different
        self.every[block] += len(true) * (len(true) - 1) // 2


def learn_consonants(words: Sequence[str], seed: int) -> EditModel:
    """Train a model of order 0 on words, each of them beside ten others in each epoch."""
    rows = examples(words, np.random.default_rng(seed))
    return EditModel.fit(rows, mode="affinity", order=0, epochs=1, seed=seed)


def examples(words: Sequence[str], random: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Yield the rows of all epochs: a word, of ten others the one of highest true affinity, those that have less.

    Where all ten have the same, there is nothing to learn.
    """
    truth = consonant_affinity(words)
    strings = truth.encode_sources(words)
    for _ in range(EPOCHS):
        sampled = others_of(np.arange(len(words)), len(words), SAMPLED, random)
        ones = np.repeat(np.arange(len(words)), SAMPLED)
        affinities = truth.affinities_of(strings, strings, ones, sampled.ravel()).reshape(sampled.shape)
        for word, some, scores in zip(words, sampled.tolist(), affinities.tolist(), strict=True):
            best = max(scores)
            worse = [words[other] for other, score in zip(some, scores, strict=True) if score < best]
            if worse:
                yield word, words[some[scores.index(best)]], *worse


def others_of(
    places: NDArray[np.int64], count: int, wanted: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Draw other words for each word, [word][sample], never itself; few are drawn twice."""
    steps = random.integers(1, count, size=(len(places), min(wanted, count - 1)))
    return (places[:, None] + steps) % count


def measure_orders(
    words: Sequence[str], rows: Sequence[str], competing: int, threads: int
) -> dict[str, Orders]:
    """Judge rows in three folds; the words that are compared are the same for all rows."""
    found = {row: Orders.empty() for row in rows}
    truth, makers = consonant_affinity(words), makers_of(words)
    for fold, (learned, held) in enumerate(folds_of(len(words))):
        models = {row: makers[row]([words[n] for n in learned], SEED + fold) for row in rows}
        for row, model in models.items():
            if row == LEARNED and fold == 0:
                found[row].weights.extend([*weight] for weight in model.largest_weights(SHOWN))
        count_fold([words[n] for n in held], truth, models, found, competing, SEED + fold, threads)
    return found


def makers_of(words: Sequence[str]) -> dict[str, Callable[[list[str], int], EditModel]]:
    """How the model of each row is made of the words to learn from."""
    return {LEARNED: learn_consonants, "levenshtein": lambda _, __: levenshtein(words)}


def count_fold(
    held: list[str],
    truth: EditModel,
    models: dict[str, EditModel],
    found: dict[str, Orders],
    competing: int,
    seed: int,
    threads: int,
) -> None:
    """Count the right orders of every held-out word's competing words."""
    random = np.random.default_rng(seed)
    everyone = {id(model): model.encode_sources(held) for model in (truth, *models.values())}
    for begin in range(0, len(held), AT_ONCE):
        places = np.arange(begin, min(begin + AT_ONCE, len(held)))
        others = others_of(places, len(held), competing, random)
        ones = np.repeat(places, others.shape[1])

        def scored(
            model: EditModel, ones: NDArray[np.int64] = ones, others: NDArray[np.int64] = others
        ) -> Scores:
            strings = everyone[id(model)]
            flat = model.affinities_of(strings, strings, ones, others.ravel(), threads=threads)
            return flat.reshape(others.shape)

        true = scored(truth).astype(np.int64)
        for row, model in models.items():
            for place, wanted, given in zip(places.tolist(), true, scored(model), strict=True):
                found[row].add(place % BLOCKS, wanted, given)


def count_orders(true: NDArray[np.int64], scores: Scores) -> tuple[int, int, int]:
    """Count pairs whose true affinities differ: those with scores in the same order, with equal scores, and all.

    >>> count_orders(np.array([0, 1, 1, 2]), np.array([0.5, 0.5, 0.7, 0.6]))
    (3, 1, 5)
    """
    order = np.argsort(scores, kind="stable")
    levels, ranked = np.unique(true, return_inverse=True)
    ranked, ordered = ranked[order], scores[order]
    # below[k, level]: how many of the first k words have a true affinity under the level
    below = np.zeros((len(true) + 1, len(levels)), np.int32)
    np.cumsum(ranked[:, None] < np.arange(len(levels)), axis=0, out=below[1:])
    lower, no_higher = (
        int(below[np.searchsorted(ordered, ordered, side=side), ranked].sum()) for side in ("left", "right")
    )
    sizes = np.bincount(ranked).astype(np.int64)
    return lower, no_higher - lower, (len(true) ** 2 - int((sizes**2).sum())) // 2
