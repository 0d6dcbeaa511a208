"""Sentences that the factorisation has not seen, in the common space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked
from cepts.errors import OptionError
from cepts.running import run
from cepts.sentences.divergence import denominators, dense_denominators, has_moments, moments, multiplied
from cepts.sentences.factor_kernels import solve_non_negative, sums_by_row
from cepts.sentences.matrices import row_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.sentences.matrices import Matrix
    from cepts.sentences.options import FactorOptions

    Array = NDArray[Any]

PROJECTIONS = ("non-negative", "least-squares", "divergence")
BLOCK = 4096  # rows
SWEEPS, TOLERANCE = 500, 1e-6  # of the non-negative solution
STEPS = 50  # multiplicative ones
CUTOFF = 1e-6  # singular values below this share of the largest are none: features that are dead or alike


@checked
def project(
    matrix: Matrix, factors: Array, projection: str, options: FactorOptions, threads: int = 1
) -> NDArray[np.float32]:
    """Return what each sentence weighs in each dimension; one without a known feature weighs nothing.

    `least-squares` is the projection as printed, which may be negative, `non-negative` the best that is not, and
    `divergence` the one that the factorisation itself would find for this language alone.
    """
    if projection not in PROJECTIONS:
        raise OptionError(f"projection must be one of {', '.join(PROJECTIONS)}, got {projection!r}")
    if factors.ndim != 2 or len(factors) != matrix.width:
        raise OptionError(
            f"factors of shape {factors.shape} for {matrix.width} features: expected a row for each"
        )
    known = moments(factors, options.beta) if has_moments(options.beta) else None
    gram = (factors.T @ factors).astype(np.float64)
    inverse = _inverse(gram).astype(np.float32)

    def solved(block: tuple[int, int]) -> Array:
        part = matrix.part(*block)
        if projection == "divergence":
            return _stepped(part, factors, known, options)
        products = np.zeros((part.rows, factors.shape[1]), np.float32)
        sums_by_row(*part[:3], factors, np.zeros_like(products), 1.0, products)
        if projection == "least-squares":
            return products @ inverse
        rows = np.empty_like(products)
        solve_non_negative(gram, products, SWEEPS, TOLERANCE, rows)
        return rows

    blocks = list(run(solved, row_blocks(matrix.rows, BLOCK), threads))
    return np.concatenate(blocks) if blocks else np.zeros((0, factors.shape[1]), np.float32)


def _inverse(gram: Array) -> Array:
    """Return the pseudo-inverse, whatever the scale of each dimension, which is arbitrary."""
    lengths = np.sqrt(np.diag(gram))
    scales = np.outer(*[np.where(lengths > 0, lengths, 1)] * 2)
    return np.asarray(np.linalg.pinv(gram / scales, rcond=CUTOFF, hermitian=True) / scales)


def _stepped(part: Matrix, factors: Array, known: Array | None, options: FactorOptions) -> Array:
    """Return sentences after many multiplicative steps from the same start for all."""
    rows = np.full((part.rows, factors.shape[1]), 1 / factors.shape[1], np.float32)
    for _ in range(STEPS):
        numerators = np.zeros_like(rows)
        sums_by_row(*part[:3], factors, rows, options.beta, numerators)
        if known is None:
            slopes = dense_denominators(rows, factors, options.beta)[0]
        else:
            slopes = denominators(rows, known, options.beta)
        rows = multiplied(rows, numerators, slopes + np.float32(options.row_sparsity), options.beta)
    return rows
