"""`LexicalOverlap`: how much of two sentences is explained by words that translate each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.checking import check_part, checked
from cepts.errors import InputError, OptionError
from cepts.quality.gains import SCALE, GainTable, KnownWords, gains_of_lexicon, gains_of_text
from cepts.running import run

if TYPE_CHECKING:
    from distributed import Client
    from numpy.typing import NDArray

    from cepts.aligning import Aligner
    from cepts.corpus import Bitext, Side
    from cepts.running.cluster import Cluster

WORDS_AT_ONCE = 1 << 20  # of both sides, looked at by one thread at a time


class Postings(NamedTuple):
    """Word w stands `counts[k]` times in sentence `sentences[k]`, for k from `offsets[w]` to `offsets[w + 1]`."""

    offsets: NDArray[np.int64]
    sentences: NDArray[np.int32]
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, side: Side) -> Postings:
        """List the sentences of each word."""
        owners = np.repeat(np.arange(len(side), dtype=np.int64), side.lengths)
        keys, counts = np.unique(side.ids * np.int64(max(len(side), 1)) + owners, return_counts=True)
        words, sentences = np.divmod(keys, max(len(side), 1))
        offsets = np.zeros(len(side.words) + 1, np.int64)
        np.cumsum(np.bincount(words, minlength=len(side.words)), out=offsets[1:])
        return cls(offsets, sentences.astype(np.int32), counts.astype(np.int32))


@checked
@dataclass(frozen=True, eq=False)
class LexicalOverlap:
    """Gains of word pairs, from a word aligner's lexicon; make one with `fit`.

    A word gains log(1 + lift / 0.3) by a translation that makes it `lift` times as probable as it is by itself. The
    overlap of two sentences is what their words gain by their best partners, for each word of both: 0 if no word of
    one translates a word of the other, as with empty sentences and with new words; below 1 for most sentences that have
    nothing to do with each other, and above 2 for most translations. New words count as translations of those that
    are written alike.
    """

    table: GainTable
    source: KnownWords
    target: KnownWords

    @classmethod
    def fit(
        cls,
        bitext: Bitext,
        aligner: Aligner | None = None,
        threads: int = 1,
        client: Client | Cluster | None = None,
    ) -> LexicalOverlap:
        """Learn from a bitext; an aligner that is already trained spares the work of training one on it."""
        from cepts.aligning import Aligner

        if aligner is None:
            aligner = Aligner("fast", threads=threads, client=client).fit(bitext)
        if not all(aligner.recipe.trained):
            raise OptionError(
                f"the aligner was trained in direction {aligner.recipe.direction} alone, and overlap needs both;"
                " train one of both directions"
            )
        lexicon, words = aligner.lexicon()
        source = KnownWords.of(bitext.source, words.source)
        target = KnownWords.of(bitext.target, words.target)
        return cls(gains_of_lexicon(lexicon, source, target), source, target)

    def table_of(self, source: Side, target: Side) -> GainTable:
        """Return the gains of a text's words, by its own numbers."""
        return gains_of_text(self.table, (self.source, self.target), source.words, target.words)

    def score(self, bitext: Bitext, threads: int = 1) -> NDArray[np.float32]:
        """Return the overlap of each pair."""
        if len(bitext.source) != len(bitext.target):
            raise InputError(
                f"{len(bitext.source)} source but {len(bitext.target)} target sentences, expected as many"
            )
        table = self.table_of(bitext.source, bitext.target)
        spans = _spans(bitext.source.offsets + bitext.target.offsets)
        parts = run(lambda span: _pair_scores(bitext, table, *span), spans, threads)
        return np.concatenate([np.empty(0, np.float32), *parts])

    def scores_of(self, sources: Side, targets: Side, first: int, end: int) -> NDArray[np.float32]:
        """Return the overlap of the source sentences from `first` to `end` with each target: [end - first, targets]."""
        check_part(first, end, len(sources))
        return BlockOverlaps.of(self, sources, targets).block(first, min(end, len(sources)))


@dataclass(frozen=True, eq=False)
class BlockOverlaps:
    """What is needed to score any sentence of one text with all of another."""

    sources: Side
    targets: Side
    table: GainTable
    postings: Postings

    @classmethod
    def of(cls, overlap: LexicalOverlap, sources: Side, targets: Side) -> BlockOverlaps:
        """Prepare two texts."""
        return cls(sources, targets, overlap.table_of(sources, targets), Postings.of(targets))

    def swapped(self) -> BlockOverlaps:
        """Return the same texts with source and target exchanged."""
        table = self.table.swapped(len(self.targets.words))
        return BlockOverlaps(self.targets, self.sources, table, Postings.of(self.sources))

    def block(self, first: int, end: int) -> NDArray[np.float32]:
        """Return the overlap of the source sentences from `first` to `end` with each target sentence."""
        from cepts.quality.overlap_kernels import block_overlaps  # late: it brings numba

        overlaps = np.empty((end - first, len(self.targets)), np.float32)
        side, postings = _arrays(self.sources), tuple(self.postings)
        block_overlaps(side, first, tuple(self.table), postings, self.targets.lengths, SCALE, overlaps)
        return overlaps


def _arrays(side: Side) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return ids and offsets as kernels want them."""
    return np.ascontiguousarray(side.ids), np.ascontiguousarray(side.offsets)


def _pair_scores(bitext: Bitext, table: GainTable, first: int, end: int) -> NDArray[np.float32]:
    """Return the overlap of the pairs from `first` to `end`."""
    from cepts.quality.overlap_kernels import pair_overlaps  # late: it brings numba

    overlaps = np.empty(end - first, np.float32)
    part = bitext.part(first, end)
    sides = _arrays(part.source), _arrays(part.target)
    pair_overlaps(*sides, tuple(table), len(bitext.target.words), SCALE, overlaps)
    return overlaps


def _spans(offsets: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Cut sentences into runs of about `WORDS_AT_ONCE` words."""
    first = np.flatnonzero(np.diff(offsets[:-1] // WORDS_AT_ONCE, prepend=-1))
    return list(pairwise([*first.tolist(), len(offsets) - 1]))
