"""Loops of the n-gram model: a walk over the trie of its n-grams."""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel

FIRST_CHILD, SUFFIX, STATE = 0, 1, 2  # columns of a node
LOG, BACKOFF = 0, 1  # columns of its values


class NGrams(NamedTuple):
    """The n-grams of a model (see `LanguageModel`), all of a node side by side: memory is what a walk waits for."""

    nodes: (
        np.ndarray
    )  # [node]: first child, suffix, state; one row more, for the end of the last node's children
    values: np.ndarray  # [node]: log probability, backoff
    ids: np.ndarray
    unknown: np.ndarray


@helper
def find_id(ids, low, end, wanted):
    """Return the place of an id among rising ones from a place to another, or -1."""
    high = end
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ids[low] == wanted else np.int64(-1)


@helper
def find_child(first_child, ids, node, wanted):
    """Return the child of a node with the wanted id, or -1."""
    return find_id(ids, first_child[node], first_child[node + 1], wanted)


@helper
def find_first(nodes, ids, wanted):
    """Return the child of the root with the wanted id, or -1: where all ids occur, it is looked up, not searched."""
    low, end = nodes[0, FIRST_CHILD], nodes[1, FIRST_CHILD]
    if 0 <= wanted < end - low and ids[low + wanted] == wanted:
        return low + wanted
    return find_id(ids, low, end, wanted)


@helper
def advance(nodes, values, ids, unknown, state, wanted):
    """Return the log probability of an id in a state, and the state behind it."""
    total = np.float64(0.0)
    while state != 0:
        child = find_id(ids, nodes[state, FIRST_CHILD], nodes[state + 1, FIRST_CHILD], wanted)
        if child >= 0:
            return total + values[child, LOG], nodes[child, STATE]
        total += values[state, BACKOFF]
        state = nodes[state, SUFFIX]
    child = find_first(nodes, ids, wanted)
    if child >= 0:
        return total + values[child, LOG], nodes[child, STATE]
    return total + unknown[0], np.int64(0)


@helper
def advance_in(grams, state, wanted):
    """Advance in n-grams that are still together: for where it is not done a thousand times for each source."""
    return advance(grams.nodes, grams.values, grams.ids, grams.unknown, state, wanted)


@kernel
def score_sequences(grams, start, end_id, ids, offsets, scores):
    """Fill `scores` with the log probability of each sequence, its end included."""
    for k in range(len(offsets) - 1):
        state, total = start, 0.0
        for place in range(offsets[k], offsets[k + 1] + 1):
            wanted = ids[place] if place < offsets[k + 1] else end_id
            log, state = advance_in(grams, state, wanted)
            total += log
        scores[k] = total


@kernel
def score_next(grams, start, context, wanted, scores):
    """Fill `scores` with the log probability of each wanted id behind a context."""
    state = start
    for place in range(len(context)):
        _, state = advance_in(grams, state, context[place])
    for k in range(len(wanted)):
        scores[k], _ = advance_in(grams, state, wanted[k])
