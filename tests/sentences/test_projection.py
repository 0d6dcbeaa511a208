"""Projections: least squares against a solver, non-negative ones against every choice, and what sparsity does."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.sentences import FactorOptions, JointNMF, project
from cepts.sentences import projection as projection_module
from cepts.sentences.matrices import as_matrix
from tests.reference import joint_factorisation as twin
from tests.sentences.factorisations import BETAS, matrices, planted, sparse_problem, uneven, updates

OPTIONS = FactorOptions(k=4)
PROJECTIONS = ("non-negative", "least-squares", "divergence")


def projected(values, factors, projection, options=OPTIONS, threads=1):
    rows = project(as_matrix(values), np.asarray(factors, np.float32), projection, options, threads)
    assert (rows.dtype, rows.shape) == (np.float32, (len(values), np.shape(factors)[1]))
    assert np.all(np.isfinite(rows))
    return rows


def some(seed, rows=40, features=12, k=4):
    """Sparse values, and factors of which many are zero."""
    random = np.random.default_rng(seed)
    factors = uneven(random, features, k) * (random.random((features, k)) < 0.5)
    return random.poisson(0.7, (rows, features)) * 1.0, factors


def test_least_squares_by_hand():
    # Features 1 and 2 are the dimensions, feature 3 is both: (A'A)^-1 = [[2, -1], [-1, 2]] / 3, A'y = (1, -2 + 3).
    factors = [[1, 0], [0, 1], [1, 1]]
    assert projected([[1, 0, 0]], factors, "least-squares")[0] == pytest.approx([2 / 3, -1 / 3], abs=1e-6)
    assert projected([[1, 2, 3]], factors, "least-squares")[0] == pytest.approx([1, 2], abs=1e-6)


def test_non_negative_by_hand():
    # Without the second dimension, the best weight of the first is A'y / A'A = 1 / 2.
    factors = [[1, 0], [0, 1], [1, 1]]
    assert projected([[1, 0, 0]], factors, "non-negative")[0] == pytest.approx([0.5, 0], abs=1e-6)
    assert projected([[1, 2, 3]], factors, "non-negative")[0] == pytest.approx([1, 2], abs=1e-5)


def test_divergence_by_hand():
    # KL with features that belong to one dimension each: a weight is the sum of values by that of factors.
    factors = [[1, 0], [3, 0], [0, 2]]
    assert projected([[1, 7, 6]], factors, "divergence")[0] == pytest.approx([2, 3], rel=1e-5)


def test_least_squares_is_the_solvers(seed):
    values, factors = some(seed)
    np.testing.assert_allclose(
        projected(values, factors, "least-squares"), twin.least_squares(values, factors), rtol=1e-3, atol=1e-4
    )


@pytest.mark.parametrize("fault", ["dead", "twice", "dead and twice", "none alive"])
def test_least_squares_of_columns_that_are_dead_or_alike(fault, seed):
    values, factors = some(seed)
    if "dead" in fault:
        factors[:, 1] = 0
    if "twice" in fault:
        factors[:, 3] = factors[:, 0]
    if fault == "none alive":
        factors[:] = 0
    rows = projected(values, factors, "least-squares")
    np.testing.assert_allclose(rows, twin.least_squares(values, factors), rtol=1e-3, atol=1e-4)
    if "dead" in fault:
        assert np.abs(rows[:, 1]).max() < 1e-12
    if "twice" in fault:  # the solution that is nearest to zero has them even
        np.testing.assert_allclose(rows[:, 0], rows[:, 3], atol=1e-4)


def test_non_negative_is_the_best_of_every_choice(seed):
    values, factors = some(seed)
    found = projected(values, factors, "non-negative")
    np.testing.assert_allclose(found, twin.non_negative_least_squares(values, factors), rtol=1e-3, atol=1e-4)
    assert (found == 0).mean() > 0.1  # some borders were met


@settings(max_examples=60)
@given(matrices(), st.integers(1, 4), st.integers(0, 99), st.sampled_from(["as it is", "dead", "twice"]))
def test_non_negative_is_where_no_way_leads_down(given, k, seed, fault):
    values = given[0] if given[0].shape[1] else given[1]
    random = np.random.default_rng(seed)
    factors = uneven(random, values.shape[1], k) * (random.random((values.shape[1], k)) < 0.7)
    if fault == "dead":
        factors[:, -1] = 0
    elif fault == "twice":
        factors[:, -1] = factors[:, 0]
    rows = projected(values, factors, "non-negative").astype(float)
    slopes = (rows @ factors.T - values) @ factors
    tolerance = 1e-4 * (1 + np.abs(values @ factors).max())
    assert np.all(rows >= 0)
    assert np.all(slopes >= -tolerance)
    assert np.all(slopes[rows > 1e-3] <= tolerance)


def test_rows_are_solved_by_themselves(seed):
    values, factors = some(seed)
    for projection in PROJECTIONS:
        whole = projected(values, factors, projection)
        for i in (0, 7, 39):
            np.testing.assert_allclose(
                whole[i : i + 1], projected(values[i : i + 1], factors, projection), rtol=1e-5, atol=1e-6
            )


@settings(max_examples=40)
@given(matrices(), st.sampled_from([-0.5, 0.0, 0.5, 1.0, 1.5, 2.0]), st.integers(0, 99))
def test_more_steps_never_make_the_divergence_rise(given, beta, seed):
    values = given[0] if given[0].shape[1] else given[1]
    factors = uneven(np.random.default_rng(seed), values.shape[1], 3)
    options = FactorOptions(k=3, beta=beta)
    losses = []
    with pytest.MonkeyPatch.context() as patch:
        for steps in range(6):
            patch.setattr(projection_module, "STEPS", steps)
            rows = projected(values, factors, "divergence", options).astype(float)
            losses.append(twin.divergence(values, rows @ factors.T.astype(float), beta))
    size = 1 + losses[0] + float((values ** (beta + 1)).sum())
    assert np.all(np.diff(losses) <= 1e-5 * size)


@pytest.mark.parametrize("beta", BETAS)
def test_divergence_ends_where_no_way_leads_down(beta, seed, monkeypatch):
    values, _ = some(seed, rows=10)
    factors = uneven(np.random.default_rng(seed), 12, 3)
    monkeypatch.setattr(projection_module, "STEPS", 3000)
    rows = projected(values, factors, "divergence", FactorOptions(k=3, beta=beta)).astype(float)
    up, down = twin.halves_of_gradient(values, rows, factors.astype(float), beta)
    full = values.any(axis=1)
    assert np.all((down - up)[full] >= -2e-3 * down[full])
    alive = rows > 1e-2
    assert np.all(np.abs(down - up)[alive] <= 1e-2 * down[alive])


def test_divergence_of_the_squared_error_is_the_non_negative_projection(seed, monkeypatch):
    values, _ = some(seed, rows=10)
    factors = uneven(np.random.default_rng(seed), 12, 3)
    monkeypatch.setattr(projection_module, "STEPS", 3000)
    found = projected(values, factors, "divergence", FactorOptions(k=3, beta=1.0))
    np.testing.assert_allclose(found, projected(values, factors, "non-negative"), atol=1e-2)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("projection", PROJECTIONS)
def test_threads_and_blocks_give_the_same(projection, beta, seed, monkeypatch):
    values, factors = some(seed, rows=50)
    options = FactorOptions(k=4, beta=beta)
    whole = projected(values, factors, projection, options)
    monkeypatch.setattr(projection_module, "BLOCK", 7)
    expected = projected(values, factors, projection, options)
    np.testing.assert_allclose(expected, whole, rtol=1e-4, atol=1e-6)
    for threads in (2, 3):
        np.testing.assert_array_equal(projected(values, factors, projection, options, threads), expected)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("projection", PROJECTIONS)
def test_empty_sentences_and_dead_features_weigh_nothing(projection, beta, seed):
    values, factors = some(seed, rows=6)
    values[2] = values[4] = factors[5] = 0
    values[4, 5] = 1  # nothing but a feature without weight
    rows = projected(values, factors, projection, FactorOptions(k=4, beta=beta))
    assert not rows[[2, 4]].any()
    assert np.all(rows[[0, 1, 3, 5]].any(axis=1))
    assert projected(np.zeros((0, 12)), factors, projection).shape == (0, 4)


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_sentences_with_nothing_that_is_known_score_0(projection, seed):
    given, _ = planted(seed)
    model = JointNMF(k=3, start="svd").fit(*given)
    silent = np.zeros_like(given[1])
    for measure in ("cosine", "dot", "euclidean", "hellinger"):
        assert not model.score(given[0], silent, measure, projection).any()
        assert not model.score(silent[:, :10] @ np.zeros((10, 15)), given[1], measure, projection).any()
        assert model.score(given[0], given[1], measure, projection).mean() > 0.5


def test_planted_sentences_come_back(seed):
    given, factors = planted(seed)
    weights = twin.least_squares(given[0], factors[0])
    for projection in PROJECTIONS:
        for side in (0, 1):
            np.testing.assert_allclose(projected(given[side], factors[side], projection), weights, atol=1e-3)


def test_an_unknown_projection_is_refused():
    with pytest.raises(
        OptionError, match=r"^projection must be one of non-negative, least-squares, divergence, got 'flat'$"
    ):
        projected(np.ones((1, 2)), np.ones((2, 2)), "flat")


def test_sparsity_only_rescales_kl_with_columns_that_sum_to_1(seed):
    values, factors = some(seed)
    factors = factors / factors.sum(axis=0)
    free, bound = (
        projected(
            values, factors, "divergence", FactorOptions(k=4, row_sparsity=weight, factor_sparsity=weight)
        )
        for weight in (0.0, 3.0)
    )
    np.testing.assert_allclose(bound, free / (1 + 3.0), rtol=1e-4, atol=1e-7)


def near_zeros(rows):
    """The share of weights below a thousandth of a sentence's largest."""
    rows = rows[rows.max(axis=1) > 0]
    return float((rows < 1e-3 * rows.max(axis=1, keepdims=True)).mean())


def test_sparsity_makes_squared_error_sparse(seed, monkeypatch):
    values, factors = some(seed, k=6)
    factors = factors + np.float32(0.2)
    monkeypatch.setattr(projection_module, "STEPS", 500)
    shares = [
        near_zeros(
            projected(
                values,
                factors,
                "divergence",
                FactorOptions(k=6, beta=1.0, row_sparsity=weight, factor_sparsity=1.0),
            )
        )
        for weight in (0.0, 0.5, 1.5)
    ]
    assert all(before + 0.03 < after for before, after in itertools.pairwise(shares))


@pytest.mark.parametrize(("beta", "gain"), [(0.0, 0.0), (1.0, 0.1)])
def test_sparsity_of_a_whole_factorisation(beta, gain, seed):
    # the scale moves between sentences and features; only for the squared error do sentences become sparse
    given, rows, factors = sparse_problem(seed, rows=80)
    shares = []
    for weights in ({}, {"row_sparsity": 5, "factor_sparsity": 1}):
        states, _ = updates(given, rows, factors, FactorOptions(k=4, beta=beta, **weights), 300)
        shares.append(near_zeros(states[-1][0]))
    assert shares[1] - shares[0] == pytest.approx(gain, abs=0.05)


def test_least_squares_whatever_the_scale_of_a_dimension(seed):
    values, factors = some(seed)
    scales = np.array([1, 1e-5, 1e4, 3e-4], np.float32)
    np.testing.assert_allclose(
        projected(values, factors * scales, "least-squares") * scales,
        twin.least_squares(values, factors),
        rtol=1e-3,
        atol=1e-4,
    )
