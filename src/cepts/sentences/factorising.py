"""The joint factorisation: rows of both matrices by one factor for sentences and one for each language's features.

One iteration is one pass over chunks of sentences: a chunk updates its sentences, which depend on nothing but the
features' factors, and adds what it says about the features; then these are updated. Each of both steps makes the
objective fall, or leaves it (huerta, section 4).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.running import run
from cepts.sentences.divergence import (
    added,
    denominators,
    dense_denominators,
    dense_part,
    has_moments,
    moments,
    multiplied,
)
from cepts.sentences.factor_kernels import sums_by_feature, sums_by_row
from cepts.storage.scratch import release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cepts.sentences.elsewhere import Elsewhere
    from cepts.sentences.matrices import Chunk
    from cepts.sentences.options import FactorOptions

    Array = NDArray[Any]
    Factors = list[Array]  # of source features and of target features


class Pair(NamedTuple):
    """Chunks of the same sentences in both languages, and what these weigh in the common space, which is changed."""

    sides: tuple[Chunk, Chunk]
    rows: Array


class Said(NamedTuple):
    """What a chunk says: the objective's part before its sentences were updated, and sums for the features after.

    `by_feature` are numerators of the features used; `slopes` are moments of the sentences, or, where there are none,
    the slopes of all features of each language.
    """

    loss: float
    by_feature: list[Array]
    slopes: list[Array]


def iterations_of(
    pairs: Sequence[Pair],
    factors: Factors,
    options: FactorOptions,
    threads: int,
    elsewhere: Elsewhere | None = None,
) -> Iterator[float]:
    """Update everything in place, again and again; after each iteration yield what the objective was before."""
    while True:
        known = known_of(factors, options.beta)
        loss = penalty_of(factors, options)
        numerators = [np.zeros(each.shape, np.float64) for each in factors]
        slopes: list[Array] = []
        if elsewhere is None:
            worked = run(partial(_worked, factors=factors, known=known, options=options), pairs, threads)
        else:
            worked = elsewhere.each(_worked, factors, known, options)
        for pair, said in zip(pairs, worked, strict=True):
            loss += said.loss
            for side, chunk in enumerate(pair.sides):
                numerators[side][chunk.used] += said.by_feature[side]
            slopes = said.slopes if not slopes else [a + b for a, b in zip(slopes, said.slopes, strict=True)]
            _release(pair)
        for side in (0, 1):
            _update_factors(factors, side, numerators[side], slopes[side], options)
        yield loss


def _release(pair: Pair) -> None:
    """Give back the memory of a pair of chunks, as far as they are on disk."""
    release(pair.rows)
    for chunk in pair.sides:
        for array in chunk.rows[:3]:
            release(array)


def objective(
    pairs: Sequence[Pair],
    factors: Factors,
    options: FactorOptions,
    threads: int,
    elsewhere: Elsewhere | None = None,
) -> float:
    """Return the divergence of both languages and the penalties."""
    known = known_of(factors, options.beta)
    if elsewhere is None:
        losses = run(partial(_loss, factors=factors, known=known, options=options), pairs, threads)
    else:
        losses = elsewhere.each(_loss, factors, known, options)
    return sum(losses, penalty_of(factors, options))


def known_of(factors: Factors, beta: float) -> Array | None:
    """Return the moments of both languages' factors together, or None if the divergence needs every cell."""
    return moments(factors[0], beta) + moments(factors[1], beta) if has_moments(beta) else None


def penalty_of(factors: Factors, options: FactorOptions) -> float:
    """Return the penalties that are on factors of features."""
    sums = [each.sum(axis=0, dtype=np.float64) for each in factors]
    alone = options.factor_sparsity * float(sums[0].sum() + sums[1].sum())
    return alone + options.coupling * float(sums[0] @ sums[1])


def updated_rows(
    pair: Pair, factors: Factors, known: Array | None, options: FactorOptions
) -> tuple[Array, float]:
    """Return sentences after a step, and the objective's part before it."""
    numerators, slopes, loss = _slopes_of_rows(pair, factors, known, options)
    if options.update == "additive" and known is not None:
        return added(pair.rows, numerators, slopes, known, options.step), loss
    return multiplied(pair.rows, numerators, slopes, options.beta), loss


def _slopes_of_rows(
    pair: Pair, factors: Factors, known: Array | None, options: FactorOptions
) -> tuple[Array, Array, float]:
    """Return the numerators and the denominators of a step for sentences, and the objective's part."""
    rows = pair.rows
    numerators = np.zeros(rows.shape, np.float32)
    slopes = np.full(rows.shape, options.row_sparsity, np.float32)
    loss = options.row_sparsity * float(rows.sum(dtype=np.float64))
    if known is not None:
        slopes += denominators(rows, known, options.beta)
        loss += dense_part(rows, known, options.beta)
    for side, chunk in enumerate(pair.sides):
        matrix = chunk.rows
        near = factors[side][chunk.used]
        loss += sums_by_row(*matrix[:3], near, rows, options.beta, numerators)
        if known is None:
            more, part = dense_denominators(rows, factors[side], options.beta)
            slopes += more
            loss += part
    if options.beta == 1:
        loss -= float(np.sum(rows * numerators, dtype=np.float64))
    return numerators, slopes, loss


def _loss(pair: Pair, factors: Factors, known: Array | None, options: FactorOptions) -> float:
    return _slopes_of_rows(pair, factors, known, options)[2]


def _worked(pair: Pair, factors: Factors, known: Array | None, options: FactorOptions) -> Said:
    rows, loss = updated_rows(pair, factors, known, options)
    pair.rows[...] = rows
    by_feature = said_of_features(pair, factors, options.beta)
    if known is not None:
        of_rows = moments(rows, options.beta)
        return Said(loss, by_feature, [of_rows, of_rows])
    return Said(loss, by_feature, [dense_denominators(each, rows, options.beta)[0] for each in factors])


def said_of_features(pair: Pair, factors: Factors, beta: float) -> list[Array]:
    """Return the numerators of the features that a chunk uses."""
    result = []
    for side, chunk in enumerate(pair.sides):
        sums = np.zeros((len(chunk.used), pair.rows.shape[1]), np.float32)
        sums_by_feature(*chunk.rows[:3], factors[side][chunk.used], pair.rows, beta, sums)
        result.append(sums)
    return result


def _update_factors(
    factors: Factors, side: int, numerators: Array, known: Array, options: FactorOptions
) -> None:
    """Take a step for the features of one language."""
    mine, other = factors[side], factors[1 - side]
    slopes = denominators(mine, known, options.beta) if has_moments(options.beta) else known
    penalty = options.factor_sparsity + options.coupling * other.sum(axis=0, dtype=np.float64)
    slopes = (slopes + penalty).astype(np.float32)
    numerators = numerators.astype(np.float32)
    if options.update == "additive":
        factors[side] = added(mine, numerators, slopes, known, options.step)
    else:
        factors[side] = multiplied(mine, numerators, slopes, options.beta)
