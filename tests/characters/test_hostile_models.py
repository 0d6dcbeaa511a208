"""Model folders by strangers: whatever is in them, a message or a model, never a crash."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.characters import EditModel
from cepts.characters.weights import gram_of_parts
from cepts.errors import ModelError
from cepts.storage import load_folder, save_folder

PAIRS = [("abba", "ABBA"), ("cab", "CAB"), ("back", "BACK"), ("ack", "ACKX")]
KIND = "wrong kind"
FIT = "its edits do not fit its letters"
ORDER = "not in order"
OUTSIDE = "point outside of its letters or grams"
NUMBERS = "something else where weights are expected"
LETTERS = "not different code points"
GRAMS = "its grams do not fit its letters"


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """What an honest model folder holds."""
    folder = tmp_path_factory.mktemp("models") / "honest"
    EditModel.fit(PAIRS, order=2, epochs=1).save(folder)
    meta, arrays, _ = load_folder(folder, "edit-model")
    return meta, {name: np.array(array) for name, array in arrays.items()}


def saved(folder, meta, arrays, kind="edit-model"):
    save_folder(folder, kind, meta, arrays, {})
    return folder


def put(array, at, value):
    changed = array.copy()
    changed[at] = value
    return changed


def swapped(array):
    return put(put(array, 0, array[1]), 1, array[0])


def key(source, target, gram=0):
    return (source << 14 | target) << 32 | gram


CHANGES = [
    ("plain", lambda a: a.astype(np.float64), KIND),
    ("plain", lambda a: a.astype(">f4"), KIND),
    ("plain", lambda a: a[1:], FIT),
    ("plain", lambda a: a[:, 1:], FIT),
    ("plain", lambda a: a.ravel(), FIT),
    ("plain", lambda a: a.T, FIT),
    ("plain", lambda a: put(a, (2, 2), np.nan), NUMBERS),
    ("plain", lambda a: put(a, (0, 2), np.inf), NUMBERS),
    ("allowed", lambda a: a.astype(np.int8), KIND),
    ("allowed", lambda a: a[:-1], FIT),
    ("allowed", lambda a: a[None], FIT),
    ("allowed", lambda a: put(a, (0, 0), True), FIT),  # nothing for nothing, for ever
    ("grams", lambda a: a.astype(np.int32), KIND),
    ("grams", lambda a: a.astype(np.uint64), KIND),
    ("grams", lambda a: a[:, None], "."),
    ("grams", swapped, ORDER),
    ("grams", lambda a: put(a, 1, a[0]), ORDER),
    ("grams", lambda a: a[:-1], OUTSIDE),
    ("grams", lambda a: put(a, 0, 0), "its grams are no grams"),
    ("grams", lambda a: put(a, 0, -5), "its grams are no grams"),
    ("grams", lambda a: put(a, -1, 2**62), "its grams are no grams"),
    ("grams", lambda a: put(a, -1, gram_of_parts(3, [2, 2, 2])), GRAMS),  # longer than the order
    ("grams", lambda a: put(a, -1, gram_of_parts(3, [16_000, 2])), GRAMS),
    ("grams", lambda a: put(a, 0, gram_of_parts(0, [2])), GRAMS),
    ("keys", lambda a: a.astype(np.int32), KIND),
    ("keys", lambda a: a[1:], KIND),
    ("keys", swapped, ORDER),
    ("keys", lambda a: put(a, 0, -1), OUTSIDE),
    ("keys", lambda a: put(a, -1, key(5, 100)), OUTSIDE),
    ("keys", lambda a: put(a, -1, key(100, 2)), OUTSIDE),
    ("keys", lambda a: put(a, -1, key(5, 6, 2**31)), OUTSIDE),
    ("keys", lambda a: put(a, -1, 2**62), OUTSIDE),
    ("values", lambda a: a.astype(np.float16), KIND),
    ("values", lambda a: a[:-1], KIND),
    ("values", lambda a: put(a, 3, np.nan), NUMBERS),
    ("values", lambda a: put(a, 3, -np.inf), NUMBERS),
    ("source_letters", lambda a: a.astype(np.int64), LETTERS),
    ("source_letters", lambda a: a[None], LETTERS),
    ("source_letters", lambda a: put(a, 0, a[1]), LETTERS),
    ("source_letters", lambda a: put(a, 0, -1), "train it again"),
    ("source_letters", lambda a: put(a, 0, 0x110000), "train it again"),
    ("source_letters", lambda a: a[:-1], FIT),
    ("target_letters", lambda a: np.append(a, 999).astype(np.int32), FIT),
    ("target_letters", lambda _: np.arange(20_000, dtype=np.int32), "20000 different letters"),
]


@pytest.mark.parametrize(("name", "change", "message"), CHANGES)
def test_each_array_is_checked(parts, name, change, message, tmp_path):
    meta, arrays = parts
    folder = saved(tmp_path / "model", meta, arrays | {name: change(arrays[name])})
    with pytest.raises(ModelError, match=message) as caught:
        EditModel.load(folder)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda options: options | {"order": 5},
        lambda options: options | {"order": -1},
        lambda options: options | {"order": None},
        lambda options: options | {"order": "2"},
        lambda options: options | {"order": 1},  # grams of two letters are in it
        lambda options: options | {"mode": "guess"},
        lambda options: options | {"mode": ["generate"]},
        lambda options: options | {"seed": -1},
        lambda options: options | {"beam": 0},
        lambda options: options | {"strange": 1},
        lambda _: [],
        lambda _: None,
        lambda _: "order",
    ],
)
def test_options_are_checked(parts, change, tmp_path):
    meta, arrays = parts
    folder = saved(tmp_path / "model", meta | {"options": change(meta["options"])}, arrays)
    with pytest.raises(ModelError, match=r"is no edit model that this version can use: .*; train it again$"):
        EditModel.load(folder)


def test_what_is_missing_is_named(parts, tmp_path):
    meta, arrays = parts
    for name in arrays:
        rest = {other: array for other, array in arrays.items() if other != name}
        with pytest.raises(ModelError, match=f"use: '{name}'; train it again$"):
            EditModel.load(saved(tmp_path / name, meta, rest))
    for name in ("options", "notes"):
        with pytest.raises(ModelError, match=f"use: '{name}'; train it again$"):
            EditModel.load(saved(tmp_path / name, {key: meta[key] for key in meta if key != name}, arrays))


def test_a_model_of_another_kind_is_refused(parts, tmp_path):
    with pytest.raises(ModelError, match="is of kind 'words', expected 'edit-model'"):
        EditModel.load(saved(tmp_path / "model", *parts, kind="words"))


def test_a_file_that_was_changed_is_refused(parts, tmp_path):
    folder = saved(tmp_path / "model", *parts)
    content = bytearray((folder / "values.npy").read_bytes())
    content[-1] ^= 1
    (folder / "values.npy").write_bytes(content)
    with pytest.raises(ModelError, match="its checksum is wrong"):
        EditModel.load(folder)


@settings(max_examples=150)
@given(st.data())
def test_changed_numbers_never_crash(parts, tmp_path_factory, data):
    meta, arrays = parts
    changed = dict(arrays)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(arrays)))
        array = changed[name].copy()
        at = data.draw(st.integers(0, array.size - 1))
        if array.dtype == np.float32:
            value = data.draw(st.floats(-1e6, 1e6, width=32) | st.sampled_from([np.nan, np.inf]))
        elif array.dtype == np.bool_:
            value = not array.flat[at]
        else:
            bits = 62 if array.dtype == np.int64 else 30
            value = int(array.flat[at]) ^ (1 << data.draw(st.integers(0, bits)))
        array.flat[at] = value
        changed[name] = array
    folder = saved(tmp_path_factory.mktemp("fuzz") / "model", meta, changed)
    try:
        model = EditModel.load(folder)
    except ModelError:
        return
    for found in model.transcribe(["abcé", "kkk", ""], 2, beam=3):
        assert len(found) <= 2
    assert np.all(np.isfinite(model.affinities(["abc", "é", ""], ["ABC", "", "CK"])))
    model.explain("abc", "ABCé")
    model.largest_weights(1000)
