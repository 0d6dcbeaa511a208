"""Slow twins of Bi-1 and Bi-HMM, schoenemann-2011, section 3: one pair, one direction; states generate steps.

Where a step is, is a `Place`: alone at a head, at a head with a second word behind it, or at NULL, which remembers the
last head. `enumerated` adds up all alignments, `expected` runs forward and backward: two ways to the same numbers.
"""

import itertools
import math
from typing import NamedTuple


class Place(NamedTuple):
    """What generates a step: a head, a head and a second word, or NULL."""

    head: int
    second: int | None = None
    is_null: bool = False

    @property
    def links(self):
        """The positions that a step is linked to: none, one or two."""
        if self.is_null:
            return ()
        return (self.head,) if self.second is None else (self.head, self.second)


class Pair(NamedTuple):
    """Words of both sides, {(state word, step word): p}, {(first, second, step word): p}; NULL is state word 0."""

    states: list
    steps: list
    single: dict
    double: dict

    def emission(self, place, word):
        if place.is_null:
            return self.single[0, word]
        words = [self.states[i] for i in place.links]
        return self.single[words[0], word] if len(words) == 1 else self.double[words[0], words[1], word]


def real_places(length):
    """All single and double alignments to `length` words; the last word is never the second of two."""
    doubles = [Place(i, k) for i in range(length) for k in range(i + 1, length - 1)]
    return [Place(i) for i in range(length)] + doubles


def share(near, far, distance, reachable):
    """What a distance gets of one: its weight, or its part of the bucket, over the weights of all that is reachable."""
    beyond = [d for d in reachable if d not in near]
    total = sum(near[d] for d in reachable if d in near) + (far if beyond else 0.0)
    weight = near[distance] if distance in near else far / len(beyond)
    return weight / total if total > 0 else 0.0


class Bi1Chain:
    """Bi-1 for sentences of `length` states: each step on its own, so NULL has nothing to remember."""

    def __init__(self, double, length):
        self.places = [*real_places(length), Place(0, is_null=True)]
        self.length, self.band, self.distance_band = length, 0, 0
        self.pairs = (length - 1) * (length - 2) // 2
        self.double = double if self.pairs > 0 else 0.0

    def start(self, place):
        if place.second is not None:
            return self.double / self.pairs
        return (1 - self.double) / (self.length + 1)

    def step(self, before, after):  # noqa: ARG002
        return self.start(after)


class BiHmmChain:
    """Bi-HMM for sentences of `length` states; `jumps` and `distances` are read as the library's objects are.

    jumps: `weights` r[-band..band], `far` r_L, `starts` s (the last for all later positions), `null` p0. distances:
    `weights` of 1..band and of the bucket, `double` p(b=1).
    """

    def __init__(self, jumps, distances, length):
        self.length, self.null, self.double = length, jumps.null, distances.double
        self.places = [*real_places(length), *(Place(i, is_null=True) for i in range(length))]
        self.band, self.distance_band = len(jumps.weights) // 2, len(distances.weights) - 1
        self.near, self.far = dict(enumerate(jumps.weights, -self.band)), jumps.far
        self.near_seconds = dict(enumerate(distances.weights[:-1], 1))
        self.far_seconds = distances.weights[-1]
        self.starts = [jumps.starts[min(i, len(jumps.starts) - 1)] for i in range(length)]

    def start(self, place):
        if place.is_null:
            return self.to_null() / self.length
        begun = self.starts[place.head] / sum(self.starts)
        return (1 - self.null) * begun * self.choice(place)

    def step(self, before, after):
        if after.is_null:
            return self.to_null() if after.head == before.head else 0.0
        reachable = [i - before.head for i in range(self.length)]
        jumped = share(self.near, self.far, after.head - before.head, reachable)
        return (1 - self.null) * jumped * self.choice(after)

    def to_null(self):
        return self.null * (1 - self.double if self.length > 2 else 1.0)

    def choice(self, place):
        """The probability that a head generates alone, or with this second word."""
        room = self.length - 2 - place.head
        if place.second is None:
            return 1 - self.double if room > 0 else 1.0
        distance = place.second - place.head
        return self.double * share(self.near_seconds, self.far_seconds, distance, range(1, room + 1))


def events(pair, chain, t, place):
    """What is counted when step t is at a place, as keys."""
    word = pair.steps[t]
    if place.is_null:
        return [("null", t), ("single", 0, word)]
    found = [("link", t, i) for i in place.links]
    if place.second is None:
        return [*found, ("single", pair.states[place.head], word)]
    distance = place.second - place.head
    kind = distance if distance <= chain.distance_band else "far"
    names = (pair.states[place.head], pair.states[place.second])
    return [*found, ("double", *names, word), ("distance", kind), ("room", chain.length - 2 - place.head)]


def jump_events(chain, before, after):
    """What is counted when a step at one head (None: the first step) leads to a place, as keys."""
    if after.is_null:
        return []
    if before is None:
        return [("start", after.head)]
    distance = after.head - before
    return [("jump", distance if abs(distance) <= chain.band else "far"), ("departure", before)]


def add(counts, keys, amount):
    for key in keys:
        counts[key] = counts.get(key, 0.0) + amount


def all_alignments(pair, chain):
    """Walk over every alignment with its joint probability: nothing but the model's definition."""
    for path in itertools.product(chain.places, repeat=len(pair.steps)):
        chance = chain.start(path[0])
        for before, after in itertools.pairwise(path):
            chance *= chain.step(before, after)
        for place, word in zip(path, pair.steps, strict=True):
            chance *= pair.emission(place, word)
        yield path, chance


def enumerated(pair, chain):
    """Log probability and expected counts of all events, from the list of all alignments."""
    counts, total = {}, 0.0
    for path, chance in all_alignments(pair, chain):
        total += chance
        for t, (before, place) in enumerate(zip((None, *path), path, strict=False)):
            add(counts, events(pair, chain, t, place), chance)
            add(counts, jump_events(chain, None if before is None else before.head, place), chance)
    return math.log(total), {key: amount / total for key, amount in counts.items()}


def moves(chain):
    """{(head before, place): probability}: what comes next depends on the head alone."""
    heads = range(chain.length)
    return {(head, place): chain.step(Place(head), place) for head in heads for place in chain.places}


def by_head(here, add_up=sum):
    """Add up {place: probability} by head."""
    heads = {place.head for place in here}
    return {head: add_up(here[place] for place in here if place.head == head) for head in heads}


def forward(pair, chain, move, add_up=sum, shown=None):
    """For each step, {place: probability of it and of all words so far}; `max` for `sum` gives that of the best path.

    With `shown`, the links of each step, only places with these links.
    """
    alpha, reached = [], {}
    for t, word in enumerate(pair.steps):
        here = {}
        for place in chain.places:
            if shown is None or place.links == shown[t]:
                before = [reached[head] * move[head, place] for head in reached]
                here[place] = (add_up(before) if t > 0 else chain.start(place)) * pair.emission(place, word)
        reached = by_head(here, add_up)
        alpha.append(here)
    return alpha


def backward(pair, chain, move):
    """For each step, {head: probability of all words after it}."""
    beta = [dict.fromkeys(range(chain.length), 1.0)]
    for word in reversed(pair.steps[1:]):
        arriving = {place: pair.emission(place, word) * beta[0][place.head] for place in chain.places}
        beta.insert(
            0, {h: sum(move[h, place] * arriving[place] for place in arriving) for h in range(chain.length)}
        )
    return beta


def expected(pair, chain):
    """Log probability and expected counts of all events, by dynamic programming."""
    move = moves(chain)
    alpha, beta = forward(pair, chain, move), backward(pair, chain, move)
    total, counts = sum(alpha[-1].values()), {}
    for t, here in enumerate(alpha):
        for place, chance in here.items():
            posterior = chance * beta[t][place.head] / total
            add(counts, events(pair, chain, t, place), posterior)
            if t == 0:
                add(counts, jump_events(chain, None, place), posterior)
    for t, (word, before) in enumerate(zip(pair.steps[1:], map(by_head, alpha), strict=False), 1):
        for (head, place), chance in move.items():
            arriving = pair.emission(place, word) * beta[t][place.head]
            add(counts, jump_events(chain, head, place), before.get(head, 0.0) * chance * arriving / total)
    return math.log(total), counts


def log_probability(pair, chain):
    return math.log(sum(forward(pair, chain, moves(chain))[-1].values()))


def best_chance(pair, chain, shown=None):
    """The probability of the best alignment, or of the best with these links of each step."""
    shown = None if shown is None else [tuple(sorted(links)) for links in shown]
    return max(forward(pair, chain, moves(chain), max, shown)[-1].values())


def maximised_rows(counts, weights):
    """M step of {(row..., word): count}: p = c / max(sum of the row's c, the row's weight)."""
    totals = {}
    for key, count in counts.items():
        totals[key[:-1]] = totals.get(key[:-1], 0.0) + count
    norms = {row: max(total, weights.get(row, 0.0)) for row, total in totals.items()}
    return {key: count / norms[key[:-1]] for key, count in counts.items()}


def maximised_distances(weights, counts, rooms, steps):
    """M step of distance weights: r_k <- n_k / sum of C / tau over what reaches k, repeated, then rescaled."""
    size = len(weights)
    for _ in range(steps):
        tau = {room: sum(weights[: min(room, size)]) for room in rooms}
        spread = [sum(rooms[room] / tau[room] for room in rooms if room > k) for k in range(size)]
        weights = [counts[k] / spread[k] if spread[k] > 0 else weights[k] for k in range(size)]
        weights = [weight / sum(weights) for weight in weights]
    return weights
