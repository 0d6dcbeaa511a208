"""What `align` returns: it has everything that was found, keeps that in parts of it, and leaves the aligner alone."""

from dataclasses import replace

import numpy as np
import pytest

from cepts import Aligner, Links
from cepts.aligning import Alignment
from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, ModelError, OptionError, PositionError
from tests.aligning.contract import assert_same_links, fitted, sample
from tests.aligning.test_double import long_text

PICKED = np.array([7, 3, 3, 0])


def aligned(**options):
    return fitted(options).align(sample())


def columns(alignment, k):
    """All that is known of pair k."""
    dual, cepts = alignment.dual, alignment.cepts
    return (
        alignment[k],
        alignment.bitext[k],
        alignment.score_of(k),
        None if dual is None else (dual.forward[k], dual.reverse[k], *(column[k] for column in dual[2:])),
        None if cepts is None else (cepts[k], cepts.chosen[k], cepts.noise[k], cepts.log_likelihoods[k]),
    )


@pytest.mark.parametrize("combine", ["posterior", "dual", "cepts", "grow-diag"])
def test_a_part_has_what_was_found_of_its_pairs(combine):
    whole = aligned(combine=combine)
    assert isinstance(whole, Links)
    assert (whole.dual is not None, whole.cepts is not None) == (combine == "dual", combine == "cepts")
    for part, numbers in (
        (whole[2:9], range(2, 9)),
        (whole[-3:], range(len(whole) - 3, len(whole))),
        (whole[9:2:-3], range(9, 2, -3)),
        (whole[5:5], []),
        (whole[5:2], []),
        (whole.part(2, 9), range(2, 9)),
        (whole.head(3), range(3)),
        (whole.picked(PICKED), PICKED.tolist()),
    ):
        assert isinstance(part, Alignment)
        assert len(part) == len(part.bitext) == len(list(part)) == len(numbers)
        for row, k in enumerate(numbers):
            assert columns(part, row) == columns(whole, k)


def test_the_last_pairs_count_from_the_end():
    whole = aligned(combine="cepts")
    assert columns(whole, -1) == columns(whole, len(whole) - 1)
    assert columns(whole.picked(np.array([-2])), 0) == columns(whole, len(whole) - 2)
    with pytest.raises(PositionError, match="there is no pair 240: there are 240"):
        whole[240]
    with pytest.raises(OptionError, match="a slice does not fit"):
        whole["a":]


def test_selected_links_are_of_the_same_text():
    whole = aligned(combine="dual")
    sure = whole.select(whole.confidence > 0.5)
    assert isinstance(sure, Alignment)
    assert (sure.bitext, sure.dual) == (whole.bitext, whole.dual)
    assert 0 < len(sure.source) < len(whole.source)


def test_exchanged_sides():
    swapped = aligned(combine="dual").swapped()
    assert (swapped.dual, swapped.cepts) == (None, None)
    assert swapped.bitext[3] == sample()[3][::-1]
    assert_same_links(swapped.swapped(), aligned(combine="dual"))


def test_pairs_that_are_too_long_are_known_by_their_numbers():
    bitext = long_text(400)
    whole = Aligner("fast", model_type="bihmm", ibm1_iterations=1, hmm_iterations=1).fit(bitext).align(bitext)
    assert whole.oversized.tolist() == [20]
    assert whole[18:].oversized.tolist() == [2]
    assert whole.picked(np.array([20, 1, -1])).oversized.tolist() == [0, 2]
    assert len(whole[:20].oversized) == 0


def test_an_aligner_keeps_nothing_of_what_it_aligns(tmp_path):
    fitted({"combine": "dual"}).save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    before, seconds = dict(vars(loaded)), dict(loaded.stopwatch.seconds)
    loaded.align(sample())
    loaded.align(("le chat", "the cat"))
    loaded.posteriors(sample())
    loaded.scores(sample())
    loaded.best_lists(sample().part(0, 3), 2, "forward")
    assert vars(loaded) == before
    assert loaded.stopwatch.seconds == seconds


@pytest.mark.parametrize(
    "changes", [{"combine": "cepts"}, {"combine": "dual", "rounds": 3}, {"min_confidence": 0.9}]
)
def test_another_recipe_for_one_text(changes, tmp_path):
    aligner = fitted({})
    recipe = replace(aligner.recipe, **changes)
    aligner.save(tmp_path / "model")
    expected = Aligner.load(tmp_path / "model", **changes).align(sample())
    assert_same_links(aligner.align(sample(), recipe=recipe), expected)
    pair = tuple(" ".join(side) for side in sample()[4])
    assert aligner.align(pair, recipe=recipe) == expected[4]


def test_what_was_trained_cannot_be_changed_afterwards():
    aligner = fitted({})
    for changes, said in (
        ({"hmm_iterations": 7}, "recipe: hmm_iterations is 7, but the model was trained with 5"),
        ({"model_type": "ibm1", "jump_classes": 1}, "recipe: model_type is ibm1"),
    ):
        with pytest.raises(OptionError, match=said):
            aligner.align(sample(), recipe=replace(aligner.recipe, **changes))
        with pytest.raises(OptionError, match=said):
            aligner.posteriors(("le chat", "the cat"), recipe=replace(aligner.recipe, **changes))


def test_a_direction_that_was_not_trained():
    aligner = fitted({"training": "independent", "direction": "forward"})
    with pytest.raises(OptionError, match="the aligner was trained in direction forward alone"):
        aligner.align(sample(), recipe=replace(aligner.recipe, direction="both"))


def test_a_second_fit_is_refused(tmp_path):
    aligner = Aligner("fast")
    with pytest.raises(InputError, match="nothing to learn from"):
        aligner.fit(bitext_from_pairs([("", "")]))
    aligner.fit(sample())
    aligner.save(tmp_path / "model")
    for trained in (aligner, Aligner.load(tmp_path / "model"), aligner.updated(sample())):
        with pytest.raises(ModelError, match=r"trained already: make a new Aligner .* updated\(\.\.\.\)"):
            trained.fit(sample())
