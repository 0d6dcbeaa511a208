"""Slow twins of the regularity term: tables {(given word, generated word): value}; word 0 is NULL."""

import math


def weights_of(table, occurrences, strength, exempt=()):
    """Return each entry's price: strength * max(0, 6 - N) of the given word; nothing for NULL and what is exempt."""
    return {
        (given, word): 0.0
        if given == 0 or (given, word) in exempt
        else strength * max(0, 6 - occurrences[given])
        for given, word in table
    }


def penalty(probability, weights):
    """Return the sum of probabilities times prices."""
    return sum(weights[key] * value for key, value in probability.items())


def cost(shares, counts, weights):
    """Return what the M step of a row minimises: - sum c log p + sum w p."""
    total = sum(w * p for w, p in zip(weights, shares, strict=True))
    return total - sum(c * math.log(p) for c, p in zip(counts, shares, strict=True) if c > 0)


def maximised_row(counts, weights):
    """Minimise the cost with p = c / (w + mu), mu by bisection: the conditions of Karush, Kuhn and Tucker."""

    def shares(mu):
        return [c / (w + mu) if c > 0 else 0.0 for c, w in zip(counts, weights, strict=True)]

    if all(w > 0 for c, w in zip(counts, weights, strict=True) if c > 0) and sum(shares(0.0)) <= 1:
        return shares(0.0)
    low, high = 0.0, sum(counts)  # at mu = sum of counts the shares sum to at most one
    for _ in range(2000):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if sum(shares(middle)) > 1 else (low, middle)
    return shares(high)


def exchanged_row(counts, weights, sweeps=60):
    """Minimise the cost knowing nothing but its derivative w - c / p.

    Mass is moved between two entries until their derivatives agree, for every two in turn; one more entry, the
    last, costs nothing and explains nothing.
    """
    counts, weights = [*counts, 0.0], [*weights, 0.0]
    shares = [1 / len(counts)] * len(counts)
    for _ in range(sweeps):
        for a in range(len(counts)):
            for b in range(a):
                shares[a], shares[b] = _balanced(shares[a] + shares[b], *_two(counts, weights, a, b))
    return shares[:-1]


def _two(counts, weights, a, b):
    return (counts[a], weights[a]), (counts[b], weights[b])


def _balanced(mass, one, other):
    """Divide a mass between two entries (count, weight) so that moving any more would cost."""

    def slope(p, entry):
        count, weight = entry
        return weight - (count / p if p > 0 else math.inf) if count > 0 else weight

    low, high = 0.0, mass
    for _ in range(80):
        middle = (low + high) / 2
        if slope(middle, one) < slope(mass - middle, other):
            low = middle
        else:
            high = middle
    share = (low + high) / 2
    return share, mass - share
