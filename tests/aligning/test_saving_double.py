"""A bi-word model from a stranger: its pairs of words are refused before a kernel may touch them."""

import shutil

import numpy as np
import pytest

from cepts import Aligner
from cepts.corpus import bitext_from_pairs
from cepts.words import pairs as pairs_module
from tests.aligning.contract import assert_same_links
from tests.aligning.forging import (
    KIND,
    RANGE,
    SHAPE,
    assert_unusable,
    changed,
    describe,
    forge,
    refusal,
    set_recipe,
    unusable,
)

TEXT = bitext_from_pairs(
    [
        ("le chat noir dort .", "the black cat is sleeping ."),
        ("le chien ne dort pas .", "the dog does not sleep ."),
        ("un chat", "a cat"),
        ("le chien noir dort .", "the black dog is sleeping ."),
    ]
)
SOURCE_WORDS, TARGET_WORDS = len(TEXT.source.words), len(TEXT.target.words)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "model"
    Aligner(model_type="bihmm", double_probability=0.9).fit(TEXT).save(folder)
    return folder


@pytest.fixture
def model(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "model")


HOSTILE_ARRAYS = {
    "a first word that is none": ("forward_pair_keys", lambda a: changed(a, -1, SOURCE_WORDS << 32)),
    "a second word that is none": ("forward_pair_keys", lambda a: changed(a, -1, a[-1] | 0xFFFFFFFF)),
    "a word of the other side": ("reverse_pair_keys", lambda a: changed(a, -1, (TARGET_WORDS << 32) | 1)),
    "a negative key": ("forward_pair_keys", lambda a: changed(a, 0, -1)),
    "the most negative key": ("reverse_pair_keys", lambda a: changed(a, 0, np.iinfo(np.int64).min)),
    "keys out of order": ("forward_pair_keys", lambda a: a[::-1].copy()),
    "a key twice": ("forward_pair_keys", lambda a: changed(a, 1, a[0])),
    "keys of 32 bits": ("forward_pair_keys", lambda a: (a & 0xFFFF).astype(np.int32)),
    "keys without a sign": ("forward_pair_keys", lambda a: a.astype(np.uint64)),
    "keys in another byte order": ("forward_pair_keys", lambda a: a.astype(">i8")),
    "keys in a table": ("forward_pair_keys", lambda a: a.reshape(1, -1)),
    "a key too few": ("forward_pair_keys", lambda a: a[:-1]),
    "no keys": ("reverse_pair_keys", lambda a: a[:0]),
    "a row that begins too late": ("forward_pair_row_offsets", lambda a: changed(a, 0, 1)),
    "rows that end too late": ("forward_pair_row_offsets", lambda a: changed(a, -1, a[-1] + 1000)),
    "rows that end too soon": ("forward_pair_row_offsets", lambda a: changed(a, -1, a[-1] - 1)),
    "a row far outside": ("reverse_pair_row_offsets", lambda a: changed(a, 1, 1 << 40)),
    "a row before the beginning": ("forward_pair_row_offsets", lambda a: changed(a, 1, -5)),
    "no rows": ("forward_pair_row_offsets", lambda a: a[:0]),
    "rows of 32 bits": ("forward_pair_row_offsets", lambda a: a.astype(np.int32)),
    "rows in a table": ("forward_pair_row_offsets", lambda a: a.reshape(-1, 1)),
    "a word too large": ("forward_pair_words", lambda a: changed(a, 0, TARGET_WORDS)),
    "a word much too large": ("forward_pair_words", lambda a: changed(a, -1, 1 << 30)),
    "a negative word": ("reverse_pair_words", lambda a: changed(a, 0, -1)),
    "words of 64 bits": ("forward_pair_words", lambda a: a.astype(np.int64)),
    "words of another number": ("forward_pair_words", lambda a: a[:-1]),
    "words in a table": ("forward_pair_words", lambda a: a.reshape(-1, 1)),
    "values that are no numbers": ("forward_pair_values", lambda a: changed(a, 3, np.nan)),
    "infinite values": ("forward_pair_values", lambda a: changed(a, 3, np.inf)),
    "negative values": ("reverse_pair_values", lambda a: changed(a, 3, -0.5)),
    "values above one": ("forward_pair_values", lambda a: changed(a, 3, 1.5)),
    "values of 64 bits": ("forward_pair_values", lambda a: a.astype(np.float64)),
    "values of another number": ("forward_pair_values", lambda a: a[:-1]),
    "values in a table": ("forward_pair_values", lambda a: np.stack([a, a], axis=1)),
}
HOSTILE_DISTANCES = {
    "a distance too few": (lambda a: a[:-1], SHAPE),
    "a distance too many": (lambda a: np.append(a, 0.0), SHAPE),
    "no distances": (lambda a: a[:0], SHAPE),
    "distances that are no numbers": (lambda a: changed(a, 1, np.nan), RANGE),
    "negative distances": (lambda a: changed(a, 1, -0.1), RANGE),
    "distances in a table": (lambda a: a.reshape(1, -1), SHAPE),
    "whole numbers as distances": (lambda a: a.astype(np.int64), KIND),
}


@pytest.fixture
def untouchable(monkeypatch):
    """A kernel that fails the test when it is called."""

    def touch(*_):
        raise AssertionError("a kernel was called with what a stranger wrote")

    monkeypatch.setattr(pairs_module, "look_up_pairs", touch)


@pytest.mark.usefixtures("untouchable")
@pytest.mark.parametrize("case", HOSTILE_ARRAYS)
def test_an_array_of_a_stranger_is_refused(model, case):
    name, damage = HOSTILE_ARRAYS[case]
    forge(model, name, damage(np.load(model / f"{name}.npy")))
    assert_unusable(model, f"{name[:7]}_pair_")


@pytest.mark.parametrize("way", ["forward", "reverse"])
@pytest.mark.parametrize("case", HOSTILE_DISTANCES)
def test_distances_of_a_stranger_are_refused(model, case, way):
    damage, reason = HOSTILE_DISTANCES[case]
    name = f"{way}_distances"
    forge(model, name, damage(np.load(model / f"{name}.npy")))
    assert_unusable(model, reason)


@pytest.mark.parametrize(
    "name",
    [
        f"{way}_{name}"
        for way in ("forward", "reverse")
        for name in (
            "pair_keys",
            "pair_row_offsets",
            "pair_words",
            "pair_values",
            "distances",
            "jumps",
        )
    ],
)
def test_an_array_that_is_missing_is_named(model, name):
    describe(model, lambda description: description["arrays"].pop(name))
    assert refusal(model) == unusable(model, f"{name} is missing")


def test_a_recipe_that_asks_for_more_than_was_trained(tmp_path):
    """A model of one direction, or of single words, whose description says otherwise."""
    Aligner(model_type="bi1", direction="forward").fit(TEXT).save(tmp_path / "one")
    describe(tmp_path / "one", set_recipe("direction", "both"))
    assert refusal(tmp_path / "one") == unusable(tmp_path / "one", "reverse_pair_keys is missing")
    describe(tmp_path / "one", set_recipe("direction", "forward"))
    describe(tmp_path / "one", set_recipe("model_type", "bihmm"))
    assert refusal(tmp_path / "one") == unusable(tmp_path / "one", "forward_jumps is missing")
    Aligner(training="independent", hmm_prior=0.0).fit(TEXT).save(tmp_path / "mono")
    describe(tmp_path / "mono", set_recipe("model_type", "bihmm"))
    assert refusal(tmp_path / "mono") == unusable(tmp_path / "mono", "forward_pair_keys is missing")


def test_a_forged_array_that_is_as_good_as_ours_is_believed(model):
    # The forgeries above are refused for what they hold, not for how they were made.
    expected = Aligner.load(model).align(TEXT)
    for name in ("forward_pair_keys", "reverse_pair_values", "forward_distances"):
        forge(model, name, np.load(model / f"{name}.npy"))
    assert_same_links(Aligner.load(model).align(TEXT), expected)


STRANGE = {
    "all pairs impossible": {"forward_pair_values": lambda a: a * 0, "reverse_pair_values": lambda a: a * 0},
    "all pairs certain": {"forward_pair_values": np.ones_like, "reverse_pair_values": np.ones_like},
    "no distance": {"forward_distances": lambda a: a * 0, "reverse_distances": lambda a: a * 0},
    "rows without words": {"forward_pair_row_offsets": lambda a: np.r_[np.zeros(len(a) - 1, np.int64), a[-1]]},
    "words out of order": {"forward_pair_words": lambda a: a[::-1].copy()},
    "no pairs": {
        "forward_pair_keys": lambda a: a[:0],
        "forward_pair_row_offsets": lambda a: a[:1],
        "forward_pair_words": lambda a: a[:0],
        "forward_pair_values": lambda a: a[:0],
    },
}  # fmt: skip


@pytest.mark.parametrize("case", STRANGE)
@pytest.mark.parametrize("combine", ["union", "posterior"])
def test_a_strange_model_that_is_allowed_does_no_harm(model, case, combine):
    for name, change in STRANGE[case].items():
        forge(model, name, change(np.load(model / f"{name}.npy")))
    links = Aligner.load(model, combine=combine).align(TEXT)
    assert np.isfinite(links.scores).all()
    assert np.isfinite(links.confidence).all()
    assert links.confidence.max() <= 1
    for k, pair in enumerate(links):
        lengths = TEXT.source.lengths[k], TEXT.target.lengths[k]
        assert all(link.source < lengths[0] and link.target < lengths[1] for link in pair)


def test_pairs_are_mapped_not_read(model):
    forward, reverse = Aligner.load(model)._model.doubles.pairs
    assert all(isinstance(array, np.memmap) for array in (*forward, *reverse))


def test_bi1_has_pairs_and_no_jumps(tmp_path):
    Aligner(model_type="bi1").fit(TEXT).save(tmp_path / "model")
    names = {file.stem for file in (tmp_path / "model").iterdir()}
    assert {"forward_pair_keys", "reverse_distances"} <= names
    assert not any("jumps" in name or "starts" in name or "null" in name for name in names)


def test_pairs_that_are_improbable_are_not_kept(model):
    for way in ("forward", "reverse"):
        values = np.load(model / f"{way}_pair_values.npy")
        assert values.min() >= pairs_module.KEPT
        assert 0 < len(values) < len(TEXT.source.ids) * len(TEXT.target.ids)
