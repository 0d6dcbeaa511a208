"""What follows from an option that is given, and what a given option keeps from following."""

import pytest

from cepts.aligning import COMBINERS, MODEL_TYPES, RECIPES, recipe
from cepts.aligning.recipes import BI_WORD
from cepts.aligning.stages import strength_of
from cepts.corpus import bitext_from_pairs
from cepts.words.regularity import automatic_strength
from tests.aligning.contract import sample


def changes(method="fast", **options):
    """The fields in which a recipe differs from the named one, apart from those that were given."""
    before, after = RECIPES[method].to_dict(), recipe(method, **options).to_dict()
    return {name: value for name, value in after.items() if value != before[name] and name not in options}


@pytest.mark.parametrize("model_type", BI_WORD)
def test_a_bi_word_model_is_trained_independently_with_the_term_and_without_a_prior(model_type):
    expected = {"training": "independent", "regularity": "auto", "hmm_prior": 0.0}
    assert changes(model_type=model_type) == expected


@pytest.mark.parametrize("model_type", BI_WORD)
def test_the_papers_method_has_its_own_strength_for_bi_word_models(model_type):
    assert RECIPES["schoenemann-2011"].regularity == 2.5  # section 4: lambda of mono-word models
    assert changes("schoenemann-2011", model_type=model_type) == {"regularity": 0.5}  # of bi-word models


def test_ibm4_with_iterations_of_ibm3_goes_through_it():
    assert changes(model_type="ibm4", ibm3_iterations=5) == {"ibm3_first": True}
    assert changes(model_type="ibm4", ibm3_iterations=0) == {}
    assert changes(model_type="ibm3", ibm3_iterations=5) == {}
    assert changes("goutte-2004", ibm3_iterations=5, ibm4_iterations=5) == {"ibm3_first": True}


def test_projected_gradient_descent_has_an_objective():
    assert changes(optimizer="pgd") == {"training": "independent", "hmm_prior": 0.0}
    assert changes("schoenemann-2011", optimizer="pgd") == {}


@pytest.mark.parametrize("regularity", ["auto", 2.5, 1e-3])
def test_the_term_takes_the_place_of_the_prior(regularity):
    assert changes(regularity=regularity) == {"hmm_prior": 0.0}


@pytest.mark.parametrize("regularity", ["off", 0, 0.0])
def test_without_the_term_nothing_follows(regularity):
    assert changes(regularity=regularity) == {}


@pytest.mark.parametrize(
    "options",
    [
        {"model_type": "ibm1"},
        {"optimizer": "em"},
        {"training": "independent"},
        {"null_update": "learned"},
        {"null_state": "forgets"},
        {"combine": "dual"},
        {"combine": "dual", "rounds": 3, "alpha": 0.5, "step": "harmonic", "step_size": 1.0},
    ],
)
def test_nothing_follows_from_other_options(options):
    assert changes(**options) == {}


def test_what_is_given_is_kept():
    chosen = recipe(model_type="bihmm", regularity="off", training="independent", hmm_prior=0.2)
    assert (chosen.regularity, chosen.hmm_prior, chosen.ibm1_prior) == ("off", 0.2, 0.0)
    assert recipe("schoenemann-2011", model_type="bi1", regularity=2.0).regularity == 2.0
    assert recipe("schoenemann-2011", training="agreement").training == "agreement"


def test_the_papers_method():
    """Section 6.1: 30 iterations of IBM-1, 50 of the HMM; section 3: jumps of up to 5 positions."""
    chosen = recipe("schoenemann-2011")
    assert (chosen.method, chosen.model_type, chosen.optimizer) == ("schoenemann-2011", "hmm", "em")
    assert (chosen.ibm1_iterations, chosen.hmm_iterations, chosen.jump_band) == (30, 50, 5)
    assert (chosen.training, chosen.null_update, chosen.null_as_word) == ("independent", "learned", True)
    assert (chosen.ibm1_prior, chosen.hmm_prior, chosen.same_spelling) == (0.0, 0.0, 0.0)


def test_the_papers_directional_models():
    """Section 5.1: agreement training, 5 + 5 iterations; footnote 2: NULL; sections 3.4 and 5.2: steps and rounds."""
    chosen = recipe("denero-2011")
    assert (chosen.method, chosen.model_type, chosen.optimizer) == ("denero-2011", "hmm", "em")
    assert (chosen.ibm1_iterations, chosen.hmm_iterations) == (5, 5)
    assert (chosen.training, chosen.ibm1_agreement, chosen.hmm_agreement) == (
        "agreement",
        "product",
        "product",
    )
    assert (chosen.null_probability, chosen.null_update, chosen.null_state) == (1e-6, "fixed", "forgets")
    assert (chosen.ibm1_prior, chosen.hmm_prior, chosen.same_spelling) == (0.0, 0.0, 0.0)
    assert (chosen.combine, chosen.rounds, chosen.step, chosen.step_size) == ("dual", 250, "harmonic", 1.0)
    assert chosen.remainder == "intersection"


def test_the_tuned_method_is_one_model_of_both_directions():
    chosen = recipe("bidirectional")
    assert (chosen.method, chosen.model_type, chosen.direction) == ("bidirectional", "hmm", "both")
    assert (chosen.combine, chosen.step) == ("dual", "adaptive")


@pytest.mark.parametrize("method", ["denero-2011", "bidirectional"])
@pytest.mark.parametrize("combine", [name for name in COMBINERS if name != "dual"])
def test_another_combiner_leaves_the_directional_models_as_they_are(method, combine):
    assert changes(method, combine=combine) == {}
    assert recipe(method, combine=combine).combine == combine


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_the_strength_of_the_term(model_type):
    def strength(regularity):
        return strength_of(recipe(model_type=model_type, regularity=regularity), sample())

    assert strength("off") == strength(0) == 0.0
    assert strength(0.7) == 0.7
    assert strength("auto") == automatic_strength(sample(), model_type in BI_WORD) > 0


def words(count):
    return " ".join(f"w{k}" for k in range(count))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        # Each word twice, 16 words a sentence: 2 (16 / 16)^2 (1 - 0).
        ([(words(16), words(16))] * 2, 2.0),
        ([(words(8), words(8))] * 2, 0.5),
        # Half of the words once: 16 words, then the first 8 of them; 12 words a sentence: 2 (12 / 16)^2 (1 - 1 / 2).
        ([(words(16), words(16)), (words(8), words(8))], 0.5625),
        # A side of 24 words and one of 8, all of them twice: 16 in the mean.
        ([(words(24), words(8))] * 2, 2.0),
        # Every word once: nothing would be left to learn from.
        ([(words(16), words(16))], 0.0),
        # No more than 10, however long the sentences.
        ([(words(100), words(100))] * 2, 10.0),
    ],
)
def test_the_strength_that_is_chosen_from_a_text(pairs, expected):
    bitext = bitext_from_pairs(pairs)
    assert strength_of(recipe(regularity="auto"), bitext) == pytest.approx(expected)
    assert strength_of(recipe(model_type="bihmm"), bitext) == 0.5
