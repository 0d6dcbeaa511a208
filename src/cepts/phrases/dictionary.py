"""A bilingual dictionary that people can read: the word pairs that links or a model have found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cepts import bounds
from cepts.checking import check_position, checked
from cepts.errors import InputError
from cepts.phrases.lexical import lexical_tables, linked_words
from cepts.phrases.selection import Pruning, alphabetical, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.checking import AnyFloat
    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.phrases.lexical import LexicalTable


@checked
@dataclass(frozen=True)
class Entry:
    """Two words, how often they are linked (None: a model does not know), and how probable one makes the other.

    `score` is the harmonic mean of both probabilities; `examples` are numbers of pairs, from 0.
    """

    source: str
    target: str
    count: int | None
    target_given_source: float
    source_given_target: float
    score: float
    examples: tuple[int, ...] = ()


@checked
@dataclass(frozen=True, eq=False)
class Dictionary:
    """Entries in columns, by source word in the order of characters, then falling score, then target word.

    `source` and `target` are word ids; `count` is None where a model gave the probabilities; `examples` has a row
    for each entry, filled up with -1.
    """

    source_words: Sequence[str]
    target_words: Sequence[str]
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    count: NDArray[np.int64] | None
    target_given_source: NDArray[np.float64]
    source_given_target: NDArray[np.float64]
    score: NDArray[np.float64]
    examples: NDArray[np.int64]

    def __len__(self) -> int:
        """Count the entries."""
        return len(self.source)

    def __getitem__(self, k: int) -> Entry:
        """Return entry k."""
        check_position(k, len(self), "entry")
        return Entry(
            self.source_words[self.source[k]],
            self.target_words[self.target[k]],
            None if self.count is None else int(self.count[k]),
            float(self.target_given_source[k]),
            float(self.source_given_target[k]),
            float(self.score[k]),
            tuple(int(pair) for pair in self.examples[k] if pair >= 0),
        )

    def __iter__(self) -> Iterator[Entry]:
        """Walk over the entries."""
        return (self[k] for k in range(len(self)))


@checked
def dictionary(
    bitext: Bitext,
    links: Links,
    *,
    min_count: int = 1,
    threshold: AnyFloat = 0.0,
    best: int | None = None,
    examples: int = 0,
    threads: int = 1,
) -> Dictionary:
    """Make a dictionary of the words that are linked, with the first `examples` pairs in which each link stands.

    Left out are word pairs with fewer than `min_count` links, with a score below `threshold`, and all but the `best`
    of each source word. The score is Dice's coefficient of the links of both words.

    >>> from cepts.corpus import bitext_from_pairs
    >>> from cepts.links import Links
    >>> bitext = bitext_from_pairs([("la maison", "the house"), ("la", "it")])
    >>> dictionary(bitext, Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)]]), best=1, examples=1)[1]
    Entry(source='maison', target='house', count=1, target_given_source=1.0, source_given_target=1.0, score=1.0,
          examples=(0,))
    """
    bounds.EXAMPLES.check("examples", examples)
    pruning = Pruning(min_count, threshold, best)
    words = (bitext.source.words, bitext.target.words)
    found = dictionary_of_tables(lexical_tables(bitext, links, threads), words, pruning)
    return replace(found, examples=_first_pairs(found, bitext, links, examples)) if examples else found


@checked
def dictionary_of_tables(
    tables: tuple[LexicalTable, LexicalTable],
    words: tuple[Sequence[str], Sequence[str]],
    pruning: Pruning,
) -> Dictionary:
    """Make a dictionary of p(target | source) and p(source | target) for the same word pairs; NULL is left out."""
    forward, reverse = tables
    sizes = len(forward.rows) - 2, len(reverse.rows) - 2
    if (len(words[0]), len(words[1])) != sizes:
        raise InputError(
            f"{len(words[0])} source and {len(words[1])} target words for tables of {sizes[0]} and {sizes[1]}"
        )
    given, generated = forward.given(), forward.columns.astype(np.int64)
    there, back = forward.probabilities(), np.empty(len(given))
    back[np.lexsort((given, generated))] = reverse.probabilities()  # the same pairs, by the other word
    score = 2 * there * back / np.maximum(there + back, np.finfo(np.float64).tiny)
    real = (given > 0) & (generated > 0) & pruning.enough(forward.counts, score)
    places = [
        np.concatenate(([-1], alphabetical(side))) for side in words
    ]  # of NULL too, though it is left out
    kept = listed(np.flatnonzero(real), places[0][given], places[1][generated], score, pruning.best)
    return Dictionary(
        *words,
        (given[kept] - 1).astype(np.int32),
        (generated[kept] - 1).astype(np.int32),
        forward.counts[kept] if len(forward.counts) == len(given) else None,
        there[kept],
        back[kept],
        score[kept],
        np.empty((len(kept), 0), np.int64),
    )


def _first_pairs(found: Dictionary, bitext: Bitext, links: Links, number: int) -> NDArray[np.int64]:
    """Return the first pairs that link the words of each entry: so many columns, filled up with -1."""
    examples = np.full((len(found), number), -1, np.int64)
    width = len(found.target_words)
    keys = found.source.astype(np.int64) * width + found.target
    order = np.argsort(keys)
    source, target = linked_words(bitext, links)
    wanted = source.astype(np.int64) * width + target
    place = np.searchsorted(keys, wanted, sorter=order)
    here = place < len(keys)
    here[here] = keys[order[place[here]]] == wanted[here]
    entry = order[place[here]]
    # Each pair once for each entry, in rising order of both.
    entry, pair = np.divmod(np.unique(entry * len(bitext) + links.row_pairs()[here]), len(bitext))
    rank = np.arange(len(entry)) - np.searchsorted(entry, entry)
    early = rank < number
    examples[entry[early], rank[early]] = pair[early]
    return examples
