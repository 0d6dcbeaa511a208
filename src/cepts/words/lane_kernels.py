"""What all word kernels share: chunks, lanes, and moving numbers between the lexicon and the lanes."""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES, put, row

SECOND = 1024  # a path's step at two states is first + SECOND * (second + 1); no sentence is that long


class Chunk(NamedTuple):
    """A run of batches, ready for the kernels.

    For each batch and lane the piece (or -1) and the lengths, for each batch the padded shape (source, target)
    and its first place in `cells`. A batch has (S * T + T + S) * LANES places: its cells [target][source][lane],
    those of the source NULL [target][lane], those of the target NULL [source][lane]. A place holds a local entry;
    `entries` names the entries of its shard that the chunk uses.
    """

    pieces: np.ndarray
    source_lengths: np.ndarray
    target_lengths: np.ndarray
    shapes: np.ndarray
    offsets: np.ndarray
    cells: np.ndarray
    entries: np.ndarray


class View(NamedTuple):
    """A batch seen from one direction: states generate, steps are generated.

    Cells are laid out [step][state][lane], those of NULL [step][lane]. Pieces (or -1) and lengths are those of lanes.
    """

    states: int
    steps: int
    pieces: np.ndarray
    state_lengths: np.ndarray
    step_lengths: np.ndarray
    emission: np.ndarray
    null_emission: np.ndarray
    posterior: np.ndarray
    null_posterior: np.ndarray


@kernel
def gather(values, entries, smallest, floor, local_values):
    """Copy the rows of `values` that a chunk uses; those below `smallest` in both columns become `floor`.

    So does row 0, which stands for all pairs that are not in the table.
    """
    for k in range(len(entries)):
        entry = entries[k]
        forward, reverse = values[entry, 0], values[entry, 1]
        small = entry == 0 or (forward < smallest and reverse < smallest)
        local_values[k, 0] = floor if small else forward
        local_values[k, 1] = floor if small else reverse


@kernel
def scatter(values, entries, local_values):
    """Put rows into the places of `values` that entries name."""
    for k in range(len(entries)):
        entry = entries[k]
        values[entry, 0], values[entry, 1] = local_values[k, 0], local_values[k, 1]


@kernel
def scatter_add(counts, entries, local_counts):
    """Add a chunk's counts to the rows of `counts` that it uses; row 0 counts nothing."""
    for k in range(len(entries)):
        entry = entries[k]
        if entry > 0:
            counts[entry, 0] += local_counts[k, 0]
            counts[entry, 1] += local_counts[k, 1]


@helper
def view(chunk, b, first, way, emission, posterior):
    """See batch b from one direction; the arrays hold the block of batches that begins with `first`."""
    source, target = chunk.shapes[b, 0], chunk.shapes[b, 1]
    begin = chunk.offsets[b] - chunk.offsets[first]
    states, steps = (source, target) if way == 0 else (target, source)
    cells = states * steps * LANES
    null = begin + cells + (0 if way == 0 else states * LANES)
    return View(
        states,
        steps,
        chunk.pieces[b],
        chunk.source_lengths[b] if way == 0 else chunk.target_lengths[b],
        chunk.target_lengths[b] if way == 0 else chunk.source_lengths[b],
        emission[way, begin : begin + cells],
        emission[way, null : null + steps * LANES],
        posterior[way, begin : begin + cells],
        posterior[way, null : null + steps * LANES],
    )


@kernel
def load_block(chunk, first, end, values, emission):
    """Spread both directions' probabilities of the batches `first` to `end` over the lanes."""
    for b in range(first, end):
        source, target = chunk.shapes[b, 0], chunk.shapes[b, 1]
        place = chunk.offsets[b]
        begin = place - chunk.offsets[first]
        forward, reverse = emission[0, begin:], emission[1, begin:]
        for j in range(target):
            for i in range(source):
                index = chunk.cells[place : place + LANES]
                here, there = forward[(j * source + i) * LANES :], reverse[(i * target + j) * LANES :]
                for lane in range(LANES):
                    here[lane] = values[index[lane], 0]
                    there[lane] = values[index[lane], 1]
                place += LANES
        nulls = source * target * LANES
        for c in range((target + source) * LANES):
            k = chunk.cells[place + c]
            forward[nulls + c] = values[k, 0]
            reverse[nulls + c] = values[k, 1]


@helper
def leave_to_null(view):
    """Give NULL what the real states leave at each step."""
    inner = view.states * LANES
    for t in range(view.steps):
        null = view.null_posterior[t * LANES : (t + 1) * LANES]
        for lane in range(LANES):
            null[lane] = np.float32(1) if t < view.step_lengths[lane] else np.float32(0)
        left = row(null, 0)
        for k in range(t * inner, (t + 1) * inner, LANES):
            left = left - row(view.posterior, k)
        put(null, 0, left)
        for lane in range(LANES):
            null[lane] = max(np.float32(0), null[lane])


@helper
def agreed(agreement, doubt, forward, reverse):
    """What two directions together hold of a link: see `Agreement`."""
    product = forward * reverse
    if agreement == 1:
        return product
    if agreement == 2:
        other = doubt * (np.float32(1) - forward) * (np.float32(1) - reverse)
        return product / (product + other) if product > 0 else np.float32(0)
    return np.float32(0.5) * (forward + reverse)


@kernel
def store_block(chunk, first, end, posterior, agreement, doubt, counts):
    """Add the posteriors of the batches `first` to `end`, or what the directions agree on, to the expected counts."""
    for b in range(first, end):
        source, target = chunk.shapes[b, 0], chunk.shapes[b, 1]
        place = chunk.offsets[b]
        begin = place - chunk.offsets[first]
        forward, reverse = posterior[0, begin:], posterior[1, begin:]
        for j in range(target):
            for i in range(source):
                index = chunk.cells[place : place + LANES]
                here, there = forward[(j * source + i) * LANES :], reverse[(i * target + j) * LANES :]
                for lane in range(LANES):
                    k = index[lane]
                    if agreement > 0:
                        both = agreed(agreement, doubt, here[lane], there[lane])
                        counts[k, 0] += both
                        counts[k, 1] += both
                    else:
                        counts[k, 0] += here[lane]
                        counts[k, 1] += there[lane]
                place += LANES
        nulls = source * target * LANES
        for c in range(target * LANES):
            counts[chunk.cells[place + c], 0] += forward[nulls + c]
        nulls, place = nulls + target * LANES, place + target * LANES
        for c in range(source * LANES):
            counts[chunk.cells[place + c], 1] += reverse[nulls + c]
