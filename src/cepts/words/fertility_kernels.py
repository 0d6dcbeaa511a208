"""The loops of the fertility models: hill climbing, and expected counts over the alignments beside the summit.

One pair of one direction at a time: `states` generate `steps`. An alignment is a `pair`, one array of words' numbers,
because each array that is handed to a function costs time: the state (or -1) of each step, then from LIMIT on the
fertility of each state, from 2 * LIMIT on the class of each state, from 3 * LIMIT on that of each step. The steps of a
state are a list, in their order: from FIRST on the first step of each state, from NEXT on the one behind each step; -1
for none. `numbers` are log probabilities: of each step at each state and, last, at NULL, then of each state's
fertilities.

`moves` are the log probabilities of distances, ROW for each context. Model 4 has a row for the first word of a cept
(class of the cept before or, 0, none; class of the word), and behind these a row for its other words (class of the
word). Model 3 has one row: distances from the diagonal.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.lane_kernels import view

LIMIT = 128  # words a side; longer pairs are left as they are
FIRST, NEXT = 4 * LIMIT, 5 * LIMIT
MOST = 9  # words of one cept
FARTHEST = 40  # longer distances count as this one
ROW = 2 * FARTHEST + 1
FERTILITIES = MOST + 1
NEVER = np.float32(-1e9)
SLIGHT = np.float32(1e-4)  # a step up must be at least this high
VISIBLE = np.float32(0.01)  # the share from which a neighbour's distances are counted
MAX_CLIMBS = 100


class Parameters(NamedTuple):
    """One direction of a fertility model, in logarithms; `classes` is the number of steps' classes, 0 in Model 3."""

    fertility: np.ndarray  # [state word][fertility]
    moves: np.ndarray
    classes: int
    state_classes: np.ndarray  # by word
    step_classes: np.ndarray
    real: np.float32  # that a word brings no NULL word with it
    null: np.float32


class Words(NamedTuple):
    """The words of a text from one direction, and where those of each piece begin."""

    states: np.ndarray
    steps: np.ndarray
    state_begins: np.ndarray
    step_begins: np.ndarray


class FertilityCounts(NamedTuple):
    """Expected counts of one direction: fertilities of each word, distances, and words: of NULL, and all."""

    fertility: np.ndarray
    moves: np.ndarray
    words: np.ndarray

    def add(self, part: "FertilityCounts") -> None:
        """Add the counts of a part of the text."""
        for total, counts in zip(self, part):  # noqa: B905 (tuples of one kind)
            total += counts


class Room(NamedTuple):
    """Scratch for one pair."""

    pair: np.ndarray
    numbers: np.ndarray
    cached: np.ndarray  # [state]: the score of each cept's distances
    candidates: np.ndarray  # [step][state]: whether a step may be moved there; the last state is NULL
    weights: np.ndarray  # of neighbours, relative to the summit: moves [step][state], then swaps [step][step]
    null_gains: np.ndarray  # what one word of NULL less, and one more, would gain


@helper
def new_room():
    """Allocate scratch for the longest pair."""
    return Room(
        np.zeros(6 * LIMIT, np.int32),
        np.empty(LIMIT * (LIMIT + 1) + LIMIT * FERTILITIES, np.float32),
        np.empty(LIMIT, np.float32),
        np.empty(LIMIT * (LIMIT + 1), np.bool_),
        np.empty(LIMIT * (LIMIT + 1) + LIMIT * LIMIT, np.float32),
        np.empty(2, np.float64),
    )


@helper
def is_too_large(states, steps):
    """Whether a pair has too many words, or so many steps that NULL had more than half if each state had MOST."""
    return states > LIMIT or steps > min(LIMIT, 2 * MOST * states)


@helper
def clipped(distance):
    """The place of a distance in a row."""
    return min(max(distance, -FARTHEST), FARTHEST) + FARTHEST


@helper
def on_diagonal(state, states, steps):
    """The step that lies beside a state."""
    return ((2 * state + 1) * steps) // (2 * states)


@helper
def cept_before(state, pair):
    """The last state before this one that generates something, or -1."""
    before = state - 1
    while before >= 0 and pair[LIMIT + before] == 0:
        before -= 1
    return before


@helper
def cept_behind(state, pair, states):
    """The first state behind this one that generates something, or `states`."""
    behind = state + 1
    while behind < states and pair[LIMIT + behind] == 0:
        behind += 1
    return behind


@helper
def centre(state, pair):
    """The mean position of a cept's words, rounded up; -1 for none."""
    if state < 0:
        return -1
    total, t = 0, pair[FIRST + state]
    while t >= 0:
        total += t
        t = pair[NEXT + t]
    fertility = pair[LIMIT + state]
    return (total + fertility - 1) // fertility


@helper
def distances_of(state, pair, moves, classes, states, steps, counts, weight):
    """The score of where a cept's words are; with a weight, each distance is counted as well."""
    if pair[LIMIT + state] == 0:
        return np.float32(0)
    middle, context, behind_heads = on_diagonal(state, states, steps), 0, 0
    if classes > 0:
        before = cept_before(state, pair)
        middle = centre(before, pair)
        context = (pair[2 * LIMIT + before] + 1) * classes if before >= 0 else 0
        behind_heads = len(moves) // ROW - classes
    score, t = np.float32(0), np.int64(pair[FIRST + state])
    while t >= 0:
        row = context + pair[3 * LIMIT + t] if classes > 0 else 0
        place = row * ROW + clipped(t - middle)
        score += moves[place]
        if weight > 0:
            counts[place] += weight
        if classes > 0:
            context, middle = behind_heads, t
        t = np.int64(pair[NEXT + t])
    return score


@helper
def affected_score(one, other, pair, moves, classes, states, steps, cached):
    """By how much the distances of two cepts, and of those behind them, score more than what is cached."""
    gain, behind_one = np.float32(0), states
    if one >= 0:
        gain += distances_of(one, pair, moves, classes, states, steps, cached, 0.0) - cached[one]
        behind_one = cept_behind(one, pair, states)
        if behind_one < states and behind_one != other:
            gain += distances_of(behind_one, pair, moves, classes, states, steps, cached, 0.0)
            gain -= cached[behind_one]
    if other >= 0:
        gain += distances_of(other, pair, moves, classes, states, steps, cached, 0.0) - cached[other]
        behind = cept_behind(other, pair, states)
        if behind < states and behind != one and behind != behind_one:
            gain += distances_of(behind, pair, moves, classes, states, steps, cached, 0.0) - cached[behind]
    return gain


@helper
def null_score(nulls, steps, real, null):
    """The log probability that so many words of a sentence are generated by NULL, with all ways to place them."""
    if 2 * nulls > steps:
        return NEVER
    ways = 0.0
    for k in range(nulls):
        ways += np.log((steps - nulls - k) / (k + 1.0))
    return np.float32(ways) + nulls * null + (steps - 2 * nulls) * real


@helper
def weigh_nulls(nulls, steps, real, null, null_gains):
    """Fill in what one word of NULL less, and one more, would gain, in logarithms."""
    now = null_score(nulls, steps, real, null)
    null_gains[0] = null_score(nulls - 1, steps, real, null) - now
    null_gains[1] = null_score(nulls + 1, steps, real, null) - now


@helper
def take_out(t, pair):
    """Take a step out of the list of its state."""
    state = pair[t]
    if state >= 0:
        pair[LIMIT + state] -= 1
        link = FIRST + state
        while pair[link] != t:
            link = NEXT + pair[link]
        pair[link] = pair[NEXT + t]


@helper
def put_in(t, state, pair):
    """Align a step that is in no list to a state, or to NULL."""
    pair[t] = state
    if state >= 0:
        pair[LIMIT + state] += 1
        link = FIRST + state
        while 0 <= pair[link] < t:
            link = NEXT + pair[link]
        pair[NEXT + t] = pair[link]
        pair[link] = t


@helper
def move(t, state, pair):
    """Align a step to another state, or to NULL."""
    take_out(t, pair)
    put_in(t, state, pair)


@helper
def exchange(one, other, pair):
    """Exchange the states of two steps."""
    here, there = pair[one], pair[other]
    take_out(one, pair)
    take_out(other, pair)
    put_in(one, there, pair)
    put_in(other, here, pair)


@helper
def gain_of_move(t, state, pair, numbers, moves, classes, states, steps, cached, null_gains):
    """How much more probable an alignment becomes, in logarithms, by aligning step t to another state."""
    before, row, fertile = pair[t], t * (states + 1), steps * (states + 1)
    if state >= 0 and pair[LIMIT + state] >= MOST:
        return NEVER
    gain = (
        numbers[row + (state if state >= 0 else states)] - numbers[row + (before if before >= 0 else states)]
    )
    if before >= 0:
        place = fertile + before * FERTILITIES + pair[LIMIT + before]
        gain += numbers[place - 1] - numbers[place]
    if state >= 0:
        place = fertile + state * FERTILITIES + pair[LIMIT + state]
        gain += numbers[place + 1] - numbers[place]
    if before < 0 or state < 0:
        gain += null_gains[1 if state < 0 else 0]
    move(t, state, pair)
    gain += affected_score(before, state, pair, moves, classes, states, steps, cached)
    move(t, before, pair)
    return gain


@helper
def gain_of_swap(one, other, pair, numbers, moves, classes, states, steps, cached):
    """How much more probable an alignment becomes by exchanging the states of two steps."""
    here, there = pair[one], pair[other]
    this, that = here if here >= 0 else states, there if there >= 0 else states
    row, column = one * (states + 1), other * (states + 1)
    gain = numbers[row + that] + numbers[column + this] - numbers[row + this] - numbers[column + that]
    exchange(one, other, pair)
    gain += affected_score(here, there, pair, moves, classes, states, steps, cached)
    exchange(one, other, pair)
    return gain


@helper
def cache_distances(pair, moves, classes, states, steps, cached):
    """Score the distances of each cept; returns their sum."""
    total = np.float32(0)
    for s in range(states):
        cached[s] = distances_of(s, pair, moves, classes, states, steps, cached, 0.0)
        total += cached[s]
    return total


@helper
def may_swap(one, other, pair, candidates, states):
    """Whether two steps may exchange their states."""
    here, there = pair[one], pair[other]
    this, that = here if here >= 0 else states, there if there >= 0 else states
    return here != there and candidates[one * (states + 1) + that] and candidates[other * (states + 1) + this]


@helper
def best_change(room, moves, classes, states, steps):
    """The move or swap that gains most: step, state, other step (or -1); step -1 if none gains enough."""
    pair, numbers, cached, candidates = room.pair, room.numbers, room.cached, room.candidates
    most, step, place, other = SLIGHT, -1, -1, -1
    for t in range(steps):
        for s in range(states + 1):
            state = s if s < states else -1
            if candidates[t * (states + 1) + s] and pair[t] != state:
                gain = gain_of_move(
                    t, state, pair, numbers, moves, classes, states, steps, cached, room.null_gains
                )
                if gain > most:
                    most, step, place, other = gain, t, state, -1
        for second in range(t + 1, steps):
            if may_swap(t, second, pair, candidates, states):
                gain = gain_of_swap(t, second, pair, numbers, moves, classes, states, steps, cached)
                if gain > most:
                    most, step, place, other = gain, t, -1, second
    return step, place, other


@helper
def climb(room, parameters, states, steps, nulls):
    """Change one link, or exchange two, as long as that makes the alignment more probable; returns the NULL words."""
    pair, moves, classes = room.pair, parameters.moves, parameters.classes
    for _ in range(MAX_CLIMBS):
        cache_distances(pair, moves, classes, states, steps, room.cached)
        weigh_nulls(nulls, steps, parameters.real, parameters.null, room.null_gains)
        step, place, other = best_change(room, moves, classes, states, steps)
        if step < 0:
            break
        if other >= 0:
            exchange(step, other, pair)
        else:
            nulls += (1 if place < 0 else 0) - (1 if pair[step] < 0 else 0)
            move(step, place, pair)
    cache_distances(pair, moves, classes, states, steps, room.cached)
    return nulls


@helper
def score_of(room, parameters, states, steps, nulls):
    """The log probability of the alignment at hand and its words."""
    pair, numbers = room.pair, room.numbers
    total = np.float64(null_score(nulls, steps, parameters.real, parameters.null))
    for t in range(steps):
        total += numbers[t * (states + 1) + (pair[t] if pair[t] >= 0 else states)]
    for s in range(states):
        total += numbers[steps * (states + 1) + s * FERTILITIES + pair[LIMIT + s]] + room.cached[s]
    return total


@helper
def load_pair(room, seen, path, lane, parameters, words, piece, least):
    """Take a lane's pair, with the HMM's best path as its alignment; returns the number of NULL words.

    A step may be moved to where the HMM puts it with at least the probability `least`, and to NULL.
    """
    states, steps = seen.state_lengths[lane], seen.step_lengths[lane]
    pair, numbers, nulls = room.pair, room.numbers, 0
    for s in range(states):
        word = words.states[words.state_begins[piece] + s]
        pair[LIMIT + s], pair[2 * LIMIT + s] = 0, parameters.state_classes[word]
        pair[FIRST + s] = -1
        for f in range(FERTILITIES):
            numbers[steps * (states + 1) + s * FERTILITIES + f] = parameters.fertility[word, f]
    for t in range(steps):
        row, place = t * (states + 1), path[t * LANES + lane]
        pair[3 * LIMIT + t] = parameters.step_classes[words.steps[words.step_begins[piece] + t]]
        for s in range(states):
            cell = (t * seen.states + s) * LANES + lane
            numbers[row + s] = np.log(max(seen.emission[cell], np.float32(1e-12)))
            room.candidates[row + s] = seen.posterior[cell] >= least or s == place
        numbers[row + states] = np.log(max(seen.null_emission[t * LANES + lane], np.float32(1e-12)))
        room.candidates[row + states] = seen.null_emission[t * LANES + lane] > 0  # but for known links
        if place >= 0 and pair[LIMIT + place] >= MOST:
            place = -1
        put_in(t, place, pair)
        if place < 0:
            nulls += 1
    return relieve(pair, numbers, states, steps, nulls)


@helper
def relieve(pair, numbers, states, steps, nulls):
    """Take words from NULL until it has no more than half of them; returns how many it has."""
    for t in range(steps):
        if 2 * nulls <= steps:
            break
        if pair[t] < 0:
            best = -1
            for s in range(states):
                free = pair[LIMIT + s] < MOST
                row = t * (states + 1)
                if free and (best < 0 or numbers[row + s] > numbers[row + best]):
                    best = s
            if best >= 0:
                move(t, best, pair)
                nulls -= 1
    return nulls


@helper
def weigh_neighbours(room, parameters, states, steps, nulls):
    """Weigh every move and swap, relative to the summit; returns the sum of the weights, the summit's own included."""
    pair, numbers, cached = room.pair, room.numbers, room.cached
    candidates, weights, moves, classes = room.candidates, room.weights, parameters.moves, parameters.classes
    swaps, total = steps * (states + 1), np.float32(1)
    weigh_nulls(nulls, steps, parameters.real, parameters.null, room.null_gains)
    for t in range(steps):
        for s in range(states + 1):
            k, state = t * (states + 1) + s, s if s < states else -1
            weights[k] = np.float32(0)
            if candidates[k] and pair[t] != state:
                gain = gain_of_move(
                    t, state, pair, numbers, moves, classes, states, steps, cached, room.null_gains
                )
                weights[k] = np.exp(min(gain, np.float32(0)))
                total += weights[k]
        for second in range(t + 1, steps):
            k = swaps + t * steps + second
            weights[k] = np.float32(0)
            if may_swap(t, second, pair, candidates, states):
                gain = gain_of_swap(t, second, pair, numbers, moves, classes, states, steps, cached)
                weights[k] = np.exp(min(gain, np.float32(0)))
                total += weights[k]
    return total


@helper
def store_posteriors(room, seen, path, lane, total):
    """Write the summit as the path, and the share of the neighbourhood that each link is in as its posterior."""
    states, steps = seen.state_lengths[lane], seen.step_lengths[lane]
    pair, weights, swaps = room.pair, room.weights, steps * (states + 1)
    for t in range(steps):
        path[t * LANES + lane] = pair[t]
        moved = np.float32(0)
        for s in range(states + 1):
            moved += weights[t * (states + 1) + s]
        for other in range(steps):
            first, second = min(t, other), max(t, other)
            moved += weights[swaps + first * steps + second] if other != t else np.float32(0)
        for s in range(states + 1):
            state, share = s if s < states else -1, weights[t * (states + 1) + s]
            if pair[t] == state:
                share = max(total - moved, np.float32(0))
            if s < states:
                seen.posterior[(t * seen.states + s) * LANES + lane] = share / total
            else:
                seen.null_posterior[t * LANES + lane] = share / total
    for t in range(steps):
        for other in range(t + 1, steps):
            share = weights[swaps + t * steps + other] / total
            if share > 0:
                add_posterior(seen, t, pair[other], lane, share)
                add_posterior(seen, other, pair[t], lane, share)


@helper
def add_posterior(seen, t, state, lane, share):
    """Add to the posterior of a step at a state, or at NULL."""
    if state >= 0:
        seen.posterior[(t * seen.states + state) * LANES + lane] += share
    else:
        seen.null_posterior[t * LANES + lane] += share


@helper
def count_alignment(room, parameters, states, steps, share, counts):
    """Count the distances of the alignment at hand."""
    for s in range(states):
        distances_of(
            s, room.pair, parameters.moves, parameters.classes, states, steps, counts.moves, np.float64(share)
        )


@helper
def count_pair(room, parameters, words, piece, states, steps, nulls, total, counts):
    """Count fertilities over the neighbourhood, and distances over its more probable alignments."""
    pair, weights, swaps = room.pair, room.weights, steps * (states + 1)
    begin, left, expected = words.state_begins[piece], np.float32(1), np.float64(nulls)
    for s in range(states):
        counts.fertility[words.states[begin + s], pair[LIMIT + s]] += 1.0
    for t in range(steps):
        for s in range(states + 1):
            share, state, before = weights[t * (states + 1) + s] / total, s if s < states else -1, pair[t]
            if share <= 0:
                continue
            for change in (-1, 1):
                one = before if change < 0 else state
                if one >= 0:
                    word, fertility = words.states[begin + one], pair[LIMIT + one]
                    counts.fertility[word, fertility] -= share
                    counts.fertility[word, fertility + change] += share
                else:
                    expected += change * share
            if share > VISIBLE:
                left -= share
                move(t, state, pair)
                count_alignment(room, parameters, states, steps, share, counts)
                move(t, before, pair)
        for other in range(t + 1, steps):
            share = weights[swaps + t * steps + other] / total
            if share > VISIBLE:
                left -= share
                exchange(t, other, pair)
                count_alignment(room, parameters, states, steps, share, counts)
                exchange(t, other, pair)
    count_alignment(room, parameters, states, steps, left, counts)
    counts.words[0] += expected
    counts.words[1] += steps


@kernel
def climb_block(
    chunk, first, end, way, parameters, words, least, emission, posterior, paths, likelihoods, counts, counted
):
    """Climb from the HMM's best paths in the batches `first` to `end`, whose posteriors and paths are there.

    Pairs that are too large are left as they are.
    Posteriors and paths become those of the summits, likelihoods [batch][lane] the log probabilities of their
    neighbourhoods. With `counted`, expected fertilities and distances are added to the counts.
    """
    room = new_room()
    for b in range(first, end):
        seen = view(chunk, b, first, way, emission, posterior)
        path = view(chunk, b, first, way, paths, paths).null_posterior
        for lane in range(LANES):
            states, steps = seen.state_lengths[lane], seen.step_lengths[lane]
            piece = chunk.pieces[b, lane]
            if piece < 0 or is_too_large(states, steps):
                continue
            nulls = load_pair(room, seen, path, lane, parameters, words, piece, least)
            nulls = climb(room, parameters, states, steps, nulls)
            total = weigh_neighbours(room, parameters, states, steps, nulls)
            likelihoods[b - first, lane] = score_of(room, parameters, states, steps, nulls) + np.log(total)
            store_posteriors(room, seen, path, lane, total)
            if counted:
                count_pair(room, parameters, words, piece, states, steps, nulls, total, counts)
