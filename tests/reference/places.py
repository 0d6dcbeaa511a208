"""Slow twin of the tables of Model 2: places by their distance from the diagonal, in parts of the way between corners.

One pair, one direction; `states` generate `steps`.
"""

import math


def part_of(state, states, step, steps, parts):
    """In which part of the way from corner to corner a cell is: the middle one holds the diagonal."""
    off = (state + 0.5) / states - (step + 0.5) / steps  # from -1 to 1
    return math.floor((off + 1) * 0.5 * parts)


def place_weights(tables, parts, little):
    """From [(links [step][state], NULL [step])] of all pairs: how links are spread over the parts, and NULL's share.

    Every part, and NULL, begins with a little.
    """
    counts, nothing = [little] * parts, little
    for links, null in tables:
        steps, states = len(links), len(links[0])
        for step in range(steps):
            for state in range(states):
                counts[part_of(state, states, step, steps, parts)] += links[step][state]
            nothing += null[step]
    return [count / sum(counts) for count in counts], nothing / (sum(counts) + nothing)


def table(states, steps, probability, weights, null):
    """p(state | step, lengths) p(word | state's word) as [step][state], and NULL's as [step]; word 0 is NULL."""
    filled, nothing = [], []
    for step, word in enumerate(steps):
        places = [
            weights[part_of(state, len(states), step, len(steps), len(weights))]
            for state in range(len(states))
        ]
        filled.append(
            [
                (1 - null) * place / sum(places) * probability[given, word]
                for place, given in zip(places, states, strict=True)
            ]
        )
        nothing.append(null * probability[0, word])
    return filled, nothing


def normed(filled, nothing):
    """Make what can generate each step sum to one."""
    totals = [sum(row) + null for row, null in zip(filled, nothing, strict=True)]
    return (
        [[value / total for value in row] for row, total in zip(filled, totals, strict=True)],
        [null / total for null, total in zip(nothing, totals, strict=True)],
    )
