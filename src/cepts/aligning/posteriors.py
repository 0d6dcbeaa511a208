"""`Posterior`: what a model believes of every possible link of a pair."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.checking import checked
from cepts.combine.matrices import Layout
from cepts.showing import line_of
from cepts.words.indexed import by_shards
from cepts.words.linking import link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words import IndexedBitext, WordModel
    from cepts.words.confidence import Calibration
    from cepts.words.lane_kernels import Chunk
    from cepts.words.model import Directions
    from cepts.words.trust import Weigh

    Matrix = NDArray[np.float32]

EVERY_CELL = 1e-30  # a threshold that all links pass but those of no probability at all


@checked
class Posterior(NamedTuple):
    """The probabilities of a pair's links, [source][target], and of NULL.

    `forward[i, j]` is the probability that source word i generated target word j, `reverse[i, j]` that target word j
    generated source word i: with `target_null`, columns of `forward` sum to one, and with `source_null`, rows of
    `reverse`, or to at most two, for a bi-word model. A direction that was not trained is all zero. `confidence` is
    what links are written with, and `score` the pair's log probability per word, not a number if a side is empty.
    """

    forward: Matrix
    reverse: Matrix
    source_null: Matrix
    target_null: Matrix
    confidence: Matrix
    score: float

    def __repr__(self) -> str:
        """Return the sizes and the score of the pair."""
        words = dict(zip(("source words", "target words"), self.confidence.shape, strict=True))
        return line_of(self, {**words, "score": self.score})


def posteriors_of(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    directions: Directions,
    calibration: Calibration | None = None,
    weigh: Weigh | None = None,
) -> list[Posterior]:
    """Return what a model believes of each pair of a text; parts of a long pair know nothing of each other."""
    links, _ = link(model, bitext, indexed, directions, EVERY_CELL, calibration=calibration, weigh=weigh)
    assert links.scores is not None
    found = [_nothing(*lengths) for lengths in zip(bitext.source.lengths, bitext.target.lengths, strict=True)]
    for pair, posterior in enumerate(found):
        rows = slice(links.offsets[pair], links.offsets[pair + 1])
        posterior.confidence[links.source[rows], links.target[rows]] = links.confidence[rows]
    for local, chunk in by_shards(model, indexed):
        _fill(found, local, bitext, indexed, chunk, directions)
    return [one._replace(score=float(score)) for one, score in zip(found, links.scores, strict=True)]


def _nothing(sources: int, targets: int) -> Posterior:
    """Return matrices of zeros for a pair of so many words."""
    forward, reverse, confidence = (np.zeros((sources, targets), np.float32) for _ in range(3))
    null = np.zeros(sources, np.float32), np.zeros(targets, np.float32)
    return Posterior(forward, reverse, *null, confidence, 0.0)


def _fill(
    found: list[Posterior],
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    chunk: Chunk,
    directions: Directions,
) -> None:
    """Put the posteriors of a chunk's pieces where they belong."""
    layout = Layout.of(chunk)
    blocks = ((block, block.posterior) for block in model.decoded_blocks(chunk, directions))
    forward, reverse = layout.unloaded(blocks)
    assert forward.null is not None
    assert reverse.null is not None
    pieces = chunk.pieces[chunk.pieces >= 0].tolist()
    for piece, (cells, sources, targets) in zip(pieces, _places(layout), strict=True):
        pair = int(indexed.pieces.pair[piece])
        rows = _shifted(sources, indexed.pieces.source_start[piece] - bitext.source.offsets[pair])
        columns = _shifted(targets, indexed.pieces.target_start[piece] - bitext.target.offsets[pair])
        whole = found[pair]
        shape = whole.forward[rows, columns].shape
        if directions[0]:
            whole.forward[rows, columns] = forward.links[cells].reshape(shape)
            whole.target_null[columns] = forward.null[targets]
        if directions[1]:
            whole.reverse[rows, columns] = reverse.links[cells].reshape(shape)
            whole.source_null[rows] = reverse.null[sources]


def _places(layout: Layout) -> Iterator[tuple[slice, slice, slice]]:
    """Walk over the pieces of a chunk: where the cells, source words and target words of each are."""
    shapes = layout.shapes
    for bounds in pairwise(zip(shapes.cells().tolist(), *(side.tolist() for side in shapes), strict=True)):
        cells, sources, targets = (slice(first, end) for first, end in zip(*bounds, strict=True))
        yield cells, sources, targets


def _shifted(words: slice, first: int) -> slice:
    """Return as many words as these, from `first` on."""
    return slice(int(first), int(first) + words.stop - words.start)
