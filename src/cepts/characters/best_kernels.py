"""The best strings of a lattice, best first: a search from the start that knows the best way to the end."""

from typing import NamedTuple

import numpy as np

from cepts.characters.lattice_kernels import LAYERS, log_add
from cepts.running.heap_kernels import sift_down, sift_up
from cepts.running.kernel import helper

NOTHING = np.float32(-1e30)
ROUNDING = np.float32(
    1e-5
)  # a promise that is lower by less than this share is the same one, summed otherwise


class Agenda(NamedTuple):
    """Strings that are begun: a heap of nodes, each a state, a letter after its parent node, and a score.

    `promise` is the score of the best whole string that a node can become. `visited` is a hash table of states and
    strings that were gone on from. `counts` are how many nodes and how many entries of the heap there are.
    """

    heap: np.ndarray
    promise: np.ndarray
    scores: np.ndarray
    states: np.ndarray  # -1: a whole string
    parents: np.ndarray
    marks: np.ndarray
    digests: np.ndarray
    lengths: np.ndarray
    visited: np.ndarray
    counts: np.ndarray


@helper
def completions(lattice, length, summed, out):
    """Of all ways from each state to the end, the best score or the log of the sum."""
    final = lattice.layers[length * LAYERS]
    for state in range(lattice.counts[0]):
        out[state] = np.float32(0) if state >= final else NOTHING
    for arc in range(lattice.counts[1] - 1, -1, -1):
        start, value = lattice.starts[arc], lattice.scores[arc] + out[lattice.ends[arc]]
        out[start] = log_add(out[start], value) if summed else max(out[start], value)


@helper
def longer_digest(digest, letter):
    """A number for a string with one more letter; equal strings have equal ones."""
    mixed = (digest ^ np.uint64(letter)) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))


@helper
def push(agenda, promise, score, state, parent, mark, digest, length):
    """Add a node."""
    node, at = agenda.counts[0], agenda.counts[1]
    agenda.promise[node], agenda.scores[node], agenda.states[node] = promise, score, state
    agenda.parents[node], agenda.marks[node] = parent, mark
    agenda.digests[node], agenda.lengths[node] = digest, length
    agenda.counts[0], agenda.counts[1] = node + 1, at + 1
    agenda.heap[at] = node
    sift_up(agenda.heap, at, agenda.promise)


@helper
def pop(agenda):
    """Take the first node from the heap: the most promising one, and of equals the newest."""
    first, size = agenda.heap[0], agenda.counts[1] - 1
    agenda.counts[1], agenda.heap[0] = size, agenda.heap[size]
    sift_down(agenda.heap, size, np.int64(0), agenda.promise)
    return first


@helper
def is_new(visited, state, digest):
    """Whether a state was never gone on from with this string; from now on it was."""
    key = digest ^ (np.uint64(state + 2) * np.uint64(0xC2B2AE3D27D4EB4F))
    mask = np.uint64(len(visited) - 1)
    place = np.int64((key ^ (key >> np.uint64(32))) & mask)
    while visited[place] != 0 and visited[place] != key:
        place = (place + 1) & np.int64(mask)
    new = visited[place] == 0
    visited[place] = key
    return new


@helper
def best_strings(lattice, length, after, wanted, agenda, found):
    """List the nodes of the best different strings in `found`; returns how many, -1 if the agenda is too small.

    `after` are the best completions. A string that is reached again is worse than before. A node's best child has the
    very promise of the node and is taken next, so that among equals one string is finished before others are begun.
    """
    agenda.counts[0], agenda.counts[1], count = 0, 0, 0
    for k in range(len(agenda.visited)):
        agenda.visited[k] = 0
    final = lattice.layers[length * LAYERS]
    push(agenda, after[0], np.float32(0), 0, -1, 0, np.uint64(1), 0)
    while agenda.counts[1] > 0 and count < wanted:
        node = pop(agenda)
        state, score, digest, size = (
            agenda.states[node],
            agenda.scores[node],
            agenda.digests[node],
            agenda.lengths[node],
        )
        if not is_new(agenda.visited, state, digest):
            continue
        if state < 0:
            found[count] = node
            count += 1
            continue
        arcs, promise = 1, agenda.promise[node]
        same = promise - ROUNDING * (np.float32(1) + abs(promise))
        for group in range(2 * state, 2 * state + 2):
            arcs += lattice.last_arcs[group] - lattice.first_arcs[group]
        if agenda.counts[0] + arcs > len(agenda.heap):
            return -1
        if state >= final:
            push(agenda, promise if score > same else score, score, -1, node, 0, digest, size)
        for group in range(2 * state, 2 * state + 2):
            for arc in range(lattice.first_arcs[group], lattice.last_arcs[group]):
                mark, value = lattice.marks[arc], score + lattice.scores[arc]
                longer = longer_digest(digest, mark) if mark > 0 else digest
                end = lattice.ends[arc]
                if after[end] > NOTHING / 2:
                    hope = value + after[end]
                    hope = promise if hope > same else hope
                    push(agenda, hope, value, end, node, mark, longer, size + (mark > 0))
    return count


@helper
def spell(agenda, node, out):
    """Write out the letters of a node's string; returns how many."""
    length = agenda.lengths[node]
    at = length
    while node >= 0:
        if agenda.marks[node] > 0:
            at -= 1
            out[at] = agenda.marks[node]
        node = agenda.parents[node]
    return length
