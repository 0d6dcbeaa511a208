from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.characters import EditModel
from cepts.errors import InputError, OptionError
from cepts.names import candidates
from cepts.names.calibration import Calibration
from cepts.names.matching import Match, calibrate, match
from tests.names.scripts import pairs
from tests.running.clusters import workers

EVERYTHING = pairs(1200, seed=5)
TRAINING, DEV, HELD_OUT = EVERYTHING[:200], EVERYTHING[200:500], EVERYTHING[500:900]
STRANGERS = [target for _, target in EVERYTHING[900:]]
names = st.lists(st.sampled_from([*(source for source, _ in DEV[:6]), "", "é"]), max_size=8)
others = st.lists(st.sampled_from([*(target for _, target in DEV[:6]), "", "é"]), max_size=8)


@pytest.fixture(scope="module")
def plain():
    return EditModel.fit(TRAINING, mode="rank", order=1, epochs=3, decoys=10)


@pytest.fixture(scope="module")
def model(plain):
    found = EditModel(plain.weights, plain.source_alphabet, plain.target_alphabet, plain.options)
    calibrate(found, DEV, STRANGERS[:100])
    return found


def sides(rows):
    return [source for source, _ in rows], [target for _, target in rows]


def share_right(matches, truth):
    return np.mean([(one.left, one.right) in truth for one in matches])


def test_a_cluster_finds_the_same(model, monkeypatch):
    left, right = sides(HELD_OUT)
    monkeypatch.setattr(candidates, "NAMES", 50)
    with workers() as cluster:
        assert match(model, left, right, client=cluster) == match(model, left, right)


@pytest.mark.parametrize("calibrated", [True, False])
def test_names_find_their_partners(model, plain, calibrated):
    left, right = sides(HELD_OUT)
    found = match(model if calibrated else plain, left, right[::-1] + STRANGERS)
    assert share_right(found, {*HELD_OUT}) > 0.9
    assert len(found) > 0.85 * len(left)
    assert [one.left for one in found] == [name for name in left if name in {one.left for one in found}]


@pytest.mark.parametrize("precision", [0.7, 0.8, 0.9])
def test_a_promised_precision_holds_for_held_out_names_half_of_which_have_no_partner(model, precision):
    left, right = sides(HELD_OUT)
    found = match(model, left, right[::2] + STRANGERS, precision=precision)
    assert len(found) > 50
    assert share_right(found, {*HELD_OUT}) >= precision


def test_a_higher_precision_keeps_fewer_matches(model):
    left, right = sides(HELD_OUT)
    few, many = (match(model, left, right[::2] + STRANGERS, precision=p) for p in (0.9, 0.6))
    assert {*few} < {*many}
    assert min(one.score for one in few) >= Calibration.of(model).score_for(0.9)


def test_scores_of_a_calibrated_model_are_probabilities(model):
    left, right = sides(HELD_OUT)
    found = match(model, left, right[::2] + STRANGERS, min_score=0.0)
    scores = np.array([one.score for one in found])
    right_ones = np.array([(one.left, one.right) in {*HELD_OUT} for one in found])
    assert len(found) == len(left)
    assert abs(scores.mean() - right_ones.mean()) < 0.05
    assert ((scores >= 0) & (scores <= 1)).all()


def test_matches_are_likely_if_nothing_else_is_asked_for(model):
    left, right = sides(HELD_OUT)
    every = match(model, left, right[::2] + STRANGERS, min_score=0.0)
    assert match(model, left, right[::2] + STRANGERS) == [one for one in every if one.score >= 0.5]


def test_one_to_one_gives_the_highest_scores_first(model):
    left, right = sides(DEV[:40])
    found = match(model, left, right[:30], min_score=0.0, one_to_one=True)
    every = match(model, left, right[:30], min_score=0.0, n_best=30)
    expected, taken = {}, set()
    for one in sorted(every, key=lambda one: -one.score):
        if one.left not in expected and one.right not in taken:
            expected[one.left] = one
            taken.add(one.right)
    certain = [one for one in found if one.score >= 0.5]
    assert certain == [one for one in (expected.get(name) for name in left) if one and one.score >= 0.5]
    assert len({one.right for one in found}) == len(found)


@settings(max_examples=40, deadline=None)
@given(names, others)
def test_one_to_one_uses_no_place_twice(model, left, right):
    found = match(model, left, right, min_score=0.0, one_to_one=True)
    for side, used in ((left, [one.left for one in found]), (right, [one.right for one in found])):
        assert all(used.count(name) <= side.count(name) for name in used)
    assert len(found) == min(sum(name not in ("", "é") for name in side) for side in (left, right))


@settings(max_examples=40, deadline=None)
@given(names, others, st.integers(1, 3))
def test_each_place_of_the_left_list_has_its_partners(model, left, right, n_best):
    found = match(model, left, right, min_score=0.0, n_best=n_best)
    there = {*right} - {"", "é"}
    expected = [name for name in left if name not in ("", "é") for _ in range(min(n_best, len(there)))]
    assert [one.left for one in found] == expected
    assert {one.right for one in found} <= there


def test_partners_are_listed_best_first(model):
    scores = [one.score for one in match(model, [DEV[0][0]], sides(DEV)[1], min_score=0.0, n_best=5)]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 5


def test_equal_names_are_matched_as_often_as_they_stand_there(model):
    (left, right), (other, another) = DEV[0], DEV[1]
    found = match(model, [left, other, left, left], [right, another, right], one_to_one=True)
    assert [(one.left, one.right) for one in found] == [(left, right), (other, another), (left, right)]


def test_normal_forms_are_one_name_and_are_written_as_they_came():
    sources = ["é" + source for source, _ in TRAINING[:40]]
    model = EditModel.fit(zip(sources, sides(TRAINING[:40])[1], strict=True), mode="rank", order=0, epochs=1)
    loose = "e\N{COMBINING ACUTE ACCENT}" + sources[0][1:]
    one, other = match(model, [loose, sources[0]], [TRAINING[0][1]], min_score=-1e9)
    assert (one.left, other.left, one.score) == (loose, sources[0], other.score)


def test_threads_and_progress(model):
    left, right = sides(HELD_OUT)
    steps = []
    one = match(model, left, right, progress=lambda done, of: steps.append((done, of)))
    assert one == match(model, left, right, threads=2)
    assert steps == [(400, 400)]


@pytest.mark.parametrize(
    ("left", "right"), [([], []), (["ba"], []), ([], ["BA"]), ([""], ["BA"]), (["é"], ["é"])]
)
def test_nothing_to_match(model, left, right):
    assert match(model, left, right, min_score=0.0) == []


def test_one_name_with_one_name(plain, model):
    (one,) = match(plain, ["ba"], ["BA"])
    assert one == Match("ba", "BA", pytest.approx(plain.affinity("ba", "BA") / 2, rel=1e-5))
    assert 0 <= match(model, ["ba"], ["BA"], min_score=0.0)[0].score <= 1


def test_very_long_names_are_matched_by_their_beginnings(model):
    long, other = "ba" * 5000, "nito" * 2500
    found = match(model, [long, other, "ba"], ["NITO" * 2500, "BA" * 5000, "BA"], min_score=0.0)
    assert [len(one.right) for one in found] == [10_000, 10_000, 2]
    assert [one.right[:2] for one in found] == ["BA", "NI", "BA"]


def test_a_saved_model_keeps_its_calibration(model, tmp_path):
    model.save(tmp_path / "model")
    left, right = sides(HELD_OUT[:50])
    loaded = EditModel.load(tmp_path / "model")
    assert match(loaded, left, right, precision=0.9) == match(model, left, right, precision=0.9)


@pytest.mark.parametrize("mode", ["generate", "classify", "affinity"])
def test_models_of_any_mode_match(mode):
    data = TRAINING[:80]
    if mode == "affinity":
        data = [(*pair, other) for pair, (_, other) in pairwise(data)]
    model = EditModel.fit(data, mode=mode, order=1, epochs=2)
    left, right = sides(HELD_OUT[:100])
    assert share_right(match(model, left, right, min_score=-1e9), {*HELD_OUT}) > 0.75


def test_a_precision_needs_a_calibration(plain):
    with pytest.raises(
        OptionError,
        match=r"^the model is not calibrated, so no precision can be promised; train it with dev names"
        r", or give a least score$",
    ):
        match(plain, ["ba"], ["BA"], precision=0.9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 0.9, "min_score": 0.5}, "^give either a least score or a precision, not both$"),
        ({"n_best": 0}, "^n_best=0: expected a number from 1 to 10000$"),
        (
            {"n_best": 2, "one_to_one": True},
            "^one to one, each name has one partner: n_best must be 1, got 2$",
        ),
        ({"threads": 0}, "^threads=0: expected a number from 1 to 1024$"),
    ],
)
def test_options_that_cannot_be_used(model, options, message):
    with pytest.raises(OptionError, match=message):
        match(model, ["ba"], ["BA"], **options)


def test_one_name_in_the_place_of_a_list(model):
    with pytest.raises(OptionError, match=r"^give a list of names, not one: \['ba'\]$"):
        match(model, "ba", ["BA"])


def test_too_few_pairs_to_calibrate_with(plain):
    few = [*DEV[:19], DEV[0], ("", "BA"), ("é", "BA")]
    with pytest.raises(
        InputError, match=r"^19 different pairs of names to calibrate with, expected at least 20$"
    ):
        calibrate(plain, few)
    assert "matching" not in plain.notes


def test_calibration_takes_all_partners_of_a_name_as_right(plain):
    model = EditModel(plain.weights, plain.source_alphabet, plain.target_alphabet, plain.options)
    twice = [(source, form) for source, target in DEV[:60] for form in (target, target + "A")]
    steps = []
    calibrate(model, twice, progress=lambda done, of: steps.append((done, of)))
    assert steps == [(60, 60)]
    found = match(model, *sides(DEV[:60]), min_score=0.5)
    assert len(found) > 45
