"""Aligners: combining, loading with other options, watching, and what is found where the truth is known."""

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning import MODEL_TYPES
from cepts.corpus import bitext_from_pairs
from cepts.errors import ModelError, OptionError
from tests.aligning.contract import (
    MONO_WORD,
    assert_same_links,
    fitted,
    places,
    planted,
    sample,
)


@pytest.mark.parametrize("model_type", MODEL_TYPES)
def test_directions_are_joined_by_the_rule(model_type):
    by_rule = {
        combine: {
            (k, *link[:2])
            for k, pair in enumerate(fitted({"model_type": model_type, "combine": combine}).align(sample()))
            for link in pair
        }
        for combine in ("intersection", "grow-diag", "union")
    }
    assert by_rule["intersection"] < by_rule["grow-diag"] < by_rule["union"]


def test_a_higher_confidence_keeps_fewer_links(tmp_path):
    fitted({"model_type": "hmm", "combine": "posterior"}).save(tmp_path / "model")
    before = None
    for least in (0.0, 0.2, 0.6, 0.85):
        links = Aligner.load(tmp_path / "model", min_confidence=least).align(sample())
        assert links.confidence.min() >= np.float32(least)
        found = {(k, *link[:2]) for k, pair in enumerate(links) for link in pair}
        assert before is None or found < before
        before = found


@pytest.mark.parametrize("combine", ["union", "posterior"])
def test_a_loaded_model_can_link_in_another_way(combine, tmp_path):
    fitted({"model_type": "hmm", "combine": "intersection"}).save(tmp_path / "model")
    links = Aligner.load(tmp_path / "model", combine=combine).align(sample())
    assert_same_links(links, fitted({"model_type": "hmm", "combine": combine}).align(sample()))


def test_what_was_trained_cannot_be_changed_at_loading(tmp_path):
    fitted({"model_type": "hmm", "training": "independent", "direction": "forward"}).save(tmp_path / "model")
    with pytest.raises(OptionError, match=r"^hmm_iterations cannot be changed after training: train a model"):
        Aligner.load(tmp_path / "model", hmm_iterations=3)
    with pytest.raises(
        OptionError, match="was trained in direction forward alone: align in that direction, or"
    ):
        Aligner.load(tmp_path / "model", direction="both")
    with pytest.raises(OptionError, match="combine='sum': expected one of"):
        Aligner.load(tmp_path / "model", combine="sum")


def test_an_aligner_that_was_not_trained_says_so(tmp_path):
    message = r"^the aligner has not been trained: call fit\(bitext\)"
    with pytest.raises(ModelError, match=message):
        Aligner().align(("a", "b"))
    with pytest.raises(ModelError, match=message):
        Aligner().save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_text_options_are_saved_with_the_model(tmp_path):
    bitext = bitext_from_pairs(
        [("Le chat.", "The cat."), ("Le chien.", "The dog.")], tokenize=True, keep_case=True
    )
    Aligner(tokenize=True, keep_case=True).fit(bitext).save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    assert loaded.text[:2] == (True, True)
    assert [link[:2] for link in loaded.align(("Le chat.", "The cat."))] == [(0, 0), (1, 1), (2, 2)]


def test_the_watcher_hears_of_every_stage():
    steps = []
    Aligner(ibm1_iterations=2, hmm_iterations=3, monitor=steps.append).fit(sample()).align(sample())
    ends = [(step.stage, step.iteration) for step in steps if step.objective is not None]
    trained = [("ibm1", 1), ("ibm1", 2), ("hmm", 1), ("hmm", 2), ("hmm", 3)]
    assert [end for end in ends if end[0] != "classes"] == trained
    between = ends[2:-3]
    assert between
    assert {stage for stage, _ in between} == {"classes"}
    assert steps[-1].stage == "links"
    assert steps[-1].done == 1.0


@pytest.mark.parametrize("model_type", MONO_WORD)
def test_a_planted_translation_is_found(model_type, seed):
    bitext, gold = planted(seed)
    assert places(Aligner(model_type=model_type).fit(bitext).align(bitext)) == gold


@pytest.mark.parametrize("threads", [0, -1, 10**6])
def test_a_number_of_threads_that_cannot_be_is_refused_at_once(threads):
    with pytest.raises(OptionError, match=f"threads={threads}: expected a number from 1 to 1024"):
        Aligner(threads=threads)
