"""Bi-word models: each word may be aligned to two words of the other side.

schoenemann-2011, section 3. Bi-1 is to IBM-1 what Bi-HMM is to the HMM: a chain over heads, the first of the words that
a word is aligned to. What a head emits is a mixture: the word alone, or with any second word behind it; the last
position is never the second of two. So both models are their mono-word models with mixed emissions.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cepts.storage.schema import Field
from cepts.words.model import PROBABLE, Totals, Training, WordModel, with_way
from cepts.words.pair_kernels import add_doubles, mix_block, name_seconds, split_block
from cepts.words.simplex import step_down

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from numpy.typing import NDArray

    from cepts.words.blocks import Block, Ratios
    from cepts.words.elsewhere import Portion
    from cepts.words.hmm import Hmm
    from cepts.words.hmm_kernels import JumpCounts
    from cepts.words.ibm1 import Ibm1
    from cepts.words.indexed import IndexedBitext
    from cepts.words.lane_kernels import Chunk
    from cepts.words.lexicon import Lexicon
    from cepts.words.model import Shares
    from cepts.words.pair_kernels import Mixing, PairCells
    from cepts.words.pairs import Distances, PairCounts, PairTable

Pairs = tuple["PairTable | None", "PairTable | None"]


@dataclass(frozen=True, eq=False)
class BiWord(WordModel):
    """What Bi-1 and Bi-HMM share: the chain of heads, tables of pairs (None for a direction that is not wanted).

    `lexicon` is that of the heads; make one with `of`. `places` say where each piece's ratios begin.
    """

    heads: Ibm1 | Hmm
    pairs: Pairs
    distances: tuple[Distances, Distances]
    places: NDArray[np.int64]
    longest: int

    @classmethod
    def of(
        cls, heads: Ibm1 | Hmm, indexed: IndexedBitext, pairs: Pairs, distances: tuple[Distances, Distances]
    ) -> Self:
        """Let words be aligned to two, in the bitext that the tables of pairs were made for."""
        return cls(heads.lexicon, heads, pairs, distances, ratio_places(indexed), indexed.longest)

    def with_lexicon(self, lexicon: Lexicon) -> Self:
        """Return the same model, and its heads, with another lexicon."""
        return self._with_heads(replace(self.heads, lexicon=lexicon))

    def _with_heads(self, heads: Ibm1 | Hmm) -> Self:
        return replace(self, heads=heads, lexicon=heads.lexicon)

    @abstractmethod
    def tabulated(self, distances: Distances) -> Mixing:
        """Tabulate how single and double alignments share a head."""

    @cached_property
    def _mixings(self) -> tuple[Mixing, Mixing]:
        return self.tabulated(self.distances[0]), self.tabulated(self.distances[1])

    def mixing(self, way: int) -> Mixing:
        """How single and double alignments of one direction share a head."""
        return self._mixings[way]

    def table(self, way: int) -> PairTable:
        """The pairs of a direction that is there."""
        table = self.pairs[way]
        assert table is not None
        return table

    def state(self) -> dict[str, NDArray[Any]]:
        """Return those of the heads, the pairs and the distances."""
        arrays = self.heads.state()
        for way, (table, distances) in enumerate(zip(self.pairs, self.distances, strict=True)):
            arrays[f"distances_{way}"] = distances.weights
            if table is not None:
                arrays |= {f"pairs_{way}": table.values, f"penalty_{way}": np.array([table.penalty])}
        return arrays

    def state_fields(self) -> tuple[Field, ...]:
        """Return what those of the heads, the pairs and the distances must be."""
        fields = list(self.heads.state_fields())
        for way, (table, distances) in enumerate(zip(self.pairs, self.distances, strict=True)):
            fields.append(Field(f"distances_{way}", "float64", distances.weights.shape, *PROBABLE))
            if table is not None:
                fields.append(Field(f"pairs_{way}", "float32", table.values.shape, *PROBABLE))
                fields.append(Field(f"penalty_{way}", "float64", (1,)))
        return tuple(fields)

    def with_state(self, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the model with other parameters."""
        pairs, distances = self.pairs, self.distances
        for way, table in enumerate(self.pairs):
            own = distances[way]
            own = replace(own, weights=np.array(arrays[f"distances_{way}"]))
            distances = with_way(distances, way, own)
            if table is not None:
                values = np.array(arrays[f"pairs_{way}"])
                changed = replace(table, values=values, penalty=float(arrays[f"penalty_{way}"][0]))
                pairs = with_way(pairs, way, changed)
        heads = self.heads.with_state(arrays)
        return replace(self._with_heads(heads), pairs=pairs, distances=distances)

    def whole_text(self) -> tuple[object, ...]:
        """Return what the model has of its text."""
        return (*super().whole_text(), self.places, *(table and table.index.cells for table in self.pairs))

    def text_of(self, portion: Portion) -> Any:
        """Return known links and the cells of pairs of a portion, and where its ratios begin."""
        cells = tuple(table and self._cells_of(way, portion)[0] for way, table in enumerate(self.pairs))
        sizes = portion.lengths[0].astype(np.int64) * portion.lengths[1]
        return super().text_of(portion), cells, np.concatenate([[0], np.cumsum(sizes)])

    def _cells_of(self, way: int, portion: Portion) -> tuple[PairCells, NDArray[np.uint32]]:
        """Return the cells of a portion, and the entries of the table that they use; they are found once."""
        cells = self.table(way).index.cells
        known = portion.found.get(way)
        if known is None or known[0] is not cells:
            known = portion.found[way] = cells, *self.table(way).cells_of(portion.pieces)
        return known[1], known[2]

    def without_text(self, portion: Portion) -> Self:
        """Return the model of a portion's shard without what it has of the text, with the pairs that it uses."""
        forward, reverse = (
            table and table.of_entries(self._cells_of(way, portion)[1])
            for way, table in enumerate(self.pairs)
        )
        return replace(super().without_text(portion), pairs=(forward, reverse), places=np.empty(0, np.int64))

    def with_text(self, text: Any) -> Self:
        """Return the model with what it has of the text of a portion."""
        clamps, cells, places = text
        forward, reverse = (
            table and replace(table, index=index) for table, index in zip(self.pairs, cells, strict=True)
        )
        return replace(super().with_text(clamps), pairs=(forward, reverse), places=places)

    def oversized(self, indexed: IndexedBitext) -> NDArray[np.int64]:
        """Return the pairs that are too large for double alignments, in either direction."""
        tables = [table.oversized for table in self.pairs if table is not None]
        return np.unique(indexed.pieces.pair[np.logical_or.reduce(tables)])

    def settled(self) -> Self:
        """Return the model that reads its text as `Finished` would read it."""
        forward, reverse = (None if table is None else table.settled() for table in self.pairs)
        return replace(self._with_heads(self.heads.settled()), pairs=(forward, reverse))

    def jump_counts(self, longest: int) -> tuple[JumpCounts, JumpCounts] | None:
        """Return jump counts of zero for sentences of up to `longest` words, if the heads jump."""
        return self.heads.jump_counts(longest)

    def new_ratios(self, chunk: Chunk) -> Ratios:
        """Return room for posterior over emission of a chunk's heads and steps."""
        size = int((chunk.source_lengths.astype(np.int64) * chunk.target_lengths).sum())
        return self._ratios(size)

    def _ratios(self, size: int) -> Ratios:
        """Return so many ratios of zero for each direction that is there."""
        return tuple(np.zeros(0 if table is None else size, np.float32) for table in self.pairs)

    def new_totals(self, indexed: IndexedBitext) -> Totals:
        """Return counts of zero for a whole corpus."""
        ratios = self._ratios(int(self.places[-1]))
        return replace(super().new_totals(indexed), ratios=ratios, ratio_places=self.places)

    def _mix(self, block: Block, way: int, best: bool) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Mix a block's emissions: what a head gives alone, and with any or the best second word; and which that is."""
        table = self.table(way)
        mixed = np.zeros_like(block.emission)
        seconds = np.zeros(block.emission.shape, np.int32)
        span = (block.chunk, block.first, block.end, way)
        mix_block(*span, table.index, table.values, self.mixing(way), block.emission, best, mixed, seconds)
        self.clamp(block, way, mixed)  # of a word that is known, the head must be known
        return mixed, seconds

    def posteriors(self, block: Block, way: int, counts: JumpCounts | None) -> None:
        """Fill a block's posteriors of single alignments, its log likelihoods, and its ratios."""
        mixed, _ = self._mix(block, way, False)
        self.heads.posteriors(block._replace(emission=mixed), way, counts)
        split_block(
            block.chunk,
            block.first,
            block.end,
            way,
            self.table(way).index,
            self.mixing(way),
            block.emission,
            mixed,
            block.posterior,
            self._places_in(block.chunk),
            block.ratios[way],
        )

    def block_likelihoods(self, block: Block, way: int) -> None:
        """Fill a block's log likelihoods."""
        mixed, _ = self._mix(block, way, False)
        self.heads.block_likelihoods(block._replace(emission=mixed), way)

    def link_posteriors(self, block: Block, way: int) -> None:
        """Fill a block's posteriors of links: of a single alignment or of either part of a double one."""
        self.posteriors(block, way, None)
        table = self.table(way)
        add_doubles(
            block.chunk,
            block.first,
            block.end,
            way,
            table.index,
            table.values,
            self.mixing(way),
            self._places_in(block.chunk),
            block.ratios[way],
            block.posterior,
        )

    def _places_in(self, chunk: Chunk) -> NDArray[np.int64]:
        """Where the ratios of a chunk's pieces begin among those of the chunk."""
        places: NDArray[np.int64] = self.places - self.places[chunk.pieces[0, 0]]
        return places

    def paths(self, block: Block, way: int) -> None:
        """Fill a block's best paths: heads, and with them their second words."""
        mixed, seconds = self._mix(block, way, True)
        self.heads.paths(block._replace(emission=mixed, posterior=mixed), way)
        name_seconds(block.chunk, block.first, block.end, way, seconds, block.best)

    def penalty(self, way: int, training: Training) -> float:
        """What the objective has beside the negative log likelihood."""
        return self.heads.penalty(way, training) + self.table(way).penalty

    def maximised(self, totals: Totals, training: Training, threads: int = 1) -> Self:
        """M step."""
        pairs, distances = self.pairs, self.distances
        for way in range(2):
            if training.directions[way]:
                table, counts = self.table(way).maximised(
                    self.mixing(way), self.places, totals.ratios[way], threads
                )
                pairs = with_way(pairs, way, table)
                distances = with_way(distances, way, self.maximised_distances(way, counts, training))
        heads = self.heads.maximised(totals, training, threads)
        return replace(self._with_heads(heads), pairs=pairs, distances=distances)

    def maximised_distances(self, way: int, counts: PairCounts, training: Training) -> Distances:  # noqa: ARG002
        """M step of the distances, if they are parameters."""
        return self.distances[way]

    def descended(
        self, totals: Totals, training: Training, way: int, length: float, threads: int = 1
    ) -> tuple[Self, float]:
        """Step down the gradient."""
        table, counts, pair_slope = self.table(way).descended(
            self.mixing(way), self.places, totals.ratios[way], length, threads
        )
        distances, distance_slope = self.descended_distances(way, counts, length)
        heads, slope = self.heads.descended(totals, training, way, length, threads)
        changed = replace(
            self._with_heads(heads),
            pairs=with_way(self.pairs, way, table),
            distances=with_way(self.distances, way, distances),
        )
        return changed, slope + pair_slope + distance_slope

    def descended_distances(self, way: int, counts: PairCounts, length: float) -> tuple[Distances, float]:  # noqa: ARG002
        """Step down the gradient of the distances, if they are parameters."""
        return self.distances[way], 0.0

    def between(self, other: Self, shares: Shares, threads: int = 1) -> Self:
        """Return the model on the way from this one to another."""
        pairs, distances = self.pairs, self.distances
        for way in range(2):
            here, there, share = self.pairs[way], other.pairs[way], shares[way]
            if here is not None and there is not None and here is not there:
                pairs = with_way(pairs, way, here.between(there, share, threads))
                distances = with_way(distances, way, distances[way].between(other.distances[way], share))
        heads = self.heads.between(other.heads, shares, threads)  # type: ignore[arg-type]  # both are of one kind
        return replace(self._with_heads(heads), pairs=pairs, distances=distances)


def ratio_places(indexed: IndexedBitext) -> NDArray[np.int64]:
    """Where each piece's ratios begin, if the pieces of a chunk follow each other; one more for the end."""
    places = np.zeros(len(indexed.pieces.pair) + 1, np.int64)
    if not indexed.chunks:
        return places
    order = np.concatenate([chunk.pieces[chunk.pieces >= 0] for chunk in indexed.chunks])
    sizes = indexed.pieces.source_length.astype(np.int64) * indexed.pieces.target_length
    ends = np.cumsum(sizes[order])
    places[order] = ends - sizes[order]
    places[-1] = ends[-1]
    return places


class Bi1(BiWord):
    """Bi-1: single alignments as in IBM-1 with NULL as one more word, double alignments all equal."""

    name: ClassVar[str] = "bi1"

    def tabulated(self, distances: Distances) -> Mixing:
        """Tabulate how single and double alignments share a head."""
        return distances.evenly(self.longest)


class BiHmm(BiWord):
    """Bi-HMM: heads as in the HMM, second words by their distance."""

    name: ClassVar[str] = "bihmm"

    def tabulated(self, distances: Distances) -> Mixing:
        """Tabulate how single and double alignments share a head."""
        return distances.mixing(self.longest)

    def maximised_distances(self, way: int, counts: PairCounts, training: Training) -> Distances:
        """M step of the distances."""
        distances = self.distances[way]
        weights = distances.expected(counts).maximised(distances.weights, training.jump_update)
        return replace(distances, weights=weights)

    def descended_distances(self, way: int, counts: PairCounts, length: float) -> tuple[Distances, float]:
        """Step down the gradient of the distances."""
        distances = self.distances[way]
        gradient = distances.expected(counts).gradient(distances.weights)
        weights, slope = step_down(distances.weights, gradient, length)
        return replace(distances, weights=weights), slope
