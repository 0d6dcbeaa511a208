"""Small lexical overlaps for tests, with gains that are given."""

import numpy as np

from cepts.corpus import Bitext, side_from_tokens
from cepts.quality.gains import GainTable, KnownWords
from cepts.quality.overlap import LexicalOverlap

LEFT, RIGHT = "abcd", "wxyz"


def overlap_of(gains, sentences=10):
    """Return an overlap of {(source word, target word): gain}, for words of one letter that are all known."""
    rows = np.array([LEFT.index(one) for one, _ in gains], np.int64)
    columns = np.array([RIGHT.index(other) for _, other in gains], np.int64)
    table = GainTable.of(rows, columns, np.array(list(gains.values()), np.int32), len(LEFT))
    known = (KnownWords(list(words), np.ones(len(words), np.int64), sentences) for words in (LEFT, RIGHT))
    return LexicalOverlap(table, *known)


def random_gains(random):
    """Return gains of some word pairs."""
    pairs = [(one, other) for one in LEFT for other in RIGHT if random.random() < 0.6]
    return {pair: int(gain) for pair, gain in zip(pairs, random.integers(1, 9000, len(pairs)), strict=True)}


def random_sentences(random, letters, count):
    """Return sentences of up to 5 words, some of them empty or with a word that is new."""
    return [list(random.choice([*letters, "new"], random.integers(0, 6))) for _ in range(count)]


def bitext_of(sources, targets):
    """Return lists of words as a bitext."""
    return Bitext(side_from_tokens(sources), side_from_tokens(targets))


def planted_text(pairs, seed):
    """Return sentences of made-up words and their translations, word by word backwards, some words lost."""
    random = np.random.default_rng(seed)
    source_words, target_words = ([f"{letter}{'aeiou'[n % 5]}{n}" for n in range(60)] for letter in "kt")
    shares = 1 / np.arange(1, 61)
    sources, targets = [], []
    for _ in range(pairs):
        numbers = random.choice(60, random.integers(2, 9), p=shares / shares.sum())
        sources.append([source_words[n] for n in numbers])
        kept = numbers[random.random(len(numbers)) < 0.9][::-1]
        targets.append([target_words[n] for n in kept])
    return bitext_of(sources, targets)
