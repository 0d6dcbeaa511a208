"""Logarithms of many estimates at a time, against the slow twin and at the ends of what a float32 can hold."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.running.kernel import kernel
from cepts.words import logarithm_kernels
from tests.reference.lexicon import digamma

SMALLEST = 2.0**-126  # the smallest float32 that has all of its digits
counts = st.floats(0, 1e9, width=32)


@kernel
def all_at_once(numbers, prior):
    """What the vector form makes of numbers."""
    logarithm_kernels.log_estimates(numbers, len(numbers), prior)


@kernel
def one_by_one(numbers, prior):
    """What the scalar form makes of them."""
    return np.array([logarithm_kernels.log_estimate(number, prior) for number in numbers])


def estimates(numbers, prior):
    found = np.array(numbers, np.float32)
    all_at_once(found, prior)
    return found


@given(numbers=st.lists(st.floats(SMALLEST, 2.0**127, width=32), min_size=1, max_size=40))
def test_without_a_prior_it_is_the_logarithm(numbers):
    expected = [math.log(number) for number in numbers]
    assert estimates(numbers, 0.0) == pytest.approx(expected, rel=3e-7, abs=1e-7)
    assert one_by_one(np.array(numbers), 0.0) == pytest.approx(expected, rel=1e-13)


def test_no_term_of_the_series_is_missing():
    numbers = np.linspace(0.5, 2.0, 1001, dtype=np.float32)
    np.testing.assert_allclose(estimates(numbers, 0.0), np.log(numbers.astype(np.float64)), rtol=0, atol=2e-7)


def test_the_logarithm_of_nothing_is_minus_infinity():
    assert estimates([0.0, 1.0, SMALLEST / 4], 0.0).tolist() == [-np.inf, 0.0, -np.inf]
    assert one_by_one(np.zeros(1), 0.0).tolist() == [-np.inf]


@given(numbers=st.lists(counts, min_size=1, max_size=40), prior=st.floats(1e-3, 10))
def test_with_a_prior_it_is_digamma(numbers, prior):
    expected = [digamma(number + prior) for number in numbers]
    assert estimates(numbers, prior) == pytest.approx(expected, rel=1e-5, abs=2e-6)
    assert one_by_one(np.array(numbers), prior) == pytest.approx(expected, rel=1e-5, abs=2e-6)


def test_numbers_behind_the_count_stay():
    numbers = np.array([1.0, 5.0], np.float32)

    @kernel
    def first_alone(numbers):
        logarithm_kernels.log_estimates(numbers, 1, 0.1)

    first_alone(numbers)
    assert numbers[0] < 0.0
    assert numbers[1] == 5.0
