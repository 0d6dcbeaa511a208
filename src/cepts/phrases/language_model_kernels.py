"""Loops of the n-gram model: a walk over the trie of its n-grams."""

from typing import NamedTuple

import numpy as np

from cepts.running.kernel import helper, kernel


class NGrams(NamedTuple):
    """The n-grams of a model; see `LanguageModel`."""

    first_child: np.ndarray
    ids: np.ndarray
    logs: np.ndarray
    backoffs: np.ndarray
    suffixes: np.ndarray
    states: np.ndarray
    unknown: np.ndarray


@helper
def find_child(first_child, ids, node, wanted):
    """Return the child of a node with the wanted id, or -1."""
    low, end = first_child[node], first_child[node + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ids[low] == wanted else np.int64(-1)


@helper
def find_first(first_child, ids, wanted):
    """Return the child of the root with the wanted id, or -1: where all ids occur, it is looked up, not searched."""
    guess = first_child[0] + wanted
    if wanted >= 0 and guess < first_child[1] and ids[guess] == wanted:
        return np.int64(guess)
    return find_child(first_child, ids, np.int64(0), wanted)


@helper
def advance(first_child, ids, logs, backoffs, suffixes, states, unknown, state, wanted):
    """Return the log probability of an id in a state, and the state behind it."""
    total = np.float64(0.0)
    while state != 0:
        child = find_child(first_child, ids, state, wanted)
        if child >= 0:
            return total + logs[child], states[child]
        total += backoffs[state]
        state = suffixes[state]
    child = find_first(first_child, ids, wanted)
    if child >= 0:
        return total + logs[child], states[child]
    return total + unknown[0], np.int64(0)


@helper
def advance_in(grams, state, wanted):
    """Advance in n-grams that are still together: for where it is not done a thousand times for each source."""
    return advance(
        grams.first_child,
        grams.ids,
        grams.logs,
        grams.backoffs,
        grams.suffixes,
        grams.states,
        grams.unknown,
        state,
        wanted,
    )


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
