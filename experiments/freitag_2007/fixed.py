"""Affinities that are not learned: edit models of order 0 whose weights are written down, and the common suffix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.characters import EditModel, TrainingOptions
from cepts.characters.letters import Alphabet
from cepts.characters.weights import compacted, new_table
from freitag_2007.paper import HEAVY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

VOWELS = "aeiou"
HEAVY_WEIGHT = 5.0


def consonant_affinity(words: Sequence[str]) -> EditModel:
    """Return the affinity to be learned: how many consonants stay, the first five counting five times (section 3.2).

    >>> model = consonant_affinity(["bananas"])
    >>> model.affinity("banana", "nab"), model.affinity("banana", "bans")
    (5.0, 6.0)
    """
    alphabet = Alphabet.of(words)
    weights = np.zeros((len(alphabet), len(alphabet)), np.float32)
    for number, letter in enumerate(alphabet.letters, len(alphabet) - len(alphabet.letters)):
        if letter not in VOWELS:
            weights[number, number] = HEAVY_WEIGHT if letter in HEAVY else 1.0
    return _order_0(alphabet, weights)


def levenshtein(words: Sequence[str]) -> EditModel:
    """Return Levenshtein's distance as an affinity, which is its negative.

    >>> levenshtein(["kitten", "sitting"]).affinity("kitten", "sitting")
    -3.0
    """
    alphabet = Alphabet.of(words)
    return _order_0(alphabet, np.eye(len(alphabet), dtype=np.float32) - 1)


def _order_0(alphabet: Alphabet, plain: NDArray[np.float32]) -> EditModel:
    weights = compacted(new_table(*plain.shape)._replace(plain=plain))
    return EditModel(weights, alphabet, alphabet, TrainingOptions(mode="affinity", order=0))


class CommonSuffix:
    """The length of the longest common suffix of words.

    >>> CommonSuffix(["nation", "ration", "action"]).scores(0, np.array([1, 2])).tolist()
    [5, 4]
    """

    def __init__(self, words: Sequence[str]) -> None:
        longest = max(map(len, words))
        self._letters = np.array([[ord(c) for c in word[::-1].ljust(longest, "\0")] for word in words])
        self._lengths = np.array([len(word) for word in words])

    def scores(self, word: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how long the common suffix of a word is with others, all given by their numbers."""
        same = self._letters[others, : self._lengths[word]] == self._letters[word, : self._lengths[word]]
        return np.logical_and.accumulate(same, axis=1).sum(axis=1)
