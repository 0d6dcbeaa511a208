"""The loops between a model's blocks and association matrices."""

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.lane_kernels import view

PLACES = 41  # parts of the way from one corner of a matrix to the other: how far a cell is off the diagonal


@kernel
def unload_block(
    chunk, first, end, table, cells, sources, targets, forward, reverse, target_null, source_null
):
    """Copy both directions of the batches `first` to `end` to matrices [piece][source][target].

    `cells`, `sources` and `targets` [batch][lane] are where the matrix and the words of each piece begin.
    """
    one, other = np.int64(0), np.int64(1)
    for b in range(first, end):
        ahead = view(chunk, b, first, one, table, table)
        back = view(chunk, b, first, other, table, table)
        for lane in range(LANES):
            rows, columns = chunk.source_lengths[b, lane], chunk.target_lengths[b, lane]
            begin = cells[b, lane]
            for i in range(rows):
                for j in range(columns):
                    place = begin + i * columns + j
                    forward[place] = ahead.posterior[(j * ahead.states + i) * LANES + lane]
                    reverse[place] = back.posterior[(i * back.states + j) * LANES + lane]
                source_null[sources[b, lane] + i] = back.null_posterior[i * LANES + lane]
            for j in range(columns):
                target_null[targets[b, lane] + j] = ahead.null_posterior[j * LANES + lane]


@helper
def off_diagonal(state, states, step, steps):
    """In which part of the way from corner to corner a cell is."""
    off = (state + 0.5) / states - (step + 0.5) / steps
    return int(np.floor((off + 1.0) * 0.5 * PLACES))


@kernel
def count_places(chunk, first, end, way, posterior, counts):
    """Add up one direction's link probabilities by their cells' distance from the diagonal; NULL's come last."""
    for b in range(first, end):
        seen = view(chunk, b, first, way, posterior, posterior)
        for lane in range(LANES):
            states, steps = seen.state_lengths[lane], seen.step_lengths[lane]
            for t in range(steps):
                for s in range(states):
                    share = seen.posterior[(t * seen.states + s) * LANES + lane]
                    counts[off_diagonal(s, states, t, steps)] += share
                counts[PLACES] += seen.null_posterior[t * LANES + lane]


@kernel
def fill_tables(chunk, first, end, way, weights, emission, posterior):
    """Fill in p(state | step, lengths) p(word | state's word): Model 2, with places by distance from the diagonal."""
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        for lane in range(LANES):
            states, steps = seen.state_lengths[lane], seen.step_lengths[lane]
            for t in range(steps):
                total = 0.0
                for s in range(states):
                    total += weights[off_diagonal(s, states, t, steps)]
                for s in range(states):
                    cell = (t * seen.states + s) * LANES + lane
                    place = weights[off_diagonal(s, states, t, steps)] / total * (1.0 - weights[PLACES])
                    seen.posterior[cell] = place * seen.emission[cell]
                cell = t * LANES + lane
                seen.null_posterior[cell] = weights[PLACES] * seen.null_emission[cell]


@kernel
def count_together(chunk, pairs, last_pair, together):
    """Count, for each entry of the lexicon, the pairs that hold both words; `last_pair` remembers the last one.

    The pieces of a pair may be in several chunks: then it may count more than once.
    """
    for b in range(len(chunk.pieces)):
        source = chunk.shapes[b, 0]
        for lane in range(LANES):
            piece = chunk.pieces[b, lane]
            if piece < 0:
                continue
            for j in range(chunk.target_lengths[b, lane]):
                for i in range(chunk.source_lengths[b, lane]):
                    place = chunk.offsets[b] + (j * source + i) * LANES + lane
                    entry = chunk.entries[chunk.cells[place]]
                    if last_pair[entry] != pairs[piece]:
                        last_pair[entry] = pairs[piece]
                        together[entry] += 1.0
