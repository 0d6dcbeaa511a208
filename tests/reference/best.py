"""Slow twins of the n-best lists: every alignment of a tiny pair with its log probability, sorted.

An alignment is a tuple: for each step the state that generates it, or -1 for NULL. A list is one of
(log probability, alignment), best first.
"""

import math
from collections import Counter
from itertools import product

from tests.reference import fertility
from tests.reference.hmm import visible


def ranked(chances):
    """Sort alignments by their probabilities; what is impossible is in no list."""
    listed = ((math.log(chance), alignment) for alignment, chance in chances.items() if chance > 0)
    return sorted(listed, reverse=True)


def of_paths(paths):
    """List what an HMM's paths show: an alignment is as probable as all paths that show it are together.

    Of a NULL before the first word several do: one for each place that it could remember.
    """
    chances = Counter()
    for path, chance in paths:
        chances[visible(path)] += chance
    return ranked(chances)


def of_ibm1(states, steps, probability, null):
    """List the alignments of IBM-1; where `null` is None, NULL is one more word of the sentence."""
    if null is None:
        null = 1 / (len(states) + 1)
    chances = {}
    for alignment in product(range(-1, len(states)), repeat=len(steps)):
        factors = (
            null * probability[0, word]
            if state < 0
            else (1 - null) / len(states) * probability[states[state], word]
            for state, word in zip(alignment, steps, strict=True)
        )
        chances[alignment] = math.prod(factors)
    return ranked(chances)


def of_fertility(pair):
    """List what Models 3 and 4 find possible among the states that each step may be moved to."""
    everything = (
        (fertility.log_probability(pair, each), each) for each in product(*map(sorted, pair.allowed))
    )
    return sorted((entry for entry in everything if entry[0] > -math.inf), reverse=True)


def unlisted(pair, alignments):
    """The best neighbour of some alignments, by one move or one swap, that is not one of them: its log probability."""
    beside = {other for alignment in alignments for other in fertility.neighbours(pair, alignment)}
    return max(
        (fertility.log_probability(pair, other) for other in beside - set(alignments)), default=-math.inf
    )


def sums(lists, n):
    """Join the lists of the pieces of a sentence: the n best sums, of all choices of one entry from each."""
    joined = [
        (math.fsum(log for log, _ in choice), [each for _, each in choice]) for choice in product(*lists)
    ]
    return sorted(joined, key=lambda entry: entry[0], reverse=True)[:n]


def shares(alignments, weights, states):
    """The share of a list that each link is in, [step][state], with NULL as the last state."""
    table = [[0.0] * (states + 1) for _ in alignments[0]]
    for alignment, weight in zip(alignments, weights, strict=True):
        for row, state in zip(table, alignment, strict=True):
            row[state] += weight / math.fsum(weights)
    return table
