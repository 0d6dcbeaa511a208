"""Slow twin of the joint factorisation: every cell of dense matrices, in double precision, as the formulas are printed.

Rows of `source` and `target` are the same sentences, columns are features. `rows` (X) says what each sentence weighs
in each dimension, `factors` (A1, A2) what each feature of both languages does.
"""

import itertools
import math

import numpy as np

NEARLY = 0.99  # share of the way to zero that an exact additive step may go


def divergence_of_cell(value, product, beta):
    """Return D(value || product): Kullback-Leibler for a beta of 0, half the squared error for 1."""
    if beta == 0:
        return (value * math.log(value / product) if value else 0.0) - value + product
    without_product = value ** (beta + 1) / (beta + 1) / beta
    return without_product - value * product**beta / beta + product ** (beta + 1) / (beta + 1)


def divergence(values, products, beta):
    """Return the sum over all cells; where both are zero, nothing is added."""
    return math.fsum(
        divergence_of_cell(float(value), float(product), beta)
        for value, product in zip(values.flat, products.flat, strict=True)
        if value or product
    )


def objective(matrices, rows, factors, beta=0.0, row_sparsity=0.0, factor_sparsity=0.0, coupling=0.0):
    """Return the divergences of both languages and the three penalties."""
    total = sum(
        divergence(values, rows @ each.T, beta) for values, each in zip(matrices, factors, strict=True)
    )
    total += row_sparsity * rows.sum() + factor_sparsity * (factors[0].sum() + factors[1].sum())
    return total + coupling * sum(
        factors[0][:, j].sum() * factors[1][:, j].sum() for j in range(rows.shape[1])
    )


def exponent(beta):
    """Return the power of the ratio outside of 0 <= beta <= 1 (NOTES: 1 / (1 - beta) and 1 / beta)."""
    if beta < 0:
        return 1 / (1 - beta)
    return 1 / beta if beta > 1 else 1


def halves_of_gradient(values, rows, factors, beta):
    """Return what a step of the rows has in its numerator and in its denominator, of one language."""
    products = np.where(rows @ factors.T > 0, rows @ factors.T, 1e-30)
    return (values * products ** (beta - 1)) @ factors, products**beta @ factors


def gradients_of_rows(matrices, rows, factors, beta, row_sparsity):
    """Return the numerators and the denominators of a step of the sentences."""
    halves = [
        halves_of_gradient(values, rows, each, beta) for values, each in zip(matrices, factors, strict=True)
    ]
    return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1] + row_sparsity


def gradients_of_factors(matrices, rows, factors, side, beta, factor_sparsity, coupling):
    """Return the numerators and the denominators of a step of one language's features."""
    up, down = halves_of_gradient(matrices[side].T, factors[side], rows, beta)
    return up, down + factor_sparsity + coupling * factors[1 - side].sum(axis=0)


def multiplied(weights, up, down, beta):
    """Take a multiplicative step; what has no denominator becomes zero."""
    return weights * np.where(down > 0, up / np.where(down > 0, down, 1), 0) ** exponent(beta)


def added(weights, up, down, other, step):
    """Take an additive step of the squared error, row by row.

    The direction is that of the interior-point gradient: weights / denominator * (numerator - denominator). A `step`
    of None is the one where the objective, a parabola along the direction, is lowest, but does not reach zero.
    """
    result = weights.copy()
    for i, row in enumerate(weights):
        gain = up[i] - down[i]
        direction = np.where(down[i] > 0, row / np.where(down[i] > 0, down[i], 1), 0) * gain
        size = step
        if size is None:
            curve = float(((other @ direction) ** 2).sum())
            size = float(direction @ gain) / curve if curve else 1.0
            room = [row[j] / -direction[j] for j in range(len(row)) if direction[j] < 0]
            size = min(size, NEARLY * min(room, default=math.inf))
        result[i] = row + size * direction
    return result


def iteration(
    matrices,
    rows,
    factors,
    beta=0.0,
    row_sparsity=0.0,
    factor_sparsity=0.0,
    coupling=0.0,
    update="multiplicative",
    step=None,
):
    """Return rows and factors after one iteration: the sentences, then source features, then target features."""

    def stepped(weights, gradients, other):
        if update == "additive":
            return added(weights, *gradients, other, step)
        return multiplied(weights, *gradients, beta)

    both = np.concatenate(factors)
    rows = stepped(rows, gradients_of_rows(matrices, rows, factors, beta, row_sparsity), both)
    factors = list(factors)
    for side in (0, 1):
        gradients = gradients_of_factors(matrices, rows, factors, side, beta, factor_sparsity, coupling)
        factors[side] = stepped(factors[side], gradients, rows)
    return rows, factors


def least_squares(values, factors):
    """Return the rows nearest to zero of those whose products with the factors are nearest to the values."""
    return np.linalg.lstsq(factors, values.T, rcond=None)[0].T


def non_negative_least_squares(values, factors):
    """Return the best rows without negative weights: of all choices of weights that are not zero, the best."""
    k = factors.shape[1]
    result = np.zeros((len(values), k))
    for i, row in enumerate(values):
        best = float(row @ row)
        for size in range(1, k + 1):
            for active in itertools.combinations(range(k), size):
                weights = np.zeros(k)
                weights[list(active)] = np.linalg.lstsq(factors[:, active], row, rcond=None)[0]
                error = float(((row - factors @ weights) ** 2).sum())
                if weights.min() >= 0 and error < best:
                    best, result[i] = error, weights
    return result
