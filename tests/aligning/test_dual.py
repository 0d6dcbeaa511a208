"""One model of both directions, through `Aligner`: what it answers, what it leaves, and every other way to combine."""

import re

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning import COMBINERS
from cepts.combine import HEURISTICS, combine
from cepts.corpus import bitext_from_pairs
from cepts.errors import OptionError
from cepts.words import index_bitext
from cepts.words import indexed as indexed_module
from cepts.words.layout import plan_chunks
from tests.aligning.contract import (
    BY_DUAL,
    WAYS,
    assert_proper,
    assert_same_links,
    fitted,
    lines,
    places,
    planted,
    sample,
)
from tests.aligning.forging import describe, refusal, set_recipe
from tests.words.corpora import bitext_of, random_pairs

by_dual = pytest.mark.parametrize("method", BY_DUAL)
NEW_FIELDS = ("null_state", "rounds", "alpha", "step", "step_size", "remainder")


@pytest.fixture
def saved(tmp_path):
    """Where a model trained by a method is saved."""

    def save(**options):
        fitted(options).save(tmp_path / "model")
        return tmp_path / "model"

    return save


def align(**options):
    """The links of the sample, and what is told of both directions."""
    links = fitted(options).align(sample())
    return links, links.dual


def paths(method):
    """The links of each direction's own best path."""
    return [fitted({"method": method, "direction": way}).align(sample()) for way in WAYS]


def agreement(forward, reverse):
    """How many of all links both directions have."""
    pairs = list(zip(places(forward), places(reverse), strict=True))
    return sum(len(one & two) for one, two in pairs) / sum(len(one | two) for one, two in pairs)


def test_the_recipes_are_those_that_are_meant():
    assert BY_DUAL == ("denero-2011", "bidirectional")


@by_dual
def test_every_pair_has_its_certificate_or_its_last_round(method):
    links, dual = align(method=method)
    recipe = fitted({"method": method}).recipe
    assert all(len(column) == len(sample()) for column in dual)
    assert dual.certified.mean() > 0.5
    assert (dual.rounds[~dual.certified] == recipe.rounds).all()
    assert (dual.rounds >= 1).all()
    assert np.isfinite(dual.bounds).all()
    assert (dual.bounds < 0).all()
    for *answers, found, sure in zip(*map(places, (*dual[:2], links)), dual.certified.tolist(), strict=True):
        assert (answers[0] == answers[1]) == sure
        assert not sure or found == answers[0]


@by_dual
def test_certified_links_are_phrases_of_at_most_three_words(method):
    links, dual = align(method=method)
    sides = 0
    for found in (pair for pair, sure in zip(places(links), dual.certified, strict=True) if sure):
        for own, other in ((0, 1), (1, 0)):
            for word in {link[own] for link in found}:
                linked = sorted(link[other] for link in found if link[own] == word)
                assert len(linked) <= 3
                assert linked == list(range(linked[0], linked[0] + len(linked)))
                sides += len(linked) > 1
    assert sides > 0, "some word has two"


@by_dual
def test_the_directions_disagree_less_than_by_themselves(method):
    _, dual = align(method=method)
    disagreement = 1 - agreement(dual.forward, dual.reverse)
    assert disagreement < 0.7 * (1 - agreement(*paths(method)))


@by_dual
def test_a_confidence_is_the_product_of_the_posteriors(method):
    links, _ = align(method=method)
    forward, reverse = paths(method)
    compared = 0
    for pair, *alone in zip(links, forward, reverse, strict=True):
        one, two = ({link[:2]: link.confidence for link in each} for each in alone)
        for link in pair:
            if link[:2] in one and link[:2] in two:
                assert link.confidence == pytest.approx(one[link[:2]] * two[link[:2]], rel=1e-5)
                compared += 1
    assert compared > 1000
    np.testing.assert_allclose(links.scores, (forward.scores + reverse.scores) / 2, rtol=1e-6)


@by_dual
@pytest.mark.parametrize("remainder", HEURISTICS)
def test_what_is_left_is_combined_by_the_rule(method, remainder, saved):
    before = Aligner.load(saved(method=method, rounds=4)).align(sample())
    assert 10 < before.dual.certified.sum() < len(sample()) - 10
    aligner = Aligner.load(saved(method=method, rounds=4), remainder=remainder)
    links = aligner.align(sample())
    assert_same_links(links, combine(before.dual.forward, before.dual.reverse, remainder))
    assert_same_links(links.dual.forward, before.dual.forward)


@by_dual
def test_a_saved_model_has_the_same_certificates(method, saved):
    links, dual = align(method=method)
    loaded = Aligner.load(saved(method=method), threads=2)
    again = loaded.align(sample())
    assert_same_links(again, links)
    for one, two in zip(again.dual[2:], dual[2:], strict=True):
        np.testing.assert_array_equal(one, two)
    for k in range(0, len(sample()), 40):
        pair = lines(sample(), k)
        assert loaded.align(pair) == links[k]
        alone = loaded.align(bitext_from_pairs([pair])).dual
        assert (alone.certified[0], alone.rounds[0]) == (dual.certified[k], dual.rounds[k])
        assert alone.bounds[0] == dual.bounds[k]


@by_dual
@pytest.mark.parametrize("name", HEURISTICS)
def test_a_heuristic_is_forced_on_the_same_directional_models(method, name, saved):
    heuristic = Aligner.load(saved(method=method), combine=name)
    links = heuristic.align(sample())
    assert places(links) == places(combine(*paths(method), name))
    assert links.dual is None


@pytest.mark.parametrize(
    ("method", "name"), [*(("bidirectional", name) for name in COMBINERS), ("denero-2011", "posterior")]
)
def test_what_was_trained_does_not_depend_on_how_links_are_made(method, name, tmp_path):
    for combiner in ("dual", name):
        fitted({"method": method, "combine": combiner}).save(tmp_path / combiner)
    for file in sorted(tmp_path.joinpath("dual").glob("*.npy")):
        assert file.read_bytes() == (tmp_path / name / file.name).read_bytes(), file.name


@by_dual
def test_options_can_be_changed_at_loading(method, saved):
    model = saved(method=method)
    changed = {"rounds": 2, "alpha": 0.25, "step": "harmonic", "step_size": 0.5, "remainder": "union"}
    loaded = Aligner.load(model, **changed)
    assert {name: getattr(loaded.recipe, name) for name in changed} == changed
    expected, dual = align(method=method, **changed)
    links = loaded.align(sample())
    assert_same_links(links, expected)
    assert links.dual.rounds.max() == 2
    np.testing.assert_array_equal(links.dual.bounds, dual.bounds)
    assert (dual.bounds != align(method=method)[1].bounds).any()


def test_any_hmm_that_was_saved_can_be_combined_so(saved):
    model = saved(model_type="hmm", combine="posterior")
    assert_same_links(
        Aligner.load(model, combine="dual").align(sample()),
        fitted({"model_type": "hmm", "combine": "dual"}).align(sample()),
    )


@by_dual
def test_more_rounds_more_certificates_and_lower_bounds(method, saved):
    model = saved(method=method)
    few, more = (Aligner.load(model, rounds=rounds).align(sample()) for rounds in (3, 30))
    assert (more.dual.certified >= few.dual.certified).all()
    assert more.dual.certified.sum() > few.dual.certified.sum()
    assert (more.dual.bounds <= few.dual.bounds).all()


def test_the_smallest_confidence_is_asked_for_afterwards(saved):
    model = saved(method="bidirectional")
    every, likely = (Aligner.load(model, min_confidence=least) for least in (None, 0.8))
    all_links = every.align(sample())
    likely_links = likely.align(sample())
    assert_same_links(likely_links, all_links.select(all_links.confidence >= np.float32(0.8)))
    assert_same_links(likely_links.dual.forward, all_links.dual.forward)
    assert all_links.confidence.min() < 0.8


@pytest.mark.parametrize(
    "options", [{"combine": "union"}, {"combine": "posterior"}, {"direction": "forward"}]
)
def test_there_is_nothing_to_tell_of_other_links(options, saved):
    aligner = Aligner.load(saved(method="bidirectional"), **options)
    assert aligner.align(sample()).dual is None


def test_a_text_without_words_is_answered(saved):
    aligner = Aligner.load(saved(method="bidirectional"))
    bitext = bitext_from_pairs([("", ""), ("le chat", ""), ("le chat", "the cat")])
    links = aligner.align(bitext)
    assert places(links) == [set(), set(), {(0, 0), (1, 1)}]
    assert links.dual.certified.tolist() == [True] * 3
    assert links.dual.rounds.tolist()[:2] == [0, 0]
    assert links.dual.bounds.tolist()[:2] == [0.0, 0.0]


def test_a_pair_that_is_cut_into_pieces(seed):
    words = np.random.default_rng(seed).permutation(900).tolist()
    bitext = bitext_of([(words, words), ([1, 2], [2, 1])])
    aligner = Aligner(combine="dual", ibm1_iterations=1, hmm_iterations=2, rounds=5).fit(bitext)
    links = aligner.align(bitext)
    assert_proper(links, bitext)
    assert len(links[0]) > 600
    assert len(links.dual.certified) == 2


@by_dual
def test_any_number_of_threads_gives_the_same_certificates(method, monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext = bitext_of(random_pairs(seed, count=150, words=30))
    assert len(index_bitext(bitext).chunks) > 4
    one, three = (Aligner(method, rounds=20, threads=threads).fit(bitext).align(bitext) for threads in (1, 3))
    assert_same_links(one, three)
    for column, other in zip(one.dual[2:], three.dual[2:], strict=True):
        np.testing.assert_array_equal(column, other)
    assert one.dual.certified.sum() > 10


@by_dual
def test_a_planted_translation_is_found(method, seed):
    bitext, gold = planted(seed)
    aligner = Aligner(method).fit(bitext)
    links = aligner.align(bitext)
    assert places(links) == gold
    assert links.dual.certified.all()


@pytest.mark.parametrize("state", ["remembers", "forgets"])
def test_the_kind_of_null_is_saved(state, saved):
    options = {"model_type": "hmm", "null_state": state, "null_probability": 0.4}
    model = saved(**options)
    loaded = Aligner.load(model)
    assert loaded.recipe.null_state == state
    links = loaded.align(sample())
    assert_same_links(links, fitted(options).align(sample()))
    describe(model, set_recipe("null_state", "remembers" if state == "forgets" else "forgets"))
    other = Aligner.load(model).align(sample())
    assert (links.scores != other.scores).any(), "the same parameters, another model"


def test_a_model_of_an_earlier_version_remembers(saved):
    model = saved(model_type="hmm", combine="grow-diag")

    def forget_new_fields(description):
        for name in NEW_FIELDS:
            del description["meta"]["recipe"][name]

    describe(model, forget_new_fields)
    loaded = Aligner.load(model)
    assert loaded.recipe.null_state == "remembers"
    assert_same_links(
        loaded.align(sample()), fitted({"model_type": "hmm", "combine": "grow-diag"}).align(sample())
    )


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("null_state", "waits", "null_state='waits': expected one of remembers, forgets"),
        ("rounds", 0, "rounds=0: expected a number from 1 to 100000"),
        ("alpha", float("inf"), "alpha=inf: expected a number from 0 to 1e+06"),
        ("remainder", "dual", "remainder='dual': expected one of union, intersection"),
        ("rounds", "many", "rounds must be a whole number, got 'many'"),
        ("model_type", "bi1", "training='agreement' does not go with model_type='bi1'"),
    ],
)
def test_a_description_of_a_stranger_is_refused(name, value, reason, saved):
    model = saved(method="denero-2011")
    describe(model, set_recipe(name, value))
    assert reason in refusal(model)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"null_state": "forgets"}, "null_state cannot be changed after training: train a model with it"),
        ({"rounds": 0}, "rounds=0: expected a number from 1 to 100000"),
        ({"step": "even"}, "step='even': expected one of adaptive, harmonic"),
        ({"remainder": "posterior"}, f"remainder='posterior': expected one of {', '.join(HEURISTICS)}"),
    ],
)
def test_what_cannot_be_changed_at_loading(options, message, saved):
    model = saved(method="bidirectional")
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        Aligner.load(model, **options)


@pytest.mark.parametrize("model_type", ["ibm1", "bi1", "bihmm"])
def test_only_hmms_bargain(model_type, saved):
    message = (
        f"combine='dual' joins two HMMs, not two models of type {model_type}; use model_type='hmm', "
        "or another combine"
    )
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        Aligner(model_type=model_type, combine="dual")
    model = saved(model_type=model_type, combine="union")
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        Aligner.load(model, combine="dual")


def test_one_direction_cannot_bargain(saved):
    model = saved(model_type="hmm", training="independent", direction="forward")
    with pytest.raises(OptionError, match="was trained in direction forward alone: align in that direction"):
        Aligner.load(model, combine="dual", direction="both")
