"""The loops of the hidden Markov alignment model, on a batch of `LANES` pairs.

Every sum runs in a fixed order and padding adds exact zeros: a pair's numbers do not depend on its neighbours.
Inner loops run over [state][lane] as one contiguous stretch, or row by row, so that they become vector operations.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES, add_product, everywhere, put, row
from cepts.words.lane_kernels import leave_to_null, view


class Transitions(NamedTuple):
    """Jump probabilities as the kernels want them; row I of a table is for sentences of I states.

    From position i', whose word is of class c, to i within the band: jumps[i - i' + band, c] * near[I, i']; further
    away: far[I, i']; start[I, i] begins at i; to NULL: null. The last three tables include the factor 1 - null.

    `kinds` are the classes of all words of the states' side, each piece's from `begins[piece]` on. Where they are
    given, `near` and `far` are multiplied by what each class makes of them in each context (see `context_of`); where
    there are none, all words are of class 0.
    """

    jumps: np.ndarray
    near: np.ndarray
    far: np.ndarray
    start: np.ndarray
    null: np.float32
    near_of_class: np.ndarray
    far_of_class: np.ndarray
    kinds: np.ndarray
    begins: np.ndarray


class JumpCounts(NamedTuple):
    """Expected counts of one direction: jumps [distance (last: beyond the band), class], departures [context, class],
    starts [length, position], and the number of words that were generated, by NULL or not.
    """

    jumps: np.ndarray
    departures: np.ndarray
    starts: np.ndarray
    words: np.ndarray

    def add(self, part: "JumpCounts") -> None:
        """Add the counts of a part of the text, whose longest sentence may be shorter."""
        longest = part.starts.shape[1]
        self.jumps[:] += part.jumps
        self.departures[:] += part.departures
        self.starts[: longest + 1, :longest] += part.starts
        self.words[:] += part.words


class Work(NamedTuple):
    """Scratch for the largest batch of a block; [state][lane] unless said otherwise."""

    reached: np.ndarray  # [step][state][lane]: scaled forward probability of being at a state, NULL or not
    scale: np.ndarray  # [step][lane]: one over the forward normaliser
    near: np.ndarray
    far: np.ndarray
    values: np.ndarray
    summed: np.ndarray
    summed_far: np.ndarray
    backward: np.ndarray
    leaving: np.ndarray
    departures: np.ndarray
    weights: np.ndarray  # [distance][state][lane]: the weight of a jump from there
    jumped: np.ndarray  # [distance][state][lane]: expected jumps from there, without the jumps' weights
    total: np.ndarray  # [lane]
    kinds: np.ndarray  # the class of each state's word


@helper
def new_work(longest, places, distances):
    """Allocate scratch for batches of so many words a side, so many places, so many jump distances."""
    lanes = longest * LANES
    return Work(
        np.empty(places, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(lanes, np.float32),
        np.empty(distances * lanes, np.float32),
        np.zeros((distances + 1, lanes), np.float32),
        np.empty(LANES, np.float32),
        np.zeros(lanes, np.uint8),
    )


@helper
def context_of(position, length, band):
    """Number what can be reached from a position: how far left and right, up to just beyond the band."""
    return min(position, band + 1) * (band + 2) + min(length - 1 - position, band + 1)


@helper
def load_kinds(view, transitions, work):
    """Look up the class of each state's word."""
    for lane in range(LANES):
        first = transitions.begins[view.pieces[lane]] if view.pieces[lane] >= 0 else 0
        length = view.state_lengths[lane]
        for s in range(view.states):
            work.kinds[s * LANES + lane] = transitions.kinds[first + s] if s < length else 0


@helper
def load_weights(view, transitions, work):
    """Spread the weights of the jumps that a batch can make over states and lanes, by the classes of the words."""
    jumps, classes = transitions.jumps, transitions.jumps.shape[1]
    band, inner = len(jumps) // 2, view.states * LANES
    reach = min(band, view.states - 1)
    for d in range(band - reach, band + reach + 1):
        if classes == 1:
            weight = everywhere(jumps[d, 0])
            for k in range(d * inner, (d + 1) * inner, LANES):
                put(work.weights, k, weight)
        else:
            for k in range(inner):
                work.weights[d * inner + k] = jumps[d, work.kinds[k]]


@helper
def load_scales(view, transitions, work):
    """Spread weights, and 1 / normaliser of each position, over the lanes; the latter is zero beyond a sentence."""
    band, has_kinds = len(transitions.jumps) // 2, len(transitions.kinds) > 0
    if has_kinds:
        load_kinds(view, transitions, work)
    load_weights(view, transitions, work)
    for s in range(view.states):
        for lane in range(LANES):
            length, k = view.state_lengths[lane], s * LANES + lane
            inside = s < length
            work.near[k] = transitions.near[length, s] if inside else np.float32(0)
            work.far[k] = transitions.far[length, s] if inside else np.float32(0)
            if inside and has_kinds:
                context = context_of(s, length, band)
                work.near[k] *= transitions.near_of_class[context, work.kinds[k]]
                work.far[k] *= transitions.far_of_class[context, work.kinds[k]]


@helper
def sum_near(weights, band, values, states, step, out):
    """out[s] = sum over d within the band of a weight * values[s + d], lane by lane.

    With a step of `states` rows the weight is that of the jump from s by d; with one of a row less, backwards, that of
    the jump from s + d by -d.
    """
    middle = band * states * LANES
    for s in range(states):
        here, before, behind = s * LANES, min(s, band), min(states - 1 - s, band)
        total = row(weights, middle + here) * row(values, here)
        for d in range(1, min(before, behind) + 1):
            total = add_product(total, row(weights, middle + here - d * step), row(values, here - d * LANES))
            total = add_product(total, row(weights, middle + here + d * step), row(values, here + d * LANES))
        for d in range(behind + 1, before + 1):
            total = add_product(total, row(weights, middle + here - d * step), row(values, here - d * LANES))
        for d in range(before + 1, behind + 1):
            total = add_product(total, row(weights, middle + here + d * step), row(values, here + d * LANES))
        put(out, here, total)


@helper
def sum_far(band, values, states, out):
    """out[s] = sum of values[s'] over all s' further than the band: two running sums, no cancellation."""
    nothing = everywhere(0.0)
    total = nothing
    for s in range(states):
        if s > band:
            total = total + row(values, (s - band - 1) * LANES)
        put(out, s * LANES, total)
    total = nothing
    for s in range(states - band - 2, -1, -1):
        total = total + row(values, (s + band + 1) * LANES)
        put(out, s * LANES, row(out, s * LANES) + total)


@helper
def begin(view, transitions, work):
    """What arrives at each state at the first step, and (in `backward`) where a NULL start stands."""
    for s in range(view.states):
        for lane in range(LANES):
            length = view.state_lengths[lane]
            inside = s < length
            work.summed[s * LANES + lane] = transitions.start[length, s] if inside else np.float32(0)
            work.backward[s * LANES + lane] = np.float32(1) / length if inside else np.float32(0)


@helper
def arrive(view, t, transitions, work):
    """What arrives at each state at step t from where step t - 1 was."""
    band, inner = len(transitions.jumps) // 2, view.states * LANES
    before, values = work.reached[(t - 1) * inner : t * inner], work.values
    for k in range(inner):
        values[k] = before[k] * work.near[k]
    sum_near(work.weights, band, values, view.states, LANES - inner, work.summed)
    if view.states > band + 1:
        for k in range(inner):
            values[k] = before[k] * work.far[k]
        sum_far(band, values, view.states, work.summed_far)
        for k in range(inner):
            work.summed[k] += work.summed_far[k]


@helper
def emit(view, t, null, work, stayed):
    """Multiply what arrives at step t by the emissions, let NULL stay where it was, and normalise."""
    inner, total = view.states * LANES, work.total
    alpha = view.posterior[t * inner : (t + 1) * inner]
    emission = view.emission[t * inner : (t + 1) * inner]
    reached = work.reached[t * inner : (t + 1) * inner]
    scale = work.scale[t * LANES : (t + 1) * LANES]
    null_mass = everywhere(null) * row(view.null_emission, t * LANES)
    put(view.null_posterior, t * LANES, null_mass)
    sums = everywhere(0.0)
    for k in range(0, inner, LANES):
        real = row(emission, k) * row(work.summed, k)
        both = add_product(real, null_mass, row(stayed, k))
        put(alpha, k, real)
        put(reached, k, both)
        sums = sums + both
    put(total, 0, sums)
    for lane in range(LANES):
        scale[lane] = np.float32(1) / total[lane] if total[lane] > 0 else np.float32(0)
    scales = row(scale, 0)
    for k in range(0, inner, LANES):
        put(alpha, k, row(alpha, k) * scales)
        put(reached, k, row(reached, k) * scales)


@helper
def forward_pass(view, transitions, work):
    """Write scaled forward probabilities of the real states into the posterior; fill `reached` and `scale`."""
    inner = view.states * LANES
    load_scales(view, transitions, work)
    for t in range(view.steps):
        stayed = work.backward
        if t == 0:
            begin(view, transitions, work)
        else:
            arrive(view, t, transitions, work)
            stayed = work.reached[(t - 1) * inner : t * inner]
        emit(view, t, transitions.null, work, stayed)


@helper
def come_back(view, t, transitions, work, counted):
    """Leave in `summed` what the words from step t on make of each state before; with `counted`, also expect jumps."""
    inner, band, weighted = view.states * LANES, len(transitions.jumps) // 2, work.values
    distant = view.states > band + 1
    weigh_step(view, t, work, weighted)
    sum_near(work.weights, band, weighted, view.states, inner, work.summed)
    for k in range(inner):
        work.summed[k] *= work.near[k]
    if distant:
        sum_far(band, weighted, view.states, work.summed_far)
        for k in range(inner):
            work.summed_far[k] *= work.far[k]
            work.summed[k] += work.summed_far[k]
    if counted:
        count_jumps(work, (t - 1) * inner, weighted, view.states, band, distant)


@helper
def backward_pass(view, transitions, work, counted):
    """Turn forward probabilities into posteriors; with `counted`, also expect jumps."""
    inner, shortest = view.states * LANES, shortest_of(view.step_lengths)
    backward = work.backward
    backward[:inner] = np.float32(1)
    for t in range(view.steps - 1, 0, -1):
        come_back(view, t, transitions, work, counted)
        stay = row(view.null_posterior, t * LANES) * row(work.scale, t * LANES)
        put(view.null_posterior, t * LANES, stay)
        for k in range(0, inner, LANES):
            put(backward, k, add_product(row(work.summed, k), stay, row(backward, k)))
        if t >= shortest:  # a shorter sentence of the batch may end here
            for s in range(view.states):
                for lane in range(LANES):
                    if t >= view.step_lengths[lane]:
                        backward[s * LANES + lane] = np.float32(1)
    for k in range(inner):
        view.posterior[k] *= backward[k]


@helper
def shortest_of(lengths):
    """The length of the shortest sentence of a batch."""
    shortest = lengths[0]
    for lane in range(1, LANES):
        shortest = min(shortest, lengths[lane])
    return shortest


@helper
def weigh_step(view, t, work, weighted):
    """Multiply step t's forward by its backward probabilities, and these by the emissions."""
    inner = view.states * LANES
    first, scale = t * inner, row(work.scale, t * LANES)
    for k in range(0, inner, LANES):
        backward = row(work.backward, k)
        put(view.posterior, first + k, row(view.posterior, first + k) * backward)
        put(weighted, k, row(view.emission, first + k) * backward * scale)


@helper
def count_jumps(work, before, weighted, states, band, distant):
    """Expect how often each distance is jumped from each place between two steps, without the jump's weight."""
    inner, leaving_all = states * LANES, work.leaving
    reached = work.reached[before : before + inner]
    for k in range(inner):
        leaving_all[k] = reached[k] * work.near[k]
        work.departures[k] += reached[k] * work.summed[k]
    for d in range(-min(band, states - 1), min(band, states - 1) + 1):
        first, last = max(0, -d * LANES), max(0, d * LANES)
        jumped, leaving, arriving = work.jumped[d + band, first:], leaving_all[first:], weighted[last:]
        for k in range(inner - max(first, last)):
            jumped[k] += leaving[k] * arriving[k]
    if distant:
        jumped = work.jumped[2 * band + 1]
        for k in range(inner):
            jumped[k] += reached[k] * work.summed_far[k]


@helper
def add_departures(view, band, work, counts):
    """Add a batch's expected departures, by context and class, and its starts to the chunk's."""
    for s in range(view.states):
        for lane in range(LANES):
            length, k = view.state_lengths[lane], s * LANES + lane
            if s < length:
                counts.departures[context_of(s, length, band), work.kinds[k]] += work.departures[k]
                counts.starts[length, s] += view.posterior[k]
    for lane in range(LANES):
        counts.words[0] += view.step_lengths[lane]


@helper
def add_jumps(transitions, work, states, counts):
    """Add the expected jumps so far by distance and class, with their weights, and begin anew."""
    distances, classes = transitions.jumps.shape
    total = np.zeros(classes)
    for d in range(distances + 1):
        total[:] = 0.0
        for k in range(states * LANES):
            total[work.kinds[k]] += work.jumped[d, k]
            work.jumped[d, k] = np.float32(0)
        for kind in range(classes):
            weight = np.float64(transitions.jumps[d, kind]) if d < distances else 1.0
            counts.jumps[d, kind] += weight * total[kind]


@helper
def add_batch(view, transitions, work, counts):
    """Add what is expected of a batch; its jumps only where they have classes, as words differ from batch to batch."""
    add_departures(view, len(transitions.jumps) // 2, work, counts)
    if len(transitions.kinds) > 0:
        add_jumps(transitions, work, view.states, counts)


@helper
def lane_likelihood(view, work, lane):
    """Return the log probability of one lane's pair; an impossible word counts as e^-690."""
    total = 0.0
    for t in range(view.step_lengths[lane]):
        scale = np.float64(work.scale[t * LANES + lane])
        total -= np.log(scale) if scale > 0 else 690.0
    return total


@helper
def largest_batch(chunk, first, end):
    """The most places of a batch, and the most words of a side, among the batches `first` to `end`."""
    places, words = 0, 0
    for b in range(first, end):
        places = max(places, chunk.offsets[b + 1] - chunk.offsets[b])
        words = max(words, chunk.shapes[b, 0], chunk.shapes[b, 1])
    return places, words


@kernel
def hmm_posteriors(chunk, first, end, way, transitions, emission, posterior, likelihoods, counts, counted):
    """Posteriors and log likelihoods [batch][lane] of one direction of the batches `first` to `end`.

    With `counted`, the expected jumps are added to `counts`.
    """
    places, words = largest_batch(chunk, first, end)
    work = new_work(words, places, len(transitions.jumps))
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        work.departures[: seen.states * LANES] = np.float32(0)
        forward_pass(seen, transitions, work)
        backward_pass(seen, transitions, work, counted)
        leave_to_null(seen)
        if counted:
            add_batch(seen, transitions, work, counts)
        for lane in range(LANES):
            likelihoods[b - first, lane] = lane_likelihood(seen, work, lane)
    if counted and len(transitions.kinds) == 0:
        add_jumps(transitions, work, words, counts)


@kernel
def hmm_likelihoods(chunk, first, end, way, transitions, emission, posterior, likelihoods):
    """Log likelihoods [batch][lane] of one direction of the batches `first` to `end`; posteriors are overwritten."""
    places, words = largest_batch(chunk, first, end)
    work = new_work(words, places, len(transitions.jumps))
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        forward_pass(seen, transitions, work)
        for lane in range(LANES):
            likelihoods[b - first, lane] = lane_likelihood(seen, work, lane)
