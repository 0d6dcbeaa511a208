"""Slow twin of the HMM, schoenemann-2011, section 2: one pair, one direction; `states` generate `steps`.

A state of the chain is (position, is_null): a NULL state remembers the last real position.
"""

import itertools
import math


class Chain:
    """The HMM for sentences of `length` states.

    `weights` are r[-band..band], `far` is r_L, `starts` are s by position, `null` is p0.
    """

    def __init__(self, weights, far, starts, null, length):
        self.band = len(weights) // 2
        self.weights = {d: float(weights[d + self.band]) for d in range(-self.band, self.band + 1)}
        self.far, self.starts, self.null, self.length = float(far), starts, null, length
        self.states = [(i, is_null) for i in range(length) for is_null in (False, True)]
        self.jumps = {(i, k): self.jump(i, k) for i in range(length) for k in range(length)}

    def start(self, state):
        """Return the probability of beginning in a state."""
        position, is_null = state
        if is_null:
            return self.null / self.length
        return (1 - self.null) * self.starts[position] / sum(self.starts[: self.length])

    def jump(self, before, after):
        """Return p(i | i', I) for two real positions."""
        reachable = [k - before for k in range(self.length)]
        far_ones = sum(abs(d) > self.band for d in reachable)
        tau = sum(self.weights[d] for d in reachable if abs(d) <= self.band) + (self.far if far_ones else 0.0)
        d = after - before
        weight = self.weights[d] if abs(d) <= self.band else self.far / far_ones
        return (1 - self.null) * weight / tau

    def step(self, before, after):
        """Return the probability of going from one state to another."""
        if after[1]:
            return self.null if after[0] == before[0] else 0.0
        return self.jumps[before[0], after[0]]


class ClassChain(Chain):
    """The HMM whose jumps depend on the class of the word that is left.

    `rows` are r[-band..band] and r_L of each class, `kinds` the class of the word at each position.
    """

    def __init__(self, rows, kinds, starts, null):
        self.of_places = [Chain(rows[kind][:-1], rows[kind][-1], starts, null, len(kinds)) for kind in kinds]
        super().__init__(rows[0][:-1], rows[0][-1], starts, null, len(kinds))

    def jump(self, before, after):
        """Return p(i | i', I) for two real positions, as the word at i' has it."""
        return self.of_places[before].jump(before, after)


def emission(state, states, word, probability):
    """Return the probability that a state generates a word."""
    return probability[0 if state[1] else states[state[0]], word]


def expect(states, steps, probability, chain):
    """Forward-backward: posteriors [step][state] and [step] of NULL, log probability, and jump counts.

    The counts are dictionaries: jumps by distance ("far" beyond the band), departures and starts by position.
    """
    alpha, beta = forward(states, steps, probability, chain), backward(states, steps, probability, chain)
    total = sum(alpha[-1].values())
    real = [
        [alpha[t][i, False] * beta[t][i, False] / total for i in range(len(states))]
        for t in range(len(steps))
    ]
    jumps, departures = {}, {}
    for t in range(1, len(steps)):
        for before, after in itertools.product(chain.states, chain.states):
            if after[1]:
                continue
            arriving = emission(after, states, steps[t], probability) * beta[t][after]
            share = alpha[t - 1][before] * chain.step(before, after) * arriving / total
            distance = after[0] - before[0]
            key = distance if abs(distance) <= chain.band else "far"
            jumps[key] = jumps.get(key, 0.0) + share
            departures[before[0]] = departures.get(before[0], 0.0) + share
    return (
        real,
        [1 - sum(row) for row in real],
        math.log(total),
        (jumps, departures, dict(enumerate(real[0]))),
    )


def forward(states, steps, probability, chain):
    """Return p(words up to t, state at t) for each step and state."""
    alpha = [{s: chain.start(s) * emission(s, states, steps[0], probability) for s in chain.states}]
    for word in steps[1:]:
        before = alpha[-1]
        alpha.append(
            {
                s: emission(s, states, word, probability)
                * sum(before[r] * chain.step(r, s) for r in chain.states)
                for s in chain.states
            }
        )
    return alpha


def backward(states, steps, probability, chain):
    """Return p(words after t | state at t) for each step and state."""
    beta = [dict.fromkeys(chain.states, 1.0)]
    for word in reversed(steps[1:]):
        after = beta[0]
        arriving = {s: emission(s, states, word, probability) * after[s] for s in chain.states}
        beta.insert(0, {r: sum(chain.step(r, s) * arriving[s] for s in chain.states) for r in chain.states})
    return beta


def all_paths(states, steps, probability, chain):
    """Walk over every sequence of states with its joint probability: nothing but the model's definition."""
    for path in itertools.product(chain.states, repeat=len(steps)):
        chance = chain.start(path[0])
        for before, after in itertools.pairwise(path):
            chance *= chain.step(before, after)
        for state, word in zip(path, steps, strict=True):
            chance *= emission(state, states, word, probability)
        yield path, chance


def visible(path):
    """Reduce a path to what is seen of it: the position that generates each step, or -1 for NULL."""
    return tuple(-1 if is_null else position for position, is_null in path)
