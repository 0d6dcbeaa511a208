"""Slow twins of the classifiers: rows are lists of numbers, labels 1 and -1."""

from itertools import pairwise


def perceptron(rows, signs, orders):
    """Return the mean of the weights after each row of each order."""
    weights, seen = [0.0] * len(rows[0]), []
    for order in orders:
        for row in order:
            score = sum(weight * value for weight, value in zip(weights, rows[row], strict=True))
            if score * signs[row] <= 0:
                weights = [
                    weight + signs[row] * value for weight, value in zip(weights, rows[row], strict=True)
                ]
            seen.append(weights)
    return [sum(column) / len(seen) for column in zip(*seen, strict=True)]


def lvq(rows, signs, order, rates, prototypes):
    """Return prototypes, of which the first half are true, after one pass over the rows."""
    prototypes = [list(one) for one in prototypes]
    for row, rate in zip(order, rates, strict=True):
        distances = [squared_distance(rows[row], one) for one in prototypes]
        nearest = distances.index(min(distances))
        is_true = nearest < len(prototypes) / 2
        step = rate if is_true == (signs[row] > 0) else -rate
        prototypes[nearest] = [
            old + step * (value - old) for old, value in zip(prototypes[nearest], rows[row], strict=True)
        ]
    return prototypes


def lvq_margin(row, prototypes):
    """Return how much nearer the nearest true prototype is than the nearest false one."""
    half = len(prototypes) // 2
    near = [
        min(squared_distance(row, one) for one in some) for some in (prototypes[:half], prototypes[half:])
    ]
    return near[1] - near[0]


def squared_distance(one, other):
    """Return the squared Euclidean distance."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def best_balance_of_a_column(rows, signs, free):
    """Return the rows right less those wrong by the best column, threshold (any value, or 0) and direction."""
    best = 0
    for column in zip(*rows, strict=True):
        if free:
            values = sorted(set(column))
            thresholds = [(low + high) / 2 for low, high in pairwise(values)] or values
        else:
            thresholds = [0]
        for threshold in thresholds:
            balance = sum(
                sign * ((value > threshold) - (value < threshold))
                for value, sign in zip(column, signs, strict=True)
            )
            best = max(best, abs(balance))
    return best
