"""The loops of a factorisation: what the non-zeros of a sparse matrix say about its rows and about its features."""

from __future__ import annotations

import numpy as np

from cepts.running.kernel import kernel, summing_kernel

SMALLEST = 1e-30  # product of factors that a value is divided by
LARGEST = 1e30  # ratio: times a factor of 0 it is 0, as an infinite one would not be


@summing_kernel
def sums_by_row(offsets, features, values, factors, rows, beta, numerators):
    """Add, for each row, its features' factors, each times value * product ** (beta - 1).

    A product is what the factors of a row and of a feature give: an estimate of the value. Returns the part of the
    divergence that depends on values: a sum of value * log(value / product) - value for a beta of 0, and of
    (value ** (beta + 1) / (beta + 1) - value * product ** beta) / beta for others. For a beta of 1 no product is
    needed, and it is a sum of value ** 2 / 2 alone: the rest is minus the products of rows and numerators.
    """
    width, loss = factors.shape[1], 0.0
    for row in range(len(offsets) - 1):
        for entry in range(offsets[row], offsets[row + 1]):
            feature, value = features[entry], values[entry]
            ratio = value
            if beta == 1.0:
                loss += 0.5 * np.float64(value) * np.float64(value)
            else:
                product = np.float32(0)
                for j in range(width):
                    product += rows[row, j] * factors[feature, j]
                product = max(product, np.float32(SMALLEST))
                if beta == 0.0:
                    ratio = value / product
                    loss += np.float64(value) * np.float64(np.log(ratio)) - np.float64(value)
                else:
                    ratio = np.float32(min(value * np.float64(product) ** (beta - 1.0), LARGEST))
                    part = np.float64(value) ** (beta + 1.0) / (beta + 1.0)
                    loss += (part - np.float64(value) * np.float64(product) ** beta) / beta
            for j in range(width):
                numerators[row, j] += ratio * factors[feature, j]
    return loss


@summing_kernel
def sums_by_feature(offsets, features, values, factors, rows, beta, numerators):
    """Add, for each feature, its rows, each times value * product ** (beta - 1)."""
    width = factors.shape[1]
    for row in range(len(offsets) - 1):
        for entry in range(offsets[row], offsets[row + 1]):
            feature, ratio = features[entry], values[entry]
            if beta != 1.0:
                product = np.float32(0)
                for j in range(width):
                    product += rows[row, j] * factors[feature, j]
                product = max(product, np.float32(SMALLEST))
                if beta == 0.0:
                    ratio = ratio / product
                else:
                    ratio = np.float32(min(ratio * np.float64(product) ** (beta - 1.0), LARGEST))
            for j in range(width):
                numerators[feature, j] += ratio * rows[row, j]


@kernel
def solve_non_negative(gram, products, sweeps, tolerance, rows):
    """Fill rows with the least squares solutions that are not negative, one coordinate after the other.

    `gram` are the products of factors with each other, `products` those of factors and values; a row is done when no
    coordinate changes its prediction by more than `tolerance` of the largest one.
    """
    width = len(gram)
    slope = np.empty(width, np.float64)
    for row in range(len(rows)):
        largest = 0.0
        for j in range(width):
            slope[j] = -np.float64(products[row, j])
            largest = max(largest, abs(slope[j]))
            rows[row, j] = 0
        for _ in range(sweeps):
            change = 0.0
            for j in range(width):
                if gram[j, j] <= 0.0:
                    continue
                before = np.float64(rows[row, j])
                after = max(before - slope[j] / gram[j, j], 0.0)
                if after != before:
                    rows[row, j] = after
                    for other in range(width):
                        slope[other] += gram[j, other] * (after - before)
                    change = max(change, abs(after - before) * gram[j, j])
            if change <= tolerance * largest:
                break
