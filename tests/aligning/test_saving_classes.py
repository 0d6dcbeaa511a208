"""Jumps of classes on disk: what is saved is what was learned, and what a stranger wrote is refused."""

import numpy as np
import pytest

from cepts import Aligner
from tests.aligning.contract import assert_same_links
from tests.aligning.forging import (
    KIND,
    RANGE,
    SHAPE,
    WEIGHT,
    assert_unusable,
    changed,
    describe,
    forge,
    refusal,
    unusable,
)
from tests.aligning.test_saving_fertile import OTHER_TEXT, TEXT


@pytest.fixture(scope="module")
def trained():
    return Aligner(jump_classes=3).fit(TEXT)


@pytest.fixture
def folder(trained, tmp_path):
    trained.save(tmp_path / "model")
    return tmp_path / "model"


def test_a_loaded_model_links_as_the_trained_one(trained, folder):
    loaded = Aligner.load(folder)
    assert [len(part) for part in loaded._model.classes] == [9, 11]
    assert loaded._model.jumps[0].of_class.shape == (3, 22)
    for text in (TEXT, OTHER_TEXT):
        assert_same_links(loaded.align(text), trained.align(text))


def test_new_words_are_in_the_class_of_most_words(folder, tmp_path):
    Aligner.load(folder).updated(OTHER_TEXT).save(tmp_path / "more")
    before, after = (Aligner.load(each)._model.classes for each in (folder, tmp_path / "more"))
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(new[: len(old)], old)
        assert set(new[len(old) :].tolist()) == {int(np.bincount(old).argmax())}


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("jump_classes", lambda a: changed(a, 0, -1), RANGE),
        ("jump_classes", lambda a: changed(a, 0, 3), RANGE),
        ("jump_classes", lambda a: a[:-1], SHAPE),
        ("jump_classes", lambda a: a.astype(np.int64), KIND),
        ("jumps_of_class", lambda a: a[:, :-2].copy(), SHAPE),
        ("jumps_of_class", lambda a: changed(a, 0, 0.0), WEIGHT),
        ("jumps_of_class", lambda a: np.tile(a, (90, 1)), SHAPE),
        ("jumps_of_class", lambda a: a[0], SHAPE),
        ("jumps_of_class", lambda a: changed(a, (0, 0), np.nan), RANGE),
    ],
)
@pytest.mark.parametrize("way", ["forward", "reverse"])
def test_a_strangers_classes_are_checked(name, change, reason, way, folder):
    forge(folder, f"{way}_{name}", change(np.load(folder / f"{way}_{name}.npy")))
    assert_unusable(folder, reason)


@pytest.mark.parametrize("name", ["jump_classes", "jumps_of_class"])
@pytest.mark.parametrize("way", ["forward", "reverse"])
def test_an_array_that_is_missing_is_named(name, way, folder):
    describe(folder, lambda description: description["arrays"].pop(f"{way}_{name}"))
    assert refusal(folder) == unusable(folder, f"{way}_{name} is missing")
