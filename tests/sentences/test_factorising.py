"""The updates: as the dense twin does them, never upwards, and the same for all chunks and threads."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.sentences import divergence
from cepts.sentences.divergence import exponent
from cepts.sentences.factorising import iterations_of, objective
from cepts.sentences.options import FactorOptions
from tests.reference import joint_factorisation as twin
from tests.sentences.factorisations import BETAS, matrices, pairs_of, sparse_problem, start, updates

NONE = {}
ROWS = {"row_sparsity": 0.7, "factor_sparsity": 0.3}
ALL = {"row_sparsity": 0.4, "factor_sparsity": 0.2, "coupling": 0.15}
COUPLED = {"coupling": 0.5}
KINDS = [
    *({"beta": beta} for beta in BETAS),
    {"beta": 1.0, "update": "additive"},
    {"beta": 1.0, "update": "additive", "step": 0.3},
    {"beta": 1.0, "update": "additive", "step": 1.0},
]
# Single precision: a weight may be wrong by some millionths, and an objective by as much of what it consists of.
ROUNDING = 1e-5


def penalties(options):
    return {name: getattr(options, name) for name in ("beta", *ALL)}


def size_of(given, options, rows, factors):
    """The size of the numbers that an objective is the small difference of."""
    zeros = [np.zeros_like(each) for each in given]
    return 1 + sum(
        abs(twin.objective(each, rows, factors, **penalties(options)))
        + float(sum((values ** (options.beta + 1)).sum() for values in given))
        for each in (given, zeros)
    )


def test_one_sentence_by_hand():
    # KL: 6 is 3 times 1 * 2, and 3 is 3 times 1 * 1, so that the sentence grows by 3, and all is well.
    given, rows, factors = [np.array([[6.0]]), np.array([[3.0]])], [[1]], [[[2]], [[1]]]
    states, told = updates(given, rows, factors, FactorOptions(k=1), 2)
    assert states[0][0] == pytest.approx(np.array([[3]]))
    assert [each.item() for each in states[2][1]] == pytest.approx([2, 1])
    assert told == pytest.approx([9 * math.log(3) - 6, 0], abs=1e-5)


def test_squared_error_by_hand():
    # (6 * 2 + 3 * 1) / (1 * (2 * 2 + 1 * 1)) is 3; before, the errors are 4 and 2: half of 16 + 4.
    given, rows, factors = [np.array([[6.0]]), np.array([[3.0]])], [[1]], [[[2]], [[1]]]
    states, told = updates(given, rows, factors, FactorOptions(k=1, beta=1.0), 2)
    assert states[0][0] == pytest.approx(np.array([[3]]))
    assert told == pytest.approx([10, 0], abs=1e-5)


def test_penalties_by_hand():
    # The sentence: (6 / 2 * 2 + 3 / 1 * 1) / (2 + 1 + 1.5) = 2.
    # The source feature: 2 * (6 / 4 * 2) / (2 + 0.5 + 0.25 * 1) = 24 / 11.
    # The target feature meets the new source feature: (3 / 2 * 2) / (2 + 0.5 + 0.25 * 24 / 11) = 66 / 67.
    given, rows, factors = [np.array([[6.0]]), np.array([[3.0]])], [[1]], [[[2]], [[1]]]
    options = FactorOptions(k=1, row_sparsity=1.5, factor_sparsity=0.5, coupling=0.25)
    states, told = updates(given, rows, factors, options, 1)
    assert states[0][0].item() == pytest.approx(2)
    assert [each.item() for each in states[2][1]] == pytest.approx([24 / 11, 66 / 67])
    assert told == pytest.approx([9 * math.log(3) - 6 + 1.5 * 1 + 0.5 * (2 + 1) + 0.25 * 2 * 1])


@pytest.mark.parametrize(
    ("beta", "power"), [(-0.5, 2 / 3), (0, 1), (0.5, 1), (1, 1), (1.5, 2 / 3), (4, 0.25)]
)
def test_ratios_are_damped_outside_of_0_to_1(beta, power):
    assert exponent(beta) == pytest.approx(power)


@pytest.mark.parametrize("weights", [NONE, ROWS, COUPLED, ALL], ids=["none", "rows", "coupled", "all"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
def test_iterations_are_the_twins(kind, weights, seed):
    given, rows, factors = sparse_problem(seed)
    options = FactorOptions(k=rows.shape[1], **kind, **weights)
    states, told = updates(given, rows, factors, options, 3, entries=25)
    expected = rows.astype(float), [each.astype(float) for each in factors]
    for number in range(3):
        before = twin.objective(given, *expected, **penalties(options))
        assert told[number] == pytest.approx(before, rel=1e-5)
        expected = twin.iteration(given, *expected, **kind, **weights)
        found = states[3 * number + 2]
        for one, other in zip([found[0], *found[1]], [expected[0], *expected[1]], strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-6)


@settings(max_examples=120)
@given(
    matrices(),
    st.integers(1, 4),
    st.sampled_from([-0.9, *BETAS, 3.0, 4.0]),
    st.sampled_from([NONE, ROWS, COUPLED, ALL]),
    st.integers(0, 99),
)
def test_no_multiplicative_update_makes_the_objective_rise(given, k, beta, weights, seed):
    check_falling(given, FactorOptions(k=k, beta=beta, **weights), seed)


@settings(max_examples=60)
@given(
    matrices(),
    st.integers(1, 4),
    st.sampled_from([None, 0.01, 0.5, 1.0]),
    st.sampled_from([NONE, ROWS, COUPLED, ALL]),
    st.integers(0, 99),
)
def test_no_additive_update_makes_the_objective_rise(given, k, step, weights, seed):
    check_falling(given, FactorOptions(k=k, beta=1.0, update="additive", step=step, **weights), seed)


def check_falling(given, options, seed):
    rows, factors = start(given, options.k, seed)
    states, told = updates(given, rows, factors, options, 4, entries=7)
    states.insert(0, (rows.astype(float), [each.astype(float) for each in factors]))
    dense = [twin.objective(given, *state, **penalties(options)) for state in states]
    tolerance = ROUNDING * size_of(given, options, *states[0])
    for number, (before, after) in enumerate(itertools.pairwise(dense)):
        assert after <= before + tolerance, ("sentences", "source", "target")[number % 3]
    np.testing.assert_allclose(told, dense[:-1:3], atol=tolerance, rtol=0)
    for state in states:
        for each in (state[0], *state[1]):
            assert np.all(np.isfinite(each) & (each >= 0))


@settings(max_examples=40)
@given(matrices(), st.sampled_from(BETAS), st.sampled_from([NONE, ALL]), st.integers(0, 99))
def test_the_objective_is_that_of_every_cell(given, beta, weights, seed):
    rows, factors = start(given, 3, seed)
    options = FactorOptions(k=3, beta=beta, **weights)
    found = objective(pairs_of(given, rows, 5), factors, options, threads=1)
    expected = twin.objective(
        given, rows.astype(float), [each.astype(float) for each in factors], **penalties(options)
    )
    assert found == pytest.approx(
        expected, abs=ROUNDING * size_of(given, options, rows.astype(float), factors)
    )


def test_what_has_no_value_dies_at_once(seed):
    given, rows, factors = sparse_problem(seed)
    for beta in BETAS:
        states, _ = updates(given, rows, factors, FactorOptions(k=rows.shape[1], beta=beta), 1)
        assert not states[0][0][3].any()  # an empty pair
        assert states[0][0][5].any()  # empty on one side only
        assert not states[1][1][0][2].any()
        assert not states[2][1][1][4].any()


@pytest.mark.parametrize("beta", BETAS)
def test_threads_give_the_same_bits(beta, seed):
    given, rows, factors = sparse_problem(seed)
    options = FactorOptions(k=rows.shape[1], beta=beta, **ALL)
    alone, told = updates(given, rows, factors, options, 4, entries=11)
    for threads in (2, 3):
        states, others = updates(given, rows, factors, options, 4, entries=11, threads=threads)
        assert others == told
        for one, other in zip(alone, states, strict=True):
            np.testing.assert_array_equal(one[0], other[0])
            for side in (0, 1):
                np.testing.assert_array_equal(one[1][side], other[1][side])


@pytest.mark.parametrize("entries", [1, 13, 40])
@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
def test_chunks_give_the_same_up_to_rounding(beta, entries, seed):
    given, rows, factors = sparse_problem(seed)
    options = FactorOptions(k=rows.shape[1], beta=beta, **ALL)
    whole, told = updates(given, rows, factors, options, 3)
    states, others = updates(given, rows, factors, options, 3, entries=entries)
    assert len(pairs_of(given, rows, entries)) > 1
    np.testing.assert_allclose(others, told, rtol=1e-5)
    np.testing.assert_allclose(states[-1][0], whole[-1][0], rtol=1e-4, atol=1e-6)
    for side in (0, 1):
        np.testing.assert_allclose(states[-1][1][side], whole[-1][1][side], rtol=1e-4, atol=1e-6)


def test_dense_blocks_give_the_same(monkeypatch, seed):
    given, rows, factors = sparse_problem(seed)
    options = FactorOptions(k=rows.shape[1], beta=0.5, **ALL)
    whole, told = updates(given, rows, factors, options, 2)
    monkeypatch.setattr(divergence, "CELLS", 50)  # some five rows at once
    states, others = updates(given, rows, factors, options, 2)
    np.testing.assert_allclose(others, told, rtol=1e-6)
    np.testing.assert_allclose(states[-1][0], whole[-1][0], rtol=1e-5)
    np.testing.assert_allclose(states[-1][1][0], whole[-1][1][0], rtol=1e-5)


def test_the_best_additive_step_is_at_least_as_good_as_any_fixed_one(seed):
    given, rows, factors = sparse_problem(seed)
    after = {}
    for step in (None, 0.1, 0.5, 1.0):
        options = FactorOptions(k=rows.shape[1], beta=1.0, update="additive", step=step)
        states, _ = updates(given, rows, factors, options, 1)
        after[step] = twin.objective(given, states[0][0], factors, beta=1.0)
    assert after[None] < min(after[step] for step in (0.1, 0.5, 1.0))


def test_an_additive_step_of_1_is_the_multiplicative_one(seed):
    given, rows, factors = sparse_problem(seed)
    states = [
        updates(given, rows, factors, FactorOptions(k=rows.shape[1], beta=1.0, **kind, **ALL), 2)[0][-1]
        for kind in ({}, {"update": "additive", "step": 1.0})
    ]
    np.testing.assert_allclose(states[0][0], states[1][0], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0])
def test_objectives_come_after_whole_iterations(beta, seed):
    given, rows, factors = sparse_problem(seed)
    options = FactorOptions(k=rows.shape[1], beta=beta)
    pairs = pairs_of(given, rows, 25)
    factors = [each.copy() for each in factors]
    running = iterations_of(pairs, factors, options, 1)
    expected = rows.astype(float), [each.astype(float) for each in factors]
    for _ in range(3):
        next(running)
        expected = twin.iteration(given, *expected, beta=beta)
        np.testing.assert_allclose(
            np.concatenate([pair.rows for pair in pairs]), expected[0], rtol=2e-4, atol=1e-6
        )
        for side in (0, 1):
            np.testing.assert_allclose(factors[side], expected[1][side], rtol=2e-4, atol=1e-6)


@pytest.mark.parametrize("beta", BETAS)
def test_a_feature_without_weight_spoils_no_sentence(beta, seed):
    given, rows, factors = sparse_problem(seed)
    factors[0][7] = 0
    states, _ = updates(given, rows, factors, FactorOptions(k=rows.shape[1], beta=beta), 1)
    expected, _ = twin.iteration(
        [np.delete(given[0], 7, axis=1), given[1]],
        rows.astype(float),
        [np.delete(factors[0], 7, axis=0), factors[1]],
        beta,
    )
    np.testing.assert_allclose(states[0][0], expected, rtol=2e-4, atol=1e-6)
