"""From a model to the links of a bitext."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from cepts.links import Links
from cepts.running import run
from cepts.words.decode_kernels import count_rows, place_rows
from cepts.words.elsewhere import renamed
from cepts.words.indexed import Worker, by_shards
from cepts.words.lexicon import release_all
from cepts.words.model import Decoded
from cepts.words.training import Step, ignore
from cepts.words.trust_kernels import EVEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.confidence import Calibration
    from cepts.words.indexed import IndexedBitext
    from cepts.words.lane_kernels import Chunk
    from cepts.words.model import Directions, WordModel
    from cepts.words.training import Monitor
    from cepts.words.trust import Weigh

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
    weigh: Weigh | None = None,
) -> DirectedLinks:
    """Link all pairs: along the best path of each direction, or every cell of at least `threshold` confidence.

    A link's confidence is the product of the directions' posteriors, or what a calibration makes of both; `weigh` makes
    something better of it (see `trust`). A pair's score is its natural log probability per word, the mean of the
    directions.
    """

    first = threshold if weigh is None else min(threshold, EVEN)  # weighing takes no link across this
    decode = partial(_decode, directions, first, calibration)
    parts = decoded_chunks(decode, model, indexed, threads, monitor)
    links, paths = join(parts, bitext, indexed, directions)
    if weigh is not None:
        links = weigh(links)
    if threshold > first:
        links = links.select(links.confidence >= threshold)
    if threshold > 0:
        return DirectedLinks(links, links)
    return by_paths(links, paths)


def score_pairs(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    directions: Directions,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> NDArray[np.float64]:
    """Return each pair's natural log probability per word, the mean of the directions."""

    parts = decoded_chunks(partial(_likelihoods, directions), model, indexed, threads, monitor)
    return pair_scores(bitext, indexed, list(parts), directions)


def _decode(
    directions: Directions, threshold: float, calibration: Calibration | None, model: WordModel, chunk: Chunk
) -> Decoded:
    return model.decode(chunk, directions, threshold, calibration)


def _likelihoods(directions: Directions, model: WordModel, chunk: Chunk) -> NDArray[np.float64]:
    blocks = [block.likelihoods for block in model.decoded_blocks(chunk, directions)]
    return np.concatenate(blocks, axis=1)


def decoded_chunks(
    decode: Callable[[Worker, Chunk], Part],
    worker: Worker,
    indexed: IndexedBitext,
    threads: int,
    monitor: Monitor,
) -> Iterator[Part]:
    """Decode all chunks; `worker` is a model, or something else that needs to know its shard."""
    chunks = sum(len(shard.chunks) for shard in indexed.shards)
    if indexed.elsewhere is None:
        parts = run(lambda task: decode(*task), by_shards(worker, indexed), threads)
    else:
        found = indexed.elsewhere.each(decode_portion, worker, decode)
        parts = (renamed(part, portion.pieces) for portion, some in found for part in some)
    for done, part in enumerate(parts, 1):
        monitor(Step("links", 1, 1, done / chunks))
        yield part


def decode_portion(
    indexed: IndexedBitext, worker: Worker, decode: Callable[[Worker, Chunk], Part]
) -> list[Part]:
    """Decode the chunks of a part of a text."""
    return [decode(worker, chunk) for chunk in indexed.chunks]


def join(
    parts: Iterable[Decoded], bitext: Bitext, indexed: IndexedBitext, directions: Directions
) -> tuple[Links, NDArray[np.int8]]:
    """Make links of whole sentences of what was decoded; returns also which paths they are of."""
    kept, counts = [], np.zeros(len(indexed.pieces.pair), np.int64)
    for part in parts:
        count_rows(part.places, counts)
        rows = indexed.scratch.kept(part.places), indexed.scratch.kept(part.confidences)
        kept.append(Decoded(*rows, part.likelihoods))
    scores = pair_scores(bitext, indexed, [part.likelihoods for part in kept], directions)
    everything, paths = _as_links(bitext, indexed, kept, counts)
    return replace(everything, scores=scores), paths


def by_paths(links: Links, paths: NDArray[np.int8]) -> DirectedLinks:
    """Tell the links of both best paths apart."""
    return DirectedLinks(links.select((paths & FORWARD) > 0), links.select((paths & REVERSE) > 0))


def _as_links(
    bitext: Bitext, indexed: IndexedBitext, parts: list[Decoded], counts: NDArray[np.int64]
) -> tuple[Links, NDArray[np.int8]]:
    """Put rows, so many of each piece, into the order of the text; returns also which paths they are of."""
    pieces, scratch = indexed.pieces, indexed.scratch
    begins = np.stack(
        [
            pieces.source_start - bitext.source.offsets[pieces.pair],
            pieces.target_start - bitext.target.offsets[pieces.pair],
        ]
    ).astype(np.int32)
    ends = np.cumsum(counts)
    size = (int(ends[-1]) if len(ends) else 0,)
    source, target, paths = (scratch.zeros(size, kind) for kind in (np.int32, np.int32, np.int8))
    confidence = scratch.zeros(size, np.float32)
    next_row = ends - counts
    while parts:  # each is freed as soon as it is placed
        part = parts.pop(0)
        place_rows(part.places, part.confidences, next_row, begins, (source, target, paths), confidence)
        release_all((source, target, paths, confidence))
    offsets = np.zeros(len(bitext) + 1, np.int64)
    np.cumsum(np.bincount(pieces.pair, counts, minlength=len(bitext)), out=offsets[1:])
    return Links(source, target, confidence, np.ones(size, np.bool_), offsets), paths


def pair_scores(
    bitext: Bitext, indexed: IndexedBitext, likelihoods: list[NDArray[np.float64]], directions: Directions
) -> NDArray[np.float64]:
    """Log probability per generated word, the mean of the directions; not a number for a pair without words."""
    totals = np.zeros((2, len(indexed.pieces.pair)))
    for chunk, found in zip(indexed.chunks, likelihoods, strict=True):
        filled = chunk.pieces >= 0
        for way in range(2):
            totals[way, chunk.pieces[filled]] = found[way][filled]
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
