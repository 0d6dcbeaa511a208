"""The n best alignments of a pair that the search of a fertility model finds.

From the summit on, each alignment of the list, the best first, is changed in every way in which the search may change
it: one link, or two exchanged. What is found enters the list if it is new and there is room, or it is better than
the last one. In the end no neighbour of a listed alignment is better than the last one, and not in the list.
"""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel
from cepts.running.vector_kernels import LANES
from cepts.words.fertility_kernels import (
    FIRST,
    LIMIT,
    NEVER,
    cache_distances,
    climb,
    gain_of_move,
    gain_of_swap,
    is_too_large,
    load_pair,
    may_swap,
    new_room,
    put_in,
    score_of,
    weigh_nulls,
)
from cepts.words.lane_kernels import view

MOST_VISITS = 1_000_000


class Found(NamedTuple):
    """A list in the making: `order` names the slots of the alignments, best first; the others are by slot."""

    order: np.ndarray
    logs: np.ndarray
    digests: np.ndarray
    visited: np.ndarray  # whether its neighbours were looked at
    paths: np.ndarray  # [slot][step]


@helper
def new_found(n):
    """Allocate a list of n alignments."""
    return Found(
        np.zeros(n, np.int64),
        np.zeros(n, np.float64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.bool_),
        np.zeros((n, LIMIT), np.int16),
    )


@helper
def digest_of(step, state):
    """A number for one link: those of an alignment are joined by exclusive or. The finaliser of SplitMix64."""
    mixed = np.uint64((step + 1) * (LIMIT + 2) + state + 2) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@helper
def place_in(found, used, log, digest):
    """Make a slot for an alignment where it belongs; returns the slot, or -1 if it is known or not good enough."""
    order, room = found.order, len(found.order)
    if used == room and log <= found.logs[order[room - 1]]:
        return -1
    for rank in range(used):
        if found.digests[order[rank]] == digest:
            return -1
    slot, rank = used, used
    if used == room:
        slot, rank = order[room - 1], room - 1
    while rank > 0 and found.logs[order[rank - 1]] < log:
        order[rank] = order[rank - 1]
        rank -= 1
    order[rank] = slot
    found.logs[slot], found.digests[slot], found.visited[slot] = log, digest, False
    return slot


@helper
def keep(found, used, pair, steps, log, digest):
    """Put the alignment at hand into the list, if it belongs there; returns the list's length."""
    slot = place_in(found, used, log, digest)
    if slot < 0:
        return used
    for t in range(steps):
        found.paths[slot, t] = pair[t]
    return max(used, slot + 1)


@helper
def take(found, slot, pair, states, steps):
    """Make a listed alignment the one at hand; returns the number of NULL words."""
    nulls = 0
    for s in range(states):
        pair[LIMIT + s], pair[FIRST + s] = 0, -1
    for t in range(steps):
        put_in(t, found.paths[slot, t], pair)
        if pair[t] < 0:
            nulls += 1
    return nulls


@helper
def visit(room, found, used, slot, parameters, states, steps):
    """Look at all neighbours of a listed alignment; returns the list's length."""
    pair, numbers, cached, candidates = room.pair, room.numbers, room.cached, room.candidates
    moves, classes = parameters.moves, parameters.classes
    nulls = take(found, slot, pair, states, steps)
    weigh_nulls(nulls, steps, parameters.real, parameters.null, room.null_gains)
    found.visited[slot] = True
    cache_distances(pair, moves, classes, states, steps, cached)
    # Afresh, not as it was found: roundings must not add up, or alignments of one score take turns for ever.
    log, digest = score_of(room, parameters, states, steps, nulls), found.digests[slot]
    for t in range(steps):
        before = np.int64(pair[t])
        without = digest ^ digest_of(t, before)
        for s in range(states + 1):
            state = s if s < states else -1
            if candidates[t * (states + 1) + s] and before != state:
                gain = gain_of_move(
                    t, state, pair, numbers, moves, classes, states, steps, cached, room.null_gains
                )
                if gain > NEVER / 2 and (used < len(found.order) or log + gain > found.logs[found.order[-1]]):
                    pair[t] = state
                    used = keep(found, used, pair, steps, log + gain, without ^ digest_of(t, state))
                    pair[t] = before
        for other in range(t + 1, steps):
            if may_swap(t, other, pair, candidates, states):
                gain = gain_of_swap(t, other, pair, numbers, moves, classes, states, steps, cached)
                if used < len(found.order) or log + gain > found.logs[found.order[-1]]:
                    there = np.int64(pair[other])
                    changed = (
                        without ^ digest_of(t, there) ^ digest_of(other, there) ^ digest_of(other, before)
                    )
                    pair[t], pair[other] = there, before
                    used = keep(found, used, pair, steps, log + gain, changed)
                    pair[t], pair[other] = before, there
    return used


@helper
def first_unvisited(found, used):
    """The slot of the best alignment whose neighbours were not looked at, or -1."""
    for rank in range(used):
        if not found.visited[found.order[rank]]:
            return found.order[rank]
    return -1


@helper
def fill_list(room, found, parameters, states, steps, nulls):
    """List alignments from the summit on; returns how many."""
    digest = np.uint64(0)
    for t in range(steps):
        digest ^= digest_of(t, np.int64(room.pair[t]))
    used = keep(found, 0, room.pair, steps, score_of(room, parameters, states, steps, nulls), digest)
    for _ in range(
        MOST_VISITS
    ):  # never so many: what drops out of a full list is worse than all that stays, but for rounding
        slot = first_unvisited(found, used)
        if slot < 0:
            break
        used = visit(room, found, used, slot, parameters, states, steps)
    return used


@kernel
def list_summits(chunk, first, end, way, parameters, words, least, emission, posterior, paths, lists):
    """List the best alignments of the batches `first` to `end`, whose HMM's posteriors and paths are there.

    Pairs that are too large for the model keep the lists that they have.
    """
    room, found = new_room(), new_found(lists.logs.shape[2])
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
            used = fill_list(room, found, parameters, states, steps, nulls)
            lists.lengths[b - first, lane] = used
            for rank in range(used):
                slot = found.order[rank]
                lists.logs[b - first, lane, rank] = found.logs[slot]
                for t in range(steps):
                    lists.paths[b - first, lane, rank, t] = found.paths[slot, t]
