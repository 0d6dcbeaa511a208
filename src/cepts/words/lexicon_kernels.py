"""From expected counts to translation probabilities, and looking them up."""

import math

import numpy as np

from cepts.running.kernel import kernel


@kernel
def exp_digamma(x):
    """exp(digamma(x)), x > 0: three steps of the recurrence up, then the asymptotic series around x - 1/2."""
    if x > 20.0:
        return x - 0.5 + 1.0 / (24.0 * (x - 0.5))
    y = x + 2.5
    series = y + 1.0 / (24.0 * y) - 37.0 / (5760.0 * y * y * y) + 10313.0 / (2903040.0 * y**5)
    return series * math.exp(-(3.0 * x * x + 6.0 * x + 2.0) / (x * (x + 1.0) * (x + 2.0)))


@kernel
def estimate(count, total, size, prior, at_prior):
    """One probability from its expected count: maximum likelihood, or the variational mean under a Dirichlet prior."""
    if prior <= 0.0:
        return count / total if total > 0.0 else 0.0
    numerator = exp_digamma(count + prior) if count > 1e-4 else at_prior
    return numerator / exp_digamma(total + prior * size)


@kernel
def maximise(row_offsets, columns, counts, values, prior, floor):
    """M step of both directions: each row's and each column's counts become probabilities of at least `floor`.

    Column 0 of counts and values is forward (rows sum to one over target words), column 1 reverse (columns sum
    to one over source words). Row 0 and column 0 of the lexicon are NULL, which is never generated.
    """
    targets = 0
    for k in range(row_offsets[0], row_offsets[1]):
        targets = max(targets, columns[k])
    totals = np.zeros(targets + 1)
    sizes = np.zeros(targets + 1)
    for row in range(1, len(row_offsets) - 1):
        for k in range(row_offsets[row], row_offsets[row + 1]):
            totals[columns[k]] += counts[k, 1]
            sizes[columns[k]] += 1.0
    at_prior = exp_digamma(prior) if prior > 0.0 else 0.0
    for row in range(len(row_offsets) - 1):
        first, end = row_offsets[row], row_offsets[row + 1]
        total = 0.0
        for k in range(first, end):
            total += counts[k, 0] if columns[k] > 0 else np.float32(0)
        for k in range(first, end):
            column = columns[k]
            forward, reverse = 0.0, 0.0
            if column > 0:
                forward = max(floor, estimate(np.float64(counts[k, 0]), total, end - first - 1, prior, at_prior))
            if row > 0:
                reverse = max(
                    floor, estimate(np.float64(counts[k, 1]), totals[column], sizes[column], prior, at_prior)
                )
            values[k, 0] = forward
            values[k, 1] = reverse
