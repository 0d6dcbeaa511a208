"""Affinity against the enumeration of all edit sequences, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from tests.characters.models import model_of, orders, possible_features, random_weights, seeds, words
from tests.reference import edits

SOURCES, TARGETS = "ab", "xyz"


@settings(max_examples=80)
@given(words(SOURCES, 5), words(TARGETS, 5), orders, seeds)
def test_affinity_is_the_best_score_of_all_edit_sequences(source, target, order, seed):
    weights = random_weights(possible_features(source, target, order), np.random.default_rng(seed))
    model = model_of(weights, SOURCES, TARGETS, order)
    assert model.affinity(source, target) == edits.affinity(weights, source, target, order)


@settings(max_examples=30)
@given(st.lists(st.tuples(words(SOURCES, 4), words(TARGETS, 4)), min_size=1, max_size=6), orders, seeds)
def test_pairs_in_any_order_have_the_scores_that_they_have_alone(pairs, order, seed):
    everything = sorted({each for pair in pairs for each in possible_features(*pair, order)})
    weights = random_weights(everything, np.random.default_rng(seed))
    model = model_of(weights, SOURCES, TARGETS, order)
    sources, targets = zip(*pairs, strict=True)
    expected = [edits.affinity(weights, *pair, order) for pair in pairs]
    assert model.affinities(sources, targets).tolist() == expected
    ones = np.repeat(np.arange(len(pairs)), len(pairs))  # the strings of one source kept together
    others = np.tile(np.arange(len(pairs)), len(pairs))
    encoded = model.encode_sources(sources), model.encode_targets(targets)
    together = model.affinities_of(*encoded, ones, others).reshape(len(pairs), len(pairs))
    assert np.diag(together).tolist() == expected
    assert together[0].tolist() == [edits.affinity(weights, sources[0], other, order) for other in targets]


def test_affinity_by_hand():
    """An order-1 model: "ab" -> "x" by a:x (2 + 3 behind the start) and leaving b out beside x (-1 + 4)."""
    weights = {
        ("a", "x", "", ""): 2.0,
        ("a", "x", "before", "^"): 3.0,
        ("b", "", "", ""): -1.0,
        ("b", "", "target", "x"): 4.0,
        ("b", "x", "", ""): 1.0,
        ("a", "", "after", "a"): 5.0,
    }
    model = model_of(weights, "ab", "x", 1)
    assert model.affinity("ab", "x") == 8.0
    assert model.affinity("b", "x") == 3.0  # x inserted, for nothing, then b left out: 0 + 3; b:x alone has 1
    assert model.affinity("a", "") == 5.0
    assert model.affinity("", "") == 0.0


def test_a_gram_reaches_one_boundary_out_and_no_farther():
    weights = {
        ("a", "x", "before", "^"): 1.0,
        ("a", "x", "after", "a$"): 10.0,
        ("a", "x", "target", "^"): 100.0,
    }
    model = model_of(weights, "ab", "xy", 2)
    assert model.affinity("a", "x") == 111.0
    assert model.affinity("ab", "x") == 101.0
    assert model.affinity("ba", "x") == 110.0
    assert model.affinity("a", "yx") == 11.0
    assert model.affinity("bab", "yx") == 0.0


def test_letters_that_are_not_in_the_alphabet_score_nothing():
    weights = {("a", "x", "", ""): 2.0, ("a", "x", "after", "ab"): 3.0}
    model = model_of(weights, "ab", "x", 2)
    assert model.affinity("ab", "x") == 5.0
    assert model.affinity("aé", "x") == 2.0
    assert model.affinity("éa", "éx") == 2.0
    assert model.affinity("é", "é") == 0.0


def test_threads_and_pieces_change_no_score(seed, monkeypatch):
    random = np.random.default_rng(seed)
    weights = random_weights(possible_features("abab", "xyzz", 2), random)
    model = model_of(weights, SOURCES, TARGETS, 2)
    sources = ["".join(random.choice(list("ab"), size)) for size in random.integers(0, 6, 100)]
    targets = ["".join(random.choice(list("xyz"), size)) for size in random.integers(0, 6, 100)]
    whole = model.affinities(sources, targets)
    assert len(set(whole.tolist())) > 20
    monkeypatch.setattr("cepts.characters.model.PAIRS", 7)
    for threads in (1, 2):
        assert model.affinities(sources, targets, threads=threads).tolist() == whole.tolist()


def test_as_many_sources_as_targets_are_needed():
    model = model_of({}, "a", "x", 0)
    with pytest.raises(InputError, match=r"^2 sources and 1 targets: give as many of one as of the other$"):
        model.affinities(["a", "a"], ["x"])
    with pytest.raises(OptionError, match=r"^give a list of strings, not one: \['ab'\]$"):
        model.affinities("ab", ["x", "x"])


def test_no_pairs_have_no_scores():
    assert model_of({}, "a", "x", 1).affinities([], []).tolist() == []


def test_the_scorer_is_the_affinity_unless_it_is_cut_off():
    score = model_of({("a", "x", "", ""): 2.0}, "a", "x", 0).scorer()
    assert score("aa", "xx") == 4.0
    assert score("aa", "xx", score_cutoff=4.0) == 4.0
    assert score("aa", "xx", score_cutoff=4.5, processor=None) == 0.0


def test_ranking_lists_the_best_candidates_and_equals_in_their_order():
    model = model_of({("a", "x", "", ""): 2.0, ("", "y", "", ""): -1.0}, "a", "xy", 0)
    found = model.rank(["a", "aa"], ["y", "xx", "x", "xy", "z"], 3)
    assert found[0] == [("xx", 2.0), ("x", 2.0), ("xy", 1.0)]
    assert found[1] == [("xx", 4.0), ("x", 2.0), ("xy", 2.0)]
    assert model.rank(["a"], []) == [[]]
    assert model.rank([], ["x"]) == []
    with pytest.raises(OptionError, match=r"^n_best=0: expected a number from 1 to 10000$"):
        model.rank(["a"], ["x"], 0)
    with pytest.raises(OptionError, match=r"^give a list of strings, not one: \['a'\]$"):
        model.rank("a", ["x"])
