"""Measures of similarity, by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cepts.errors import InputError, OptionError
from cepts.sentences import similarities
from cepts.sentences.similarity import MEASURES, NEUTRAL, unit_rows

ROWS = arrays(np.float32, (5, 3), elements=st.floats(-100, 100, width=32) | st.just(0))


def score(one, other, measure):
    return similarities(np.array([one], np.float32), np.array([other], np.float32), measure).tolist()[0]


@pytest.mark.parametrize(
    ("measure", "one", "other", "expected"),
    [
        ("cosine", [3, 4], [4, 3], 24 / 25),
        ("cosine", [3, 4], [-3, -4], -1),
        ("cosine", [1, 0], [0, 7], 0),
        ("cosine", [1e-30, 0], [1e30, 0], 1),
        ("dot", [3, 4], [4, 3], 24),
        ("dot", [1, -2], [5, 4], -3),
        ("euclidean", [1, 2], [1, 2], 1),
        ("euclidean", [0, 4], [3, 0], 1 / 6),
        ("hellinger", [1, 3], [1, 3], 1),
        ("hellinger", [1, 3], [10, 30], 1),
        ("hellinger", [1, 0], [1, 3], 0.5),  # sqrt(1 * 1/4)
        ("hellinger", [1, 3], [3, 1], 2 * math.sqrt(3) / 4),
        ("hellinger", [-5, 1], [2, 2], math.sqrt(1 / 2)),  # what is negative counts as nothing
        ("hellinger", [-5, -1], [2, 2], 0),
    ],
)
def test_each_measure_by_hand(measure, one, other, expected):
    assert score(one, other, measure) == pytest.approx(expected, abs=1e-7)
    assert score(other, one, measure) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_sentence_of_which_nothing_is_known_is_neutral(measure):
    one, other = np.array([[0, 0], [1, 2], [0, 0], [1, 2]]), np.array([[1, 2], [0, 0], [0, 0], [1, 2]])
    scores = similarities(one, other, measure)
    assert scores.dtype == np.float32
    assert scores.tolist()[:3] == [NEUTRAL] * 3 == [0] * 3
    assert scores[3] > 0.99


@given(ROWS, ROWS, st.sampled_from(sorted(MEASURES)))
def test_scores_are_those_of_single_pairs_and_either_order(one, other, measure):
    scores = similarities(one, other, measure)
    assert np.all(np.isfinite(scores))
    np.testing.assert_allclose(scores, similarities(other, one, measure), rtol=1e-6, atol=1e-6)
    for i in range(5):
        assert scores[i] == pytest.approx(score(one[i], other[i], measure), rel=1e-6)
    if measure == "cosine":
        assert np.all(np.abs(scores) <= 1 + 1e-6)
    if measure in ("euclidean", "hellinger"):
        assert np.all((scores >= 0) & (scores <= 1 + 1e-6))


@given(ROWS)
def test_unit_rows_have_length_1(rows):
    rows = rows.astype(np.float64)
    units = unit_rows(rows)
    filled = np.linalg.norm(rows, axis=1) > 1e-100
    np.testing.assert_allclose(np.linalg.norm(units[filled], axis=1), 1)
    assert not units[~filled].any()


def test_no_pairs_have_no_scores():
    for measure in MEASURES:
        assert similarities(np.zeros((0, 4)), np.zeros((0, 4)), measure).shape == (0,)


def test_an_unknown_measure_is_refused():
    with pytest.raises(
        OptionError, match=r"^measure must be one of cosine, dot, euclidean, hellinger, got 'feet'$"
    ):
        score([1], [1], "feet")


@pytest.mark.parametrize("shape", [(1, 2), (4, 2), (3, 1)])
def test_rows_without_a_counterpart_are_refused(shape):
    with pytest.raises(
        InputError, match=r"^rows of shapes \(3, 2\) and .* are no pairs: each needs its counterpart$"
    ):
        similarities(np.ones((3, 2)), np.ones(shape))
