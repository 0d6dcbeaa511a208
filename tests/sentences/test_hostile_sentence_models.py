"""Folders of sentence models by strangers: whatever is in them, a message or a model, never a crash."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.errors import CeptsError, ModelError
from cepts.sentences import FeatureOptions, SentenceModel
from cepts.storage import load_folder, save_folder

PAIRS = [("abba ab", "AB BA"), ("cab", "CAB AB"), ("back ab", "BACK"), ("ack cab", "ACKX CAB")] * 3
FEATURES = FeatureOptions(words=2, characters=(2, 3), weighting="tfidf", min_count=1)
WHOLE = r"is no sentence model that this version can use: .*; train it again$"
SHAPE = "its factors have another shape than its features"
NUMBERS = "its factors are negative, too large or no numbers"


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """What an honest model folder holds."""
    folder = tmp_path_factory.mktemp("models") / "honest"
    text = bitext_from_pairs(PAIRS)
    SentenceModel.fit(text, features=FEATURES, k=3, start="svd", iterations=5).save(folder)
    meta, arrays, texts = load_folder(folder, "sentence-model")
    return meta, {name: np.array(array) for name, array in arrays.items()}, texts


def saved(folder, meta, arrays, texts, kind="sentence-model"):
    save_folder(folder, kind, meta, arrays, texts)
    return folder


def put(array, at, value):
    changed = array.copy()
    changed[at] = value
    return changed


@pytest.mark.parametrize("name", ["source_factors", "target_factors"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a.astype(np.float64), SHAPE),
        (lambda a: a.astype(">f4"), SHAPE),
        (lambda a: a.astype(np.int32), SHAPE),
        (lambda a: a[1:], SHAPE),
        (lambda a: a[:, 1:], SHAPE),
        (lambda a: a.T, SHAPE),
        (lambda a: a.ravel(), SHAPE),
        (lambda a: a[None], SHAPE),
        (lambda a: a[:0], SHAPE),
        (lambda a: put(a, (0, 0), np.nan), NUMBERS),
        (lambda a: put(a, (1, 2), np.inf), NUMBERS),
        (lambda a: put(a, (1, 2), -1e-9), NUMBERS),
        (lambda a: put(a, (-1, -1), 2e15), NUMBERS),
    ],
)
def test_factors_are_checked(parts, name, change, message, tmp_path):
    meta, arrays, texts = parts
    folder = saved(tmp_path / "model", meta, arrays | {name: change(arrays[name])}, texts)
    with pytest.raises(ModelError, match=f"{message}; train it again$") as caught:
        SentenceModel.load(folder)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("options", lambda options: options | {"k": 4}),
        ("options", lambda options: options | {"k": 0}),
        ("options", lambda options: options | {"k": "3"}),
        ("options", lambda options: options | {"k": None}),
        ("options", lambda options: options | {"beta": -1}),
        ("options", lambda options: options | {"beta": "0"}),
        ("options", lambda options: options | {"beta": 10**400}),
        ("options", lambda options: options | {"beta": [0]}),
        ("options", lambda options: options | {"update": "magic"}),
        ("options", lambda options: options | {"start": ["svd"]}),
        ("options", lambda options: options | {"batch": "all"}),
        ("options", lambda options: options | {"coupling": -1}),
        ("options", lambda options: options | {"strange": 1}),
        ("options", lambda options: options | {"progress": 1, "strange": 1}),
        ("options", lambda _: []),
        ("options", lambda _: None),
        ("options", lambda _: "k"),
        ("options", lambda options: options | {"seed": -1}),
        ("projection", lambda _: "flat"),
        ("measure", lambda _: "feet"),
        ("losses", lambda _: None),
        ("losses", lambda _: ["little"]),
        ("losses", lambda _: [[1]]),
        ("source_features", lambda _: None),
        ("source_features", lambda _: []),
        ("source_features", lambda options: options | {"strange": 1}),
        ("source_features", lambda options: options | {"words": -1}),
        ("target_features", lambda options: options | {"words": 3}),
        ("target_features", lambda options: options | {"characters": None}),
        ("target_features", lambda options: options | {"characters": "all of them"}),
        ("target_features", lambda options: options | {"tags": 2}),
    ],
)
def test_descriptions_are_checked(parts, name, change, tmp_path):
    meta, arrays, texts = parts
    folder = saved(tmp_path / "model", meta | {name: change(meta[name])}, arrays, texts)
    with pytest.raises(ModelError, match=WHOLE) as caught:
        SentenceModel.load(folder)
    assert "\n" not in str(caught.value)


def test_what_is_missing_is_named(parts, tmp_path):
    meta, arrays, texts = parts
    for name in arrays:
        rest = {other: array for other, array in arrays.items() if other != name}
        with pytest.raises(ModelError, match=f"use: '{name}'; train it again$"):
            SentenceModel.load(saved(tmp_path / name, meta, rest, texts))
    for name in texts:
        rest = {other: lines for other, lines in texts.items() if other != name}
        with pytest.raises(ModelError, match=f"use: '{name}'; train it again$"):
            SentenceModel.load(saved(tmp_path / name, meta, arrays, rest))
    for name in ("options", "losses", "projection", "measure", "source_features", "target_features"):
        rest = {other: value for other, value in meta.items() if other != name}
        with pytest.raises(ModelError, match=f"use: '{name}'; train it again$"):
            SentenceModel.load(saved(tmp_path / name, rest, arrays, texts))


def test_a_model_of_another_kind_is_refused(parts, tmp_path):
    with pytest.raises(ModelError, match=r"is of kind 'words', expected 'sentence-model'"):
        SentenceModel.load(saved(tmp_path / "model", *parts, kind="words"))


@pytest.mark.parametrize("name", ["source_factors.npy", "target_factors.npy"])
def test_a_file_that_was_changed_is_refused(parts, name, tmp_path):
    folder = saved(tmp_path / "model", *parts)
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=r"its checksum is wrong"):
        SentenceModel.load(folder)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"format": 1}'])
def test_a_description_that_is_none_is_refused(parts, content, tmp_path):
    folder = saved(tmp_path / "model", *parts)
    (folder / "model.json").write_text(content)
    with pytest.raises(ModelError):
        SentenceModel.load(folder)


@settings(max_examples=60)
@given(st.data())
def test_changed_numbers_never_crash(parts, tmp_path_factory, data):
    meta, arrays, texts = parts
    changed, meta = dict(arrays), json.loads(json.dumps(meta))
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(arrays)))
        array = changed[name].copy()
        at = data.draw(st.integers(0, array.size - 1))
        if array.dtype.kind == "f":
            value = data.draw(st.floats(-1e6, 1e6, width=32) | st.sampled_from([np.nan, np.inf, 1e15, 1e-40]))
        else:
            value = int(array.flat[at]) ^ (1 << data.draw(st.integers(0, 8 * array.itemsize - 2)))
        array.flat[at] = value
        changed[name] = array
    meta["projection"] = data.draw(st.sampled_from(["non-negative", "least-squares", "divergence", "flat"]))
    meta["measure"] = data.draw(st.sampled_from(["cosine", "euclidean", "feet"]))
    folder = saved(tmp_path_factory.mktemp("fuzz") / "model", meta, changed, texts)
    text = bitext_from_pairs([*PAIRS, ("", ""), ("é", "É"), ("abba abba", "AB")])
    try:
        scores = SentenceModel.load(folder).similarity(text)
    except CeptsError:
        return
    assert np.all(np.isfinite(scores))
    assert scores[-3] == scores[-2] == 0
