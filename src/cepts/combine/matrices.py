"""The association matrices of a text, chunk by chunk, as a model fills them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.choices import LIST_MEASURES, MEASURES, WORD_MEASURES, check_choice
from cepts.combine.association import (
    Posteriors,
    association,
    information,
    pairs_with,
    scaled,
)
from cepts.combine.shapes import Associations, Shapes
from cepts.words.best import check_n_best
from cepts.words.blocks import blocks_of
from cepts.words.indexed import by_shards
from cepts.words.lane_kernels import load_block
from cepts.words.model import BOTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words import IndexedBitext, WordModel
    from cepts.words.blocks import Block
    from cepts.words.elsewhere import Portion
    from cepts.words.indexed import Shard
    from cepts.words.lane_kernels import Chunk

    Floats = NDArray[np.float64]


@checked
class AssociationOptions(NamedTuple):
    """What matrices are made of: a measure, how long its lists are, and what NULL weighs.

    `scale`: the total of a matrix, which AIC and BIC take for the size of a sample, is that of two lists of so many
    alignments, whatever it is made of.
    """

    measure: str = "attached"
    n_best: int = 100
    null_weight: float = 1.0
    scale: float = 1000.0

    def check(self) -> None:
        """Refuse what makes no sense, in words."""
        check_choice("association", self.measure, MEASURES)
        check_n_best(self.n_best)
        bounds.NULL_WEIGHT.check("null_weight", self.null_weight)
        bounds.SCALE.check("scale", self.scale)


@dataclass(frozen=True, eq=False)
class MatrixMaker:
    """Fills the matrices of a text.

    `weights` are what some measures take from the whole text: one for each entry of the lexicon (co-occurrence and
    information), or for each direction one for each distance from the diagonal (tables).
    """

    model: WordModel
    options: AssociationOptions
    weights: Floats

    @classmethod
    def of(
        cls, model: WordModel, bitext: Bitext, indexed: IndexedBitext, options: AssociationOptions
    ) -> MatrixMaker:
        """Prepare for a text."""
        options.check()
        weights = np.empty(0)
        if options.measure in WORD_MEASURES:
            weights = word_weights(options.measure, bitext, indexed)
        elif options.measure == "tables":
            weights = place_weights(model, indexed)
        return cls(model, options, weights)

    def on(self, shard: Shard) -> MatrixMaker:
        """Return the same for the chunks of a shard."""
        weights = self.weights[shard.entries] if self.options.measure in WORD_MEASURES else self.weights
        return replace(self, model=self.model.on(shard), weights=weights)

    def whole_text(self) -> tuple[object, ...]:
        """Return what its model has of the text."""
        return self.model.whole_text()

    def text_of(self, portion: Portion) -> Any:
        """Return what its model has of the text of a portion."""
        return self.model.text_of(portion)

    def without_text(self, portion: Portion) -> MatrixMaker:
        """Return the same without what its model has of the text."""
        return replace(self, model=self.model.without_text(portion))

    def with_text(self, text: Any) -> MatrixMaker:
        """Return the same with what its model has of the text of a portion."""
        return replace(self, model=self.model.with_text(text))

    def __call__(self, chunk: Chunk) -> Associations:
        """Fill the matrices of a chunk's pieces, in the order of its batches and lanes."""
        measure, _, null_weight, scale = self.options
        layout = Layout.of(chunk)
        forward, reverse = layout.unloaded(self._filled_blocks(chunk))
        if measure in WORD_MEASURES:
            nothing = (np.zeros_like(reverse.null), np.zeros_like(forward.null))
            return scaled(Associations(forward.links, *nothing, layout.shapes), scale)
        kind = "sum" if measure in LIST_MEASURES else measure
        return association(kind, layout.shapes, forward, reverse, n_best=scale, null_weight=null_weight)

    def _filled_blocks(self, chunk: Chunk) -> Iterator[tuple[Block, NDArray[np.float32]]]:
        """Walk over a chunk's blocks with what their matrices are made of, both directions in a posterior's places."""
        measure = self.options.measure
        if measure in WORD_MEASURES:
            values = np.repeat(self.weights[chunk.entries, None], 2, axis=1).astype(np.float32)
            for block in blocks_of(chunk):
                load_block(chunk, block.first, block.end, values, block.emission)
                yield block, block.emission
        elif measure in LIST_MEASURES:
            yield from self._listed_blocks(chunk, LIST_MEASURES.index(measure))
        elif measure == "tables":
            yield from self._table_blocks(chunk)
        else:
            for block in self.model.decoded_blocks(chunk, BOTH):
                yield block, block.posterior

    def _listed_blocks(self, chunk: Chunk, kind: int) -> Iterator[tuple[Block, NDArray[np.float32]]]:
        from cepts.words.best_kernels import share_lists

        for block in self.model.loaded_blocks(chunk):
            both = [self.model.best_lists(block, way, self.options.n_best) for way in range(2)]
            for way, lists in enumerate(both):
                share_lists(chunk, block.first, block.end, way, lists, kind, block.posterior)
            yield block, block.posterior

    def _table_blocks(self, chunk: Chunk) -> Iterator[tuple[Block, NDArray[np.float32]]]:
        from cepts.combine.matrix_kernels import fill_tables

        for block in self.model.loaded_blocks(chunk):
            for way in range(2):
                fill_tables(
                    chunk, block.first, block.end, way, self.weights[way], block.emission, block.posterior
                )
            yield block, block.posterior


class Layout(NamedTuple):
    """Where the matrix and the words of each piece of a chunk begin: [batch][lane], and as shapes."""

    shapes: Shapes
    cells: NDArray[np.int64]
    source: NDArray[np.int64]
    target: NDArray[np.int64]

    @classmethod
    def of(cls, chunk: Chunk) -> Layout:
        """Lay out a chunk's pieces; the lanes that are empty come to lie nowhere."""
        filled = chunk.pieces >= 0
        lengths = chunk.source_lengths[filled], chunk.target_lengths[filled]
        shapes = Shapes(*(np.concatenate([[0], np.cumsum(side, dtype=np.int64)]) for side in lengths))
        begins = [np.zeros(chunk.pieces.shape, np.int64) for _ in range(3)]
        for begin, offsets in zip(begins, (shapes.cells(), *shapes), strict=True):
            begin[filled] = offsets[:-1]
        return cls(shapes, *begins)

    def unloaded(self, blocks: Iterator[tuple[Block, NDArray[np.float32]]]) -> tuple[Posteriors, Posteriors]:
        """Take both directions out of all blocks."""
        from cepts.combine.matrix_kernels import unload_block

        sources, targets = int(self.shapes.source[-1]), int(self.shapes.target[-1])
        forward, reverse = np.zeros((2, int(self.shapes.cells()[-1])), np.float32)
        target_null, source_null = np.zeros(targets, np.float32), np.zeros(sources, np.float32)
        begins = self.cells, self.source, self.target
        for block, table in blocks:
            rows = block.chunk, block.first, block.end, table
            unload_block(*rows, *begins, forward, reverse, target_null, source_null)
        return Posteriors(forward, target_null), Posteriors(reverse, source_null)


def place_weights(model: WordModel, indexed: IndexedBitext) -> Floats:
    """Return how far from the diagonal each direction links, and how often to NULL, [way][distance]."""
    from cepts.combine.matrix_kernels import PLACES, count_places

    counts = np.full((2, PLACES + 1), 1e-3)
    for local, chunk in by_shards(model, indexed):
        for block in local.decoded_blocks(chunk, BOTH):
            for way in range(2):
                count_places(chunk, block.first, block.end, way, block.posterior, counts[way])
    whole = counts.sum(axis=1, keepdims=True)
    counts[:, :PLACES] /= counts[:, :PLACES].sum(axis=1, keepdims=True)
    counts[:, PLACES:] /= whole
    return counts


def word_weights(measure: str, bitext: Bitext, indexed: IndexedBitext) -> Floats:
    """Count, for each entry of the lexicon, the pairs that hold both words, or take the mutual information of that."""
    from cepts.combine.matrix_kernels import count_together

    entries = len(indexed.columns)
    together, last = np.zeros(entries), np.full(entries, -1, np.int64)
    for shard in indexed.shards:
        for chunk in shard.here().chunks:
            own = chunk._replace(entries=shard.entries[chunk.entries])
            count_together(own, indexed.pieces.pair, last, together)
    together[0] = 0.0  # of pairs that are not in the table any more
    if measure == "cooccurrence":
        return together
    source, target = (
        pairs_with(side.ids.astype(np.int64), side.offsets) for side in (bitext.source, bitext.target)
    )
    rows = np.repeat(np.arange(len(indexed.row_offsets) - 1), np.diff(indexed.row_offsets))
    real = (rows > 0) & (indexed.columns > 0)
    weights = np.zeros(entries)
    ones, others = source[rows[real] - 1], target[indexed.columns[real] - 1]
    weights[real] = information(
        np.minimum(together[real], np.minimum(ones, others)), ones, others, len(bitext)
    )
    return weights
