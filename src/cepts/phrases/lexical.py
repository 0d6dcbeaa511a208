"""Lexical tables: how often two words are linked, as probabilities of either given the other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.errors import OptionError
from cepts.links.fitting import check_fit
from cepts.running import run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.checking import AnyArray
    from cepts.corpus import Bitext
    from cepts.corpus.bitext import Side
    from cepts.links import Links

WORDS_AT_ONCE = 1 << 21  # of both sides, counted by one thread at a time: bounds memory


@checked
class LexicalTable(NamedTuple):
    """p(generated | given) in rows: given word `w` owns the entries `rows[w + 1]` up to `rows[w + 2]`.

    Words are ids from 0; row 0 and column 0 are NULL, so that `columns` holds the generated word's id + 1, rising in
    each row. `counts` says how often the two were linked; it is empty where a model gave the probabilities.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    counts: NDArray[np.int64]

    def given(self) -> NDArray[np.int64]:
        """Return each entry's row: the given word's id + 1, 0 for NULL."""
        return np.repeat(np.arange(len(self.rows) - 1, dtype=np.int64), np.diff(self.rows))

    def probabilities(self) -> NDArray[np.float64]:
        """Return p(generated | given) of each entry, from its counts where there are any: with all digits."""
        return _shares(self.rows, self.counts) if len(self.counts) else self.values.astype(np.float64)


@checked
def lexical_tables(bitext: Bitext, links: Links, threads: int = 1) -> tuple[LexicalTable, LexicalTable]:
    """Return p(target | source) and p(source | target) as the links have it (Koehn, Och and Marcu, 2003).

    Each link counts one; a word without links counts one link with NULL of the other side. Memory is in proportion
    to the number of links and words.

    >>> from cepts.corpus import bitext_from_pairs
    >>> from cepts.links import Links
    >>> bitext = bitext_from_pairs([("la maison", "the house"), ("la", "it")])
    >>> forward, _ = lexical_tables(bitext, Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)]]))
    >>> lookup(forward, np.array([1, 2]), np.array([1, 2])).tolist()
    [0.5, 1.0]
    """
    check_fit(links, bitext.source.lengths, bitext.target.lengths)
    width = len(bitext.target.words) + 1
    parts = run(lambda span: _count_span(bitext, links, *span), _spans(bitext), threads)
    keys, counts = _added_up(list(parts))
    source, target = np.divmod(keys, width)
    forward = _table(source, target, counts, len(bitext.source.words))
    order = np.argsort(target, kind="stable")
    return forward, _table(target[order], source[order], counts[order], len(bitext.target.words))


@checked
def lookup(
    table: LexicalTable, given: NDArray[np.int64], generated: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return p(generated | given) for two arrays of ids + 1 (0: NULL) of one length; 0 where there is no entry."""
    from cepts.phrases.lexical_kernels import look_up  # late: it brings numba

    if len(given) != len(generated):
        raise OptionError(f"{len(given)} given but {len(generated)} generated words, expected as many")
    wanted = [np.ascontiguousarray(ids, np.int64) for ids in (given, generated)]
    found = np.zeros(len(wanted[0]), np.float32)
    look_up(table.rows, table.columns, table.values, *wanted, found)
    return found


@checked
def tables_of_model(
    row_offsets: NDArray[np.int64], columns: NDArray[np.int32], values: AnyArray, targets: int
) -> tuple[LexicalTable, LexicalTable]:
    """Return p(target | source) and p(source | target), the columns of `values`, of a model's lexicon.

    Its rows are NULL and the source words, its columns NULL and so many target words, rising in each row. Entries
    without any probability are left out.
    """
    if row_offsets[:1].tolist() != [0] or row_offsets[-1] != len(columns) or np.any(np.diff(row_offsets) < 0):
        raise OptionError(f"row_offsets must rise from 0 to {len(columns)}, the number of columns")
    if targets < columns.max(initial=0):
        raise OptionError(f"{targets} targets, but a column of word {int(columns.max())}")
    if values.shape != (len(columns), 2):
        raise OptionError(f"values of shape {values.shape}, expected two for each of {len(columns)} columns")
    kept = np.flatnonzero(values.any(axis=1))
    given = np.repeat(np.arange(len(row_offsets) - 1, dtype=np.int64), np.diff(row_offsets))[kept]
    columns, values = columns[kept], values[kept]
    order = np.lexsort((given, columns))
    forward = _modelled(given, columns, values[:, 0], len(row_offsets) - 2)
    return forward, _modelled(columns[order], given[order], values[order, 1], targets)


def linked_words(bitext: Bitext, links: Links) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the source and the target word of each link, by id."""
    owner = links.row_pairs()
    source = bitext.source.ids[bitext.source.offsets[owner] + links.source]
    return source, bitext.target.ids[bitext.target.offsets[owner] + links.target]


def _spans(bitext: Bitext) -> list[tuple[int, int]]:
    """Cut the pairs into runs of about `WORDS_AT_ONCE` words."""
    before = (bitext.source.offsets + bitext.target.offsets)[:-1]
    first = np.flatnonzero(np.diff(before // WORDS_AT_ONCE, prepend=-1))
    return list(pairwise([*first.tolist(), len(bitext)]))


def _count_span(
    bitext: Bitext, links: Links, first: int, last: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the word pairs of pairs `first` to `last`: keys source * (target words + 1) + target, from NULL = 0."""
    width = len(bitext.target.words) + 1
    rows = slice(int(links.offsets[first]), int(links.offsets[last]))
    owner = np.repeat(np.arange(first, last), np.diff(links.offsets[first : last + 1]))
    source, lone_source = _words(bitext.source, links.source[rows], owner, first, last)
    target, lone_target = _words(bitext.target, links.target[rows], owner, first, last)
    return np.unique(
        np.concatenate((source * width + target, lone_source * width, lone_target)), return_counts=True
    )


def _words(
    side: Side, positions: NDArray[np.int32], owner: NDArray[np.int64], first: int, last: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the id + 1 of each linked word of one side, and of each word without a link."""
    begin, end = int(side.offsets[first]), int(side.offsets[last])
    ids = side.ids[begin:end].astype(np.int64) + 1
    place = side.offsets[owner] - begin + positions
    lone = np.ones(len(ids), np.bool_)
    lone[place] = False
    return ids[place], ids[lone]


def _added_up(
    parts: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Merge the sorted keys of all parts, and add up their counts."""
    keys = np.concatenate([np.empty(0, np.int64), *(keys for keys, _ in parts)])
    counts = np.concatenate([np.empty(0, np.int64), *(counts for _, counts in parts)])
    order = np.argsort(keys, kind="stable")  # a merge of runs that are sorted already
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[first], np.add.reduceat(counts[order], first) if len(first) else counts


def _table(
    given: NDArray[np.int64], generated: NDArray[np.int64], counts: NDArray[np.int64], words: int
) -> LexicalTable:
    """Build the table of counted entries, sorted by given, then generated word."""
    rows = _row_offsets(given, words)
    values = _shares(rows, counts).astype(np.float32)
    return LexicalTable(rows, generated.astype(np.int32), values, counts)


def _modelled(
    given: NDArray[np.integer], generated: NDArray[np.integer], values: NDArray[np.float32], words: int
) -> LexicalTable:
    """Build the table of a model's entries, sorted by given, then generated word."""
    rows = _row_offsets(given, words)
    return LexicalTable(rows, generated.astype(np.int32), values.copy(), np.empty(0, np.int64))


def _row_offsets(given: NDArray[np.integer], words: int) -> NDArray[np.int64]:
    """Return where the entries of NULL and of each word begin, and one more for the end."""
    rows = np.zeros(words + 2, np.int64)
    np.cumsum(np.bincount(given, minlength=words + 1), out=rows[1:])
    return rows


def _shares(rows: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Divide each count by the total of its row."""
    before = np.concatenate(([0], np.cumsum(counts)))
    totals = before[rows[1:]] - before[rows[:-1]]
    shares: NDArray[np.float64] = counts / np.repeat(totals, np.diff(rows))
    return shares
