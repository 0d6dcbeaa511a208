"""Recipes: what they mean, and what they refuse, in words."""

import re

import pytest

from cepts.aligning import COMBINERS, RECIPES, Recipe, recipe
from cepts.errors import OptionError
from cepts.words import Agreement


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model_type": "ibm9"}, "--model-type ibm9: expected one of ibm1, hmm"),
        ({"training": "alone"}, "--training alone: expected one of agreement, independent"),
        ({"direction": "up"}, "--direction up: expected one of forward, reverse, both"),
        (
            {"combine": "sum"},
            f"--combine sum: expected one of {', '.join(COMBINERS)}",
        ),
        ({"jump_update": "none"}, "--jump-update none: expected one of exact, renormalised"),
        ({"ibm1_iterations": -1}, "--iterations ibm1=-1: expected a number from 0 to 1000"),
        ({"hmm_iterations": 1001}, "--iterations hmm=1001: expected a number from 0 to 1000"),
        ({"null_probability": 0.0}, "--null-probability 0.0: expected a number between 0 and 1"),
        ({"null_probability": 1.0}, "--null-probability 1.0: expected a number between 0 and 1"),
        ({"null_probability": float("nan")}, "--null-probability nan: expected a number between 0 and 1"),
        ({"min_confidence": 1.5}, "--min-confidence 1.5: expected a number from 0 to 1"),
        ({"min_confidence": float("nan")}, "--min-confidence nan: expected a number from 0 to 1"),
        ({"ibm1_prior": -0.1}, "--prior -0.1: expected a number from 0 to 100"),
        ({"hmm_prior": 101.0}, "--prior 101.0: expected a number from 0 to 100"),
        ({"ibm1_agreement": "none"}, "--agreement none: expected one of product, odds, mean"),
        ({"hmm_agreement": "sum"}, "--agreement sum: expected one of product, odds, mean"),
        ({"doubt": 0.0}, "--doubt 0.0: expected a number from 0.001 to 1000"),
        ({"same_spelling": -1.0}, "--same-spelling -1.0: expected a number from 0 to 1e+06"),
        ({"jump_band": 0}, "--jump-band 0: expected a number from 1 to 100"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options, message):
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        recipe(**options)


def test_an_unknown_method():
    with pytest.raises(OptionError, match=r"^--method slow: expected one of fast"):
        recipe("slow")


def test_options_that_are_none_stay_as_the_recipe_has_them():
    assert recipe("fast", combine=None, hmm_iterations=None) == RECIPES["fast"]
    assert recipe("fast", combine="union") != RECIPES["fast"]


@pytest.mark.parametrize(
    ("direction", "training", "wanted", "trained"),
    [
        ("both", "agreement", (True, True), (True, True)),
        ("forward", "agreement", (True, False), (True, True)),  # agreement needs the other one, too
        ("forward", "independent", (True, False), (True, False)),
        ("reverse", "independent", (False, True), (False, True)),
    ],
)
def test_directions(direction, training, wanted, trained):
    chosen = Recipe(direction=direction, training=training)
    assert (chosen.directions, chosen.trained) == (wanted, trained)


def test_each_stage_has_its_own_agreement_and_prior():
    chosen = Recipe(ibm1_agreement="mean", hmm_agreement="odds", ibm1_prior=0.1, hmm_prior=0.2, doubt=3.0)
    ibm1, hmm = chosen.training_of("ibm1"), chosen.training_of("hmm")
    assert (ibm1.agreement, hmm.agreement) == (Agreement.MEAN, Agreement.ODDS)
    assert (ibm1.smoothing.prior, hmm.smoothing.prior) == (0.1, 0.2)
    assert (ibm1.doubt, hmm.exact_jumps) == (3.0, True)
    alone = Recipe(training="independent", jump_update="renormalised").training_of("hmm")
    assert (alone.agreement, alone.exact_jumps) == (Agreement.NONE, False)


def test_only_posteriors_of_both_directions_have_a_threshold():
    assert Recipe(combine="posterior").threshold == Recipe().posterior_threshold > 0
    assert Recipe(combine="posterior", min_confidence=0.4).threshold == 0.4
    assert 0 < Recipe(combine="posterior", min_confidence=0.0).threshold < 1e-3
    assert Recipe(combine="posterior", direction="forward").threshold == 0
    for combine in COMBINERS:
        if combine != "posterior":
            assert Recipe(combine=combine, min_confidence=0.4).threshold == 0


def test_a_recipe_survives_its_dictionary_and_its_signature_tells_recipes_apart():
    chosen = recipe(combine="grow-diag", null_probability=0.2)
    assert Recipe(**chosen.to_dict()) == chosen
    assert "combine:grow-diag|" in chosen.signature
    assert "null_probability:0.2|" in chosen.signature
    assert chosen.signature != recipe(combine="grow-diag").signature
