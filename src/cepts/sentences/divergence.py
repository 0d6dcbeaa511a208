"""The beta divergences between a matrix and a product of factors, and the steps that make them fall.

D(y || z) is y log(y / z) - y + z for a beta of 0 (Kullback-Leibler), half the squared error for 1, and in general
(y ** (beta + 1) / (beta + 1) - y z ** beta) / beta + z ** (beta + 1) / (beta + 1) (huerta, section 4; the convention of
Cichocki et al. 2006). The first part needs the non-zeros of y only (`factor_kernels`); the second one needs every
cell, but for betas of 0 and 1 it is known from sums and products of the factors alone: their `moments`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.sentences.matrices import row_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

CELLS = 1 << 21  # of a dense block
LARGEST = np.float32(1e15)  # factor
DEAD = 1e-18  # smaller factors are 0: numbers that are nearly nothing are slow
NEARLY = 0.99  # share of the way to the border that an additive step may go


def has_moments(beta: float) -> bool:
    """Tell whether the dense part of the divergence is known without visiting every cell."""
    return beta in (0.0, 1.0)


def moments(factors: Array, beta: float) -> Array:
    """Return what the dense part needs to know of factors: their sums, or their products with each other."""
    if beta == 0.0:
        return np.asarray(factors.sum(axis=0, dtype=np.float64))
    exact = factors.astype(np.float64)  # an objective is the small difference of large numbers
    return np.asarray(exact.T @ exact)


def denominators(rows: Array, known: Array, beta: float) -> Array:
    """Return the slopes of the dense part for each row, from the moments of the factors on the other side."""
    if beta == 0.0:
        return np.broadcast_to(known.astype(np.float32), rows.shape)
    return np.asarray(rows @ known.astype(np.float32))


def dense_part(rows: Array, known: Array, beta: float) -> float:
    """Return the dense part of the divergence, from the moments of the factors on the other side."""
    if beta == 0.0:
        return float(rows.sum(axis=0, dtype=np.float64) @ known)
    return 0.5 * float(np.sum(moments(rows, beta) * known))


def dense_denominators(rows: Array, factors: Array, beta: float) -> tuple[Array, float]:
    """Return the slopes of the dense part for each row and its value, from every cell, in blocks."""
    slopes, value = np.empty_like(rows), 0.0
    for first, end in row_blocks(len(rows), max(1, CELLS // max(1, len(factors)))):
        products = rows[first:end] @ factors.T
        powers = np.maximum(products, np.float32(1e-30)) ** beta
        slopes[first:end] = powers @ factors
        value += float(np.sum(powers * products, dtype=np.float64)) / (beta + 1)
    return slopes, value


def exponent(beta: float) -> float:
    """Return the power of the ratio for which a multiplicative step never makes the divergence rise."""
    return 1 / (1 - beta) if beta < 0 else 1 / beta if beta > 1 else 1.0


def multiplied(rows: Array, numerators: Array, slopes: Array, beta: float) -> Array:
    """Take a multiplicative step: `slopes` have the penalties."""
    ratios = np.divide(numerators, slopes, out=np.zeros(rows.shape, np.float32), where=slopes > 0)
    result = rows * (ratios if exponent(beta) == 1.0 else ratios ** np.float32(exponent(beta)))
    result[~(result > DEAD)] = 0
    return np.asarray(np.minimum(result, LARGEST), np.float32)


def added(rows: Array, numerators: Array, slopes: Array, known: Array, step: float | None) -> Array:
    """Take an additive step for the squared error, in the direction of the interior-point gradient.

    The direction is rows / slopes * (numerators - slopes): the multiplicative step is exactly one such step. A step
    of None is the best one for each row, but at most `NEARLY` the way to a border (Cichocki et al. 2006, equation 16).
    """
    scale = np.divide(rows, slopes, out=np.zeros_like(rows), where=slopes > 0)
    slope = numerators - slopes
    direction = scale * slope
    if step is None:
        curve = np.sum(direction * (direction @ known.astype(np.float32)), axis=1)
        best = np.divide(
            np.sum(direction * slope, axis=1), curve, out=np.ones(len(rows), np.float32), where=curve > 0
        )
        falling = direction < 0
        room = np.divide(rows, -direction, out=np.full_like(rows, np.inf), where=falling).min(
            axis=1, initial=np.inf
        )
        steps = np.minimum(best, NEARLY * room)[:, None]
    else:
        steps = np.full((len(rows), 1), step, np.float32)
    result = rows + steps * direction
    result[~(result > DEAD)] = 0
    return np.asarray(result, np.float32)
