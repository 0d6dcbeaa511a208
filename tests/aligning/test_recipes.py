"""Recipes: what they mean, and what they refuse, in words."""

import json
import re
from dataclasses import fields, replace
from itertools import product

import numpy as np
import pytest

import cepts
from cepts.aligning import COMBINERS, DIRECTIONS, MODEL_TYPES, RECIPES, Recipe, recipe
from cepts.aligning.recipes import FERTILE, OPTIMIZERS, SETTINGS
from cepts.aligning.settings import GROUPS, UNKNOWN
from cepts.choices import SHORT_NAMES
from cepts.combine import HEURISTICS, DualOptions
from cepts.errors import OptionError, speaking_of_options
from cepts.words import Agreement
from cepts.words.lexicon import FLOOR

STRENGTH = "expected auto, off or a number from 0 to 1e+06"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model_type": "ibm9"}, "model_type='ibm9': expected one of ibm1, hmm, bi1, bihmm, ibm3, ibm4"),
        ({"training": "alone"}, "training='alone': expected one of agreement, independent"),
        ({"direction": "up"}, "direction='up': expected one of forward, reverse, both"),
        (
            {"combine": "sum"},
            f"combine='sum': expected one of {', '.join(COMBINERS)}",
        ),
        ({"optimizer": "adam"}, "optimizer='adam': expected one of em, pgd"),
        ({"jump_update": "none"}, "jump_update='none': expected one of exact, gradient, renormalised"),
        ({"null_update": "free"}, "null_update='free': expected one of fixed, learned"),
        ({"null_state": "waits"}, "null_state='waits': expected one of remembers, forgets"),
        ({"rounds": 0}, "rounds=0: expected a number from 1 to 100000"),
        ({"rounds": 100_001}, "rounds=100001: expected a number from 1 to 100000"),
        ({"alpha": -0.5}, "alpha=-0.5: expected a number from 0 to 1e+06"),
        ({"alpha": float("nan")}, "alpha=nan: expected a number from 0 to 1e+06"),
        ({"alpha": float("inf")}, "alpha=inf: expected a number from 0 to 1e+06"),
        ({"step": "even"}, "step='even': expected one of adaptive, harmonic"),
        ({"step_size": 0.0}, "step_size=0.0: expected a number from 1e-06 to 1e+06"),
        ({"remainder": "dual"}, f"remainder='dual': expected one of {', '.join(HEURISTICS)}"),
        ({"remainder": "posterior"}, f"remainder='posterior': expected one of {', '.join(HEURISTICS)}"),
        ({"ibm1_iterations": -1}, "ibm1_iterations=-1: expected a number from 0 to 1000"),
        ({"hmm_iterations": 1001}, "hmm_iterations=1001: expected a number from 0 to 1000"),
        ({"null_probability": 0.0}, "null_probability=0.0: expected a number between 0 and 1"),
        ({"null_probability": 1.0}, "null_probability=1.0: expected a number between 0 and 1"),
        ({"null_probability": float("nan")}, "null_probability=nan: expected a number between 0 and 1"),
        ({"min_confidence": 1.5}, "min_confidence=1.5: expected a number from 0 to 1"),
        ({"min_confidence": float("nan")}, "min_confidence=nan: expected a number from 0 to 1"),
        ({"ibm1_prior": -0.1}, "ibm1_prior=-0.1: expected a number from 0 to 100"),
        ({"hmm_prior": 101.0}, "hmm_prior=101.0: expected a number from 0 to 100"),
        ({"ibm1_agreement": "none"}, "ibm1_agreement='none': expected one of product, odds, mean"),
        ({"hmm_agreement": "sum"}, "hmm_agreement='sum': expected one of product, odds, mean"),
        ({"doubt": 0.0}, "doubt=0.0: expected a number from 0.001 to 1000"),
        ({"same_spelling": -1.0}, "same_spelling=-1.0: expected a number from 0 to 1e+06"),
        (
            {"model_type": "ibm3", "ibm3_iterations": -1},
            "ibm3_iterations=-1: expected a number from 0 to 1000",
        ),
        (
            {"model_type": "ibm4", "ibm4_iterations": 1001},
            "ibm4_iterations=1001: expected a number from 0 to 1000",
        ),
        ({"classes": 0}, "classes=0: expected a number from 1 to 2000"),
        ({"classes": 2001}, "classes=2001: expected a number from 1 to 2000"),
        ({"jump_band": 0}, "jump_band=0: expected a number from 1 to 100"),
        ({"jump_classes": 0}, "jump_classes=0: expected a number from 1 to 256"),
        ({"jump_classes": 257}, "jump_classes=257: expected a number from 1 to 256"),
        (
            {"jump_classes": 2, "model_type": "ibm4"},
            (
                "jump_classes does not go with model_type='ibm4': it is about the jumps of the HMM; "
                "use model_type='hmm', or jump_classes=1"
            ),
        ),
        (
            {"jump_classes": 2, "training": "independent"},
            (
                "jump_classes does not go with training='independent': what classes share has no part in its "
                "objective; use jump_classes=1, or training='agreement'"
            ),
        ),
        ({"double_probability": 0.0}, "double_probability=0.0: expected a number between 0 and 1"),
        ({"double_probability": 1.0}, "double_probability=1.0: expected a number between 0 and 1"),
        ({"double_probability": -0.5}, "double_probability=-0.5: expected a number between 0 and 1"),
        ({"double_probability": float("nan")}, "double_probability=nan: expected a number between 0 and 1"),
        ({"prune": -1e-6}, "prune=-1e-06: expected a number from 0 to 0.1"),
        ({"prune": 0.5}, "prune=0.5: expected a number from 0 to 0.1"),
        ({"prune": float("nan")}, "prune=nan: expected a number from 0 to 0.1"),
        ({"regularity": -1.0}, f"regularity=-1.0: {STRENGTH}"),
        ({"regularity": -1e-9}, f"regularity=-1e-09: {STRENGTH}"),
        ({"regularity": 1.1e6}, f"regularity=1100000.0: {STRENGTH}"),
        ({"regularity": float("inf")}, f"regularity=inf: {STRENGTH}"),
        ({"regularity": float("-inf")}, f"regularity=-inf: {STRENGTH}"),
        ({"regularity": float("nan")}, f"regularity=nan: {STRENGTH}"),
        ({"regularity": "strong"}, f"regularity='strong': {STRENGTH}"),
        ({"regularity": ""}, f"regularity='': {STRENGTH}"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options, message):
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        recipe(**options)


AGREEMENT_AND_PAIRS = (
    "training='agreement' does not go with model_type='{}': directions agree on single links, and a double "
    "alignment is two at once; use training='independent'"
)
AGREEMENT_AND_DESCENT = (
    "training='agreement' does not go with optimizer='pgd': it has no objective whose gradient could be followed; "
    "use training='independent', or optimizer='em'"
)
PRIOR_AND_DESCENT = "{} is estimated by optimizer='em' alone; use {}=0 with pgd"
PRIOR_AND_TERM = (
    "{} does not go with the regularity term (regularity={}): they are two cures for the same ill; "
    "use {}=0 or regularity='off'"
)
FORGETFUL = (
    "null_state='forgets' does not go with model_type='{}': NULL inherits the head there; "
    "use null_state='remembers'"
)
TWO_HMMS = (
    "combine='dual' joins two HMMs, not two models of type {}; use model_type='hmm', or another combine"
)
NO_GRADIENT = (
    "optimizer='pgd' does not go with model_type='{}': its likelihood cannot be computed, only that of the best "
    "alignments; use optimizer='em'"
)
NO_PRUNING = "prune does not go with {}: its {}; drop it"
NO_M_STEP = "jump_update is about the M step of optimizer='em'; pgd has none: drop it"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model_type": "bi1", "training": "agreement"}, AGREEMENT_AND_PAIRS.format("bi1")),
        ({"model_type": "bihmm", "training": "agreement"}, AGREEMENT_AND_PAIRS.format("bihmm")),
        (
            {"model_type": "bihmm", "optimizer": "pgd", "training": "agreement"},
            AGREEMENT_AND_PAIRS.format("bihmm"),
        ),
        ({"optimizer": "pgd", "training": "agreement"}, AGREEMENT_AND_DESCENT),
        ({"optimizer": "pgd", "hmm_prior": 0.1}, PRIOR_AND_DESCENT.format("hmm_prior", "hmm_prior")),
        (
            {"optimizer": "pgd", "ibm1_prior": 0.1, "hmm_prior": 0.0},
            PRIOR_AND_DESCENT.format("ibm1_prior", "ibm1_prior"),
        ),
        (
            {"regularity": "auto", "hmm_prior": 0.1},
            PRIOR_AND_TERM.format("hmm_prior", "'auto'", "hmm_prior"),
        ),
        ({"regularity": 2.5, "ibm1_prior": 0.1}, PRIOR_AND_TERM.format("ibm1_prior", 2.5, "ibm1_prior")),
        (
            {"model_type": "bihmm", "regularity": 0.5, "hmm_prior": 0.1},
            PRIOR_AND_TERM.format("hmm_prior", 0.5, "hmm_prior"),
        ),
        (
            {"method": "schoenemann-2011", "hmm_prior": 0.1},
            PRIOR_AND_TERM.format("hmm_prior", 2.5, "hmm_prior"),
        ),
        ({"optimizer": "pgd", "jump_update": "renormalised"}, NO_M_STEP),
        ({"optimizer": "pgd", "jump_update": "gradient"}, NO_M_STEP),
        ({"null_state": "forgets", "model_type": "bihmm"}, FORGETFUL.format("bihmm")),
        ({"null_state": "forgets", "model_type": "bi1"}, FORGETFUL.format("bi1")),
        ({"method": "bidirectional", "model_type": "ibm1"}, TWO_HMMS.format("ibm1")),
        ({"method": "bidirectional", "model_type": "ibm4"}, TWO_HMMS.format("ibm4")),
        ({"optimizer": "pgd", "model_type": "ibm3"}, NO_GRADIENT.format("ibm3")),
        ({"optimizer": "pgd", "model_type": "ibm4"}, NO_GRADIENT.format("ibm4")),
        (
            {"prune": 1e-5, "model_type": "ibm1"},
            "prune is about the model behind IBM-1, and there is none; drop it",
        ),
        (
            {"prune": 1e-5, "model_type": "bihmm"},
            NO_PRUNING.format("model_type='bihmm'", "tables have pairs of source words"),
        ),
        (
            {"prune": 1e-5, "optimizer": "pgd"},
            NO_PRUNING.format("optimizer='pgd'", "rows must begin as distributions"),
        ),
    ],
)
def test_what_the_mathematics_does_not_allow_is_refused(options, message):
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        recipe(**options)


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (None, "regularity must be a number or text, got None"),
        ([2.5], "regularity must be a number or text, got list"),
        ("much", "expected auto, off or a number from 0 to 1e"),
    ],
)
def test_a_strength_that_is_no_number_is_refused(odd, message):
    with pytest.raises(OptionError, match=message):
        Recipe(regularity=odd, hmm_prior=0.0)


def test_a_strength_of_any_kind_of_number_can_be_saved():
    chosen = recipe(regularity=np.float32(2.5))
    assert json.dumps(chosen.to_dict()["regularity"]) == "2.5"


def test_a_recipe_made_directly_is_held_to_the_same_rules():
    """Nothing follows from an option here: what contradicts the defaults must be given too."""
    for options in ({"model_type": "bihmm"}, {"optimizer": "pgd"}, {"regularity": "auto"}):
        with pytest.raises(OptionError):
            Recipe(**options)
    alone = Recipe(regularity="auto", hmm_prior=0.0, families="off", spelling=0.0)
    assert alone.regularity == "auto"


@pytest.mark.parametrize("regularity", ["auto", "off", 0, 0.0, 1e-12, 2.5, 1e6])
@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_every_strength_in_range_is_allowed_for_every_model(model_type, regularity):
    assert recipe(model_type=model_type, regularity=regularity).regularity == regularity


def combinations(*names):
    return [
        dict(zip(("model_type", "optimizer", "combine", "direction"), each, strict=True))
        for each in product(*names)
    ]


@pytest.mark.parametrize(
    "options",
    combinations(MODEL_TYPES, OPTIMIZERS, COMBINERS, DIRECTIONS),
    ids=lambda o: "-".join(o.values()),
)
def test_every_model_goes_with_every_optimiser_combiner_and_direction_but_two(options):
    if options["optimizer"] == "pgd" and options["model_type"] in FERTILE:
        with pytest.raises(OptionError, match=f"^{re.escape(NO_GRADIENT.format(options['model_type']))}$"):
            recipe(**options)
        return
    if (options["combine"], options["direction"]) == ("dual", "both") and options["model_type"] != "hmm":
        with pytest.raises(OptionError, match=f"^{re.escape(TWO_HMMS.format(options['model_type']))}$"):
            recipe(**options)
        return
    chosen = recipe(**options)
    assert {name: getattr(chosen, name) for name in options} == options


def test_an_unknown_method():
    with pytest.raises(OptionError, match=f"^method='slow': expected one of {', '.join(RECIPES)}$"):
        recipe("slow")


def test_the_recipe_without_arguments_is_the_default_one():
    assert Recipe() == recipe() == RECIPES["best"] == cepts.Aligner().recipe


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_has_the_name_that_it_is_found_by(name):
    assert RECIPES[name].method == name


def test_older_recipes_lack_fields_that_did_nothing():
    """What older versions wrote has no such field, and meant what `fast` does there."""
    assert SETTINGS.keys() == {field.name for field in fields(Recipe)}
    fast = RECIPES["fast"]
    later = {name for name, declared in SETTINGS.items() if declared.before is not UNKNOWN}
    assert {name: SETTINGS[name].before for name in later} == {name: getattr(fast, name) for name in later}
    older = {name: value for name, value in fast.to_dict().items() if name not in later}
    assert Recipe.of_dict(older) == fast
    assert Recipe.of_dict(older | {"jump_classes": 50}) == replace(fast, jump_classes=50)
    assert later.isdisjoint(part.partition(":")[0] for part in fast.signature.split("|"))
    assert "|jump_classes:50|" in RECIPES["best"].signature


def test_every_setting_is_declared_in_full():
    for name, declared in SETTINGS.items():
        assert declared.group in GROUPS, name
        assert set(declared.models) <= set(MODEL_TYPES), name
        assert re.fullmatch(r"[A-Z].*[^.]", declared.help), name
        default = getattr(RECIPES["best"], name)
        free = name == "method" or isinstance(default, bool)
        assert bool(declared.choices or declared.range) is not free, name


@pytest.mark.parametrize("name", [name for name, declared in SETTINGS.items() if declared.range])
def test_the_ends_of_every_range_hold(name):
    limits = SETTINGS[name].range
    for end, outside in ((limits.least, limits.above), (limits.most, limits.below)):
        if not outside:
            SETTINGS[name].check(name, end)
    for beyond in (limits.least - 1, limits.most + 1):
        with pytest.raises(OptionError, match=re.escape(f"expected {SETTINGS[name].values}")):
            recipe(**{name: beyond})


@pytest.mark.parametrize(("short", "full"), SHORT_NAMES.items())
def test_combiners_have_the_short_names_of_the_field(short, full):
    assert recipe(combine=short) == recipe(combine=full)
    assert Recipe(remainder=short).remainder == full


def test_messages_name_options_on_the_command_line_and_arguments_elsewhere():
    examples = (
        ({"jump_band": 0}, "--jump-band 0: expected a number from 1 to 100"),
        ({"hmm_prior": -1.0}, "--prior -1.0: expected a number from 0 to 100"),
        ({"ibm1_iterations": -1}, "--iterations ibm1=-1: expected a number from 0 to 1000"),
        ({"posterior_threshold": 2.0}, "--set posterior_threshold=2.0: expected a number from 0 to 1"),
        ({"optimizer": "pgd", "prune": 1e-5}, "--prune does not go with --optimizer pgd: its rows"),
    )
    for options, message in examples:
        with speaking_of_options(), pytest.raises(OptionError, match=f"^{re.escape(message)}"):
            recipe(**options)
        with pytest.raises(OptionError, match=r"^[a-z]") as caught:
            recipe(**options)
        assert "--" not in str(caught.value)


def test_how_directions_bargain():
    chosen = recipe(combine="dual", rounds=7, alpha=0.5, step="harmonic", step_size=2.0)
    assert chosen.dual == DualOptions(rounds=7, alpha=0.5, step="harmonic", step_size=2.0)
    assert recipe().dual == DualOptions(), "the defaults of the library are those of the recipe"


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
        ("both", "independent", (True, True), (True, True)),
    ],
)
def test_directions(direction, training, wanted, trained):
    chosen = recipe(direction=direction, training=training)
    assert (chosen.directions, chosen.trained) == (wanted, trained)


def test_each_stage_has_its_own_agreement_and_prior():
    chosen = Recipe(ibm1_agreement="mean", hmm_agreement="odds", ibm1_prior=0.1, hmm_prior=0.2, doubt=3.0)
    ibm1, hmm = chosen.training_of("ibm1"), chosen.training_of("hmm")
    assert (ibm1.agreement, hmm.agreement) == (Agreement.MEAN, Agreement.ODDS)
    assert (ibm1.smoothing.prior, hmm.smoothing.prior) == (0.1, 0.2)
    assert (ibm1.doubt, hmm.jump_update, hmm.learn_null, hmm.optimizer) == (3.0, "exact", False, "em")
    alone = recipe(training="independent", jump_update="renormalised", null_update="learned").training_of(
        "hmm"
    )
    assert (alone.agreement, alone.jump_update, alone.learn_null) == (Agreement.NONE, "renormalised", True)
    assert recipe(optimizer="pgd").training_of("ibm1").optimizer == "pgd"


def test_a_model_with_fertilities_is_trained_as_the_hmm_before_it():
    chosen = recipe(model_type="ibm4", hmm_prior=0.2, hmm_agreement="product")
    assert chosen.training_of("ibm4") == chosen.training_of("hmm") != chosen.training_of("ibm1")
    assert chosen.training == "agreement"


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_stages_that_a_model_goes_through(model_type):
    many = {"ibm1_iterations": 6, "hmm_iterations": 7, "ibm3_iterations": 8, "ibm4_iterations": 9}
    own = {"ibm3": {"ibm3": 8}, "ibm4": {"ibm3": 8, "ibm4": 9}}.get(model_type, {})
    chosen = recipe(model_type=model_type, **many)
    assert chosen.iterations == {"ibm1": 6, "hmm": 7} | own
    assert chosen.stages == ({"ibm1": 6} if model_type in ("ibm1", "bi1") else chosen.iterations)


def test_ibm3_comes_before_ibm4_where_it_has_iterations_of_its_own():
    for options in ({}, {"ibm4_iterations": 5}, {"ibm3_iterations": 0}):
        assert recipe(model_type="ibm4", **options).stages.keys() == {"ibm1", "hmm", "ibm4"}
    assert list(recipe(model_type="ibm4", ibm3_iterations=5).stages.items())[2:] == [("ibm3", 5), ("ibm4", 3)]
    assert not recipe(model_type="ibm3", ibm3_iterations=5).ibm3_first
    message = "ibm3_first=True does not go with model_type='hmm': it trains IBM-3 before IBM-4"
    with pytest.raises(OptionError, match=message):
        Recipe(ibm3_first=True)


def test_an_objective_that_must_fall_has_a_much_lower_floor():
    assert Recipe().training_of("hmm").smoothing.floor == FLOOR
    assert 0 < recipe(training="independent").training_of("hmm").smoothing.floor < FLOOR / 100


@pytest.mark.parametrize(
    ("method", "usual"), [("best", "calibrated_threshold"), ("fast", "posterior_threshold")]
)
def test_only_posteriors_of_both_directions_have_a_threshold(method, usual):
    chosen = recipe(method)
    assert recipe(method, combine="posterior").threshold == getattr(chosen, usual) > 0
    assert recipe(method, combine="posterior", min_confidence=0.4).threshold == 0.4
    assert 0 < recipe(method, combine="posterior", min_confidence=0.0).threshold < 1e-3
    assert recipe(method, combine="posterior", direction="forward").threshold == 0
    for combine in COMBINERS:
        if combine != "posterior":
            assert recipe(method, combine=combine, min_confidence=0.4).threshold == 0


def test_a_recipe_survives_its_dictionary_and_its_signature_tells_recipes_apart():
    chosen = recipe(combine="grow-diag", null_probability=0.2)
    assert Recipe(**chosen.to_dict()) == chosen
    assert "combine:grow-diag|" in chosen.signature
    assert "null_probability:0.2|" in chosen.signature
    assert chosen.signature != recipe(combine="grow-diag").signature
