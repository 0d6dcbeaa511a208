"""From a model to the links of a bitext."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cepts.links import Links
from cepts.running import run
from cepts.words.decode_kernels import order_of_rows
from cepts.words.model import Decoded, joined
from cepts.words.training import Step, ignore

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.confidence import Calibration
    from cepts.words.indexed import IndexedBitext
    from cepts.words.lane_kernels import Chunk
    from cepts.words.model import Directions, WordModel
    from cepts.words.training import Monitor

Part = TypeVar("Part")
FORWARD, REVERSE = 1, 2


class DirectedLinks(NamedTuple):
    """The links of both best paths; with a threshold both are the same."""

    forward: Links
    reverse: Links


def link(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    directions: Directions,
    threshold: float = 0.0,
    threads: int = 1,
    monitor: Monitor = ignore,
    calibration: Calibration | None = None,
) -> DirectedLinks:
    """Link all pairs: along the best path of each direction, or every cell of at least `threshold` confidence.

    A link's confidence is the product of the directions' posteriors, or what a calibration makes of both. A pair's
    score is its natural log probability per word, the mean of the directions.
    """
    decode = partial(model.decode, directions=directions, threshold=threshold, calibration=calibration)
    parts = decoded_chunks(decode, indexed, threads, monitor)
    return join(parts, bitext, indexed, directions, together=threshold > 0)


def score_pairs(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    directions: Directions,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> NDArray[np.float64]:
    """Return each pair's natural log probability per word, the mean of the directions."""

    def decode(chunk: Chunk) -> Decoded:
        nothing = np.empty((0, 4), np.int32), np.empty(0, np.float32)
        return joined(
            [Decoded(*nothing, block.likelihoods) for block in model.decoded_blocks(chunk, directions)]
        )

    return pair_scores(bitext, indexed, decoded_chunks(decode, indexed, threads, monitor), directions)


def decoded_chunks(
    decode: Callable[[Chunk], Part], indexed: IndexedBitext, threads: int, monitor: Monitor
) -> list[Part]:
    """Decode all chunks."""
    parts = []
    for done, part in enumerate(run(decode, indexed.chunks, threads), 1):
        parts.append(part)
        monitor(Step("links", 1, 1, done / len(indexed.chunks)))
    return parts


def join(
    parts: list[Decoded], bitext: Bitext, indexed: IndexedBitext, directions: Directions, together: bool
) -> DirectedLinks:
    """Make links of whole sentences of what was decoded; `together` if they are no direction's own."""
    places = _stack([part.places for part in parts], (0, 4), np.int32)
    confidences = _stack([part.confidences for part in parts], (0,), np.float32)
    order = order_of_rows(np.ascontiguousarray(places[:, 0]), len(indexed.pieces.pair))
    places, confidences = places[order], confidences[order]
    everything = _as_links(
        bitext, indexed, places, confidences, pair_scores(bitext, indexed, parts, directions)
    )
    if together:
        return DirectedLinks(everything, everything)
    paths = places[:, 3]
    return DirectedLinks(everything.select((paths & FORWARD) > 0), everything.select((paths & REVERSE) > 0))


def _stack(parts: list[NDArray[np.generic]], empty: tuple[int, ...], dtype: type) -> NDArray[np.generic]:
    return np.concatenate(parts) if parts else np.empty(empty, dtype)


def _as_links(
    bitext: Bitext,
    indexed: IndexedBitext,
    places: NDArray[np.int32],
    confidences: NDArray[np.float32],
    scores: NDArray[np.float64],
) -> Links:
    """Turn rows that are sorted by piece, source and target into links of whole sentences."""
    pieces = indexed.pieces
    source_begin = (pieces.source_start - bitext.source.offsets[pieces.pair]).astype(np.int32)
    target_begin = (pieces.target_start - bitext.target.offsets[pieces.pair]).astype(np.int32)
    piece = places[:, 0]
    offsets = np.zeros(len(bitext) + 1, np.int64)
    np.cumsum(np.bincount(pieces.pair[piece], minlength=len(bitext)), out=offsets[1:])
    return Links(
        places[:, 1] + source_begin[piece],
        places[:, 2] + target_begin[piece],
        confidences,
        np.ones(len(places), np.bool_),
        offsets,
        scores,
    )


def pair_scores(
    bitext: Bitext, indexed: IndexedBitext, parts: list[Decoded], directions: Directions
) -> NDArray[np.float64]:
    """Log probability per generated word, the mean of the directions; not a number for a pair without words."""
    totals = np.zeros((2, len(indexed.pieces.pair)))
    for chunk, part in zip(indexed.chunks, parts, strict=True):
        filled = chunk.pieces >= 0
        for way in range(2):
            totals[way, chunk.pieces[filled]] = part.likelihoods[way][filled]
    pieces = indexed.pieces
    generated = [
        np.bincount(pieces.pair, lengths, minlength=len(bitext))
        for lengths in (pieces.target_length, pieces.source_length)
    ]
    scores = np.zeros(len(bitext))
    for way in range(2):
        if directions[way]:
            pair_total = np.bincount(pieces.pair, totals[way], minlength=len(bitext))
            scores += pair_total / np.maximum(generated[way], 1) / sum(directions)
    scores[generated[0] == 0] = np.nan
    return scores
