"""The recipe `best`: what it adds to `fast`, its probabilities, and what is refused."""

import numpy as np
import pytest

import cepts
from cepts import Aligner
from cepts.aligning import MODEL_TYPES, recipe, recipes
from cepts.errors import OptionError
from cepts.words.trust import Trust


@pytest.fixture(scope="module")
def bitext():
    return cepts.sample_bitext()


@pytest.fixture(scope="module")
def best(bitext):
    return Aligner().fit(bitext)


def rows(links):
    return list(zip(links.row_pairs().tolist(), links.source.tolist(), links.target.tolist(), strict=True))


def test_it_is_the_default(best):
    assert best.recipe == recipe("best")
    assert best.recipe.tied
    assert not recipe("fast").tied


def test_without_what_it_adds_it_is_fast(bitext):
    plain = (
        Aligner(families="off", spelling=0.0, jump_classes=1, confidence="product").fit(bitext).align(bitext)
    )
    fast = Aligner("fast").fit(bitext).align(bitext)
    assert rows(plain) == rows(fast)
    np.testing.assert_array_equal(plain.confidence, fast.confidence)


@pytest.mark.parametrize(
    "option", [{"families": "off"}, {"spelling": 0.0}, {"families": "endings"}, {"jump_classes": 1}]
)
def test_each_part_changes_something(option, bitext, best):
    assert rows(Aligner(**option).fit(bitext).align(bitext)) != rows(best.align(bitext))


def test_threads_give_the_same_links(bitext, best):
    one, two = best.align(bitext), Aligner(threads=2).fit(bitext).align(bitext)
    assert rows(one) == rows(two)
    np.testing.assert_array_equal(one.confidence, two.confidence)


def test_a_saved_model_gives_the_same_links_and_probabilities(bitext, best, tmp_path):
    best.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model").align(bitext)
    assert rows(loaded) == rows(best.align(bitext))
    np.testing.assert_array_equal(loaded.confidence, best.align(bitext).confidence)


def test_links_of_a_wanted_precision_are_the_most_probable_ones(bitext, best, tmp_path):
    usual = best.align(bitext)
    aligner = Aligner(precision=0.97).fit(bitext)
    chosen = aligner.align(bitext)
    assert set(rows(chosen)) < set(rows(usual))
    assert chosen.confidence.min() >= chosen.threshold
    assert chosen.confidence.mean() >= 0.97 - 1e-6
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    assert loaded.recipe.precision is None
    assert loaded.recipe.min_confidence == chosen.threshold
    assert rows(loaded.align(bitext)) == rows(chosen)


def test_a_low_precision_gives_more_links_than_usual(bitext, best):
    aligner = Aligner(precision=0.5).fit(bitext)
    assert set(rows(aligner.align(bitext))) > set(rows(best.align(bitext)))


def test_no_link_is_better_than_its_certainty(bitext):
    assert len(Aligner(precision=0.9999).fit(bitext).align(bitext).source) == 0


def test_a_lexicon_is_a_distribution_for_each_word(best):
    lexicon, _ = best.lexicon()
    given = np.repeat(np.arange(len(lexicon.row_offsets) - 1), np.diff(lexicon.row_offsets))
    np.testing.assert_allclose(np.bincount(given, lexicon.values[:, 0]), 1.0, rtol=1e-4)


def test_confidences_are_products_where_there_is_no_calibration():
    assert recipe("best").calibration is not None
    for options in (
        {"direction": "forward"},
        {"combine": "dual"},
        {"combine": "cepts"},
        {"model_type": "ibm4"},
        {"training": "independent"},
        {"confidence": "product"},
    ):
        assert recipe("best", **options).calibration is None
    assert recipe("fast", confidence="calibrated").calibration is not None


def test_probabilities_follow_what_is_known_of_words(bitext, best, monkeypatch):
    weighed = best.align(bitext)
    monkeypatch.setattr(recipes, "TRUST", Trust(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    plain = best.align(bitext)
    assert rows(weighed) == rows(plain)
    assert (weighed.confidence != plain.confidence).any()
    np.testing.assert_array_equal(weighed.confidence > 0.5, plain.confidence > 0.5)


def test_probabilities_of_other_text_ask_how_often_its_words_were_seen_in_training(best):
    text = cepts.corpus.bitext_from_pairs(
        [("le chat noir .", "the black cat ."), ("le zyzzyva .", "the weevil .")]
    )
    together = best.align(text)
    for k in range(2):
        alone = best.align(text.part(k, k + 1))
        np.testing.assert_array_equal(alone.confidence, [one.confidence for one in together[k]])


def test_a_model_that_keeps_no_counts_goes_without_what_is_known_of_words(bitext, tmp_path):
    aligner = Aligner("fast", confidence="calibrated", regularity=1.0).fit(bitext)
    assert aligner.recipe.calibration is not None
    assert aligner.recipe.trust is None
    aligner.save(tmp_path / "model")
    np.testing.assert_array_equal(
        Aligner.load(tmp_path / "model").align(bitext).confidence, aligner.align(bitext).confidence
    )


def test_a_model_with_more_text_has_seen_all_of_it(bitext, tmp_path):
    half = len(bitext) // 2
    more = Aligner().fit(bitext.part(0, half)).updated(bitext.part(half, len(bitext)))
    more.save(tmp_path / "model")
    np.testing.assert_array_equal(
        Aligner.load(tmp_path / "model").align(bitext).confidence, more.align(bitext).confidence
    )


def test_what_has_an_objective_goes_without_families_and_spelling():
    for options in (
        {"training": "independent"},
        {"optimizer": "pgd"},
        {"model_type": "bihmm"},
        {"regularity": 2.5},
    ):
        assert not recipe("best", **options).tied


def test_only_hmms_that_agree_have_classes_for_jumps():
    for model_type in MODEL_TYPES:
        assert (recipe("best", model_type=model_type).jump_classes > 1) == (model_type == "hmm")
    for options in ({"training": "independent"}, {"optimizer": "pgd"}):
        assert recipe("best", **options).jump_classes == 1
    assert recipe("best", regularity=2.5, null_state="forgets", combine="dual").jump_classes > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"families": "middles"}, "families='middles': expected one of off, beginnings, endings"),
        ({"confidence": "certain"}, "confidence='certain': expected one of product, calibrated"),
        ({"spelling": -1.0}, "spelling=-1.0: expected a number from 0 to 20"),
        ({"precision": 1.0}, "precision=1.0: expected a number between 0 and 1"),
        (
            {"training": "independent", "families": "beginnings"},
            (
                "families does not go with training='independent': what the levels of a family say together is no "
                "distribution, and has no objective; use families='off'"
            ),
        ),
        (
            {"regularity": 1.0, "spelling": 4.0},
            (
                "spelling does not go with regularity=1.0: the term belongs to another M step; use spelling=0, "
                "or regularity='off'"
            ),
        ),
        (
            {"precision": 0.9, "min_confidence": 0.5},
            "precision chooses the threshold that min_confidence gives: drop one of them",
        ),
        (
            {"precision": 0.9, "combine": "grow-diag"},
            (
                "precision needs calibrated confidences: those of method='best', or of another agreement-trained HMM "
                "with confidence='calibrated', in both directions, with combine='posterior'"
            ),
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(OptionError) as error:
        recipe("best", **options)
    assert str(error.value) == message


def test_a_single_pair_has_no_precision(bitext):
    aligner = Aligner(precision=0.97).fit(bitext)
    with pytest.raises(
        OptionError, match="precision chooses a threshold for a whole text, not for a single pair"
    ):
        aligner.align(("le chat", "the cat"))
