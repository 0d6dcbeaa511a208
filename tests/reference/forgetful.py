"""Slow twin of the HMM of denero-2011, section 2.1 and footnote 2: its one NULL state forgets the last position.

One pair, one direction; `states` generate `steps`. A state of the chain is (position, is_null), NULL is (-1, True).
"""

import itertools
import math

from tests.reference import hmm as slow_hmm

NULL = (-1, True)
STAY = 1e-4  # D(0 | 0)
SHAPE = 0.8


class Chain(slow_hmm.Chain):
    """The HMM for `length` states that generate `steps` words; `slow_hmm.Chain` but for its NULL."""

    def __init__(self, weights, far, starts, null, length, steps):
        super().__init__(weights, far, starts, null, length)
        self.states = [*((i, False) for i in range(length)), NULL]
        self.left_for = [self.leave(step, steps) for step in range(steps)]

    def leave(self, step, steps):
        """Return the probability of each position after NULL, at a step: the nearer to the diagonal the better."""
        ratio = steps / self.length
        shape = [SHAPE ** abs((i + 1) * ratio - (step + 1)) for i in range(self.length)]
        return [(1 - STAY) * weight / sum(shape) for weight in shape]

    def start(self, state):
        """Return the probability of beginning in a state."""
        return self.null if state == NULL else super().start(state)

    def move(self, step, before, after):
        """Return the probability of going from one state to another with a step (from 0)."""
        if before == NULL:
            return STAY if after == NULL else self.left_for[step][after[0]]
        return self.null if after == NULL else self.jumps[before[0], after[0]]


def all_paths(states, steps, probability, chain):
    """Walk over every sequence of states with its joint probability: nothing but the model's definition."""
    for path in itertools.product(chain.states, repeat=len(steps)):
        chance = chain.start(path[0])
        for step in range(1, len(path)):
            chance *= chain.move(step, path[step - 1], path[step])
        for state, word in zip(path, steps, strict=True):
            chance *= slow_hmm.emission(state, states, word, probability)
        yield path, chance


def enumerate_all(states, steps, probability, chain):
    """Return what `expect` returns, by summing over every path, and the best path."""
    chances = list(all_paths(states, steps, probability, chain))
    total = sum(chance for _, chance in chances)
    real = [[0.0] * len(states) for _ in steps]
    jumps, departures = {}, {}
    for path, chance in chances:
        for step, (position, is_null) in enumerate(path):
            if not is_null:
                real[step][position] += chance / total
        for before, after in itertools.pairwise(path):
            if NULL not in (before, after):
                count_jump(jumps, departures, chain, before, after, chance / total)
    best = max(chances, key=lambda each: each[1])[0]
    counts = (jumps, departures, dict(enumerate(real[0])))
    return real, [1 - sum(row) for row in real], math.log(total), counts, slow_hmm.visible(best)


def count_jump(jumps, departures, chain, before, after, share):
    """Count a share of a jump between two positions, by distance ("far" beyond the band) and by the place left."""
    distance = after[0] - before[0]
    key = distance if abs(distance) <= chain.band else "far"
    jumps[key] = jumps.get(key, 0.0) + share
    departures[before[0]] = departures.get(before[0], 0.0) + share


def expect(states, steps, probability, chain):
    """Forward-backward: posteriors [step][state] and [step] of NULL, log probability, and jump counts.

    The counts are dictionaries as in `slow_hmm.expect`. What leaves NULL is given, not learned, and not counted.
    """

    def emit(step, state):
        return slow_hmm.emission(state, states, steps[step], probability)

    alpha = [{s: chain.start(s) * emit(0, s) for s in chain.states}]
    for t in range(1, len(steps)):
        before = alpha[-1]
        alpha.append({s: emit(t, s) * sum(before[r] * chain.move(t, r, s) for r in before) for s in before})
    beta = [dict.fromkeys(chain.states, 1.0)]
    for t in range(len(steps) - 1, 0, -1):
        after = beta[0]
        beta.insert(0, {r: sum(chain.move(t, r, s) * emit(t, s) * after[s] for s in after) for r in after})
    total = sum(alpha[-1].values())
    positions = chain.states[:-1]
    real = [[alpha[t][s] * beta[t][s] / total for s in positions] for t in range(len(steps))]
    jumps, departures = {}, {}
    for t in range(1, len(steps)):
        for r, s in itertools.product(positions, positions):
            share = alpha[t - 1][r] * chain.move(t, r, s) * emit(t, s) * beta[t][s] / total
            count_jump(jumps, departures, chain, r, s, share)
    counts = (jumps, departures, dict(enumerate(real[0])))
    return real, [1 - sum(row) for row in real], math.log(total), counts
