"""The data: pairs of names in three parts, groups of rhyming words, a list of words; and three folds of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.names.files import read_names, read_pairs, read_references
from paper_tables.setting import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

FOLDS = 3
SEED = 2007
QUICK_TRAIN, QUICK_SCORED, QUICK_WORDS = (
    400,
    60,
    900,
)  # pairs to learn from and to score, words to cut into folds

Pairs = list[tuple[str, str]]


class Names(NamedTuple):
    """Pairs to learn from, to choose on, and to score, and all acceptable targets of the sources of the last."""

    train: Pairs
    dev: Pairs
    scored: Pairs
    references: dict[str, list[str]]


def read_corpus(name: str, part: str, *, quick: bool = False) -> Names:
    """Read a corpus of names; dev has one acceptable target a name."""
    folder = data_folder(f"names/{name}")
    train, dev, scored = (_pairs(folder / f"{one}.tsv") for one in ("train", "dev", part))
    if quick:
        train, dev, scored = train[:QUICK_TRAIN], dev[:QUICK_SCORED], scored[:QUICK_SCORED]
    known = read_references(folder / "test_refs.tsv", joined=True) if part == "test" else {}
    return Names(train, dev, scored, {source: known.get(source, [target]) for source, target in scored})


def _pairs(path: Path) -> Pairs:
    return [(source, target) for source, target in read_pairs(path)]


def read_words(*, quick: bool = False) -> list[str]:
    """Read the list of English words."""
    words = read_names(data_folder("wordlist") / "english.txt")
    return _some(words) if quick else words


def read_rhymes(*, quick: bool = False) -> list[list[str]]:
    """Read the groups of words that rhyme; no word is in two of them."""
    groups = [line[1].split() for line in read_pairs(data_folder("rhyme") / "groups.tsv")]
    return groups[:: len(groups) * 10 // QUICK_WORDS] if quick else groups


def _some(words: list[str]) -> list[str]:
    return words[:: max(len(words) // QUICK_WORDS, 1)]


def folds_of(count: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Cut so many words into three parts at random; yield what is learned from, and what is held out, for each.

    >>> [len(held) for _, held in folds_of(10)]
    [4, 3, 3]
    """
    order = np.random.default_rng(SEED).permutation(count)
    for fold in range(FOLDS):
        held = np.arange(count) % FOLDS == fold
        yield np.sort(order[~held]), np.sort(order[held])
