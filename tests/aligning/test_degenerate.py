"""Texts that teach nothing, to every model and optimiser, with and without the term: never a NaN, always an answer."""

import numpy as np
import pytest

from cepts import Aligner
from cepts.aligning import MODEL_TYPES
from cepts.choices import JUMP_UPDATES as UPDATES
from cepts.corpus import bitext_from_pairs
from tests.aligning.contract import assert_proper, assert_same_links, every_optimised

MANY = " ".join(f"w{k}" for k in range(40))
TEXTS = {
    "every word once": [(f"a{k} b{k} c{k} d{k}", f"x{k} y{k} z{k}") for k in range(12)],
    "every word once, in one pair": [(" ".join(f"s{k}" for k in range(30)), " ".join(f"t{k}" for k in range(25)))],
    "sentences of one word": [("un", "one"), ("deux", "two"), ("un", "one"), ("trois", "three")],
    "sentences of two words": [("un deux", "one two"), ("deux un", "two one"), ("trois un", "three one")],
    "one word against many": [("un", MANY), (MANY, "one")],
    "the same word over and over": [("la " * 20, "the " * 15), ("la", "the the"), ("la la la", "the")],
    "the same pair over and over": [("le chat dort ici", "the cat sleeps here")] * 30,
    "one pair of one word": [("un", "un")],
    "mostly empty": [("", "one"), ("un", ""), ("", ""), ("un deux trois", "one two three"), ("", "")],
}  # fmt: skip
STRENGTHS = ("off", "auto", 1e-9, 1e6)


def finite_arrays(folder):
    """Check that a saved model holds finite probabilities, and nothing else where probabilities are."""
    files = sorted(folder.glob("*.npy"))
    for file in files:
        array = np.load(file)
        assert array.dtype.kind == "i" or (np.isfinite(array).all() and array.min(initial=0) >= 0), file.name
    return len(files)


@pytest.mark.parametrize("regularity", STRENGTHS)
@every_optimised
@pytest.mark.parametrize("text", TEXTS)
def test_no_text_makes_a_nan(text, model_type, optimizer, regularity, tmp_path):
    bitext = bitext_from_pairs(TEXTS[text])
    objectives = []
    options = {"model_type": model_type, "optimizer": optimizer, "regularity": regularity}
    aligner = Aligner(
        null_update="learned",
        double_probability=0.5,
        monitor=lambda step: objectives.append(step.objective),
        **options,
    )
    links = aligner.fit(bitext).align(bitext)
    assert_proper(links, bitext)
    assert np.isfinite(links.confidence).all()
    reported = [value for value in objectives if value is not None]
    assert len(reported) >= 4
    assert np.isfinite(reported).all()
    aligner.save(tmp_path / "model")
    assert finite_arrays(tmp_path / "model") >= 3
    assert_same_links(Aligner.load(tmp_path / "model").align(bitext), links)


@pytest.mark.parametrize("model_type", MODEL_TYPES)
@pytest.mark.parametrize("text", TEXTS)
def test_the_papers_method_survives_them_too(text, model_type):
    bitext = bitext_from_pairs(TEXTS[text])
    aligner = Aligner("schoenemann-2011", model_type=model_type).fit(bitext)
    assert_proper(aligner.align(bitext), bitext)


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("model_type", ["hmm", "bihmm"])
@pytest.mark.parametrize("text", TEXTS)
def test_every_update_of_the_jumps_survives_them(text, model_type, update):
    bitext = bitext_from_pairs(TEXTS[text])
    options = {"model_type": model_type, "jump_update": update, "hmm_iterations": 6}
    aligner = Aligner("schoenemann-2011", **options).fit(bitext)
    assert_proper(aligner.align(bitext), bitext)


def test_a_gradient_of_any_size_is_followed():
    """With every further iteration a weight comes nearer to zero, and its gradient grows without bound."""
    bitext = bitext_from_pairs(TEXTS["mostly empty"])
    aligner = Aligner("schoenemann-2011", model_type="bihmm", jump_update="gradient").fit(bitext)
    assert_proper(aligner.align(bitext), bitext)


@pytest.mark.parametrize("field", ["null_probability", "double_probability"])
@pytest.mark.parametrize("value", [1e-12, 1 - 1e-12])
@every_optimised
def test_probabilities_that_are_nearly_nothing_or_everything(model_type, optimizer, value, field):
    bitext = bitext_from_pairs(TEXTS["every word once"] + TEXTS["the same word over and over"])
    links = Aligner(model_type=model_type, optimizer=optimizer, **{field: value}).fit(bitext).align(bitext)
    assert_proper(links, bitext)
