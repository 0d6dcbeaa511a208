"""Saved models: the same scores, and nothing else."""

import json

import numpy as np
import pytest

from cepts.characters import EditModel, TrainingOptions
from cepts.errors import ModelError, OutputError
from tests.characters.models import model_of, possible_features, random_weights

PAIRS = [("abba", "ABBA"), ("cab", "KAB"), ("back", "BAKK"), ("ace", "ASE"), ("cé\ud800", "SE\x00")]
ROWS = {
    "generate": PAIRS,
    "rank": PAIRS,
    "classify": [("abba", "cabba", "ba"), ("ack", "back")],
    "affinity": [("abba", "cabba", "back", "c"), ("ack", "back", "abba")],
}


@pytest.mark.parametrize("mode", ROWS)
@pytest.mark.parametrize("order", [0, 3])
def test_a_loaded_model_is_the_saved_one(mode, order, tmp_path):
    model = EditModel.fit(ROWS[mode], mode=mode, order=order, epochs=2, decoys=3, seed=4)
    model.notes["calibration"] = {"0.9": [1.5, 2]}
    model.save(tmp_path / "model")
    loaded = EditModel.load(tmp_path / "model")
    assert all(np.array_equal(*arrays) for arrays in zip(model.weights, loaded.weights, strict=True))
    assert (
        loaded.options == model.options == TrainingOptions(mode=mode, order=order, epochs=2, decoys=3, seed=4)
    )
    assert loaded.notes == model.notes
    assert loaded.history is None
    names = ["abba", "cac", "", "xé", "\ud800b"]
    others = ["ABBA", "KAK", "A", "", "\x00b"]
    assert loaded.affinities(names, others).tolist() == model.affinities(names, others).tolist()
    assert loaded.rank(names, others) == model.rank(names, others)
    assert loaded.explain("back", "BAKK") == model.explain("back", "BAKK")
    assert loaded.largest_weights(50) == model.largest_weights(50)
    if mode in ("generate", "rank"):
        assert loaded.transcribe(names) == model.transcribe(names)


@pytest.mark.parametrize("order", range(5))
def test_all_weights_survive(order, seed, tmp_path):
    weights = random_weights(possible_features("abab", "xyz", order), np.random.default_rng(seed))
    model = model_of(weights, "ab", "xyz", order, [("a", "x"), ("", "y")])
    model.save(tmp_path / "model")
    loaded = EditModel.load(tmp_path / "model")
    assert loaded.weights.plain.flags.writeable
    assert loaded.source_alphabet.letters == ("a", "b")
    assert all(np.array_equal(*arrays) for arrays in zip(model.weights, loaded.weights, strict=True))
    assert loaded.explain("abab", "xyz") == model.explain("abab", "xyz")


def test_saving_again_replaces_the_model(tmp_path):
    for order in (2, 1):
        EditModel.fit(PAIRS, order=order, epochs=1).save(tmp_path / "model")
    assert EditModel.load(tmp_path / "model").order == 1


def test_the_same_model_is_the_same_files(tmp_path):
    for name in ("one", "other"):
        EditModel.fit(PAIRS, order=2, epochs=2).save(tmp_path / name)
    files = {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir()}
    assert files == {file.name: file.read_bytes() for file in (tmp_path / "other").iterdir()}
    assert len(files) == 8
    assert json.loads(files["model.json"])["kind"] == "edit-model"


def test_places_that_cannot_be_used(tmp_path):
    with pytest.raises(ModelError, match=r"^there is no model .*nowhere$"):
        EditModel.load(tmp_path / "nowhere")
    (tmp_path / "file").write_text("something else")
    with pytest.raises(OutputError, match="it is a file, and a model is a folder"):
        EditModel.fit(PAIRS, order=0, epochs=1).save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "something else"
