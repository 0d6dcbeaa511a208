"""Slow twins of Models 3 and 4, Brown et al. 1993: one pair, one direction; `states` generate `steps`.

An alignment is a tuple: for each step the state that generates it, or -1 for NULL. Whatever is asked of an alignment is
computed from nothing but itself.
"""

import math
from collections import Counter
from dataclasses import dataclass

MOST = 9  # words of one cept
FARTHEST = 40
SLIGHT = 1e-4  # a step up must be at least this high
VISIBLE = 0.01  # the share from which a neighbour's distances are counted


@dataclass
class Pair:
    """What a model knows of one pair, as probabilities.

    `emission` is [step][state], with NULL as the last state; `fertility` [state][number of words]; `null` that a word
    brings a NULL word with it. `moves` are by distance in Model 3, in Model 4 by
    ("first", class of the cept before or None, class of the word, distance) and ("other", class of the word, distance).
    `allowed` are for each step the states that it may be moved to.
    """

    emission: list
    fertility: list
    null: float
    moves: dict
    allowed: list
    classes: tuple | None = None  # of the states' words and of the steps' words: then this is Model 4

    @property
    def states(self):
        return len(self.fertility)

    @property
    def steps(self):
        return len(self.emission)


def log(probability):
    """The logarithm, as the models have it: nothing is less probable than 1e-12."""
    return math.log(max(probability, 1e-12))


def fertilities(pair, alignment):
    """How many steps each state generates."""
    return [sum(place == state for place in alignment) for state in range(pair.states)]


def log_probability(pair, alignment):
    """The logarithm of p(words, alignment); minus infinity where NULL has too many words, or a cept has."""
    sizes, nulls = fertilities(pair, alignment), alignment.count(-1)
    if 2 * nulls > pair.steps or max(sizes) > MOST:
        return -math.inf
    total = math.log(math.comb(pair.steps - nulls, nulls))
    total += nulls * math.log(pair.null) + (pair.steps - 2 * nulls) * math.log(1 - pair.null)
    total += sum(log(row[place]) for row, place in zip(pair.emission, alignment, strict=True))
    total += sum(log(row[size]) for row, size in zip(pair.fertility, sizes, strict=True))
    if pair.classes is None:
        total += sum(math.log(math.factorial(size)) for size in sizes)
    return total + sum(log(pair.moves[name]) for name in distances(pair, alignment))


def distances(pair, alignment):
    """The names in `moves` of where each real word is."""
    cepts = {}
    for step, state in enumerate(alignment):
        if state >= 0:
            cepts.setdefault(state, []).append(step)
    return (_from_diagonal if pair.classes is None else _from_cepts)(pair, dict(sorted(cepts.items())))


def _from_diagonal(pair, cepts):
    for state, places in cepts.items():
        middle = math.floor((state + 0.5) * pair.steps / pair.states)
        for step in places:
            yield clipped(step - middle)


def _from_cepts(pair, cepts):
    state_classes, step_classes = pair.classes
    middle, class_before = -1, None
    for state, (first, *others) in cepts.items():
        yield "first", class_before, step_classes[first], clipped(first - middle)
        before = first
        for step in others:
            yield "other", step_classes[step], clipped(step - before)
            before = step
        middle, class_before = math.ceil((first + sum(others)) / (1 + len(others))), state_classes[state]


def clipped(distance):
    """A distance that is too long counts as the longest."""
    return max(-FARTHEST, min(FARTHEST, distance))


def neighbours(pair, alignment):
    """Every alignment that differs by one link, or by an exchange of two: to states that the HMM finds possible."""
    for step, before in enumerate(alignment):
        for state in (*range(pair.states), -1):
            if state != before and state in pair.allowed[step]:
                yield changed(alignment, {step: state})
        for other in range(step + 1, pair.steps):
            here, there = before, alignment[other]
            if here != there and there in pair.allowed[step] and here in pair.allowed[other]:
                yield changed(alignment, {step: there, other: here})


def changed(alignment, links):
    """An alignment with some of its links exchanged."""
    return tuple(links.get(step, state) for step, state in enumerate(alignment))


def start(pair, path):
    """Where the climb begins: the HMM's path, without what is too much for a cept, or for NULL."""
    alignment, sizes = [], Counter()
    for state in path:
        alignment.append(state if sizes[state] < MOST else -1)
        sizes[alignment[-1]] += alignment[-1] >= 0
    for step, row in enumerate(pair.emission):
        free = [state for state in range(pair.states) if sizes[state] < MOST]
        if alignment[step] == -1 and free and 2 * alignment.count(-1) > pair.steps:
            alignment[step] = max(free, key=lambda state: row[state])
            sizes[alignment[step]] += 1
    return tuple(alignment)


def climb(pair, alignment):
    """All alignments on the way up, and the smallest difference that the choice of a step hung on."""
    way, margin = [alignment], math.inf
    while True:
        here = log_probability(pair, way[-1])
        gains = sorted(
            ((log_probability(pair, other) - here, other) for other in neighbours(pair, way[-1])),
            reverse=True,
        )
        if not gains:
            return way, margin
        margin = min(margin, abs(gains[0][0] - SLIGHT))
        if gains[0][0] <= SLIGHT:
            return way, margin
        if len(gains) > 1:
            margin = min(margin, gains[0][0] - gains[1][0])
        way.append(gains[0][1])


def neighbourhood(pair, summit):
    """The shares of the summit and of all alignments beside it, and the logarithm of their sum.

    A neighbour that is higher, by less than makes it worth a step, counts as high as the summit. Impossible ones are
    left out.
    """
    top = log_probability(pair, summit)
    scores = {other: log_probability(pair, other) for other in neighbours(pair, summit)}
    weights = {other: math.exp(min(0.0, score - top)) for other, score in scores.items() if score > -math.inf}
    total = 1 + math.fsum(weights.values())
    shares = {summit: 1 / total, **{other: weight / total for other, weight in weights.items()}}
    return shares, top + math.log(total)


def posteriors(pair, shares):
    """The probability of each link, [step][state], with NULL as the last state."""
    table = [[0.0] * (pair.states + 1) for _ in range(pair.steps)]
    for alignment, share in shares.items():
        for row, state in zip(table, alignment, strict=True):
            row[state] += share
    return table


def fertility_counts(pair, shares):
    """How often each state is expected to generate so many words: {(state, number): count}."""
    counts = Counter()
    for alignment, share in shares.items():
        for state, size in enumerate(fertilities(pair, alignment)):
            counts[state, size] += share
    return counts


def distance_counts(pair, summit, shares):
    """How often each distance is expected; alignments of small shares count as if they were the summit."""
    counts = Counter()
    for alignment, share in shares.items():
        for name in distances(pair, alignment if share > VISIBLE else summit):
            counts[name] += share
    return counts


def expected_nulls(shares):
    """How many words NULL is expected to generate."""
    return sum(share * alignment.count(-1) for alignment, share in shares.items())
