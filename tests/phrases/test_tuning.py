"""Weights from lists: the slope against differences, planted weights, and the loop around it."""

import numpy as np
import pytest

from cepts.errors import InputError
from cepts.phrases.tuning import Judged, climb, fit_weights, log_likelihood, pooled, tune

PLANTED = np.array([2.0, -1.0, 0.5])


def drawn_lists(seed, number=400, size=20):
    """Lists whose right target is drawn by the planted weights."""
    chance = np.random.default_rng(seed)
    lists = []
    for _ in range(number):
        features = chance.normal(size=(size, 3))
        shares = np.exp(features @ PLANTED)
        right = np.arange(size) == chance.choice(size, p=shares / shares.sum())
        lists.append(Judged([f"target {k}" for k in range(size)], features, right))
    return lists


def flat(lists):
    rows, right = (np.concatenate([one[k] for one in lists]) for k in (1, 2))
    return rows, right, np.array([len(one.right) for one in lists])


def test_by_hand():
    # Two targets whose scores differ by log 3: shares 3/4 and 1/4; the slope is x1 - (3/4 x1 + 1/4 x2).
    rows, right = np.array([[np.log(3)], [0.0]]), np.array([True, False])
    value, slope = log_likelihood(rows, right, np.array([2]), np.ones(1))
    assert value == pytest.approx(np.log(3 / 4))
    assert slope == pytest.approx([np.log(3) / 4])


def test_two_right_targets_count_together():
    rows, right = np.zeros((4, 1)), np.array([True, False, True, False])
    value, slope = log_likelihood(rows, right, np.array([4]), np.ones(1))
    assert value == pytest.approx(np.log(1 / 2))
    assert slope == pytest.approx([0.0])


def test_the_slope_is_that_of_the_value(seed):
    parts = flat(drawn_lists(seed, 10))
    for weights in (np.zeros(3), PLANTED, np.array([-1.0, 3.0, 0.1])):
        _, slope = log_likelihood(*parts, weights)
        for k, step in enumerate(np.eye(3) * 1e-5):
            higher, lower = (log_likelihood(*parts, weights + sign * step)[0] for sign in (1, -1))
            assert (higher - lower) / 2e-5 == pytest.approx(slope[k], abs=1e-6)


def test_planted_weights_are_found_from_anywhere(seed):
    lists = drawn_lists(seed)
    found = fit_weights(lists, np.zeros(3))
    assert found == pytest.approx(PLANTED, abs=0.25)
    assert fit_weights(lists, np.array([-5.0, 5.0, 5.0])) == pytest.approx(found, abs=1e-3)


def test_weights_that_are_not_free_stay(seed):
    free = np.array([True, False, True])
    found = fit_weights(drawn_lists(seed), np.array([0.0, 0.3, 0.0]), free)
    assert found[1] == 0.3
    assert found[0] > 1


def test_separable_lists_give_finite_weights():
    lists = [Judged(["a", "b"], np.array([[1.0], [0.0]]), np.array([True, False]))] * 5
    found = fit_weights(lists, np.zeros(1))
    assert 1 < found[0] < 20


def test_lists_that_say_nothing_are_left_out(seed):
    lists = drawn_lists(seed, 30)
    silent = [
        Judged(["a"], np.ones((1, 3)), np.array([True])),
        Judged(["a"], np.ones((1, 3)), np.array([False])),
        Judged([], np.empty((0, 3)), np.empty(0, np.bool_)),
    ]
    assert fit_weights([*lists, *silent], np.zeros(3)) == pytest.approx(fit_weights(lists, np.zeros(3)))
    with pytest.raises(InputError, match="no list of the dev set has the right target among others"):
        fit_weights(silent, np.zeros(3))


def test_climb_reaches_the_top_of_a_hill():
    top, shape = np.array([1.0, -2.0]), np.array([[4.0, 1.0], [1.0, 0.5]])

    def hill(place):
        away = place - top
        return -float(away @ shape @ away), -2 * shape @ away

    assert climb(hill, np.array([30.0, 30.0])) == pytest.approx(top, abs=1e-4)


def test_lists_of_all_rounds_are_pooled():
    # The first weights list only {right, a}; the next ones {right, b}: both must be kept in mind.
    features = {"right": [1.0, 1.0], "a": [0.0, 2.0], "b": [2.0, 0.0]}
    asked = []

    def decode(weights):
        asked.append(weights.copy())
        texts = ["right", "a" if len(asked) == 1 else "b"]
        rows = np.array([features[text] for text in texts])
        return [Judged(texts, rows, np.array([text == "right" for text in texts]))]

    found = tune(decode, np.array([0.0, 1.0]), np.ones(2, np.bool_), rounds=3)
    assert len(asked) == 3
    assert asked[1][0] > asked[1][1]
    assert found[0] == pytest.approx(found[1], abs=1e-3)  # with a and b both in the pool, neither side wins


def test_pooling_keeps_each_target_once():
    one = Judged(["x", "y"], np.array([[1.0], [2.0]]), np.array([True, False]))
    two = Judged(["y", "z"], np.array([[9.0], [3.0]]), np.array([False, True]))
    found = pooled(one, two)
    assert found.targets == ["x", "y", "z"]
    assert found.features.ravel().tolist() == [1.0, 2.0, 3.0]
    assert found.right.tolist() == [True, False, True]
