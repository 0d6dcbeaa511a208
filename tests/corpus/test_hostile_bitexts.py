"""Saved bitexts by strangers: whatever is in the folder, a message or a bitext that does no harm, never a crash."""

import json
import re

import numpy as np
import pytest

from cepts import Aligner, corpus
from cepts.corpus import Bitext, bitext_from_pairs, read_bitext, side_from_tokens
from cepts.errors import InputError, OutputError
from tests.aligning.forging import changed, describe, forge
from tests.corpus.old_bitexts import save_old
from tests.storage.tampering import (
    append,
    believed,
    change_array,
    cut,
    flip,
    pick,
    remove,
    sign,
    swap,
    tamper,
)

CASES = 100  # as they are, and as many with new checksums


@pytest.fixture
def text(tmp_path):
    """A bitext with all that one can have."""
    pairs = [
        ("La maison bleue", "the blue house"),
        ("", "nothing"),
        ("l'été , Ünï", "summer, ok"),
        ("のの", "a b"),
    ]
    rows = [json.dumps({"translation": {"fr": source, "en": target}}) for source, target in pairs]
    file = tmp_path / "text.jsonl"
    file.write_text("\n".join(rows) + "\n", "utf-8")
    return read_bitext(file, tokenize=True, keep_text=True)


@pytest.fixture
def folder(text, tmp_path):
    text.save(tmp_path / "saved")
    return tmp_path / "saved"


def use(bitext):
    """Let kernels and Python walk over everything."""
    for k in range(len(bitext)):
        bitext.words_of(k)
        for side in (bitext.source, bitext.target):
            if side.spans is not None:
                side.token_spans(k)
            if side.originals is not None:
                assert isinstance(side.originals[k], str)
    assert len(bitext.part(0, 2).swapped()) == min(len(bitext), 2)
    links = Aligner("fast").fit(bitext).align(bitext)
    assert len(links) == len(bitext)


def refused(folder):
    with pytest.raises(InputError) as error:
        Bitext.load(folder)
    message = str(error.value)
    assert "\n" not in message
    assert str(folder) in message
    return message


@pytest.mark.parametrize("signed", [False, True], ids=["changed", "signed"])
def test_tampered_folders_are_refused_or_harmless(signed, text, tmp_path):
    loaded = 0
    for seed in range(CASES):
        rng = np.random.default_rng([seed, signed])
        folder = tmp_path / str(seed)
        (text if seed % 4 else text.part(0, 0)).save(folder)
        what = tamper(folder, rng)
        if signed:
            sign(folder)
        if believed(lambda folder=folder: Bitext.load(folder), seed, what):
            loaded += 1
            believed(lambda folder=folder: use(Bitext.load(folder)), seed, what)
    assert 0 < loaded < CASES // (2 if signed else 4)


def test_tampered_folders_of_earlier_versions_are_refused_or_harmless(text, tmp_path):
    for seed in range(CASES):
        folder = tmp_path / str(seed)
        save_old(text, folder)
        rng = np.random.default_rng(seed)
        what = pick(rng, [flip, cut, append, remove, swap, *[change_array] * 5])(folder, rng)
        believed(lambda folder=folder: use(Bitext.load(folder)), seed, what)


TYPES = 8
HOSTILE = {
    "an id too large": ("source-ids", lambda a: changed(a, 0, TYPES), "is 8, expected a number from 0 to 7"),
    "an id far too large": ("target-ids", lambda a: changed(a, -1, 1 << 30), "is 1073741824, expected a"),
    "a negative id": ("source-ids", lambda a: -a, "is -1, expected a number from 0 to"),
    "ids of 64 bits": ("source-ids", lambda a: a.astype(np.int64), "is of <i8, expected int32"),
    "ids in another byte order": ("source-ids", lambda a: a.astype(">i4"), "is of >i4, expected int32"),
    "ids in a table": ("source-ids", lambda a: a.reshape(-1, 1), "has the shape"),
    "an id too few": ("source-ids", lambda a: a[:-1], "source-spans has the shape [9, 2], expected 8 x 2"),
    "offsets that go back": ("source-offsets", lambda a: a[[0, 3, 1, 2, 4]], "does not rise"),
    "offsets that end too late": ("target-offsets", lambda a: np.append(a[:-1], a[-1] + 9), "does not rise"),
    "no offsets": ("target-offsets", lambda a: a[:0], "has the shape"),
    "a span before its line": ("source-spans", lambda a: a - 1, "expected a number from 0"),
    "spans of other tokens": ("source-spans", lambda a: a[1:], "has the shape"),
    "lines that are too long": ("target-original-lengths", lambda a: a + 1, "adds up to"),
    "lines of negative length": ("target-original-lengths", lambda a: a - 99, "expected a number from 0"),
    "lines that end within a letter": ("source-original-lengths", lambda a: a + np.array([0, 0, -1, 1]), "not UTF-8"),
    "lines that are no text": ("source-originals", lambda a: np.full_like(a, 255), "can't decode"),
    "units of another number": ("units", lambda a: a[1:], "units has the shape [3], expected 4"),
    "units that are fractions": ("units", lambda a: a.astype(float), "units is of <f8, expected int64"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_an_array_of_a_stranger_is_refused(case, text, folder, tmp_path):
    name, change, reason = HOSTILE[case]
    array = change(np.load(folder / f"{name}.npy"))
    forge(folder, name, array)
    message = refused(folder)
    assert message.startswith(f"{folder} holds no saved bitext, or a damaged one: ")
    assert reason in message
    save_old(text, tmp_path / "old")
    np.save(tmp_path / "old" / f"{name}.npy", array)
    assert reason in refused(tmp_path / "old")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d["meta"].update(left_out=[]), "what it says of its file is nothing that was known"),
        (lambda d: d["meta"].update(languages=["a"]), "what it says of its file is nothing that was known"),
        (lambda d: d["meta"].update(left_out={"a": -1}), "what it says of its file is nothing that was known"),
        (lambda d: d["meta"].update(segmenters=[None]), "damaged one: zip"),
        (lambda d: d["meta"].update(segmenters=[{"name": "auto", "pieces": 3}] * 2), "pieces of words are none"),
        (lambda d: d["arrays"].pop("target-ids"), "target-ids is missing"),
        (lambda d: d["arrays"].pop("target-originals"), "target-originals is missing"),
        (lambda d: d["texts"].pop("target-words"), "'target-words'"),
    ],
)  # fmt: skip
def test_a_description_of_a_stranger_is_refused(change, reason, folder):
    describe(folder, change)
    assert reason in refused(folder)


@pytest.mark.parametrize("words", ["3\n", '"a","b"\n', '"a\n', "[" * 99_999 + "\n"])
def test_words_of_a_stranger_are_refused(words, folder):
    (folder / "target-words.txt").write_text(words)
    sign(folder)
    refused(folder)


def test_a_byte_that_was_changed_is_noticed(folder):
    content = bytearray((folder / "source-ids.npy").read_bytes())
    content[-4] ^= 1
    (folder / "source-ids.npy").write_bytes(content)
    assert re.search("source-ids.npy is damaged: its checksum is wrong", refused(folder))


def test_bitexts_of_earlier_versions_are_read(text, tmp_path):
    save_old(text, tmp_path / "old")
    text.save(tmp_path / "new")
    old, new = (Bitext.load(tmp_path / name) for name in ("old", "new"))
    for side in ("source", "target"):
        one, two = getattr(old, side), getattr(new, side)
        assert (one.words, one.segmenter, list(one.originals)) == (
            two.words,
            two.segmenter,
            list(two.originals),
        )
        for name in ("ids", "offsets", "spans"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert (
        (old.units.tolist(), old.languages)
        == (new.units.tolist(), new.languages)
        == ([1, 2, 3, 4], ("fr", "en"))
    )


def test_other_files_of_the_folder_stay_and_those_of_the_old_bitext_go(text, tmp_path):
    save_old(text, tmp_path / "place")
    (tmp_path / "place" / "thesis.txt").write_text("mine")
    bitext_from_pairs([("a", "b")]).save(tmp_path / "place")
    names = [
        f"{side}-{part}" for side in ("source", "target") for part in ("ids.npy", "offsets.npy", "words.txt")
    ]
    assert {file.name for file in (tmp_path / "place").iterdir()} >= {*names, "model.json", "thesis.txt"}
    assert not list((tmp_path / "place").glob("*-words.json"))
    assert len(Bitext.load(tmp_path / "place")) == 1


def test_a_model_is_not_written_over(text, tmp_path):
    Aligner("fast").fit(text).save(tmp_path / "model")
    with pytest.raises(OutputError, match="is of kind 'word-aligner', expected 'bitext'; name another place"):
        text.save(tmp_path / "model")


def test_a_full_disk_leaves_the_bitext_that_was_there(text, folder, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(np.lib.format, "write_array", full)
        with pytest.raises(OutputError, match="No space left on device"):
            bitext_from_pairs([("a", "b")]).save(folder)
    assert len(Bitext.load(folder)) == len(text)
    assert [file.name for file in folder.parent.iterdir() if file.name.startswith(".")] == []


def test_words_may_hold_anything(tmp_path):
    words = ["a b", "line\nbreak", "\u2028", '"', "\ud800", ""]
    corpus.Bitext(side_from_tokens([words]), side_from_tokens([["x"]])).save(tmp_path / "odd")
    assert list(Bitext.load(tmp_path / "odd").source.words) == words
