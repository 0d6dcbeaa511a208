"""What a language model and a classifier of tag n-grams say of Spanish sentences, without a look at the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cepts.phrases.language_model import UNKNOWN, LanguageModel
from cepts.sentences import FeatureOptions, FeatureSpace
from cepts.sentences.logistic import Logistic, fit_logistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Side

    Floats = NDArray[np.float64]

ORDERS = {"words": 4, "tags": 5}
NGRAMS = FeatureOptions(words=0, tags=3, max_features=1000)
RIDGE = 0.1  # for so many n-grams and so few sentences


@dataclass(frozen=True, eq=False)
class Fluency:
    """A language model, and the words that it knows."""

    model: LanguageModel
    numbers: dict[str, int]

    @classmethod
    def fit(cls, side: Side, order: int) -> Fluency:
        """Count the n-grams of a text."""
        sentences = (part.tolist() for part in np.split(side.ids, side.offsets[1:-1]))
        model = LanguageModel.fit(sentences, size=len(side.words), order=order)
        return cls(model, {word: number for number, word in enumerate(side.words)})

    def scores(self, side: Side) -> Floats:
        """Return the log probability of each sentence by its number of words and its end."""
        known = np.array([self.numbers.get(word, UNKNOWN) for word in side.words], np.int32)
        ids = known[side.ids] if len(known) else side.ids
        return self.model.log_probabilities(ids, side.offsets) / (side.lengths + 1)


@dataclass(frozen=True, eq=False)
class TagClassifier:
    """A logistic regression on differences of counts of tag n-grams."""

    space: FeatureSpace
    regression: Logistic

    @classmethod
    def fit(cls, space: FeatureSpace, humans: Side, machines: Side) -> TagClassifier:
        """Learn from two translations of each sentence: the human one comes first in every other row."""
        rows = counts(space, humans) - counts(space, machines)
        rows[1::2] *= -1
        labels = np.arange(len(rows)) % 2 == 0
        return cls(space, fit_logistic(rows, labels, np.ones(len(rows)), RIDGE))

    def margins(self, ones: Side, others: Side) -> Floats:
        """Return a number for each line: positive if the first looks human."""
        return self.regression.log_odds(counts(self.space, ones) - counts(self.space, others))


def counts(space: FeatureSpace, side: Side) -> Floats:
    """Return the counts of features [sentences, features]."""
    matrix = space.encode(side)
    table = np.zeros((matrix.rows, matrix.width))
    table[np.repeat(np.arange(matrix.rows), np.diff(matrix.offsets)), matrix.features] = matrix.values
    return table
