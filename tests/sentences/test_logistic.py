"""Logistic regression."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cepts.sentences.logistic import LARGEST, fit_logistic


def test_a_column_of_two_values_by_hand() -> None:
    """Without a ridge the odds are those of the counts: 3 to 1 and 1 to 4, whatever the scale of the column."""
    rows = np.repeat([[5.0], [105.0]], [4, 5], axis=0)
    labels = np.array([1, 1, 1, 0, 1, 0, 0, 0, 0], bool)
    model = fit_logistic(rows, labels, np.ones(9), ridge=0.0)
    assert model.log_odds(np.array([[5.0], [105.0]])) == pytest.approx([math.log(3), math.log(1 / 4)])


def test_importance_is_repetition() -> None:
    draw = np.random.default_rng(2)
    rows, labels = draw.normal(size=(40, 3)), draw.random(40) < 0.4
    weight = draw.integers(1, 4, 40)
    # Columns are standardised by their rows, so that a ridge would count differently.
    weighted = fit_logistic(rows, labels, weight.astype(float), ridge=0.0)
    repeated = fit_logistic(
        np.repeat(rows, weight, axis=0), np.repeat(labels, weight), np.ones(weight.sum()), ridge=0.0
    )
    assert np.allclose(weighted.log_odds(rows), repeated.log_odds(rows), atol=1e-6)


def test_the_gradient_is_zero_at_the_end() -> None:
    draw = np.random.default_rng(7)
    rows, labels, importance = draw.normal(2, 3, (200, 4)), draw.random(200) < 0.5, draw.random(200)
    labels |= rows[:, 0] > 4
    model = fit_logistic(rows, labels, importance, ridge=0.01)
    share = importance / importance.sum()
    wrong = share * (1 / (1 + np.exp(-model.log_odds(rows))) - labels)
    table = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    assert np.abs(table.T @ wrong + 0.01 * model.weights).max() < 1e-9
    assert abs(wrong.sum()) < 1e-9


def test_rows_that_can_be_told_apart_for_sure_and_columns_that_say_nothing() -> None:
    rows = np.array([[-1.0, 3.0], [-2.0, 3.0], [1.0, 3.0], [2.0, 3.0]])
    model = fit_logistic(rows, np.array([False, False, True, True]), np.ones(4))
    odds = model.log_odds(rows)
    assert (odds[:2] < -2).all()
    assert (odds[2:] > 2).all()
    assert model.weights[1] == 0
    assert model.log_odds(np.array([[1e9, 3.0], [-1e9, 3.0]])).tolist() == [LARGEST, -LARGEST]


def test_no_columns_give_the_odds_of_the_labels() -> None:
    model = fit_logistic(np.empty((4, 0)), np.array([True, True, True, False]), np.ones(4))
    assert model.log_odds(np.empty((2, 0))) == pytest.approx([math.log(3)] * 2)


def test_a_row_does_not_depend_on_others() -> None:
    draw = np.random.default_rng(5)
    rows = draw.normal(size=(101, 37))
    model = fit_logistic(rows, draw.random(101) < 0.5, np.ones(101))
    whole = model.log_odds(rows)
    assert [model.log_odds(rows[k : k + 1])[0] for k in range(101)] == whole.tolist()


def test_where_it_starts_does_not_matter() -> None:
    draw = np.random.default_rng(9)
    rows, labels = draw.normal(size=(80, 3)), draw.random(80) < 0.3
    plain = fit_logistic(rows, labels, np.ones(80))
    other = fit_logistic(rows[:40], labels[:40], np.ones(40))
    again = fit_logistic(rows, labels, np.ones(80), start=other)
    assert np.allclose(plain.log_odds(rows), again.log_odds(rows), atol=1e-8)
    assert not np.allclose(plain.log_odds(rows), other.log_odds(rows), atol=1e-2)
