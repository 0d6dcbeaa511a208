"""The best different targets of a lattice.

The list is searched from the end of the lattice, the most promising first: what a node has cost from the beginning is
known, so that a way from the end is judged by its true whole score (A*). Two ways from the same node with the same
target ids have the same futures, and only the better one is followed: that is what keeps targets different. Strings of
target ids are numbered for that by a table of (number of the rest, id in front of it).
"""

import numpy as np

from cepts.phrases.language_model_kernels import advance_in
from cepts.phrases.lattice_kernels import (
    FROM,
    GAIN,
    HEAD,
    LOG,
    NEXT,
    OPTION,
    build_lattice,
    grown_rows,
    slot_of,
)
from cepts.running.heap_kernels import sift_down, sift_up
from cepts.running.kernel import helper, kernel

NODE, ABOVE, ARC, STRING = 0, 1, 2, 3  # columns of a way from the end
MOST_WAYS = 4_000_000
GRID = 1e7  # places for each unit of a score
UNKNOWN_COST = 10.0  # of an id that no phrase knows: its log probability is taken for -10
PHRASE_FEATURES = 4
LANGUAGE_MODEL, LENGTH, PHRASES, UNKNOWN, ALL_FEATURES = 4, 5, 6, 7, 8


@helper
def number_of(table, key):
    """Return the number of a key, a new one where it is new, and the table, which may have grown.

    Row 0 holds the keys, row 1 their numbers from 1, 0 where there is none; how many there are stands at the end.
    """
    size = table.shape[1] - 1
    slot = slot_of(key, size)
    while table[1, slot] > 0:
        if table[0, slot] == key:
            return table[1, slot], table
        slot = (slot + 1) & (size - 1)
    table[1, size] += 1
    number = table[1, size]
    table[0, slot], table[1, slot] = key, number
    if 2 * number > size:
        larger = np.zeros((2, 2 * size + 1), np.int64)
        larger[1, 2 * size] = number
        for old in range(size):
            if table[1, old] > 0:
                slot = slot_of(table[0, old], 2 * size)
                while larger[1, slot] > 0:
                    slot = (slot + 1) & (2 * size - 1)
                larger[0, slot], larger[1, slot] = table[0, old], table[1, old]
        table = larger
    return number, table


@helper
def grown(ways, keys, rests, heap):
    """Return the same arrays with twice the room."""
    size = len(keys)
    larger, sums, order = np.empty(2 * size), np.empty(2 * size), np.empty(2 * size, np.int64)
    for k in range(size):
        larger[k], sums[k], order[k] = keys[k], rests[k], heap[k]
    return grown_rows(ways), larger, sums, order


@helper
def rounded(score):
    """A score on a fine grid: ways that differ by rounding only are followed one after the other, the newest first.

    Else a long source would have them all go on side by side, and none would come to its end.
    """
    return np.round(score * GRID) / GRID


@helper
def end_log(grams, state, limits):
    """The log probability that a target ends in a state."""
    log, _ = advance_in(grams, state, np.int32(limits[1]))
    return log


@helper
def largest_id(copies, size):
    """A number above all target ids that there may be."""
    width = np.int64(size + 1)
    for k in range(len(copies)):
        width = max(width, np.int64(copies[k]) + 1)
    return width


@helper
def with_front(strings, string, width, option, options, copies):
    """Put an option's target ids in front of a string; returns its number, and the table of strings."""
    if option < 0:
        copied = copies[-1 - option]
        return number_of(strings, string * width + copied) if copied >= 0 else (string, strings)
    for place in range(options.target_offsets[option + 1] - 1, options.target_offsets[option] - 1, -1):
        string, strings = number_of(strings, string * width + options.target_ids[place])
    return string, strings


@helper
def list_targets(lattice, copies, options, grams, limits, weight, n_best):
    """List the n best different targets; returns all ways with their scores, and which of them are complete."""
    ways, keys = np.empty((256, 4), np.int64), np.empty(256, np.float64)
    rests, heap = np.empty(256, np.float64), np.empty(256, np.int64)
    strings, seen = np.zeros((2, 1025), np.int64), np.zeros((2, 1025), np.int64)
    width = largest_id(copies, limits[1])
    found, count = np.empty(n_best, np.int64), np.int64(0)
    used, in_heap = np.int64(0), np.int64(0)
    for node in range(lattice.last, lattice.used):
        if used == len(ways):
            ways, keys, rests, heap = grown(ways, keys, rests, heap)
        ways[used, NODE], ways[used, ABOVE], ways[used, ARC], ways[used, STRING] = node, -1, -1, 0
        rests[used] = weight * end_log(grams, lattice.nodes[node, 0], limits)
        keys[used] = rounded(lattice.scores[node] + rests[used])
        heap[in_heap] = used
        sift_up(heap, in_heap, keys)
        used, in_heap = used + 1, in_heap + 1
    while in_heap > 0 and count < n_best and used < MOST_WAYS:
        way = heap[0]
        in_heap -= 1
        heap[0] = heap[in_heap]
        sift_down(heap, in_heap, np.int64(0), keys)
        arc, node = ways[way, ARC], ways[way, NODE]
        if arc >= 0:
            above = ways[ways[way, ABOVE], STRING]
            ways[way, STRING], strings = with_front(
                strings, above, width, lattice.arcs[arc, OPTION], options, copies
            )
        before = seen[1, seen.shape[1] - 1]
        number, seen = number_of(seen, ways[way, STRING] * lattice.used + node)
        if number <= before:  # a better way has the same target ids from here
            continue
        if node == 0:
            found[count] = way
            count += 1
            continue
        arc = lattice.nodes[node, HEAD]
        while arc >= 0:
            if used == len(ways):
                ways, keys, rests, heap = grown(ways, keys, rests, heap)
            origin = lattice.arcs[arc, FROM]
            ways[used, NODE], ways[used, ABOVE], ways[used, ARC], ways[used, STRING] = origin, way, arc, 0
            rests[used] = rests[way] + lattice.gains[arc, GAIN]
            keys[used] = rounded(lattice.scores[origin] + rests[used])
            heap[in_heap] = used
            sift_up(heap, in_heap, keys)
            used, in_heap = used + 1, in_heap + 1
            arc = lattice.arcs[arc, NEXT]
    for k in range(1, count):  # what the grid made equal is put in order
        way, place = found[k], k
        while place > 0 and rests[found[place - 1]] < rests[way]:
            found[place] = found[place - 1]
            place -= 1
        found[place] = way
    return ways, rests, found[:count]


@helper
def write_way(way, ways, lattice, copies, options, ids, used, features):
    """Write the target ids of a complete way and add up its features; returns the next free place."""
    while ways[way, ARC] >= 0:
        arc = ways[way, ARC]
        option = lattice.arcs[arc, OPTION]
        if option < 0:
            features[UNKNOWN] -= UNKNOWN_COST
            if copies[-1 - option] >= 0:
                ids[used] = copies[-1 - option]
                used += 1
        else:
            for k in range(PHRASE_FEATURES):
                features[k] += options.features[option, k]
            for place in range(options.target_offsets[option], options.target_offsets[option + 1]):
                ids[used] = options.target_ids[place]
                used += 1
            features[PHRASES] -= 1.0
        features[LANGUAGE_MODEL] += lattice.gains[arc, LOG]
        way = ways[way, ABOVE]
    return used


@helper
def way_length(way, ways, lattice, copies, options):
    """Count the target ids of a complete way."""
    length = np.int64(0)
    while ways[way, ARC] >= 0:
        option = lattice.arcs[ways[way, ARC], OPTION]
        if option >= 0:
            length += options.target_offsets[option + 1] - options.target_offsets[option]
        elif copies[-1 - option] >= 0:
            length += 1
        way = ways[way, ABOVE]
    return length


@kernel
def decode(source, copies, options, grams, limits, weights, beam, margin, n_best):
    """Return the n best different targets of a source: ids, where each begins, features and scores, best first.

    `limits` has the language model's first state and its number of ids.
    """
    weight = weights[LANGUAGE_MODEL]
    unknown = np.empty(2)  # what an id costs that is skipped, or copied
    unknown[0] = -UNKNOWN_COST * weights[UNKNOWN]
    unknown[1] = unknown[0] + weights[LENGTH]
    lattice = build_lattice(source, copies, options, grams, limits, weight, unknown, beam, margin)
    ways, rests, found = list_targets(lattice, copies, options, grams, limits, weight, n_best)
    count = len(found)
    offsets, features, scores = (
        np.zeros(count + 1, np.int64),
        np.zeros((count, ALL_FEATURES)),
        np.empty(count),
    )
    for k in range(count):
        offsets[k + 1] = offsets[k] + way_length(found[k], ways, lattice, copies, options)
    ids = np.empty(offsets[count], np.int32)
    for k in range(count):
        write_way(found[k], ways, lattice, copies, options, ids, offsets[k], features[k])
        features[k, LENGTH] = offsets[k + 1] - offsets[k]
        way = found[k]
        scores[k] = rests[way]
        while ways[way, ABOVE] >= 0:
            way = ways[way, ABOVE]
        state = lattice.nodes[ways[way, NODE], 0]
        features[k, LANGUAGE_MODEL] += end_log(grams, state, limits)
    return ids, offsets, features, scores
