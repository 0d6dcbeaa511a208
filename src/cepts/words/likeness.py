"""How alike two words are spelled."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from cepts.words.lexicon import parts_of, release_all
from cepts.words.likeness_kernels import UNLIKE, fill_likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.words.indexed import IndexedBitext

MOST_LETTERS = 60  # of a word that are looked at
LEAST_LETTERS = 3  # a shorter word is like no other: chance would make it so


def plain_letters(word: str) -> str:
    """Reduce a word to its letters, without case and accents; nothing is left of short words, and of those with digits.

    >>> plain_letters("Éducation"), plain_letters("l'été"), plain_letters("of"), plain_letters("b52s")
    ('education', 'lete', '', '')
    """
    if not word.isascii():
        word = unicodedata.normalize("NFKD", word)
    letters = "".join(filter(str.isalpha, word.lower()))[:MOST_LETTERS]
    return "" if len(letters) < LEAST_LETTERS or any(map(str.isdigit, word)) else letters


def likeness_of_entries(
    indexed: IndexedBitext, source_words: Sequence[str], target_words: Sequence[str]
) -> NDArray[np.uint8]:
    """Return for each entry of a bitext's lexicon how alike its words are, in 255ths.

    The square of what the longest common subsequence, over the longer word, has beyond chance.
    """
    numbers: dict[str, int] = {}
    source, target = (letters_of_words(words, numbers) for words in (source_words, target_words))
    likeness: NDArray[np.uint8] = indexed.scratch.zeros((len(indexed.columns),), np.uint8)
    fill_likeness(indexed.row_offsets, indexed.columns, *source, *target, likeness)
    worth = np.maximum(0.0, (np.arange(256) / 255.0 - UNLIKE) / (1.0 - UNLIKE)) ** 2
    worth = np.rint(255.0 * worth).astype(np.uint8)
    for first, end in parts_of(len(likeness)):
        likeness[first:end] = worth[likeness[first:end]]
        release_all((likeness, indexed.columns))
    return likeness


def letters_of_words(
    words: Sequence[str], numbers: dict[str, int]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the letters of all words, one after the other, and where each word begins."""
    plain = [plain_letters(word) for word in words]
    letters = [numbers.setdefault(letter, len(numbers)) for word in plain for letter in word]
    offsets = np.concatenate([[0], np.cumsum([len(word) for word in plain], dtype=np.int64)])
    return np.array(letters, np.int32), offsets
