"""What all word kernels share: chunks, lanes, and moving numbers between the lexicon and the lanes."""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import kernel

LANES = 16  # pairs that are worked on side by side; one cache line of float32


class Chunk(NamedTuple):
    """A run of batches, ready for the kernels.

    For each batch and lane the piece (or -1) and the lengths, for each batch the padded shape (source, target)
    and its first place in `index`. A batch has (S * T + T + S) * LANES places: its cells [target][source][lane],
    those of the source NULL [target][lane], those of the target NULL [source][lane]. A place holds a local entry;
    `entries` names the lexicon's entries that the chunk uses.
    """

    pieces: np.ndarray
    source_lengths: np.ndarray
    target_lengths: np.ndarray
    shapes: np.ndarray
    offsets: np.ndarray
    index: np.ndarray
    entries: np.ndarray


class View(NamedTuple):
    """A batch seen from one direction: states generate, steps are generated.

    Cells are laid out [step][state][lane], those of NULL [step][lane]. The lengths are those of each lane.
    """

    states: int
    steps: int
    state_lengths: np.ndarray
    step_lengths: np.ndarray
    emission: np.ndarray
    null_emission: np.ndarray
    posterior: np.ndarray
    null_posterior: np.ndarray


@kernel
def gather(values, entries, local_values):
    """Copy the rows of `values` that a chunk uses into `local_values`."""
    for k in range(len(entries)):
        entry = entries[k]
        local_values[k, 0] = values[entry, 0]
        local_values[k, 1] = values[entry, 1]


@kernel
def scatter_add(counts, entries, local_counts):
    """Add a chunk's counts to the rows of `counts` that it uses."""
    for k in range(len(entries)):
        entry = entries[k]
        counts[entry, 0] += local_counts[k, 0]
        counts[entry, 1] += local_counts[k, 1]


@kernel
def new_buffers(chunk):
    """Allocate emissions (forward, reverse) and posteriors (forward, reverse) for a chunk's largest batch."""
    largest = 0
    for b in range(len(chunk.shapes)):
        largest = max(largest, chunk.offsets[b + 1] - chunk.offsets[b])
    return np.zeros((4, largest), np.float32)


@kernel
def view(row, buffers, states, steps, state_lengths, step_lengths):
    """Cut one direction's emissions and posteriors out of the buffers."""
    cells, nulls = states * steps * LANES, (states + 1) * steps * LANES
    emission, posterior = buffers[row], buffers[row + 2]
    return View(
        states,
        steps,
        state_lengths,
        step_lengths,
        emission[:cells],
        emission[cells:nulls],
        posterior[:cells],
        posterior[cells:nulls],
    )


@kernel
def load_batch(chunk, b, values, buffers):
    """Spread both directions' probabilities of batch b over the lanes; return its forward and its reverse view."""
    source, target = chunk.shapes[b, 0], chunk.shapes[b, 1]
    forward = view(0, buffers, source, target, chunk.source_lengths[b], chunk.target_lengths[b])
    reverse = view(1, buffers, target, source, chunk.target_lengths[b], chunk.source_lengths[b])
    place = chunk.offsets[b]
    for j in range(target):
        for i in range(source):
            there = (i * target + j) * LANES
            here = (j * source + i) * LANES
            for lane in range(LANES):
                k = chunk.index[place + lane]
                forward.emission[here + lane] = values[k, 0]
                reverse.emission[there + lane] = values[k, 1]
            place += LANES
    for c in range(target * LANES):
        forward.null_emission[c] = values[chunk.index[place + c], 0]
    place += target * LANES
    for c in range(source * LANES):
        reverse.null_emission[c] = values[chunk.index[place + c], 1]
    return forward, reverse


@kernel
def leave_to_null(view):
    """Give NULL what the real states leave at each step."""
    for t in range(view.steps):
        null = view.null_posterior[t * LANES : (t + 1) * LANES]
        posterior = view.posterior[t * view.states * LANES : (t + 1) * view.states * LANES]
        for lane in range(LANES):
            null[lane] = np.float32(1) if t < view.step_lengths[lane] else np.float32(0)
        for s in range(view.states):
            for lane in range(LANES):
                null[lane] -= posterior[s * LANES + lane]
        for lane in range(LANES):
            null[lane] = max(np.float32(0), null[lane])


@kernel
def store_counts(chunk, b, forward, reverse, counts, agreeing):
    """Add both directions' posteriors of batch b, or their product, to the chunk's expected counts."""
    source, target = forward.states, forward.steps
    place = chunk.offsets[b]
    for j in range(target):
        for i in range(source):
            there = (i * target + j) * LANES
            here = (j * source + i) * LANES
            for lane in range(LANES):
                k = chunk.index[place + lane]
                first, second = forward.posterior[here + lane], reverse.posterior[there + lane]
                both = first * second
                counts[k, 0] += both if agreeing else first
                counts[k, 1] += both if agreeing else second
            place += LANES
    for c in range(target * LANES):
        counts[chunk.index[place + c], 0] += forward.null_posterior[c]
    place += target * LANES
    for c in range(source * LANES):
        counts[chunk.index[place + c], 1] += reverse.null_posterior[c]
