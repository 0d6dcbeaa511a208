"""Points of simplices: the projection against a quadratic programme, and descent that only goes down."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cepts.words.simplex import KEPT, descend, project, step_down
from tests.reference import simplex as slow

seeds = st.integers(0, 2**32 - 1)
coordinates = st.floats(-10, 10)
few = st.lists(coordinates, min_size=1, max_size=6)
many = st.lists(coordinates, min_size=1, max_size=60)


@given(point=few)
@example(point=[0.5, 0.5])
@example(point=[1.0])
@example(point=[3.0, 3.0, 3.0, 2.0])
def test_projection_equals_the_quadratic_programme(point):
    assert project(np.array(point)).tolist() == pytest.approx(slow.project(point), abs=1e-12)


def check_optimal(point, projected, tolerance):
    """The conditions of Karush, Kuhn and Tucker: one level, above which the coordinates are what is left of them."""
    assert projected.min() >= 0
    assert projected.sum() == pytest.approx(1, abs=tolerance)
    used = projected > 0
    levels = (point - projected)[used]
    assert np.ptp(levels) <= tolerance
    assert (point[~used] <= levels.max() + tolerance).all()


@given(point=many, scale=st.sampled_from([1e-9, 1.0, 1e6]))
def test_projections_are_optimal(point, scale):
    point = scale * np.array(point)
    check_optimal(point, project(point), 1e-12 * max(1.0, scale))


@given(point=many)
def test_a_point_of_the_simplex_stays(point):
    inside = project(np.array(point))
    np.testing.assert_allclose(project(inside), inside, atol=1e-14)


@pytest.mark.parametrize("size", [1e16, 1e17, 1e100, 1e300])
def test_far_points_are_projected_too(size):
    # One step beyond where 1 is lost in rounding: the largest coordinates have all of it.
    assert project(np.array([size, 0.0])).tolist() == [1.0, 0.0]
    assert project(np.array([-size, 0.25])).tolist() == [0.0, 1.0]
    assert project(np.array([-size, -2 * size])).tolist() == [1.0, 0.0]
    assert project(np.array([size, -size, size])).tolist() == pytest.approx([0.5, 0.0, 0.5])


def point_of(seed, size):
    weights = np.random.default_rng(seed).uniform(0.01, 1, size)
    return weights / weights.sum()


@given(seed=seeds, gradient=st.lists(coordinates, min_size=2, max_size=8), length=st.floats(1e-3, 1e3))
def test_a_step_goes_down_and_leaves_no_coordinate_at_zero(seed, gradient, length):
    point, gradient = point_of(seed, len(gradient)), np.array(gradient)
    stepped, slope = step_down(point, gradient, length)
    assert stepped.sum() == pytest.approx(1)
    assert (stepped >= KEPT * point * (1 - 1e-9)).all()
    assert slope == pytest.approx(float(gradient @ (stepped - point)), abs=1e-12)
    assert slope <= 1e-12


def test_a_step_of_no_length_stays():
    point = np.array([0.25, 0.75])
    stepped, slope = step_down(point, np.array([1.0, -1.0]), 0.0)
    assert (stepped.tolist(), slope) == ([0.25, 0.75], 0.0)


@pytest.mark.parametrize("length", [1.0, 1e6, 1e12, 1e30])
@pytest.mark.parametrize("gradient", [[0.0, 0.0], [0.0, 1e-200], [-1e-16, 1e-16], [1e200, -1e200]])
def test_no_gradient_and_no_length_is_too_small_or_too_large(gradient, length):
    # Where nothing is left to gain, steps are accepted and their length doubles, for as long as one likes.
    for point in ([0.5, 0.5], [1.0, 0.0]):
        stepped, slope = step_down(np.array(point), np.array(gradient), length)
        assert np.isfinite(stepped).all()
        assert stepped.sum() == pytest.approx(1)
        assert slope <= 0


def distance_to(aim):
    return lambda point: float(((point - aim) ** 2).sum()), lambda point: 2 * (point - aim)


@settings(max_examples=30)
@given(seed=seeds, aim=few)
def test_descent_finds_the_nearest_point(seed, aim):
    # Whose minimum is the projection: another way to the same quadratic programme.
    value, gradient = distance_to(np.array(aim))
    found = descend(value, gradient, point_of(seed, len(aim)), 300)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    best = value(np.array(slow.project(aim)))
    assert value(found) == pytest.approx(best, rel=1e-3, abs=1e-3)


@settings(max_examples=30)
@given(seed=seeds, aim=few)
def test_descent_never_goes_up(seed, aim):
    value, gradient = distance_to(np.array(aim))
    start = point_of(seed, len(aim))
    values = [value(descend(value, gradient, start, steps)) for steps in range(6)]
    assert values[0] == value(start)
    assert values == sorted(values, reverse=True)
