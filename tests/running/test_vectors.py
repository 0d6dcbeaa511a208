"""Rows of sixteen numbers: the same bits as one number after the other."""

import numpy as np
import pytest

from cepts.running.kernel import kernel
from cepts.running.vector_kernels import LANES, add_product, everywhere, put, row
from tests.conftest import CHECKS_BOUNDS


@kernel
def combine_rows(one, two, number, out):
    """Write (one + two - number) * two, row by row."""
    for k in range(0, len(one), LANES):
        put(out, k, (row(one, k) + row(two, k) - everywhere(number)) * row(two, k))


@kernel
def add_products(one, two, total):
    """Add one * two to the total, row by row."""
    for k in range(0, len(one), LANES):
        put(total, k, add_product(row(total, k), row(one, k), row(two, k)))


@kernel
def add_products_one_by_one(one, two, total):
    for k in range(len(one)):
        total[k] += one[k] * two[k]


@kernel
def first_of(numbers, place, out):
    """Copy the row of some numbers that begins at a place."""
    put(out, 0, row(numbers, place))


def drawn(seed, rows):
    return np.random.default_rng(seed).normal(size=(3, rows * LANES)).astype(np.float32)


@pytest.mark.parametrize("rows", [0, 1, 7])
def test_each_result_is_rounded_as_that_of_single_numbers(rows, seed):
    one, two, out = drawn(seed, rows)
    combine_rows(one, two, np.float32(0.3), out)
    np.testing.assert_array_equal(out, (one + two - np.float32(0.3)) * two)


def test_a_product_is_added_as_in_other_loops(seed):
    one, two, total = drawn(seed, 50)
    other = total.copy()
    add_products(one, two, total)
    add_products_one_by_one(one, two, other)
    np.testing.assert_array_equal(total, other)
    np.testing.assert_allclose(total, drawn(seed, 50)[2] + one.astype(np.float64) * two, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("place", [0, 1, 5, 16])
def test_a_row_begins_anywhere_and_touches_nothing_else(place):
    numbers, out = np.arange(32, dtype=np.float32), np.full(LANES + 2, -1, np.float32)
    first_of(numbers, place, out[1:-1])
    assert out.tolist() == [-1, *range(place, place + LANES), -1]


@pytest.mark.skipif(
    not CHECKS_BOUNDS, reason="bounds are checked with NUMBA_BOUNDSCHECK=1 alone: make test-bounds"
)
@pytest.mark.parametrize(("size", "place", "room"), [(20, 5, 16), (32, 0, 15)])
def test_a_row_beyond_its_array_is_noticed(size, place, room):
    with pytest.raises(IndexError):
        first_of(np.zeros(size, np.float32), place, np.zeros(room, np.float32))
