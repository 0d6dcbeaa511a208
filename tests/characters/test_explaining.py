"""Explanations: edits, features and weights in words, against the slow twin and the paper's tables."""

import numpy as np
import pytest
from hypothesis import given, settings

from cepts.errors import OptionError
from tests.characters.models import model_of, orders, possible_features, random_weights, seeds, words
from tests.reference import edits

SHAPES = {"": "∅{}", "before": "s,{}_", "after": "s,_{}", "target": "t,{}_"}
TABLE_2 = ["s,it_", "s,t_", "s,_in", "s,_i", "t,TR_", "t,R_", "∅"]
EDITING = [
    ("i", "I", "before", "it"),
    ("i", "I", "before", "t"),
    ("i", "I", "after", "in"),
    ("i", "I", "after", "i"),
    ("i", "I", "target", "TR"),
    ("i", "I", "target", "R"),
    ("i", "I", "", ""),
]


def named(feature):
    *_, side, gram = feature
    return SHAPES[side].format(gram.replace(edits.START, "<b>").replace(edits.END, "<e>"))


def applied(source, found):
    """What comes out when edits are done to a source, letter by letter; checks that they fit."""
    written, cursor = "", 0
    for edit in found:
        assert (edit.source_cursor, edit.target_cursor) == (cursor, len(written))
        if edit.source != "ε":
            assert source[cursor] == edit.source
            cursor += 1
        written += edit.target.replace("ε", "")
    assert cursor == len(source)
    return written


@settings(max_examples=60)
@given(words("ab", 4), words("xyz", 4), orders, seeds)
def test_explanations_are_those_of_the_slow_twin(source, target, order, seed):
    weights = random_weights(possible_features(source, target, order), np.random.default_rng(seed), 1.0)
    model = model_of(weights, "ab", "xyz", order)
    found = model.explain(source, target)
    assert applied(source, found) == target
    assert sum(edit.score for edit in found) == model.affinity(source, target)
    _, path = edits.best_path(weights, source, target, order)
    assert [edit[:4] for edit in found] == [(one or "ε", other or "ε", i, j) for one, other, i, j in path]
    for edit, slow in zip(found, path, strict=True):
        assert edit.score == sum(feature.weight for feature in edit.features)
        expected = {named(each): weights[each] for each in edits.features(slow, source, target, order)}
        assert {name: weight for name, weight in edit.features if weight} == {
            name: weight for name, weight in expected.items() if weight
        }


def test_equal_paths_are_told_apart_by_their_last_edit():
    """Without weights all paths are equal: substitutions last, what is left over first."""
    model = model_of({}, "ab", "xy", 1)
    assert [edit[:2] for edit in model.explain("ab", "x")] == [("a", "ε"), ("b", "x")]
    assert [edit[:2] for edit in model.explain("a", "xy")] == [("ε", "x"), ("a", "y")]
    assert [edit[:2] for edit in model.explain("", "xy")] == [("ε", "x"), ("ε", "y")]
    deleting = model_of({("a", "x", "", ""): -1.0}, "a", "x", 0)
    assert [edit[:2] for edit in deleting.explain("a", "x")] == [("ε", "x"), ("a", "ε")]


def test_features_are_those_of_table_2():
    """The paper's example of order 2: editing -> STRINGS, midway."""
    assert {named(each) for each in edits.features(("i", "I", 4, 3), "editing", "STRINGS", 2)} == {*TABLE_2}
    model = model_of(dict.fromkeys(EDITING, 1.0), "degint", "GINRST", 2)
    (edit,) = [edit for edit in model.explain("editing", "STRINGS") if edit.source == "i" and edit.score]
    assert edit[:5] == ("i", "I", 4, 3, 7.0)
    assert {feature.name for feature in edit.features} == {*TABLE_2}
    assert model.affinity("editing", "STRINGS") == 7.0


def test_strangers_are_shown_as_they_are_written():
    model = model_of({("a", "x", "", ""): 1.0}, "a", "x", 1)
    assert [edit[:4] for edit in model.explain("aé", "xé")] == [("a", "x", 0, 0), ("é", "é", 1, 1)]


def test_nothing_is_explained_by_nothing():
    assert model_of({}, "a", "x", 1).explain("", "") == []


def test_strings_that_are_too_long_to_explain_are_refused():
    model = model_of({}, "a", "x", 0)
    with pytest.raises(
        OptionError,
        match=r"^strings of 10000 and 9999 letters are too long to explain: their lengths may multiply to 100,000,000$",
    ):
        model.explain("a" * 10_000, "x" * 9_999)


@settings(max_examples=20)
@given(orders, seeds)
def test_largest_weights_are_sorted_by_magnitude(order, seed):
    features = possible_features("aba", "xy", order)
    weights = random_weights(features, np.random.default_rng(seed))
    model = model_of(weights, "ab", "xy", order)
    for letter in (None, "", "a", "b"):
        chosen = {
            (each[0] or "ε", each[1] or "ε", named(each), weight)
            for each, weight in weights.items()
            if weight and letter in (None, each[0])
        }
        found = model.largest_weights(1000, letter)
        assert {tuple(weight) for weight in found} == chosen
        assert len(found) == len(chosen)
        magnitudes = [abs(weight.weight) for weight in found]
        assert magnitudes == sorted(magnitudes, reverse=True)
        assert model.largest_weights(3, letter) == found[:3]


def test_weights_of_letters_that_are_not_known():
    model = model_of({("a", "x", "", ""): 1.0}, "a", "x", 1)
    assert model.largest_weights(5, "é") == []
    with pytest.raises(OptionError, match=r"^count=0: expected a number from 1 to 1000000$"):
        model.largest_weights(0)
