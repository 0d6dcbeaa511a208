"""Weights shared among what can be reached: the energy, its gradient, and M steps that never raise it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.choices import JUMP_UPDATES as UPDATES
from cepts.words.reach import Expected
from tests.reference import reach as slow
from tests.reference.differences import slopes

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 7)
ROUNDING = 1e-13  # of an energy, for each count in it: a sum of a few dozen float64 numbers


def drawn(seed, size, contexts=5, events=40, smallest=1e-3):
    """What happened, as the twin wants it, and the same as expected counts; some weights may never be reached."""
    rng = np.random.default_rng(seed)
    reach = (rng.random((contexts, size)) < 0.6).astype(np.float64)
    reach[np.arange(contexts), rng.integers(0, size, contexts)] = 1  # nobody is nowhere
    counts, departures, seen = np.zeros(size), np.zeros(contexts), []
    for share in 10 ** rng.uniform(np.log10(smallest), 2, events):
        context = int(rng.integers(contexts))
        reachable = np.flatnonzero(reach[context])
        taken = int(rng.choice(reachable))
        counts[taken] += share
        departures[context] += share
        seen.append((reachable.tolist(), taken, float(share)))
    return seen, Expected(counts, departures, reach)


def weights_of(seed, size):
    weights = np.random.default_rng(seed + 1).uniform(0.02, 1, size)
    return weights / weights.sum()


@given(seed=seeds, size=sizes)
def test_the_energy_is_the_negative_log_probability_of_what_happened(seed, size):
    seen, expected = drawn(seed, size)
    weights = weights_of(seed, size)
    assert expected.energy(weights) == pytest.approx(slow.energy(seen, weights), rel=1e-10)


def test_the_energy_by_hand():
    # From the first context weights 0 and 1 can be reached, from the second all three. Weights 1/2, 1/4, 1/4;
    # taken: 0 from the first, probability 2/3, and twice 2 from the second, 1/4 each.
    expected = Expected(np.array([1.0, 0, 2]), np.array([1.0, 2]), np.array([[1.0, 1, 0], [1, 1, 1]]))
    energy = expected.energy(np.array([0.5, 0.25, 0.25]))
    assert energy == pytest.approx(-np.log(2 / 3) - 2 * np.log(1 / 4))
    # room: 1 / (3/4) + 2 / 1 for the first two, 2 for the last; minus counts over weights 2, 0, 8.
    gradient = expected.gradient(np.array([0.5, 0.25, 0.25]))
    assert gradient.tolist() == pytest.approx([4 / 3, 10 / 3, -6])


def test_what_happens_but_is_impossible_has_infinite_energy():
    expected = Expected(np.array([1.0, 0]), np.array([1.0]), np.ones((1, 2)))
    assert expected.energy(np.array([0.0, 1.0])) == np.inf
    assert expected.energy(np.array([1.0, 0.0])) == 0.0
    nowhere = Expected(np.array([0.0, 0]), np.array([1.0]), np.array([[1.0, 0]]))
    assert nowhere.energy(np.array([0.0, 1.0])) == np.inf


@given(seed=seeds, size=sizes)
def test_the_gradient_equals_numeric_differences(seed, size):
    seen, expected = drawn(seed, size)
    weights = weights_of(seed, size)
    numeric = slopes(lambda point: slow.energy(seen, point), weights.tolist())
    scale = float(np.abs(expected.counts / weights).max())
    np.testing.assert_allclose(expected.gradient(weights), numeric, rtol=1e-5, atol=1e-6 * scale)


def energies_along(expected, weights, step, rounds):
    energies = [expected.energy(weights)]
    for _ in range(rounds):
        weights = step(weights)
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1)
        energies.append(expected.energy(weights))
    return np.array(energies)


@given(seed=seeds, size=sizes)
def test_a_monotone_step_never_raises_the_energy(seed, size):
    _, expected = drawn(seed, size)
    energies = energies_along(expected, weights_of(seed, size), expected.monotone, 30)
    assert (np.diff(energies) <= ROUNDING * expected.counts.sum()).all()


@pytest.mark.parametrize("update", ["exact", "gradient"])
@settings(max_examples=50)
@given(seed=seeds, size=sizes)
def test_an_m_step_never_raises_the_energy(update, seed, size):
    _, expected = drawn(seed, size)
    energies = energies_along(
        expected, weights_of(seed, size), lambda weights: expected.maximised(weights, update), 4
    )
    assert (np.diff(energies) <= ROUNDING * expected.counts.sum()).all()


def test_renormalised_counts_can_raise_it():
    # The law above can fail: from the optimum, renormalised counts climb on most of these, and never fall.
    raised = 0
    for seed in range(20):
        _, expected = drawn(seed, 4)
        best = optimum(expected, weights_of(seed, 4))
        worse = expected.energy(expected.maximised(best, "renormalised")) - expected.energy(best)
        assert worse > -1e-9
        raised += worse > 1e-3
    assert raised > 15


def optimum(expected, weights):
    for _ in range(100):
        weights = expected.maximised(weights, "exact")
    return weights


@settings(max_examples=12)
@given(seed=seeds, size=sizes)
def test_exact_and_gradient_end_at_the_same_energy(seed, size):
    _, expected = drawn(seed, size, events=100, smallest=10)  # alike: descent is slow where counts are not
    gradient = weights_of(seed, size)
    exact = optimum(expected, gradient)
    for _ in range(10):
        gradient = expected.maximised(gradient, "gradient")
    assert expected.energy(gradient) == pytest.approx(expected.energy(exact), rel=1e-6)
    slope = expected.gradient(exact) * exact / expected.counts.sum()
    np.testing.assert_allclose(slope, 0, atol=1e-5)  # nothing is left to gain in any direction


def test_the_optimum_by_hand():
    # 40 leave a context that reaches the first two weights, 100 one that reaches all three; 50, 30 and 60 are taken.
    # The third weight is reached by the 100 alone: it has 60 / 100. The first two share the rest as 50 to 30.
    reach = np.array([[1.0, 1, 0], [1, 1, 1]])
    expected = Expected(np.array([50.0, 30, 60]), np.array([40.0, 100]), reach)
    for update in ("exact", "gradient"):
        weights = np.full(3, 1 / 3)
        for _ in range(10):
            weights = expected.maximised(weights, update)
        assert weights.tolist() == pytest.approx([0.25, 0.15, 0.6], rel=1e-4)
    assert expected.maximised(weights, "renormalised").tolist() == pytest.approx([5 / 14, 3 / 14, 6 / 14])


@pytest.mark.parametrize("update", UPDATES)
def test_without_counts_the_weights_stay(update):
    expected = Expected(np.zeros(3), np.zeros(2), np.ones((2, 3)))
    weights = np.array([0.2, 0.3, 0.5])
    assert expected.maximised(weights, update) is weights


def test_a_weight_that_nobody_reaches_keeps_its_place():
    # One context that reaches the first two weights of 0.2, 0.3, 0.5: tau = 1/2, so its 3 and 1 of 4 become 3/8 and
    # 1/8; the third, which nothing is known of, stays at 1/2.
    expected = Expected(np.array([3.0, 1, 0]), np.array([4.0]), np.array([[1.0, 1, 0]]))
    weights = expected.maximised(np.array([0.2, 0.3, 0.5]), "exact")
    assert weights.tolist() == pytest.approx([3 / 8, 1 / 8, 1 / 2])


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("size", [1e-30, 1e-6, 1e9])
def test_counts_of_any_size(update, size):
    _, expected = drawn(3, 4)
    scaled = expected._replace(counts=size * expected.counts, departures=size * expected.departures)
    weights = weights_of(3, 4)
    np.testing.assert_allclose(
        scaled.maximised(weights, update), expected.maximised(weights, update), rtol=1e-6
    )
