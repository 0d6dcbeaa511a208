"""Best paths of one pair under the HMM, in log space, such that a change of few scores costs few steps.

Each step's scores are relative to its largest: where all good paths go through one state, the steps behind it have
the same numbers, to the last bit, whatever changed before it. So a search that starts at the first changed step can
stop at the first step that comes out as it was. And no state is jumped from that lies so far below the best one that
the dearest jump from that one is better than the cheapest from this one.

Rows are indexed in place here, not sliced, and loops over steps hand on single arrays, not the chain: counting
references costs more than a row of a short sentence.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper
from cepts.running.vector_kernels import LANES
from cepts.words.hmm_kernels import context_of

LOW = np.float32(-1e30)  # the log score of what cannot be
LEAST = np.float32(1e-30)  # probabilities below it count as it

# A NULL that forgets the position (denero-2011, footnote 2): it stays NULL, or goes near the diagonal.
STAY = np.float32(1e-4)
DIAGONAL = np.float32(0.8)


class Chain(NamedTuple):
    """One direction of a pair: `states` generate `steps`.

    With a NULL that remembers the position `leave` is empty, and `reached` counts a NULL at a state as that state. With
    one that forgets it, `null_reached` is its own score, and `leave` [step][state] says where it goes.
    """

    states: np.int64
    steps: np.int64
    score: np.ndarray  # [step][state], log
    null_score: np.ndarray  # [step], log, with the probability of NULL
    start: np.ndarray  # [state], log
    moves: np.ndarray  # [from][to], log
    spread: np.ndarray  # [1]: the smallest of the moves less the largest
    stay: np.ndarray  # [1], log: staying at a NULL that forgets, less coming to it, which is in `null_score`
    leave: np.ndarray
    reached: np.ndarray  # [step][state]: the best score of a path that stands here, less the step's largest
    null_reached: np.ndarray  # [step]
    largest: np.ndarray  # [step]
    place: np.ndarray  # [step]: the best path's position, -1 for a NULL that forgets it
    is_null: np.ndarray  # [step]
    here: np.ndarray  # [state]: scratch


@helper
def log_of(probability):
    """The logarithm of a probability, of zero too."""
    return np.float32(np.log(max(probability, LEAST)))


@helper
def new_chain(longest, forgetful):
    """Allocate a chain for pairs of at most so many words a side."""
    cells = longest * longest
    return Chain(
        np.int64(0),
        np.int64(0),
        np.empty(cells, np.float32),
        np.empty(longest, np.float32),
        np.empty(longest, np.float32),
        np.empty(cells, np.float32),
        np.empty(1, np.float32),
        np.empty(1, np.float32),
        np.empty(cells if forgetful else 0, np.float32),
        np.empty(cells, np.float32),
        np.empty(longest, np.float32),
        np.empty(longest, np.float32),
        np.empty(longest, np.int32),
        np.empty(longest, np.bool_),
        np.empty(longest, np.float32),
    )


@helper
def load_chain(room, view, lane, transitions):
    """Put one lane's pair, seen from one direction, where another pair was."""
    states, steps = np.int64(view.state_lengths[lane]), np.int64(view.step_lengths[lane])
    chain = Chain(
        states, steps, room.score, room.null_score, room.start, room.moves, room.spread, room.stay, room.leave,
        room.reached, room.null_reached, room.largest, room.place, room.is_null, room.here,
    )  # fmt: skip
    to_null = log_of(transitions.null)
    chain.stay[0] = log_of(STAY) - to_null
    for t in range(steps):
        chain.null_score[t] = to_null + log_of(view.null_emission[t * LANES + lane])
        first = t * view.states * LANES + lane
        for s in range(states):
            chain.score[t * states + s] = log_of(view.emission[first + s * LANES])
    if states != room.states or len(transitions.kinds) > 0:
        load_moves(chain, transitions, view.pieces[lane])
    if len(room.leave) > 0:
        load_leave(chain)
    return chain


@helper
def load_moves(chain, transitions, piece):
    """Tabulate the jumps between the states of a piece."""
    states, band = chain.states, len(transitions.jumps) // 2
    smallest, largest = np.float32(0), LOW
    for s in range(states):
        chain.start[s] = log_of(transitions.start[states, s])
        near, far, kind = transitions.near[states, s], transitions.far[states, s], 0
        if len(transitions.kinds) > 0:
            context, kind = context_of(s, states, band), int(transitions.kinds[transitions.begins[piece] + s])
            near *= transitions.near_of_class[context, kind]
            far *= transitions.far_of_class[context, kind]
        beyond = log_of(far)
        for other in range(states):
            distance = other - s
            move = (
                log_of(near * transitions.jumps[band + distance, kind]) if abs(distance) <= band else beyond
            )
            chain.moves[s * states + other] = move
            smallest, largest = min(smallest, move), max(largest, move)
    chain.spread[0] = smallest - largest


@helper
def diagonal_weight(state, states, step, steps):
    """How probable it is, up to a factor, to go from a NULL that forgets to a state at a step, all from 0."""
    return DIAGONAL ** abs(
        np.float32(state + 1) * np.float32(steps) / np.float32(states) - np.float32(step + 1)
    )


@helper
def load_leave(chain):
    """Fill in where a NULL that forgets goes."""
    for t in range(chain.steps):
        total = np.float32(0)
        for s in range(chain.states):
            total += diagonal_weight(s, chain.states, t, chain.steps)
        for s in range(chain.states):
            weight = diagonal_weight(s, chain.states, t, chain.steps)
            chain.leave[t * chain.states + s] = log_of((np.float32(1) - STAY) * weight / total)


@helper
def place_of_largest(values, begin, states):
    """Where the largest of so many values is, from `begin` on."""
    place, largest = 0, values[begin]
    for s in range(1, states):
        if values[begin + s] > largest:
            place, largest = s, values[begin + s]
    return place


@helper
def arrive(reached, before, states, limit, moves, here):
    """The best jump to each state from those of at least `limit` in the row of `reached` that begins at `before`."""
    for k in range(states):
        here[k] = LOW
    for s in range(states):
        value = reached[before + s]
        if value >= limit:
            first = s * states
            for k in range(states):
                arriving = value + moves[first + k]
                here[k] = arriving if arriving > here[k] else here[k]


@helper
def begin_path(chain):
    """Fill `here` with the scores of the first step; returns that of a NULL that forgets."""
    forgetful = len(chain.leave) > 0
    stayed = LOW if forgetful else chain.null_score[0] - np.float32(np.log(chain.states))
    for k in range(chain.states):
        real = chain.start[k] + chain.score[k]
        chain.here[k] = real if real > stayed else stayed
    return chain.null_score[0] if forgetful else LOW


@helper
def advance(chain, changed, fresh):
    """Fill the marked steps, and those behind them until one comes out as it was; returns the first and the last."""
    states, reached, here, score, leave = chain.states, chain.reached, chain.here, chain.score, chain.leave
    forgetful, spread, stay = len(leave) > 0, chain.spread[0], chain.stay[0]
    first, last, differs = chain.steps, -1, False
    for t in range(chain.steps):
        if not (fresh or changed[t] or differs):
            continue
        changed[t] = False
        first, last = min(first, t), t
        row, before = t * states, (t - 1) * states
        null = chain.null_score[t]
        if t == 0:
            null = begin_path(chain)
        elif forgetful:
            best = reached[before + place_of_largest(reached, before, states)]
            arrive(reached, before, states, best + spread, chain.moves, here)
            left = chain.null_reached[t - 1]
            for k in range(states):
                back = left + leave[row + k]
                here[k] = (back if back > here[k] else here[k]) + score[row + k]
            null += max(best, left + stay)
        else:
            arrive(reached, before, states, spread, chain.moves, here)
            for k in range(states):
                real, stayed = here[k] + score[row + k], reached[before + k] + null
                here[k] = real if real > stayed else stayed
            null = LOW
        best = max(here[place_of_largest(here, 0, states)], null)
        different = 0
        for k in range(states):
            relative = here[k] - best
            different += relative != reached[row + k]
            reached[row + k] = relative
        null = null - best if forgetful else LOW
        differs = different > 0 or null != chain.null_reached[t]
        chain.null_reached[t], chain.largest[t] = null, best
    return first, last


@helper
def came_from(reached, before, states, moves, place):
    """The best position in the row that begins at `before` to jump to a place from."""
    best, origin = LOW, 0
    for s in range(states):
        arriving = reached[before + s] + moves[s * states + place]
        if arriving > best:
            best, origin = arriving, s
    return best, origin


@helper
def last_place(chain):
    """Where the best path ends."""
    row = (chain.steps - 1) * chain.states
    place = place_of_largest(chain.reached, row, chain.states)
    return place if chain.reached[row + place] >= chain.null_reached[chain.steps - 1] else -1


@helper
def walk_back(chain, first, last):
    """Write the best path from step `last` back, until it meets, before step `first`, the one that is written."""
    states, reached, moves, places, leave = chain.states, chain.reached, chain.moves, chain.place, chain.leave
    is_null, null_score, null_reached = chain.is_null, chain.null_score, chain.null_reached
    forgetful, stay = len(leave) > 0, chain.stay[0]
    if last == chain.steps - 1:
        places[last] = last_place(chain)
    for t in range(last, 0, -1):
        place, before = places[t], (t - 1) * states
        is_null[t] = place < 0
        if place < 0:  # a NULL that forgets, from the best word or from itself
            origin = place_of_largest(reached, before, states)
            origin = origin if reached[before + origin] >= null_reached[t - 1] + stay else -1
        else:
            arriving, origin = came_from(reached, before, states, moves, place)
            if forgetful and null_reached[t - 1] + leave[t * states + place] > arriving:
                origin = -1
            elif (
                not forgetful
                and reached[before + place] + null_score[t] > arriving + chain.score[t * states + place]
            ):
                is_null[t], origin = True, place
        if t <= first and places[t - 1] == origin:
            return
        places[t - 1] = origin
    is_null[0] = places[0] < 0
    if places[0] >= 0 and not forgetful:
        real = chain.start[places[0]] + chain.score[places[0]]
        is_null[0] = null_score[0] - np.float32(np.log(states)) > real


@helper
def follow(chain, changed, fresh):
    """Find the best path after the scores of the marked steps changed, and take the marks away; returns its score.

    With `fresh` nothing is known yet: every step counts as changed.
    """
    first, last = advance(chain, changed, fresh)
    if last >= 0:
        walk_back(chain, 0 if fresh else first, last)
    total = 0.0
    for t in range(chain.steps):
        total += chain.largest[t]
    return total
