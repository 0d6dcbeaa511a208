"""The cepts of a text: matrices filled by a model, factorised, chunk by chunk."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.combine.cepts import DEFAULTS, Cepts, factorise
from cepts.combine.matrices import AssociationOptions, MatrixMaker
from cepts.words.linking import decoded_chunks
from cepts.words.training import ignore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.combine.cepts import CeptsOptions
    from cepts.corpus import Bitext
    from cepts.words import IndexedBitext, Monitor, WordModel
    from cepts.words.lane_kernels import Chunk

ATTACHED = AssociationOptions()


@checked
def cepts_of_text(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    associations: AssociationOptions = ATTACHED,
    options: CeptsOptions = DEFAULTS,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> Cepts:
    """Find the cepts of every pair of a text. Those of a pair that is cut into pieces are those of its pieces."""
    options.check()
    maker = MatrixMaker.of(model, bitext, indexed, associations)

    parts = list(decoded_chunks(partial(_decode, options), maker, indexed, threads, monitor))
    return _Joiner.of(bitext, indexed).joined(parts)


def _decode(options: CeptsOptions, maker: MatrixMaker, chunk: Chunk) -> Cepts:
    return factorise(maker(chunk), options)


class _Joiner(NamedTuple):
    """Brings the cepts of pieces, in the order of chunks, into that of the text."""

    bitext: Bitext
    indexed: IndexedBitext
    order: NDArray[np.int64]  # the pieces in the order of the chunks

    @classmethod
    def of(cls, bitext: Bitext, indexed: IndexedBitext) -> _Joiner:
        pieces = [chunk.pieces[chunk.pieces >= 0] for chunk in indexed.chunks]
        return cls(bitext, indexed, np.concatenate([np.empty(0, np.int64), *pieces]).astype(np.int64))

    def joined(self, parts: list[Cepts]) -> Cepts:
        """Join the cepts of all chunks."""
        counts: NDArray[np.int64] = self._by_piece([np.diff(part.offsets) for part in parts], np.int64)
        pair = self.indexed.pieces.pair
        before = np.cumsum(counts) - counts  # cepts of earlier pieces, which are in the order of the pairs
        offsets = np.zeros(len(self.bitext) + 1, np.int64)
        np.cumsum(np.bincount(pair, counts, minlength=len(self.bitext)), out=offsets[1:])
        within = before - offsets[pair]
        source, source_confidence = self._words(parts, 0, within)
        target, target_confidence = self._words(parts, 1, within)
        return Cepts(
            source,
            target,
            source_confidence,
            target_confidence,
            self.bitext.source.offsets,
            self.bitext.target.offsets,
            self._probabilities(parts, counts, before),
            offsets,
            *(self._sums(parts, name) for name in ("chosen", "log_likelihoods", "noise")),
        )

    def _shares(self) -> NDArray[np.float64]:
        """Return which part of its pair's words each piece has."""
        pieces = self.indexed.pieces
        words = pieces.source_length + pieces.target_length
        totals = np.bincount(pieces.pair, words, minlength=len(self.bitext))
        shares: NDArray[np.float64] = words / totals[pieces.pair]
        return shares

    def _by_piece(self, parts: list[NDArray[Any]], kind: type) -> NDArray[Any]:
        """Put what each chunk has for its pieces into the order of the pieces."""
        found: NDArray[Any] = np.zeros(len(self.order), kind)
        found[self.order] = np.concatenate([np.empty(0, kind), *parts])
        return found

    def _sums(self, parts: list[Cepts], name: str) -> NDArray[Any]:
        """Add up a number of each piece for the pairs; the shares of noise by the pieces' words."""
        kind = np.int32 if name == "chosen" else np.float64
        numbers = self._by_piece([getattr(part, name) for part in parts], kind)
        if name == "noise":
            numbers = numbers * self._shares()
        return np.bincount(self.indexed.pieces.pair, numbers, minlength=len(self.bitext)).astype(kind)

    def _words(
        self, parts: list[Cepts], side: int, before: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Place the words of one side: each word's cept within its pair, or -1, and its confidence."""
        pieces = self.indexed.pieces
        starts = (pieces.source_start, pieces.target_start)[side][self.order]
        lengths = (pieces.source_length, pieces.target_length)[side][self.order]
        place = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
        count = len((self.bitext.source, self.bitext.target)[side].ids)
        cepts, confidence = np.full(count, -1, np.int32), np.zeros(count, np.float32)
        found = np.concatenate([np.empty(0, np.int32), *((part.source, part.target)[side] for part in parts)])
        shift = np.repeat(before[self.order], lengths)
        cepts[place] = np.where(found >= 0, found + shift, -1)
        confidence[place] = np.concatenate(
            [np.empty(0), *((part.source_confidence, part.target_confidence)[side] for part in parts)]
        )
        return cepts, confidence

    def _probabilities(
        self, parts: list[Cepts], counts: NDArray[np.int64], before: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Place the cepts' probabilities: those of a piece share what is its part of the pair's words."""
        counts, before = counts[self.order], before[self.order]
        place = np.repeat(before - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        found = np.concatenate([np.empty(0, np.float32), *(part.probabilities for part in parts)])
        placed = np.zeros(len(found), np.float32)
        placed[place] = found * np.repeat(self._shares()[self.order], counts)
        return placed
