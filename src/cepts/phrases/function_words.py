"""Words that no term begins or ends with, such as `the` and `of`: found by what they do, without any list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.corpus import Bitext, Side
from cepts.phrases.lexical import lexical_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.links import Links
    from cepts.phrases.lexical import LexicalTable
    from cepts.phrases.term_text import TermSide

LEAST = 5  # times that a word must occur, to be known well enough
LEAST_SHARE = 0.0005  # of all words of the text
SHORT = 3  # letters
BARE = 0.06  # share of a word's places that are at the end (or beginning) of a stretch of words
FLAT = 1.6  # times as many counterparts as frequent words have on average
EMPTY = ((2, 0.25), (1, 0.4))  # signs, and the share of links that must lead to nothing or to function words
ROUNDS = 5


def function_words(
    source: TermSide, target: TermSide, links: Links
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the function words of both sides.

    They are frequent, and show some of three signs: they are short; they hardly ever end a stretch of words (or begin
    one, whichever the text's short words avoid); their links are spread over many words. And their links lead to
    nothing, or to function words of the other side: whoever has two signs is taken for one until that says no.
    """
    sides = (source, target)
    tables = lexical_tables(Bitext(_plain(source), _plain(target)), links)
    frequent = [_frequent(side) for side in sides]
    signs = [_signs(sides[k], tables[k], frequent[k]) * frequent[k] for k in range(2)]
    found = [signs[k] >= EMPTY[0][0] for k in range(2)]
    for _ in range(ROUNDS):
        shares = [_share_with(tables[k], found[1 - k]) for k in range(2)]
        found = [_convicted(signs[k], shares[k]) for k in range(2)]
    return found[0], found[1]


def _convicted(signs: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the words with signs enough for what their links say."""
    found = signs > EMPTY[0][0]
    for least, share in EMPTY:
        found |= (signs >= least) & (shares >= share)
    return found


def find_border(side: TermSide) -> str:
    """Say which end of a stretch of words frequent short words avoid: the last, or the first.

    Articles and prepositions never come last; where what they say is put behind a word, it never comes first.
    """
    short = (_is_short(side) & _frequent(side))[side.ids] & side.word
    return "last" if (side.last & short).sum() <= (side.first & short).sum() else "first"


def _plain(side: TermSide) -> Side:
    """Return the side without capitals."""
    return Side(side.ids, side.offsets, side.words)


def _frequent(side: TermSide) -> NDArray[np.bool_]:
    """Mark the words that occur often enough."""
    return _counts(side, side.word) >= max(LEAST, LEAST_SHARE * int(side.word.sum()))


def _is_short(side: TermSide) -> NDArray[np.bool_]:
    """Mark the words of few letters."""
    return np.array([len(word.rstrip("'’")) <= SHORT for word in side.words], np.bool_)


def _signs(side: TermSide, table: LexicalTable, frequent: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the signs that a side's words show."""
    spread = _spread(table)
    flat = spread >= FLAT * (spread[frequent].mean() if frequent.any() else np.inf)
    return _is_short(side).astype(np.int64) + _bare(side) + flat


def _bare(side: TermSide) -> NDArray[np.bool_]:
    """Mark the words that hardly ever stand at a border."""
    at_border = side.word & (side.last if side.border == "last" else side.first)
    bare: NDArray[np.bool_] = _counts(side, at_border) < BARE * _counts(side, side.word)
    return bare


def _counts(side: TermSide, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the marked places of each word."""
    return np.bincount(side.ids[marked], minlength=len(side.words))


def _spread(table: LexicalTable) -> NDArray[np.float64]:
    """Return how many counterparts a word has, as if all were equally probable: the perplexity of its links."""
    probabilities = table.probabilities()
    surprise = -probabilities * np.log2(np.maximum(probabilities, np.finfo(np.float64).tiny))
    return np.exp2(np.bincount(table.given(), surprise, minlength=len(table.rows) - 1))[1:]


def _share_with(table: LexicalTable, others: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of each word's links that lead to nothing or to these words of the other side."""
    lead = np.append(True, others)[table.columns]
    shares = np.zeros(len(table.rows) - 1)
    np.add.at(shares, table.given(), table.probabilities() * lead)
    return shares[1:]
