"""Starts: the singular vectors against a solver, their non-negative parts by hand, means and evenness."""

import itertools

import numpy as np
import pytest

from cepts.sentences.starting import (
    LEAST,
    _non_negative,
    feature_means,
    random_factors,
    random_rows,
    start_near_singular,
)
from tests.sentences.factorisations import likeness, pairs_of, planted, sparse_problem


def started(given, k, entries, seed=1, threads=1):
    pairs = pairs_of(given, np.ones((len(given[0]), k)), entries)
    widths = [each.shape[1] for each in given]
    factors = start_near_singular(pairs, widths, k, np.random.default_rng(seed), threads)
    return np.concatenate([pair.rows for pair in pairs]), factors


def nndsvd(stacked, k):
    """Boutsidis and Gallopoulos 2008, of numpy's singular vectors, with zeros as zeros."""
    left, values, right = np.linalg.svd(stacked, full_matrices=False)
    rows, factors = np.zeros((len(stacked), k)), np.zeros((stacked.shape[1], k))
    for j in range(k):
        found = []
        for sign in (1, -1):
            one, other = np.maximum(sign * left[:, j], 0), np.maximum(sign * right[j], 0)
            found.append((np.linalg.norm(one) * np.linalg.norm(other), one, other))
        size, one, other = max(found, key=lambda each: each[0])
        rows[:, j] = np.sqrt(values[j] * size) * one / np.linalg.norm(one)
        factors[:, j] = np.sqrt(values[j] * size) * other / np.linalg.norm(other)
    return rows, factors


@pytest.mark.parametrize("entries", [25, 10_000])
def test_singular_vectors_are_the_solvers(entries, seed):
    given, _ = planted(seed, noise=0.02)  # few large singular values: the search meets them
    rows, factors = started(given, 3, entries)
    expected = nndsvd(np.concatenate(given, axis=1), 3)
    for found, sought in zip((rows, np.concatenate(factors)), expected, strict=True):
        large = sought > 2 * LEAST * sought.mean()
        np.testing.assert_allclose(found[large], sought[large], rtol=1e-2, atol=1e-4)
        assert np.all(found[sought == 0] <= 1.5 * LEAST * sought.mean())


def test_the_first_dimension_has_all_of_the_largest_singular_vector(seed):
    given, _, _ = sparse_problem(seed)
    stacked = np.concatenate(given, axis=1)
    rows, factors = started(given, 4, 30)
    left, values, right = np.linalg.svd(stacked, full_matrices=False)
    best = values[0] * np.outer(left[:, 0], right[0])  # its vectors have one sign
    np.testing.assert_allclose(
        np.outer(rows[:, 0], np.concatenate(factors)[:, 0]), np.abs(best), atol=0.02 * np.abs(best).max()
    )


def test_nothing_starts_at_zero(seed):
    given, _, _ = sparse_problem(seed)
    for array in (started(given, 5, 30)[0], *started(given, 5, 30)[1]):
        assert array.dtype == np.float32
        assert array.flags.c_contiguous
        assert np.all(array > 0)


def test_threads_give_the_same_bits(seed):
    given, _, _ = sparse_problem(seed)
    rows, factors = started(given, 4, 11)
    for threads in (2, 3):
        others, more = started(given, 4, 11, threads=threads)
        np.testing.assert_array_equal(others, rows)
        for side in (0, 1):
            np.testing.assert_array_equal(more[side], factors[side])


@pytest.mark.parametrize("shape", [(2, 9), (9, 2), (1, 1), (3, 3)])
def test_small_matrices_have_as_many_dimensions_as_they_can(shape, seed):
    random = np.random.default_rng(seed)
    given = [random.random(shape), random.random(shape)]
    most = min(shape[0], 2 * shape[1])
    rows, factors = started(given, most, 5)
    assert (rows.shape, factors[0].shape, factors[1].shape) == (
        (shape[0], most),
        (shape[1], most),
        (shape[1], most),
    )
    assert np.all(np.isfinite(rows))


def test_the_larger_part_by_hand():
    # Of (3, -4) x (-4, 3) / 25, the pair of parts (3, 0) and (0, 3) has the size 9, (0, 4) and (4, 0) the size 16.
    left, right = np.array([[0.6], [-0.8]], np.float32), np.array([[-0.8], [0.6]], np.float32)
    rows, factors = _non_negative(left, np.array([10.0]), right)
    size = np.sqrt(10 * 0.64)
    assert rows[:, 0] == pytest.approx([LEAST * size / 2, size], rel=1e-5)
    assert factors[:, 0] == pytest.approx([size, LEAST * size / 2], rel=1e-5)


def test_planted_dimensions_are_seen_before_any_iteration(seed):
    given, factors = planted(seed)
    rows, found = started(given, 3, 10_000)
    error, whole = (
        sum(np.linalg.norm(each - products) ** 2 for each, products in zip(given, made, strict=True))
        for made in ([rows @ each.T for each in found], [0 * each for each in given])
    )
    assert error < 0.5 * whole
    assert likeness(np.concatenate(found), np.concatenate(factors)) > 0.6


def test_means_are_those_of_columns(seed):
    given, rows, _ = sparse_problem(seed)
    for entries in (7, 10_000):
        means = feature_means(pairs_of(given, rows, entries), [12, 9])
        for found, each in zip(means, given, strict=True):
            assert found.dtype == np.float32
            np.testing.assert_allclose(found, each.mean(axis=0), rtol=1e-6)


def test_random_starts_are_near_the_means_and_uneven():
    random = np.random.default_rng(5)
    means = np.linspace(0, 2, 40)
    factors = random_factors(means, 500, random)
    rows = random_rows(2000, 500, random)
    assert (factors.dtype, rows.dtype) == (np.float32, np.float32)
    np.testing.assert_allclose(factors.mean(axis=1), means, rtol=0.15)
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=0.25)
    np.testing.assert_allclose((rows[:20] @ factors.T).mean(axis=0), means, rtol=0.15)
    assert np.all(factors[1:] >= LEAST * means[1:, None] * 0.999)
    assert 0.8 < factors[20].std() / factors[20].mean() < 1.2  # exponential: as large as the mean
    assert not factors[0].any()


def test_seeds_are_starts(seed):
    given, _, _ = sparse_problem(seed)
    for one, other in itertools.pairwise(started(given, 3, 30, seed=number)[0] for number in (1, 2, 3)):
        np.testing.assert_allclose(one[:, 0], other[:, 0], atol=0.05)  # the search ends at the same place
