"""What is known before a text is looked at: of words, as counts of its lexicon's entries, and of links."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.corpus import TextOptions, encode_lines
from cepts.corpus.lexicons import LARGEST_WEIGHT, Entry
from cepts.errors import InputError, OptionError, said
from cepts.links.fitting import check_fit
from cepts.words import ExtraCounts, same_spelling_entries
from cepts.words.known import KnownLinks
from cepts.words.lexicon_kernels import entries_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.links import Links
    from cepts.words import IndexedBitext

    Integers = NDArray[np.int64]

AS_USUAL = TextOptions()
LONGEST_ENTRY = 10  # words a side: what is longer explains a word, and does not translate it
UNKNOWN, APART = -1, -2  # in place of a lexicon entry: the text lacks a word, or the words never meet


class LexiconUse(NamedTuple):
    """What became of a dictionary's entries: how many there are, and how many change nothing.

    Of these, `unknown` have a word that the text lacks, `apart` words that never meet in a pair of it, `long` more than
    ten words on a side.
    """

    entries: int
    unknown: int
    apart: int
    long: int


def spelling_counts(bitext: Bitext, indexed: IndexedBitext, count: float) -> ExtraCounts:
    """Count words that are spelled alike as seen together so often."""
    entries = same_spelling_entries(indexed, bitext.source.words, bitext.target.words)
    return ExtraCounts(entries, np.full(len(entries), count, np.float32))


def lexicon_counts(
    lexicon: Iterable[Sequence[str | float]],
    bitext: Bitext,
    indexed: IndexedBitext,
    strength: float,
    text: TextOptions = AS_USUAL,
) -> tuple[ExtraCounts, LexiconUse]:
    """Count the pairs of words of a dictionary as seen together, `strength` times the weight of their entry.

    Entries are (source, target) or (source, target, weight), cut into words as `text` says.
    One of several words shares its count evenly among its pairs of words; a pair that several entries have gets the
    largest of their counts.
    """
    entries = [_checked(number, entry) for number, entry in enumerate(lexicon, 1)]
    source, target = _words_of(entries, text)
    long = np.maximum(source.lengths, target.lengths) > LONGEST_ENTRY
    sizes = np.where(long, 0, source.lengths * target.lengths)
    owner = np.repeat(np.arange(len(entries)), sizes)
    first, second = np.divmod(
        np.arange(len(owner)) - (np.cumsum(sizes) - sizes)[owner], target.lengths[owner]
    )
    places = _places(
        indexed,
        _numbers(source, bitext.source.words)[source.offsets[owner] + first],
        _numbers(target, bitext.target.words)[target.offsets[owner] + second],
    )
    weights = np.array([entry.weight for entry in entries])
    counts = strength * weights[owner] / sizes[owner]
    return _largest(places, counts), _use(places, owner, long)


def _words_of(entries: list[Entry], text: TextOptions) -> tuple[Side, Side]:
    """Cut both sides of all entries into words, as a text is."""
    source = encode_lines([entry.source for entry in entries], **text.of_side(source=True))
    target = encode_lines([entry.target for entry in entries], **text.of_side(source=False))
    return source, target


def _checked(number: int, entry: Sequence[str | float]) -> Entry:
    """Refuse what is no entry."""
    if not 2 <= len(entry) <= 3 or not all(isinstance(word, str) and word.strip() for word in entry[:2]):
        raise InputError(
            f"lexicon, entry {number}: got {entry!r:.60}, expected (source, target) or (source, target, weight)"
        )
    weight = entry[2] if len(entry) == 3 else 1.0
    if not isinstance(weight, Real) or not 0 <= float(weight) <= LARGEST_WEIGHT:  # also for not-a-number
        raise InputError(
            f"lexicon, entry {number}: weight {weight!s:.40}, expected a number from 0 to {LARGEST_WEIGHT:g}"
        )
    return Entry(str(entry[0]), str(entry[1]), float(weight))


def _numbers(side: Side, words: Sequence[str]) -> Integers:
    """Return, for each token of a dictionary's side, its number among a text's words, or UNKNOWN."""
    ids = {word: number for number, word in enumerate(words)}
    table = np.array([ids.get(word, UNKNOWN) for word in side.words], np.int64)
    return table[side.ids]


def _places(indexed: IndexedBitext, source: Integers, target: Integers) -> Integers:
    """Find the lexicon entries of pairs of words: UNKNOWN if the text lacks a word, APART if they never meet."""
    places = np.full(len(source), UNKNOWN, np.int64)
    known = (source >= 0) & (target >= 0)
    found = entries_of(indexed.row_offsets, indexed.columns, source[known] + 1, target[known] + 1)
    places[known] = np.where(found >= 0, found, APART)
    return places


def _largest(places: Integers, counts: NDArray[np.float64]) -> ExtraCounts:
    """Give each lexicon entry the largest of its counts."""
    useful = (places >= 0) & (counts > 0)
    entries, where = np.unique(places[useful], return_inverse=True)
    largest = np.zeros(len(entries), np.float32)
    np.maximum.at(largest, where.reshape(-1), counts[useful].astype(np.float32))
    return ExtraCounts(entries, largest)


def _use(places: Integers, owner: Integers, long: NDArray[np.bool_]) -> LexiconUse:
    """Say what became of the entries; one has an effect if a pair of its words meets."""
    used, unknown = (
        np.bincount(owner, kind, minlength=len(long)) > 0 for kind in (places >= 0, places == UNKNOWN)
    )
    apart = ~(used | unknown | long)
    return LexiconUse(len(long), int((unknown & ~used).sum()), int(apart.sum()), int(long.sum()))


def known_of(bitext: Bitext, links: Links | None, complete: bool) -> KnownLinks | None:
    """Return what is known of the links of a bitext, if anything is; refuse links that do not fit it."""
    if links is None:
        if complete:
            raise OptionError(f"{said('known_complete')} needs {said('known_links')}; add that, or drop it")
        return None
    check_fit(links, bitext.source.lengths, bitext.target.lengths, "known links")
    return KnownLinks(links, complete)
