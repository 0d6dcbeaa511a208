"""The score on dev, by hand, and the epoch that it chooses."""

import numpy as np
import pytest

from cepts.characters import Candidate, EditModel
from cepts.characters import model as model_module
from cepts.characters.development import score_on

PAIRS = [("ab", "AB"), ("ba", "BA"), ("aab", "AAB"), ("bb", "BB"), ("aba", "ABA")]


class Stub:
    """A model whose answers are given."""

    def __init__(self, answers):
        self.answers = answers

    def affinities(self, sources, targets):
        return np.array([self.answers[pair] for pair in zip(sources, targets, strict=True)], np.float32)

    def rank(self, names, candidates, n_best):
        assert n_best == len(candidates) == len({*candidates})
        return self.transcribe(names, n_best)

    def transcribe(self, names, n_best):
        return [[Candidate(text, 0.0) for text in self.answers[name][:n_best]] for name in names]


def test_the_mean_of_one_over_the_rank_of_any_true_target():
    model = Stub({"a": ["x", "y", "z"], "b": ["y", "z"], "c": ["u", "v", "z", "w", "y", "x"]})
    rows = [("a", "y"), ("a", "z"), ("b", "x"), ("c", "z")]
    assert score_on(model, rows, "generate") == pytest.approx((1 / 2 + 0 + 1 / 3) / 3)
    assert score_on(model, rows, "rank") == pytest.approx((1 / 2 + 0 + 1 / 3) / 3)
    assert score_on(model, [("c", "x")], "generate") == 0.0  # the sixth of five
    assert score_on(model, [("c", "x")], "rank") == 0.0  # of one candidate


def test_the_share_of_orders_that_are_right():
    model = Stub({("a", "x"): 2.0, ("a", "y"): 1.0, ("b", "x"): 1.0, ("b", "y"): 1.0})
    assert score_on(model, [("a", "x", "y"), ("b", "x", "y"), ("a", "y", "x")], "affinity") == pytest.approx(
        1 / 3
    )


def test_members_are_ordered_before_the_next_groups_members():
    """Of (p, q), (r,) and (t, u): r is alone. p:q against p:t, q:p against q:u; t:u against t:p, u:t against u:q."""
    own = {("p", "q"): 2.0, ("q", "p"): 2.0, ("t", "u"): 0.0, ("u", "t"): 5.0}
    others = {("p", "t"): 1.0, ("q", "u"): 3.0, ("t", "p"): 1.0, ("u", "q"): 4.0}
    groups = [("p", "q"), ("r",), ("t", "u")]
    assert score_on(Stub(own | others), groups, "classify") == pytest.approx(2 / 4)
    assert score_on(Stub({}), [("p", "q")], "classify") == 0.0  # there is no other group
    assert score_on(Stub({}), [("r",)], "classify") == 0.0


def test_strings_of_two_groups_are_not_ordered_before_their_own_members():
    """Of (p, q) and (q, s), only p and s are asked about."""
    model = Stub({("p", "q"): 2.0, ("s", "q"): 1.0})
    assert score_on(model, [("p", "q"), ("q", "s")], "classify") == 0.0  # q against q is never right


def test_the_first_of_the_best_epochs_is_kept(monkeypatch):
    scores = iter([0.2, 0.7, 0.7, 0.1])
    monkeypatch.setattr(model_module, "score_on", lambda *_: next(scores))
    model = EditModel.fit(PAIRS, mode="rank", order=1, epochs=4, decoys=3, dev=PAIRS)
    assert model.history.chosen == 2
    assert [epoch.dev for epoch in model.history.epochs] == [0.2, 0.7, 0.7, 0.1]
    shorter = EditModel.fit(PAIRS, mode="rank", order=1, epochs=2, decoys=3)
    assert all(np.array_equal(*arrays) for arrays in zip(model.weights, shorter.weights, strict=True))


def test_without_dev_the_last_epoch_is_kept():
    history = EditModel.fit(PAIRS, order=1, epochs=3).history
    assert history.chosen == 3
    assert [epoch.dev for epoch in history.epochs] == [None] * 3


def test_if_no_epoch_does_anything_right_the_first_is_kept():
    history = EditModel.fit(PAIRS, order=1, epochs=2, dev=[("ab", "ZZ")]).history
    assert [epoch.dev for epoch in history.epochs] == [0.0, 0.0]
    assert history.chosen == 1
