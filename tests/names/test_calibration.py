import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import ModelError, OptionError
from cepts.names.calibration import Calibration, features_of, fit_calibration, lower_bound, promises_of

SMALL = Calibration(["ba"], [0.0] * 6, [0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [(0.5, 0.2), (0.9, 0.6)])


class Noted:
    def __init__(self, **notes):
        self.notes = notes


def test_features_of_candidates_by_hand():
    features = features_of(np.array([[6.0, 2.0], [3.0, -np.inf]]), np.array([[2.0, 4.0], [1.0, 1.0]]))
    logs = np.log([2.0, 4.0, 1.0])
    np.testing.assert_allclose(features[0, 0], [1, 6, 4, 3, 2, logs[0]])
    np.testing.assert_allclose(features[0, 1], [1, 2, -4, 0.5, -1, logs[1]])
    np.testing.assert_allclose(
        features[1, 0], [1, 3, 3, 3, 3, logs[2]]
    )  # no rival counts as one of strength 0
    assert np.isneginf(features[1, 1]).any()


def test_features_of_a_candidate_alone():
    assert features_of(np.array([[5.0]]), np.array([[5.0]]))[0, 0].tolist() == [1, 5, 5, 1, 1, np.log(5.0)]


def test_a_fit_gives_back_the_probabilities_that_examples_were_drawn_with():
    random = np.random.default_rng(7)
    features = np.concatenate([np.ones((20_000, 1)), random.normal(size=(20_000, 5))], axis=1)
    true = 1 / (1 + np.exp(-(features @ [0.5, 2.0, -1.0, 0.0, 0.0, 0.3])))
    is_right = random.random(20_000) < true
    found = fit_calibration(["ba"], features, is_right, np.ones(20_000, bool))
    assert np.abs(found.sure(features) - true).max() < 0.05
    assert found.company == ["ba"]


@pytest.mark.parametrize("always", [True, False])
def test_examples_that_are_all_alike_can_be_learned_from(always):
    features = np.ones((30, 6))
    found = fit_calibration([], features, np.full(30, always), np.ones(30, bool))
    assert (found.sure(features) > 0.9).all() == always
    assert bool(found.promises) == always


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=60))
def test_promises_hold_where_they_were_made(rows):
    scores, right = np.array([row[0] / 5 for row in rows]), np.array([row[1] for row in rows])
    promises = promises_of(scores, right)
    for precision, least in promises:
        kept = right[scores >= least]
        assert lower_bound(int(kept.sum()), len(kept)) >= precision
        lower = [s for s in set(scores.tolist()) if s < least]
        for other in lower:  # no lower score would do
            more = right[scores >= other]
            assert lower_bound(int(more.sum()), len(more)) < precision
    assert [precision for precision, _ in promises] == sorted(precision for precision, _ in promises)


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_lower_bound_is_below_the_share_and_not_negative(right, wrong):
    count = right + wrong
    assert -1e-12 <= lower_bound(right, count) <= right / count + 1e-12


def test_the_score_for_a_precision():
    assert SMALL.score_for(0.3) == 0.2
    assert SMALL.score_for(0.5) == 0.2
    assert SMALL.score_for(0.51) == 0.6


def test_a_precision_that_cannot_be_promised():
    with pytest.raises(
        OptionError,
        match=r"^a precision of 0.95 cannot be promised: names of dev reached 0.90; ask for less, or give more dev",
    ):
        SMALL.score_for(0.95)
    with pytest.raises(OptionError, match=r"names of dev reached less than 0.50;"):
        SMALL._replace(promises=[]).score_for(0.95)


@pytest.mark.parametrize("precision", [0.0, 1.0, -1.0, 95.0, float("nan")])
def test_a_precision_is_a_share(precision):
    with pytest.raises(OptionError, match=rf"^precision must be between 0 and 1, got {precision}$"):
        SMALL.score_for(precision)


def test_notes_keep_a_calibration():
    model = Noted()
    assert Calibration.of(model) is None
    SMALL.keep(model)
    assert Calibration.of(model) == SMALL


@pytest.mark.parametrize(
    "notes", [{}, 3, {**SMALL._asdict(), "more": 1}, {**SMALL._asdict(), "promises": [1]}]
)
def test_damaged_notes(notes):
    with pytest.raises(ModelError, match=r"^the model's notes on matching are damaged; calibrate it again$"):
        Calibration.of(Noted(matching=notes))
