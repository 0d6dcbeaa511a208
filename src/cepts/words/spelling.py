"""Words of two languages that are written alike: names, numbers, punctuation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.words.lexicon_kernels import entries_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.words.indexed import IndexedBitext


def spelling_key(word: str) -> str:
    """Reduce a word to what must agree: a number to its digits, another word to itself.

    >>> spelling_key("1,000.50"), spelling_key("1.000,50"), spelling_key("Paris")
    ('100050', '100050', 'paris')
    """
    if word[:1].isdigit() or word[-1:].isdigit():
        digits = "".join(character for character in word if character.isdigit())
        others = sum(character.isalpha() for character in word)
        if not others:
            return digits
    return word.lower()


def same_spelling(
    source_words: Sequence[str], target_words: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids of source and target words with the same key, pair by pair.

    >>> [ids.tolist() for ids in same_spelling(["la", "1,000", "paris"], ["paris", "1.000", "the"])]
    [[1, 2], [1, 0]]
    """
    by_key: dict[str, list[int]] = {}
    for k, word in enumerate(target_words):
        by_key.setdefault(spelling_key(word), []).append(k)
    pairs = [(i, j) for i, word in enumerate(source_words) for j in by_key.get(spelling_key(word), ())]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def same_spelling_entries(
    indexed: IndexedBitext, source_words: Sequence[str], target_words: Sequence[str]
) -> NDArray[np.int64]:
    """Return the lexicon entries of a bitext whose two words are written alike."""
    return entries_of_pairs(indexed, *same_spelling(source_words, target_words))


def entries_of_pairs(
    indexed: IndexedBitext, source: NDArray[np.int64], target: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the lexicon entries of pairs of word ids, without those pairs that never occur together."""
    entries: NDArray[np.int64] = entries_of(indexed.row_offsets, indexed.columns, source + 1, target + 1)
    return entries[entries >= 0]
