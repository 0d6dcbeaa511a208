"""The search of the decoder: a lattice of what a source may become, one stack of nodes for each number of ids read.

A node is a state of the language model behind a part of the source; hypotheses that meet in a node have the same
future, and only their arcs are kept. Sources are read in order, so that the nodes of a stack have the same rest to
read, and can be compared by what they have cost.

Arcs are rows of two arrays: FROM, OPTION, NEXT (the next arc of a list), STATE; GAIN (what it adds to the score), LOG
(of the language model). Option -1 - i is the unknown id at place i. `HEAD` of a node begins the list of the arcs that
lead to it.
"""

from typing import NamedTuple

import numpy as np

from cepts.phrases.language_model_kernels import advance, find_child
from cepts.running.heap_kernels import largest
from cepts.running.kernel import helper

FROM, OPTION, NEXT, STATE = 0, 1, 2, 3
GAIN, LOG = 0, 1
HEAD = 1  # a node's columns are its state of the language model (0) and the head of its arcs
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio: Fibonacci hashing


class Options(NamedTuple):
    """The phrases; `scores` has what each adds to a score apart from the language model. See `PhraseOptions`."""

    first_child: np.ndarray
    ids: np.ndarray
    first_option: np.ndarray
    target_offsets: np.ndarray
    target_ids: np.ndarray
    features: np.ndarray
    scores: np.ndarray


class Lattice(NamedTuple):
    """Nodes by number, the first of them where all begins; the nodes from `last` on have read everything."""

    nodes: np.ndarray  # [node]: state, head
    scores: np.ndarray  # [node]: of the best way there
    arcs: np.ndarray
    gains: np.ndarray
    last: np.int64
    used: np.int64


@helper
def slot_of(key, size):
    """The place in a table of a power of two of places where a key is looked for first."""
    return np.int64((np.uint64(key) * SPREAD) >> np.uint64(32)) & (size - 1)


@helper
def table_size(count):
    """A power of two, at least twice as large as a count."""
    size = np.int64(8)
    while size < 2 * count:
        size *= 2
    return size


@helper
def grown_rows(rows):
    """Return the same rows in an array with room for twice as many."""
    larger = np.empty((2 * len(rows), rows.shape[1]), rows.dtype)
    for row in range(len(rows)):  # not as slices: those take seconds to compile
        for column in range(rows.shape[1]):
            larger[row, column] = rows[row, column]
    return larger


@helper
def nothing(count):
    """Return an array of -1: no list, no node."""
    array = np.empty(count, np.int64)
    for k in range(count):
        array[k] = -1
    return array


@helper
def settle(head, count, arcs, gains, nodes, scores, used, beam, least):
    """Make the nodes of a stack from the list of its arcs: the best `beam` that score at least `least`.

    Returns how many nodes there are now, and the head of the list of arcs that are free again.
    """
    size = table_size(count)
    table = nothing(size)
    states, keys = np.empty(count, np.int64), np.empty(count, np.float64)
    owners = np.empty(count, np.int64)
    found, number, arc = 0, 0, head
    while arc >= 0:
        state = arcs[arc, STATE]
        score = scores[arcs[arc, FROM]] + gains[arc, GAIN]
        slot = slot_of(state, size)
        while table[slot] >= 0 and states[table[slot]] != state:
            slot = (slot + 1) & (size - 1)
        if table[slot] < 0:
            table[slot] = found
            states[found], keys[found] = state, score
            found += 1
        elif score > keys[table[slot]]:
            keys[table[slot]] = score
        owners[number] = table[slot]
        number += 1
        arc = arcs[arc, NEXT]
    places = nothing(found)
    for k in largest(keys, found, beam):
        if keys[k] < least:
            break
        nodes[used, 0], nodes[used, HEAD], scores[used] = states[k], -1, keys[k]
        places[k] = used
        used += 1
    return used, share_out(head, arcs, owners, places, nodes)


@helper
def share_out(head, arcs, owners, places, nodes):
    """Give the arcs of a list to their nodes; return the list of those whose nodes were left out."""
    arc, number, free = head, 0, np.int64(-1)
    while arc >= 0:
        following = arcs[arc, NEXT]
        place = places[owners[number]]
        if place < 0:
            arcs[arc, NEXT] = free
            free = arc
        else:
            arcs[arc, NEXT] = nodes[place, HEAD]
            nodes[place, HEAD] = arc
        number += 1
        arc = following
    return free


@helper
def build_lattice(source, copies, options, grams, limits, weight, unknown_score, beam, margin):
    """Search the stacks in order; `limits` has the language model's first state and its number of ids.

    Hypotheses that are worse than the best of their stack by more than `margin` are left out. As log probabilities
    are not positive, most need no look at the language model for that.
    """
    length = len(source)
    nodes, scores = np.empty((1 + length * beam, 2), np.int64), np.empty(1 + length * beam, np.float64)
    arcs, gains = np.empty((256, 4), np.int64), np.empty((256, 2), np.float64)
    heads, counts = nothing(length + 1), np.zeros(length + 1, np.int64)
    best = np.empty(length + 1, np.float64)
    for i in range(length + 1):
        best[i] = -np.inf
    gram_nodes, gram_values, gram_ids, unknown = grams.nodes, grams.values, grams.ids, grams.unknown
    target_offsets, target_ids, option_scores = options.target_offsets, options.target_ids, options.scores
    nodes[0, 0], nodes[0, HEAD], scores[0] = limits[0], -1, 0.0
    begin, used, arc_count, free = np.int64(0), np.int64(1), np.int64(0), np.int64(-1)
    for i in range(length):
        node = np.int64(0)
        for stop in range(i, length):
            node = find_child(options.first_child, options.ids, node, source[stop])
            first = options.first_option[node] if node >= 0 else np.int64(0)
            end = options.first_option[node + 1] if node >= 0 else np.int64(0)
            if stop == i and first == end:  # nothing is known of this id alone
                first, end = np.int64(-1), np.int64(0)
            for option in range(first, end):
                static = option_scores[option] if option >= 0 else unknown_score[1 if copies[i] >= 0 else 0]
                low = target_offsets[option] if option >= 0 else np.int64(0)
                high = target_offsets[option + 1] if option >= 0 else np.int64(copies[i] >= 0)
                for k in range(begin, used):
                    least = best[stop + 1] - margin
                    if weight >= 0.0 and scores[k] + static < least:
                        break
                    state, log = nodes[k, 0], 0.0
                    for place in range(low, high):
                        wanted = target_ids[place] if option >= 0 else copies[i]
                        if wanted >= limits[1]:
                            wanted = np.int32(-1)
                        one, state = advance(gram_nodes, gram_values, gram_ids, unknown, state, wanted)
                        log += one
                    gain = static + weight * log
                    if scores[k] + gain < least:
                        continue
                    best[stop + 1] = max(best[stop + 1], scores[k] + gain)
                    arc = free
                    if arc >= 0:
                        free = arcs[arc, NEXT]
                    else:
                        if arc_count == len(arcs):
                            arcs, gains = grown_rows(arcs), grown_rows(gains)
                        arc = arc_count
                        arc_count += 1
                    arcs[arc, FROM], arcs[arc, OPTION] = k, option if option >= 0 else -1 - i
                    arcs[arc, NEXT], arcs[arc, STATE] = heads[stop + 1], state
                    gains[arc, GAIN], gains[arc, LOG] = gain, log
                    heads[stop + 1] = arc
                    counts[stop + 1] += 1
            if node < 0:
                break
        begin = used
        least = best[i + 1] - margin
        used, dropped = settle(heads[i + 1], counts[i + 1], arcs, gains, nodes, scores, used, beam, least)
        while dropped >= 0:
            following = arcs[dropped, NEXT]
            arcs[dropped, NEXT] = free
            free = dropped
            dropped = following
    return Lattice(nodes, scores, arcs, gains, begin, used)
