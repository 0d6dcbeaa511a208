"""Where a factorisation starts: at random, or near the largest singular vectors of both matrices together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.running import run
from cepts.sentences.factor_kernels import sums_by_feature, sums_by_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from cepts.sentences.factorising import Pair

    Array = NDArray[Any]

EXTRA, ROUNDS = 8, 3  # directions and rounds of the search for singular vectors beyond what is wanted
LEAST = 0.01  # of the mean: zeros would stay for ever


def random_factors(means: Array, k: int, random: Generator) -> Array:
    """Return factors of features such that even sentences would be near the features' means."""
    return means[:, None].astype(np.float32) * _uneven(len(means), k, random)


def random_rows(count: int, k: int, random: Generator) -> Array:
    """Return sentences that weigh about 1 in all."""
    return _uneven(count, k, random) / np.float32(k)


def _uneven(count: int, k: int, random: Generator) -> NDArray[np.float32]:
    """Return positive numbers that are 1 on average and far from even, so that dimensions soon part."""
    return (1 - LEAST) * random.standard_exponential((count, k), np.float32) + np.float32(LEAST)


def feature_means(pairs: Sequence[Pair], widths: Sequence[int]) -> list[Array]:
    """Return the mean value of each feature of both languages."""
    totals = [np.zeros(width) for width in widths]
    count = sum(len(pair.rows) for pair in pairs)
    for pair in pairs:
        for total, chunk in zip(totals, pair.sides, strict=True):
            total[chunk.used] += np.bincount(chunk.rows.features, chunk.rows.values, len(chunk.used))
    return [(total / max(1, count)).astype(np.float32) for total in totals]


def start_near_singular(
    pairs: Sequence[Pair], widths: Sequence[int], k: int, random: Generator, threads: int
) -> list[Array]:
    """Set sentences to, and return factors of, the non-negative parts of singular vectors.

    This is NNDSVD (Boutsidis and Gallopoulos 2008). The vectors are those of both matrices side by side, found by
    repeated products with a random subspace.
    """
    size = sum(widths)
    basis = np.linalg.qr(random.standard_normal((size, min(k + EXTRA, size))).astype(np.float32))[0]
    for _ in range(ROUNDS):
        rows = np.linalg.qr(_rows_of(pairs, basis, widths, threads))[0]
        basis = np.linalg.qr(_features_of(pairs, rows, widths, threads))[0]
    left, values, right = np.linalg.svd(_rows_of(pairs, basis, widths, threads), full_matrices=False)
    rows, factors = _non_negative(left[:, :k], values[:k], (basis @ right.T)[:, :k])
    for pair, first in _with_first(pairs):
        pair.rows[:] = rows[first : first + len(pair.rows)]
    return [np.ascontiguousarray(each) for each in np.split(factors, [widths[0]])]


def _with_first(pairs: Sequence[Pair]) -> list[tuple[Pair, int]]:
    firsts = np.cumsum([0, *(len(pair.rows) for pair in pairs)]).tolist()
    return list(zip(pairs, firsts, strict=False))


def _rows_of(pairs: Sequence[Pair], factors: Array, widths: Sequence[int], threads: int) -> Array:
    """Return the products of both matrices side by side with factors of their features."""
    sides = [np.ascontiguousarray(each) for each in np.split(factors, [widths[0]])]

    def products(pair: Pair) -> Array:
        sums = np.zeros((len(pair.rows), factors.shape[1]), np.float32)
        for chunk, factor in zip(pair.sides, sides, strict=True):
            sums_by_row(*chunk.rows[:3], factor[chunk.used], np.zeros_like(sums), 1.0, sums)
        return sums

    return np.concatenate(list(run(products, pairs, threads)))


def _features_of(pairs: Sequence[Pair], rows: Array, widths: Sequence[int], threads: int) -> Array:
    """Return the products of both matrices, transposed, with rows."""

    def products(place: tuple[Pair, int]) -> list[Array]:
        pair, first = place
        mine = np.ascontiguousarray(rows[first : first + len(pair.rows)])
        sums = [np.zeros((len(chunk.used), rows.shape[1]), np.float32) for chunk in pair.sides]
        for chunk, each in zip(pair.sides, sums, strict=True):
            sums_by_feature(
                *chunk.rows[:3], each, mine, 1.0, each
            )  # for a beta of 1 no factors are looked at
        return sums

    totals = [np.zeros((width, rows.shape[1]), np.float32) for width in widths]
    for pair, sums in zip(pairs, run(products, _with_first(pairs), threads), strict=True):
        for total, chunk, each in zip(totals, pair.sides, sums, strict=True):
            total[chunk.used] += each
    return np.concatenate(totals)


def _non_negative(left: Array, values: Array, right: Array) -> tuple[Array, Array]:
    """Return, for each pair of singular vectors, the larger of their positive and their negative parts."""
    rows, factors = np.empty_like(left), np.empty_like(right)
    for j, value in enumerate(values):
        parts = [(np.maximum(sign * left[:, j], 0), np.maximum(sign * right[:, j], 0)) for sign in (1, -1)]
        sizes = [float(np.linalg.norm(one) * np.linalg.norm(other)) for one, other in parts]
        one, other = parts[int(np.argmax(sizes))]
        size = np.sqrt(max(float(value) * max(sizes), 1e-12))
        rows[:, j] = size * one / max(float(np.linalg.norm(one)), 1e-12)
        factors[:, j] = size * other / max(float(np.linalg.norm(other)), 1e-12)
    rows, factors = (np.maximum(each, LEAST * each.mean()) for each in (rows, factors))
    return rows.astype(np.float32), factors.astype(np.float32)
