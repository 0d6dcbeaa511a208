"""A model folder from a stranger: whatever is in it, one line says what is wrong, and no kernel touches it."""

import json
import re
import shutil

import numpy as np
import pytest

from cepts import Aligner
from cepts.corpus import bitext_from_pairs
from tests.aligning.forging import (
    KIND,
    RANGE,
    RISES,
    SHAPE,
    WEIGHT,
    assert_unusable,
    changed,
    describe,
    forge,
    refusal,
    set_meta,
    set_recipe,
)

TEXT = bitext_from_pairs(
    [
        ("le chat noir", "the black cat"),
        ("le chien", "the dog"),
        ("un chat", "a cat"),
        ("le chien noir", "the black dog"),
    ]
)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "model"
    Aligner().fit(TEXT).save(folder)
    return folder


@pytest.fixture
def model(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "model")


HOSTILE_ARRAYS = {
    "a row that begins too late": ("row_offsets", lambda a: changed(a, 0, 1), RISES),
    "rows that end too late": ("row_offsets", lambda a: changed(a, -1, a[-1] + 1000), RISES),
    "a row far outside": ("row_offsets", lambda a: changed(a, 1, 1 << 40), RISES),
    "a row before the beginning": ("row_offsets", lambda a: changed(a, 1, -5), RISES),
    "rows that go back": ("row_offsets", lambda a: changed(a, 2, a[1] - 1), RISES),
    "too few rows": ("row_offsets", lambda a: np.append(a[:2], a[-1]), SHAPE),
    "no rows": ("row_offsets", lambda a: a[:0], SHAPE),
    "rows in a table": ("row_offsets", lambda a: a.reshape(1, -1), SHAPE),
    "rows of 32 bits": ("row_offsets", lambda a: a.astype(np.int32), KIND),
    "rows in another byte order": ("row_offsets", lambda a: a.astype(">i8"), KIND),
    "a column too large": ("columns", lambda a: changed(a, -1, 1 << 30), RANGE),
    "a negative column": ("columns", lambda a: changed(a, 3, -1), RANGE),
    "columns of 64 bits": ("columns", lambda a: a.astype(np.int64), KIND),
    "columns of another number": ("columns", lambda a: a[:-1], SHAPE),
    "columns in a table": ("columns", lambda a: a.reshape(-1, 1), SHAPE),
    "no columns": ("columns", lambda a: a[:0], SHAPE),
    "values of another number": ("values", lambda a: a[:-1], SHAPE),
    "values of one direction": ("values", lambda a: a[:, :1], SHAPE),
    "values of 64 bits": ("values", lambda a: a.astype(np.float64), KIND),
    "values that are no numbers": ("values", lambda a: changed(a, (3, 0), np.nan), RANGE),
    "infinite values": ("values", lambda a: changed(a, (3, 1), np.inf), RANGE),
    "negative values": ("values", lambda a: changed(a, (3, 1), -0.5), RANGE),
    "values above one": ("values", lambda a: changed(a, (3, 1), 1.5), RANGE),
    "jumps that are no numbers": ("forward_jumps", lambda a: changed(a, 2, np.nan), RANGE),
    "negative jumps": ("reverse_jumps", lambda a: changed(a, 2, -1), RANGE),
    "jumps in a table": ("reverse_jumps", lambda a: a.reshape(1, -1), SHAPE),
    "whole numbers as jumps": ("forward_jumps", lambda a: a.astype(np.int64), KIND),
    "a jump too few": ("forward_jumps", lambda a: a[:-1], SHAPE),
    "hardly any jumps": ("forward_jumps", lambda a: a[:2], SHAPE),
    "jumps of no weight": ("forward_jumps", lambda a: a * 0, WEIGHT),
    "infinite starts": ("forward_starts", lambda a: changed(a, 0, np.inf), RANGE),
    "starts in a table": ("reverse_starts", lambda a: a.reshape(1, -1), SHAPE),
    "a NULL that is no number": ("forward_null", lambda a: a * np.nan, RANGE),
    "a NULL above one": ("reverse_null", lambda a: a + 1, RANGE),
    "a negative NULL": ("reverse_null", lambda a: -a, RANGE),
    "no NULL": ("forward_null", lambda a: a[:0], SHAPE),
    "NULL in a table": ("forward_null", lambda a: a.reshape(1, 1), SHAPE),
}


@pytest.mark.parametrize("case", HOSTILE_ARRAYS)
def test_an_array_of_a_stranger_is_refused(model, case):
    name, damage, reason = HOSTILE_ARRAYS[case]
    forge(model, name, damage(np.load(model / f"{name}.npy")))
    assert_unusable(model, reason)


def test_no_starts_at_all(model):
    forge(model, "forward_starts", np.zeros(0))
    assert "is no word model that this version can use" in refusal(model)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_recipe("colour", "red"), "unknown option 'colour'"),
        (set_recipe("model_type", "ibm9"), "model_type='ibm9': expected one of ibm1, hmm, bi1, bihmm"),
        (set_recipe("model_type", "bihmm"), "training='agreement' does not go with model_type='bihmm'"),
        (set_recipe("optimizer", "pgd"), "training='agreement' does not go with optimizer='pgd'"),
        (set_recipe("regularity", -1), "regularity=-1.0: expected auto, off or a number from 0 to 1e+06"),
        (set_recipe("regularity", 1), "hmm_prior does not go with the regularity term"),
        (set_recipe("regularity", [1]), "regularity must be a number or text, got list"),
        (set_recipe("regularity", None), "regularity must be a number or text, got None"),
        (set_recipe("double_probability", 1), "double_probability=1: expected a number between 0 and 1"),
        (set_recipe("null_probability", 2), "null_probability=2: expected a number between 0 and 1"),
        (set_recipe("ibm1_iterations", "five"), "ibm1_iterations must be a whole number, got 'five'"),
        (set_recipe("ibm1_iterations", 2.5), "ibm1_iterations must be a whole number, got 2.5"),
        (set_recipe("min_confidence", ""), "min_confidence must be a number, got ''"),
        (set_recipe("posterior_threshold", None), "posterior_threshold must be a number, got None"),
        (set_recipe("seed", []), "seed must be a whole number, got list"),
        (set_meta("recipe", None), "train it again"),
        (set_meta("recipe", ["fast"]), "train it again"),
        (set_meta("text", {"tokenize": True}), "'keep_case'"),
        (set_meta("text", 3), "train it again"),
        (set_meta("pairs", "many"), "invalid literal for int"),
        (set_meta("pairs", None), "train it again"),
        (set_meta("pairs", float("inf")), "train it again"),
        (lambda description: description["meta"].pop("recipe"), "'recipe'"),
        (lambda description: description["arrays"].pop("columns"), "columns is missing"),
        (lambda description: description["arrays"].pop("reverse_starts"), "reverse_starts is missing"),
        (lambda description: description["texts"].pop("source_words"), "'source_words'"),
    ],
)
def test_a_description_of_a_stranger_is_refused(model, change, reason):
    describe(model, change)
    message = refusal(model)
    assert message.startswith(f"{model} is no word model that this version can use: ")
    assert reason in message
    assert message.endswith("; train it again")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            lambda m: describe(m, lambda d: d.update(format=99)),
            "has format 99, this Cepts reads format 1; upgrade Cepts",
        ),
        (
            lambda m: describe(m, lambda d: d.update(kind="names")),
            "is of kind 'names', expected 'word-aligner'",
        ),
        (
            lambda m: (m / "values.npy").write_bytes((m / "values.npy").read_bytes()[:-4]),
            "it is truncated or changed",
        ),
        (lambda m: (m / "columns.npy").unlink(), "is incomplete: columns.npy is missing"),
        (lambda m: (m / "model.json").unlink(), "is not a model folder: model.json is missing"),
        (lambda m: shutil.rmtree(m), "there is no model"),
    ],
)
def test_a_damaged_folder_is_refused(model, damage, message):
    damage(model)
    assert message in refusal(model)


def test_a_changed_byte_is_noticed(model):
    file = model / "values.npy"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(bytes(content))
    assert refusal(model) == f"{file} is damaged: its checksum is wrong; copy or train the model again"


def test_a_forged_array_that_is_as_good_as_ours_is_believed(model):
    # The forgery above is refused for what it holds, not for how it was made.
    expected = Aligner.load(model).align(TEXT)
    forge(model, "values", np.load(model / "values.npy"))
    np.testing.assert_array_equal(Aligner.load(model).align(TEXT).confidence, expected.confidence)


def test_the_smallest_and_strangest_model_that_is_allowed_does_no_harm(model):
    """Everything impossible: no word generates any other, no sentence begins anywhere."""
    for name in ("values", "forward_starts", "reverse_starts"):
        forge(model, name, np.load(model / f"{name}.npy") * 0)
    links = Aligner.load(model, combine="union").align(TEXT)
    assert np.isfinite(links.scores).all()
    assert np.isfinite(links.confidence).all()
    for k in range(len(TEXT)):
        assert all(link.source < 3 and link.target < 3 for link in links[k])


@pytest.mark.parametrize("null", [0.0, 1.0])
def test_a_word_that_never_or_always_comes_from_null_does_no_harm(model, null):
    for name in ("forward_null", "reverse_null"):
        forge(model, name, np.array([null]))
    links = Aligner.load(model, combine="union").align(TEXT)
    assert np.isfinite(links.scores).all()
    assert np.isfinite(links.confidence).all()


def test_a_model_without_a_null_of_its_own_has_the_recipes(tmp_path):
    Aligner(null_probability=0.2).fit(TEXT).save(tmp_path / "model")
    description = json.loads((tmp_path / "model" / "model.json").read_text("utf-8"))
    for way in ("forward", "reverse"):  # as version 0.1 saved it
        del description["arrays"][f"{way}_null"]
    (tmp_path / "model" / "model.json").write_text(json.dumps(description), "utf-8")
    assert [jumps.null for jumps in Aligner.load(tmp_path / "model")._model.jumps] == [0.2, 0.2]


def test_a_learned_null_is_kept(tmp_path):
    text = bitext_from_pairs([("le chat noir et blanc dort .", "the cat .")] * 5)
    Aligner(null_update="learned").fit(text).save(tmp_path / "model")
    forward, reverse = (
        np.load(tmp_path / "model" / f"{way}_null.npy").item() for way in ("forward", "reverse")
    )
    assert 0 < forward < reverse < 1  # the longer side has the words without a counterpart
    loaded = Aligner.load(tmp_path / "model")._model
    assert (loaded.jumps[0].null, loaded.jumps[1].null) == (forward, reverse)


def test_ibm1_has_no_jumps_and_needs_none(tmp_path):
    Aligner(model_type="ibm1").fit(TEXT).save(tmp_path / "model")
    names = sorted(file.name for file in (tmp_path / "model").iterdir())
    assert not any(re.search("jumps|starts|null", name) for name in names)
    assert len(Aligner.load(tmp_path / "model").align(TEXT)) == len(TEXT)


def test_arrays_are_mapped_not_read(model):
    lexicon = Aligner.load(model)._model.lexicon
    assert all(
        isinstance(array, np.memmap) for array in (lexicon.row_offsets, lexicon.columns, lexicon.values)
    )
