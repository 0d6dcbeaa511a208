"""Cepts and lists of the best alignments, through `Aligner`: what they are, what is kept, what is refused."""

import re

import numpy as np
import pytest

from cepts import Aligner, OptionError, Recipe, bitext_from_pairs
from cepts.aligning import COMBINERS
from cepts.aligning.recipes import SETTINGS
from cepts.combine.association import LIST_MEASURES, MEASURES
from cepts.errors import ModelError
from tests.aligning.contract import (
    MONO_WORD,
    WAYS,
    assert_same_links,
    fitted,
    lines,
    places,
    planted,
    sample,
)
from tests.aligning.forging import describe, refusal, set_recipe

CEPTS_OPTIONS = [name for name, setting in SETTINGS.items() if setting.group == "cepts"]

# Another value of each option, for the HMM of the sample.
CEPTS_OPTIONS = [name for name, declared in SETTINGS.items() if declared.group == "cepts"]
OTHER = {
    "association": "product",
    "n_best": 7,
    "null_weight": 0.25,
    "scale": 20.0,
    "criterion": "bic",
    "search": "restarts",
    "restarts": 2,
    "seed": 3,
    "em_steps": 3,
    "tolerance": 0.25,
    "patience": 0,
    "orphans": "retrain",
    "sure_confidence": 0.9,
}


@pytest.fixture
def saved(tmp_path):
    """Where a model is saved."""

    def save(**options):
        fitted(options).save(tmp_path / "model")
        return tmp_path / "model"

    return save


def align(**options):
    """The links of the sample, and its cepts."""
    links = fitted({"combine": "cepts", **options}).align(sample())
    return links, links.cepts


def assert_proper_cepts(cepts, bitext):
    """Coverage and closure: each word in one cept or NULL's, each cept with words on both sides."""
    assert len(cepts) == len(bitext)
    for k, found in enumerate(cepts):
        for side, text in enumerate((bitext.source, bitext.target)):
            words = [word for cept in found for word in cept[side]]
            assert len(words) == len(set(words))
            assert set(words) <= set(range(len(text.sentence(k))))
        assert all(cept.source and cept.target for cept in found)
        assert [cept.source[0] for cept in found] == sorted(cept.source[0] for cept in found)
        assert sum(cept.probability for cept in found) <= 1 + 1e-5


@pytest.mark.parametrize("model_type", ["hmm", "ibm1", "bihmm", "ibm4"])
def test_links_are_those_of_the_cepts(model_type):
    links, cepts = align(model_type=model_type)
    assert_proper_cepts(cepts, sample())
    for found, pair in zip(cepts, places(links), strict=True):
        assert pair == {(i, j) for cept in found for i in cept.source for j in cept.target}
    assert cepts.aligned_share() > 0.6
    assert links.sure.all()
    other = fitted({"model_type": model_type, "combine": "union"}).align(sample())
    np.testing.assert_array_equal(links.scores, other.scores)


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_gives_proper_cepts(measure):
    _, cepts = align(association=measure, n_best=20)
    assert_proper_cepts(cepts, sample())


def test_a_planted_translation_is_found(seed):
    bitext, gold = planted(seed)
    aligner = Aligner(combine="cepts").fit(bitext)
    links = aligner.align(bitext)
    assert places(links) == gold
    assert links.cepts.aligned_share() == 1


@pytest.mark.parametrize("name", OTHER)
def test_every_option_reaches_the_cepts(name, saved):
    assert set(OTHER) == set(CEPTS_OPTIONS)
    needed = {"search": "restarts"} if name in ("restarts", "seed") else {}
    needed |= {"n_best": {"association": "counts"}, "patience": {"association": "information"}}.get(name, {})
    model = saved(model_type="hmm", combine="cepts")
    before, after = (Aligner.load(model, **needed, **more) for more in ({}, {name: OTHER[name]}))
    assert getattr(after.recipe, name) == OTHER[name]
    first, second = before.align(sample()), after.align(sample())
    if name == "sure_confidence":
        np.testing.assert_array_equal(second.sure, second.confidence >= np.float32(0.9))
        assert 0 < second.sure.sum() < len(second.sure)
    elif name == "orphans":  # few cepts of the sample, or none, lack words on a side
        assert_proper_cepts(second.cepts, sample())
    else:
        assert (
            first.confidence.shape != second.confidence.shape or (first.confidence != second.confidence).any()
        )


def test_only_how_links_are_made_can_be_changed_at_loading(saved):
    model = saved(model_type="hmm", combine="grow-diag")
    loaded = Aligner.load(model, combine="cepts", **OTHER)
    assert_same_links(loaded.align(sample()), fitted({"combine": "cepts", **OTHER}).align(sample()))
    with pytest.raises(OptionError, match="classes cannot be changed after training: train a model with it"):
        Aligner.load(model, combine="cepts", classes=5)


def test_the_options_are_saved_with_the_model(saved):
    model = saved(combine="cepts", **OTHER)
    loaded = Aligner.load(model)
    assert {name: getattr(loaded.recipe, name) for name in OTHER} == OTHER
    assert_same_links(loaded.align(sample()), fitted({"combine": "cepts", **OTHER}).align(sample()))


def test_the_less_certain_are_left_out(saved):
    model = saved(combine="cepts")
    every, certain = (Aligner.load(model, min_confidence=least) for least in (None, 0.9))
    all_links = every.align(sample())
    sure_links = certain.align(sample())
    assert_same_links(sure_links, all_links.select(all_links.confidence >= np.float32(0.9)))
    assert all_links.confidence.min() < 0.9 < all_links.confidence.max()
    np.testing.assert_array_equal(sure_links.cepts.source, all_links.cepts.source)


@pytest.mark.parametrize(
    "options",
    [{"combine": combine} for combine in COMBINERS if combine != "cepts"] + [{"direction": "forward"}],
)
def test_there_are_no_cepts_of_other_links(options, saved):
    aligner = Aligner.load(saved(model_type="hmm", combine="cepts"), **options)
    assert aligner.align(sample()).cepts is None


def test_each_alignment_has_the_cepts_of_its_own_text(saved):
    aligner = Aligner.load(saved(combine="cepts"))
    whole, one = aligner.align(sample()), aligner.align(bitext_from_pairs([("le chat", "the cat")]))
    assert [cept[:2] for cept in one.cepts[0]] == [([0], [0]), ([1], [1])]
    assert len(whole.cepts) == len(sample())


def test_a_single_pair_has_the_cepts_that_it_has_among_others():
    _, cepts = align()
    aligner = fitted({"combine": "cepts"})
    for k in range(0, len(sample()), 40):
        assert aligner.align(bitext_from_pairs([lines(sample(), k)])).cepts[0] == cepts[k]


@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("model_type", MONO_WORD)
def test_the_best_of_a_list_is_the_best_path(model_type, direction):
    options = {"model_type": model_type, "direction": direction}
    lists = fitted({"model_type": model_type}).best_lists(sample(), 5, direction)
    best = fitted(options).align(sample())
    same = 0
    for k, pair in enumerate(places(best)):
        entries = lists.of(k)
        logs = [log for _, log in entries]
        assert 1 <= len(entries) <= 5
        assert logs == sorted(logs, reverse=True)
        assert len({frozenset(link[:2] for link in links) for links, _ in entries}) == len(entries)
        same += {link[:2] for link in entries[0][0]} == pair
    # Where two alignments are as good as each other, or nearly, either may be the best.
    assert same >= 0.95 * len(sample())


def test_the_direction_of_lists_is_the_recipe_s_if_none_is_given():
    one_way = fitted({"model_type": "hmm", "direction": "reverse"})
    both = fitted({"model_type": "hmm"})
    ours, theirs = one_way.best_lists(sample(), 3), both.best_lists(sample(), 3, "reverse")
    np.testing.assert_array_equal(ours.log_probability, theirs.log_probability)
    np.testing.assert_array_equal(ours.links.target, theirs.links.target)


@pytest.mark.parametrize("model_type", MONO_WORD)
def test_lists_of_a_part_are_part_of_the_lists(model_type, tmp_path):
    aligner = fitted({"model_type": model_type})
    whole = aligner.best_lists(sample(), 4, "forward")
    part = aligner.best_lists(sample().part(30, 50), 4, "forward")
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model", threads=2).best_lists(sample().part(30, 50), 4, "forward")
    for k in range(20):
        assert part.of(k) == loaded.of(k) == whole.of(30 + k)


def test_pairs_without_words_have_no_list():
    bitext = bitext_from_pairs([("", "the"), ("le chat", "the cat"), ("", "")])
    lists = fitted({"model_type": "hmm"}).best_lists(bitext, 2, "forward")
    assert lists.owner.tolist() == [1, 1]
    nothing = fitted({"model_type": "hmm"}).best_lists(bitext_from_pairs([("", "the")]), 2, "forward")
    assert (len(nothing.links), nothing.of(0)) == (0, [])


@pytest.mark.parametrize("model_type", ["ibm3", "ibm4"])
def test_pairs_that_are_too_long_for_lists_of_the_model_are_counted(model_type):
    long = (" ".join(["chat"] * 129), " ".join(["cat"] * 129))
    aligner = fitted({"model_type": model_type})
    lists = aligner.best_lists(bitext_from_pairs([("le chat", "the cat"), long]), 2, "forward")
    assert lists.oversized.tolist() == [1]
    assert len(lists.of(1)) == 2


LISTS_REFUSED = {
    "n": ({}, {"n": 0, "direction": "forward"}, "n_best=0: expected a number from 1 to 10000"),
    "many": ({}, {"n": 10_001, "direction": "reverse"}, "n_best=10001: expected a number from 1 to 10000"),
    "both": (
        {},
        {"n": 5},
        "n_best needs direction='forward' or direction='reverse'; add one of them",
    ),
    "unknown": (
        {},
        {"n": 5, "direction": "sideways"},
        "direction='sideways': expected one of forward, reverse, both",
    ),
    "not trained": (
        {"training": "independent", "direction": "forward"},
        {"n": 5, "direction": "reverse"},
        "the aligner was trained in direction forward alone: align in that direction, or train both",
    ),
    "bi-word": (
        {"model_type": "bihmm"},
        {"n": 5, "direction": "forward"},
        "no n-best lists of bihmm: use model_type='ibm1', hmm, ibm3 or ibm4",
    ),
}


@pytest.mark.parametrize("case", LISTS_REFUSED)
def test_lists_that_are_refused(case):
    options, asked, message = LISTS_REFUSED[case]
    aligner = fitted(options)
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        aligner.best_lists(sample(), **asked)


def test_lists_need_a_trained_aligner():
    with pytest.raises(ModelError, match="the aligner has not been trained"):
        Aligner().best_lists(sample(), 5, "forward")


REFUSED = {
    "association": ("nearness", f"association='nearness': expected one of {', '.join(MEASURES)}"),
    "n_best": (0, "n_best=0: expected a number from 1 to 10000"),
    "null_weight": (-0.5, "null_weight=-0.5: expected a number from 0 to 1000"),
    "scale": (0.0, "scale=0.0: expected a number from 1 to 1e+06"),
    "criterion": ("dic", "criterion='dic': expected one of aic, bic"),
    "search": ("luck", "search='luck': expected one of annealing, restarts"),
    "restarts": (0, "restarts=0: expected a number from 1 to 10000"),
    "seed": (-1, "seed=-1: expected a number from 0 to 2147483647"),
    "em_steps": (0, "em_steps=0: expected a number from 1 to 100000"),
    "tolerance": (1.0, "tolerance=1.0: expected a number from 0 to below 1"),
    "patience": (-1, "patience=-1: expected a number from 0 to 100000"),
    "orphans": ("adopt", "orphans='adopt': expected one of reassign, retrain"),
    "sure_confidence": (1.5, "sure_confidence=1.5: expected a number from 0 to 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_recipes_that_are_refused(name, saved):
    value, message = REFUSED[name]
    assert set(REFUSED) == set(CEPTS_OPTIONS)
    message = f"^{re.escape(message)}$"
    for options in ({"combine": "cepts"}, {}):
        with pytest.raises(OptionError, match=message):
            Recipe(**{**options, name: value})
    model = saved(combine="cepts")
    with pytest.raises(OptionError, match=message):
        Aligner.load(model, **{name: value})
    describe(model, set_recipe(name, value))
    assert REFUSED[name][1] in refusal(model)


@pytest.mark.parametrize("model_type", ["bi1", "bihmm"])
@pytest.mark.parametrize("measure", LIST_MEASURES)
def test_bi_word_models_have_no_lists_to_count_in(measure, model_type):
    message = (
        f"association='{measure}' needs n-best lists, and there are none of model_type='{model_type}'; "
        "use association='attached', or model_type='hmm'"
    )
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        Aligner(model_type=model_type, combine="cepts", association=measure)
    assert Aligner(model_type=model_type, association=measure).recipe.association == measure, "not asked for"


def test_one_direction_has_no_cepts(saved):
    model = saved(model_type="hmm", training="independent", direction="forward")
    with pytest.raises(OptionError, match="was trained in direction forward alone: align in that direction"):
        Aligner.load(model, combine="cepts", direction="both")
    loaded = Aligner.load(model, combine="cepts")
    links = loaded.align(sample())
    assert_same_links(
        links,
        fitted({"model_type": "hmm", "training": "independent", "direction": "forward"}).align(sample()),
    )
    assert links.cepts is None


def test_a_model_of_an_earlier_version_has_the_defaults(saved):
    model = saved(model_type="hmm", combine="grow-diag")

    def forget_new_fields(description):
        for name in CEPTS_OPTIONS:
            del description["meta"]["recipe"][name]

    describe(model, forget_new_fields)
    loaded = Aligner.load(model, combine="cepts")
    assert_same_links(loaded.align(sample()), fitted({"combine": "cepts"}).align(sample()))
