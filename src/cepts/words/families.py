"""`Families`: words that begin alike share what is known of their translations, and words spelled alike gain by it.

Rare inflected forms are where text is short: `compression` may have been seen once, `compressed` and `compressor`
often. So a pair of words is judged at several levels, as words and as members of families (all words with the same
first letters): each level has its own table of probabilities, made of the same expected counts, and the value of a
pair is the product of what the levels say, each to the power of its weight. A word pair that was seen often is clear at
every level; of a pair seen once, the families know more. What counts beside what was counted is the spelling: the
longest common subsequence of two words makes names and cognates probable before anything else is known.

A product of opinions is no distribution: it has no likelihood that could be said to rise, and training by agreement
does not ask for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.running import run
from cepts.storage.scratch import release
from cepts.words.family_kernels import add_families, add_words, families_met, log_norms, write_probabilities
from cepts.words.layout import runs_of
from cepts.words.lexicon import ROW_BLOCK, Lexicon, release_all, row_blocks, totals_of_columns
from cepts.words.likeness import likeness_of_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cepts.corpus import Bitext, Side
    from cepts.storage.scratch import Scratch
    from cepts.words.indexed import IndexedBitext
    from cepts.words.lexicon import Counted, Smoothing

    Seen = tuple[NDArray[np.int64], NDArray[np.int64]]

LETTERS = (3, 4, 5)  # that the words of a family have in common, at each level
WEIGHTS = (0.15, 0.2, 0.25, 0.4)  # of these levels, and of the words themselves


class Level(NamedTuple):
    """One level: the family of each word of both sides, and the logarithm of a word's share in its family.

    Words count from 1, and NULL is a family of its own, 0. `members` lists the source's words family by family. Where
    families are `single`, every word of both sides is one by itself; else `met` is how many of the source's families
    each of the target's meets, NULL's left out.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    shares: tuple[NDArray[np.float32], NDArray[np.float32]]
    members: NDArray[np.int64]
    offsets: NDArray[np.int64]
    weight: float
    single: bool
    met: NDArray[np.int64]

    @property
    def kinds(self) -> int:
        """How many families the target has."""
        return int(self.target.max()) + 1

    def with_met(self, row_offsets: NDArray[np.int64], columns: NDArray[np.int32], threads: int = 1) -> Level:
        """Count the source's families that each of the target's families meets in a table."""
        if self.single:
            return self
        met = np.zeros(self.kinds, np.int64)
        groups = (self.target, self.kinds)
        for part in run(
            lambda block: families_met(row_offsets, columns, self.members, self.offsets, *block, *groups),
            self._blocks(row_offsets),
            threads,
        ):
            met += part
            release(columns)
        return self._replace(met=met)

    def column_totals(self, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sum the totals of the target's words to those of their families: exactly, in whole numbers."""
        if self.single:
            return words
        totals = np.zeros((3, self.kinds), np.int64)
        for kind in (0, 1):
            np.add.at(totals[kind], self.target[: words.shape[1]], words[kind])
        totals[2] = self.met
        return totals

    def add_logs(
        self,
        table: Counted,
        totals: NDArray[np.int64],
        smoothing: Smoothing,
        logs: NDArray[np.float32],
        threads: int = 1,
    ) -> None:
        """Add to the logarithm of each entry's value what this level says; `totals` are those of target words."""
        rest = (log_norms(self.column_totals(totals), smoothing.prior), *smoothing, logs)
        families = (self.members, self.offsets, self.target, self.shares, self.weight)

        def add(block: tuple[int, int]) -> None:
            if self.single:
                add_words(table, self.weight, *block, *rest)
            else:
                add_families(table, families, *block, *rest)

        for _ in run(add, row_blocks(table[0]) if self.single else self._blocks(table[0]), threads):
            release_all((*table, logs))

    def _blocks(self, row_offsets: NDArray[np.int64]) -> list[tuple[int, int]]:
        """Cut the families into runs of about `ROW_BLOCK` entries."""
        sizes = np.diff(row_offsets)[self.members]
        ends = np.cumsum(sizes)[self.offsets[1:] - 1]
        return runs_of(ends // ROW_BLOCK)


class Families(NamedTuple):
    """The levels of a bitext, coarse to fine, and how alike the words of each entry are spelled, in 255ths."""

    levels: list[Level]
    likeness: NDArray[np.uint8]
    strength: float
    scratch: Scratch

    @classmethod
    def of(
        cls,
        bitext: Bitext,
        indexed: IndexedBitext,
        kind: str,
        strength: float,
        seen: Seen | None = None,
        threads: int = 1,
    ) -> Families:
        """Put the words of a bitext into families; `strength` is what perfect likeness is worth, as a logarithm.

        `seen` is how often the first words of both sides were there before.
        """
        keys: list[tuple[Callable[[str], str], float]] = [(_itself, 1.0)]
        if kind != "off":
            keys = [(_key(letters, kind), weight) for letters, weight in zip(LETTERS, WEIGHTS, strict=False)]
            keys.append((_itself, WEIGHTS[-1]))
        likeness = np.zeros(1, np.uint8)
        if strength > 0:
            likeness = likeness_of_entries(indexed, bitext.source.words, bitext.target.words)
        counts = (words_seen(bitext.source, seen and seen[0]), words_seen(bitext.target, seen and seen[1]))
        table = (indexed.row_offsets, indexed.columns)
        levels = [_level(bitext, counts, key, weight).with_met(*table, threads) for key, weight in keys]
        return cls(levels, likeness, strength, indexed.scratch)

    def maximised(
        self, lexicon: Lexicon, counts: NDArray[np.float32], smoothing: Smoothing, threads: int = 1
    ) -> Lexicon:
        """Return the lexicon after an M step; `counts` is used up and holds the new values."""
        table = (lexicon.row_offsets, lexicon.columns, counts)
        logs = self.scratch.zeros(counts.shape, np.float32)
        totals = totals_of_columns(table, lexicon.labels[1], threads)
        for level in self.levels:
            level.add_logs(table, totals, smoothing, logs, threads)
        write_logs(table, logs, self.likeness, self.strength, smoothing, threads)
        return Lexicon(*table)


def write_logs(
    table: Counted,
    logs: NDArray[np.float32],
    likeness: NDArray[np.uint8],
    strength: float,
    smoothing: Smoothing,
    threads: int = 1,
) -> None:
    """Put probabilities in the place of counts, from the sums of what all levels say and from the spelling."""
    columns = table[:2]
    floor = np.float32(smoothing.floor)

    def write(rows: tuple[int, int]) -> None:
        write_probabilities(*columns, logs, likeness, strength, *rows, floor, table[2])

    for _ in run(write, row_blocks(table[0]), threads):
        release_all((*table, logs, likeness))


def _level(bitext: Bitext, counts: Seen, key: Callable[[str], str], weight: float) -> Level:
    """Put the words of both sides into families by what a key makes of them."""
    source, target = (_families(side.words, key) for side in (bitext.source, bitext.target))
    shares = (_shares(counts[0], source), _shares(counts[1], target))
    members = np.argsort(source, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(source))]).astype(np.int64)
    single = all(len(families) == families.max() + 1 for families in (source, target))
    return Level(source, target, shares, members, offsets, weight, single, met=np.zeros(0, np.int64))


def _families(words: Sequence[str], key: Callable[[str], str]) -> NDArray[np.int32]:
    """Number the families of words, from 1; word 0 is NULL, in family 0.

    >>> _families(["house", "mouse", "housing"], lambda word: word[:3]).tolist()
    [0, 1, 2, 1]
    """
    numbers: dict[str, int] = {}
    return np.array([0, *(numbers.setdefault(key(word), len(numbers) + 1) for word in words)], np.int32)


def words_seen(side: Side, before: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Count how often each word of a side is there, and was before; words that are new then come last."""
    counts = np.bincount(side.ids, minlength=len(side.words))
    if before is not None:
        counts[: len(before)] += before
    return counts


def _shares(seen: NDArray[np.int64], families: NDArray[np.int32]) -> NDArray[np.float32]:
    """The logarithm of each word's share in the occurrences of its family."""
    counts = np.concatenate([[1.0], np.maximum(seen, 1.0)])
    shares: NDArray[np.float32] = np.log(counts / np.bincount(families, counts)[families]).astype(np.float32)
    return shares


def _itself(word: str) -> str:
    return word


def _key(letters: int, kind: str) -> Callable[[str], str]:
    """What the words of a family have in common: their first letters, or their last."""
    turn = -1 if kind == "endings" else 1
    return lambda word: beginning(word.lower()[::turn], letters)


def beginning(word: str, letters: int) -> str:
    """The first letters of a word, or all of a number; a sign that is a syllable or a word counts as several letters.

    >>> beginning("compression", 4), beginning("1984", 3), beginning("経済学", 3), beginning("経済学", 4)
    ('comp', '1984', '経', '経済')
    """
    if any(map(str.isdigit, word)):
        return word
    if word.isascii():
        return word[:letters]
    worth = 0
    for k, sign in enumerate(word):
        if worth >= letters:
            return word[:k]
        worth += letters_of(sign)
    return word


def letters_of(sign: str) -> int:
    """How many letters a sign is worth: 3 for a Chinese sign or a Korean syllable, 2 for a Japanese one, else 1.

    >>> [letters_of(sign) for sign in "aж経かᄒ한"]
    [1, 1, 3, 2, 1, 3]
    """
    if "぀" <= sign <= "ヿ":  # Hiragana and Katakana
        return 2
    chinese = "㐀" <= sign <= "䶿" or "一" <= sign <= "鿿" or sign >= "\U00020000"
    return 3 if chinese or "가" <= sign <= "힣" else 1
