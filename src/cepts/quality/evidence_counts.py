"""Counting a bitext: which words are linked, which follow each other, which begin alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus import Bitext, Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.links import Links
    from cepts.quality.evidence_kernels import LetterCounts, LinkCounts, NeighbourCounts, OwnLetters, OwnLinks

    Places = tuple[NDArray[np.int32], NDArray[np.int32]]

STEM = 4  # letters: what is left of a word when most of its endings are gone


class Stems:
    """The first letters of the words of both sides, as words of their own.

    >>> from cepts.corpus import bitext_from_pairs
    >>> text = bitext_from_pairs([("walks walked", "marcha marchaba"), ("sings", "canta")])
    >>> Stems(text).of(text).target.sentence(0)
    ['marc', 'marc']
    """

    def __init__(self, bitext: Bitext) -> None:
        self._source, self._target = (_stems(side) for side in (bitext.source, bitext.target))

    def of(self, text: Bitext) -> Bitext:
        """Return a text of the same vocabulary, with the first letters of its words."""
        return Bitext(_stemmed(text.source, *self._source), _stemmed(text.target, *self._target))


def _stems(side: Side) -> tuple[NDArray[np.int32], list[str]]:
    """Return the number of each word's first letters, and what they are."""
    table: dict[str, int] = {}
    ids = [table.setdefault(word[:STEM], len(table)) for word in side.words]
    return np.array(ids, np.int32), list(table)


def _stemmed(side: Side, ids: NDArray[np.int32], stems: list[str]) -> Side:
    return Side(ids[side.ids], side.offsets, stems)


def own_links(links: Links) -> OwnLinks:
    """Return the links as they are counted, a confidence as a whole number."""
    from cepts.quality.evidence_kernels import LINK, OwnLinks

    counts = np.rint(links.confidence * LINK).astype(np.int64)
    return OwnLinks(links.source, links.target, counts, links.offsets)


def count_links(bitext: Bitext, links: OwnLinks) -> LinkCounts:
    """Count how often words are linked, and how often they occur."""
    from cepts.quality.evidence_kernels import LinkCounts

    source, target = bitext.source, bitext.target
    pair = np.repeat(np.arange(len(bitext)), np.diff(links.offsets))
    width = len(target.words)
    keys = source.ids[source.offsets[pair] + links.source].astype(np.int64) * width
    keys += target.ids[target.offsets[pair] + links.target]
    keys, places = np.unique(keys, return_inverse=True)
    counts = np.zeros(len(keys), np.int64)
    np.add.at(counts, places, links.counts)
    table = (*_rows(keys, len(source.words), width), counts)
    totals = (_totals(source), _totals(target))
    return LinkCounts(*table, *totals, twins(source, target), _numbers(source), _numbers(target))


def count_neighbours(side: Side) -> NeighbourCounts:
    """Count how often words follow each other; the number behind the last word stands for a sentence's border."""
    from cepts.quality.evidence_kernels import NeighbourCounts

    border = len(side.words)
    width = border + 1
    # One border stands between two sentences, and an empty one is a border behind a border.
    ids = np.insert(side.ids.astype(np.int64), side.offsets, border)
    keys, counts = np.unique(ids[:-1] * width + ids[1:], return_counts=True)
    totals = np.append(_totals(side), len(side))
    return NeighbourCounts(*_rows(keys, width, width), counts.astype(np.int64), totals)


def own_letters(theirs: Side, places: Places, links: OwnLinks) -> OwnLetters:
    """Return the letters of their words that each link brings to a word of ours.

    `places` [2][link] are those of the words. A word with several links shares its letters out.
    """
    from cepts.quality.evidence_kernels import LINK, OwnLetters

    pair = np.repeat(np.arange(len(theirs)), np.diff(links.offsets))
    token = theirs.offsets[pair] + places[1]
    linked = np.bincount(token, links.counts, minlength=len(theirs.ids))[token]
    letters = word_letters(theirs)[theirs.ids[token]] * links.counts * (LINK / np.maximum(linked, LINK))
    return OwnLetters(places[0], np.rint(letters).astype(np.int64), links.offsets)


def count_letters(side: Side, own: OwnLetters) -> LetterCounts:
    """Count the letters that are linked to each word of a side."""
    from cepts.quality.evidence_kernels import LetterCounts

    pair = np.repeat(np.arange(len(side)), np.diff(own.offsets))
    linked = np.zeros(len(side.words), np.int64)
    np.add.at(linked, side.ids[side.offsets[pair] + own.places], own.letters)
    return LetterCounts(_totals(side), linked, word_letters(side))


def word_letters(side: Side) -> NDArray[np.int64]:
    """Return how many letters each word of the vocabulary has."""
    return np.array([len(word) for word in side.words], np.int64)


def sentence_letters(side: Side) -> NDArray[np.int64]:
    """Return how many letters each sentence has.

    >>> from cepts.corpus import bitext_from_pairs
    >>> sentence_letters(bitext_from_pairs([("la maison", ""), ("", ""), ("un", "")]).source).tolist()
    [8, 0, 2]
    """
    before = np.concatenate(([0], np.cumsum(word_letters(side)[side.ids])))
    return np.diff(before[side.offsets])


def twins(source: Side, target: Side) -> NDArray[np.int32]:
    """Return for each source word the target word that is spelled alike, or -1."""
    ids = {word: k for k, word in enumerate(target.words)}
    return np.array([ids.get(word, -1) for word in source.words], np.int32)


def _numbers(side: Side) -> NDArray[np.bool_]:
    """Return which words hold a digit."""
    return np.array([any(map(str.isdigit, word)) for word in side.words], np.bool_)


def _totals(side: Side) -> NDArray[np.int64]:
    return np.bincount(side.ids, minlength=len(side.words)).astype(np.int64)


def _rows(keys: NDArray[np.int64], rows: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Turn sorted keys row * width + column into row offsets and columns."""
    offsets = np.searchsorted(keys, np.arange(rows + 1, dtype=np.int64) * width).astype(np.int64)
    return offsets, (keys % max(width, 1)).astype(np.int32)
