import json
import os
import pickle
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as np_st

from cepts.errors import ModelError, OptionError, OutputError
from cepts.storage import check_folder_writable, describe_folder, load_folder, save_folder

META = {"recipe": "fast", "iterations": {"ibm1": 5}}
LEXICON = np.arange(6, dtype=np.float32).reshape(2, 3)
WORDS = ["le", "été", "a\u2028b", ""]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    save_folder(tmp_path / "model", "words", META, {"lexicon": LEXICON}, {"source_words": WORDS})
    return tmp_path / "model"


def edit(model: Path, **changes: Any) -> None:
    description = json.loads((model / "model.json").read_text())
    description.update(changes)
    (model / "model.json").write_text(json.dumps(description))


def entry_of(file: Path) -> dict[str, Any]:
    """Describe a file as a stranger would who wants it to be believed."""
    import hashlib

    return {"bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}


def refusal(model: Path, kind: str = "words") -> str:
    with pytest.raises(ModelError) as error:
        load_folder(model, kind)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_round_trip(model: Path) -> None:
    meta, arrays, texts = load_folder(model, "words")
    assert meta == META
    assert texts == {"source_words": WORDS}
    np.testing.assert_array_equal(arrays["lexicon"], LEXICON)
    assert isinstance(arrays["lexicon"], np.memmap)
    assert not arrays["lexicon"].flags.writeable


def test_the_files_of_a_model(model: Path) -> None:
    assert sorted(os.listdir(model)) == ["lexicon.npy", "model.json", "source_words.txt"]
    assert sorted(os.listdir(model.parent)) == ["model"]
    description = describe_folder(model)
    # SHA-256 of the bytes of "le\nété\na\u2028b\n\n", by coreutils' sha256sum
    assert description["texts"]["source_words"]["sha256"] == (
        "058186263f8974cf5fb4d328d488514e530fa4ad0171f3ece4d97092b669673a"
    )
    assert description["arrays"]["lexicon"]["shape"] == [2, 3]
    assert (description["format"], description["kind"]) == (1, "words")


arrays_of_numbers = np_st.arrays(
    st.sampled_from([np.int32, np.int64, np.float32, np.float64, np.bool_, np.uint8]),
    np_st.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)


@given(array=arrays_of_numbers, words=st.lists(st.text().filter(lambda word: "\n" not in word)))
def test_what_is_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, array: np.ndarray, words: list[str]
) -> None:
    path = tmp_path_factory.mktemp("round") / "model"
    save_folder(path, "test", {}, {"array": array, "turned": array.T}, {"words": words})
    _, arrays, texts = load_folder(path, "test")
    for name, expected in (("array", array), ("turned", array.T)):
        assert arrays[name].dtype == expected.dtype
        assert arrays[name].shape == expected.shape
        assert arrays[name].tobytes() == expected.tobytes()
    assert texts["words"] == words


def test_equal_models_are_equal_files(model: Path) -> None:
    save_folder(model.parent / "again", "words", META, {"lexicon": LEXICON}, {"source_words": WORDS})
    for name in os.listdir(model):
        assert (model / name).read_bytes() == (model.parent / "again" / name).read_bytes()


KILLED = """
    import os, shutil, sys
    from pathlib import Path
    import cepts.storage.folder as folder
    steps = int(sys.argv[3])

    def counted(function):
        def step(*arguments, **named):
            global steps
            if not steps:
                os._exit(9)
            steps -= 1
            return function(*arguments, **named)
        return step

    folder.exchange = counted(folder.exchange if sys.argv[2] == "True" else lambda *_: False)
    Path.rename, Path.unlink, Path.rmdir = map(counted, (Path.rename, Path.unlink, Path.rmdir))
    folder.save_folder(sys.argv[1], "words", {}, {}, {})
"""


def killed_after(model: Path, able: bool, steps: int) -> bool:
    """Replace a model in a process that is killed after so many changes of the disk; tell whether it ended before."""
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(model), str(able), str(steps)]
    status = subprocess.run(command, check=False).returncode
    assert status in (0, 9)
    return status == 0


class TestSaving:
    def test_a_model_is_replaced(self, model: Path) -> None:
        save_folder(model, "words", {}, {"other": np.ones(1)}, {})
        assert sorted(os.listdir(model)) == ["model.json", "other.npy"]
        assert os.listdir(model.parent) == ["model"]

    def test_a_model_can_be_saved_over_itself(self, model: Path) -> None:
        meta, arrays, texts = load_folder(model, "words")
        save_folder(model, "words", meta, arrays, texts)
        np.testing.assert_array_equal(arrays["lexicon"], LEXICON)
        np.testing.assert_array_equal(load_folder(model, "words").arrays["lexicon"], LEXICON)

    def test_an_empty_folder_is_taken(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        save_folder(tmp_path / "empty", "words", META, {}, {})
        assert load_folder(tmp_path / "empty", "words").meta == META

    @pytest.mark.parametrize("failure", [KeyboardInterrupt, MemoryError])
    def test_after_a_failure_the_old_model_stands(
        self, model: Path, monkeypatch: pytest.MonkeyPatch, failure: type[BaseException]
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise failure

        monkeypatch.setattr("cepts.storage.folder.json.dumps", fail)
        with pytest.raises(failure):
            save_folder(model, "words", {}, {"other": np.ones(1)}, {})
        assert load_folder(model, "words").meta == META
        assert os.listdir(model.parent) == ["model"]

    def test_a_failed_rename_brings_the_old_model_back(
        self, model: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rename, calls = Path.rename, []

        def second_fails(self: Path, target: Path) -> Path:
            calls.append(target)
            if len(calls) == 2:
                raise OSError(5, "Input/output error")
            return rename(self, target)

        monkeypatch.setattr("cepts.storage.folder.exchange", lambda *_: False)
        monkeypatch.setattr(Path, "rename", second_fails)
        with pytest.raises(OutputError, match=f"^cannot write {re.escape(str(model))}: Input/output error$"):
            save_folder(model, "words", {}, {}, {})
        assert load_folder(model, "words").meta == META
        assert os.listdir(model.parent) == ["model"]

    def test_a_killed_save_is_never_seen(self, model: Path) -> None:
        program = """
            import os, sys
            import cepts.storage.folder as folder
            folder._put_in_place = lambda *_: os._exit(9)
            folder.save_folder(sys.argv[1], "words", {}, {}, {})
        """
        command = [sys.executable, "-c", textwrap.dedent(program), str(model)]
        assert subprocess.run(command, check=False).returncode == 9
        assert load_folder(model, "words").meta == META

    @pytest.mark.parametrize("able", [True, False])
    @pytest.mark.parametrize("steps", range(9))
    def test_a_replacement_that_is_killed_anywhere_leaves_a_model(
        self, model: Path, able: bool, steps: int
    ) -> None:
        """Either the old one or the new one, and what is saved next puts all in order."""
        ended = killed_after(model, able, steps)
        expected = {"old": META, "new": {}}
        found = load_folder(model, "words").meta
        assert describe_folder(model)["meta"] == found
        assert found in ([expected["new"]] if ended else expected.values())
        if able:
            assert model.exists()  # there never was a moment without it
        save_folder(model, "words", {"third": 3}, {"other": np.ones(2)}, {})
        assert load_folder(model, "words").meta == {"third": 3}
        assert not list(model.parent.glob(".*.old"))

    def test_the_steps_of_a_replacement_are_all_tried(self, model: Path) -> None:
        assert not killed_after(model, able=False, steps=3)
        assert killed_after(model, able=False, steps=8)

    def test_no_model_is_made_of_what_was_not_finished(self, model: Path) -> None:
        model.rename(model.with_name(".model.0123abcd.tmp"))
        assert refusal(model) == f"there is no model {model}"

    def test_a_foreign_folder_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis").mkdir()
        (tmp_path / "thesis" / "model.json").write_text('{"format": "mine"}')
        (tmp_path / "thesis" / "chapter").write_text("years of work")
        path = tmp_path / "thesis"
        message = f"cannot write {path}: this folder is not a Cepts model; name another place"
        self.refused(path, message)
        assert sorted(os.listdir(path)) == ["chapter", "model.json"]

    def test_a_model_with_something_else_in_it_is_left_alone(self, model: Path) -> None:
        (model / "notes").write_text("mine")
        self.refused(model, f"cannot write {model}: beside the model it holds notes; move that away first")
        assert (model / "notes").read_text() == "mine"

    def test_a_file_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("mine")
        path = tmp_path / "file"
        message = f"cannot write {path}: it is a file, and a model is a folder; name another place"
        self.refused(path, message)
        assert path.read_text() == "mine"

    def test_no_such_folder(self, tmp_path: Path) -> None:
        path = tmp_path / "absent" / "model"
        message = f"cannot write {path}: there is no folder {tmp_path / 'absent'}; create it first"
        self.refused(path, message)

    @staticmethod
    def refused(path: Path, message: str) -> None:
        for attempt in (lambda: check_folder_writable(path), lambda: save_folder(path, "words", {}, {}, {})):
            with pytest.raises(OutputError) as error:
                attempt()
            assert str(error.value) == message

    @pytest.mark.parametrize("name", ["../lexicon", "a/b", "", "a.npy", "x" * 65])
    def test_a_name_is_no_path(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(OptionError, match="cannot name a file of a model"):
            save_folder(tmp_path / "m", "words", {}, {name: np.ones(1)}, {})
        assert os.listdir(tmp_path) == []

    def test_only_numbers(self, tmp_path: Path) -> None:
        with pytest.raises(
            OptionError, match=r"arrays\['a'\] must be an array of numbers, got an array of object"
        ):
            save_folder(tmp_path / "m", "words", {}, {"a": np.array([None])}, {})

    def test_no_newline_in_a_text(self, tmp_path: Path) -> None:
        with pytest.raises(OptionError, match="text t holds a line with a newline in it"):
            save_folder(tmp_path / "m", "words", {}, {}, {"t": ["a\nb"]})


class TestRefusal:
    def test_no_folder(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / "absent") == f"there is no model {tmp_path / 'absent'}"

    def test_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        assert refusal(tmp_path / "file") == (
            f"{tmp_path / 'file'} is a file; a model is a folder, made by: cepts train --output FOLDER"
        )

    def test_no_description(self, tmp_path: Path) -> None:
        assert refusal(tmp_path) == f"{tmp_path} is not a model folder: model.json is missing"

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            (b'{"format": 1,', "line 1: Expecting property name enclosed in double quotes"),
            (b"", "line 1: Expecting value"),
            (b'{\n"\xff": 1}', "not UTF-8 at byte 3"),
            (b"[1]", "expected an object"),
            (b"[" * 100_000, "not the JSON that Cepts writes"),
            (b'{"format": ' + b"9" * 5000 + b"}", "not the JSON that Cepts writes"),
        ],
    )
    def test_broken_json(self, model: Path, content: bytes, why: str) -> None:
        (model / "model.json").write_bytes(content)
        assert refusal(model) == f"{model / 'model.json'} is damaged: {why}"

    def test_format_of_a_newer_version(self, model: Path) -> None:
        edit(model, format=7)
        assert refusal(model) == f"model {model} has format 7, this Cepts reads format 1; upgrade Cepts"

    def test_format_of_an_older_version(self, model: Path) -> None:
        edit(model, format=0)
        assert (
            refusal(model) == f"model {model} has format 0, this Cepts reads format 1; train the model again"
        )

    @pytest.mark.parametrize("number", [None, "1", True, 1.0])
    def test_no_format(self, model: Path, number: object) -> None:
        edit(model, format=number)
        assert refusal(model) == f"{model} is not a Cepts model: model.json has no format number"

    def test_another_kind(self, model: Path) -> None:
        assert refusal(model, "names") == f"model {model} is of kind 'words', expected 'names'"

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"kind": 3}, "kind is missing or not a string"),
            ({"meta": []}, "meta is missing or not an object"),
            ({"arrays": None}, "arrays is missing or not an object"),
            ({"texts": "x"}, "texts is missing or not an object"),
            ({"arrays": {"lexicon": 1}}, "lexicon in arrays needs dtype, shape, bytes, sha256"),
            ({"texts": {"w": {"lines": "1"}}}, "w in texts needs lines, bytes, sha256"),
        ],
    )
    def test_a_description_of_another_form(self, model: Path, changes: dict[str, Any], why: str) -> None:
        edit(model, **changes)
        assert refusal(model) == f"{model / 'model.json'} is damaged: {why}"

    @pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "..", "a\x00b"])
    def test_no_way_out_of_the_folder(self, model: Path, name: str) -> None:
        (model.parent / "secret.txt").write_text("x\n")
        edit(model, texts={name: {"lines": 1, **entry_of(model.parent / "secret.txt")}})
        why = f"{name!r} in texts cannot name a file of a model"
        assert refusal(model) == f"{model / 'model.json'} is damaged: {why}"

    @pytest.mark.parametrize("name", ["lexicon.npy", "source_words.txt"])
    def test_a_missing_file(self, model: Path, name: str) -> None:
        (model / name).unlink()
        assert refusal(model) == f"model {model} is incomplete: {name} is missing"

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_instead_of_a_file_does_not_hang(self, model: Path) -> None:
        (model / "lexicon.npy").unlink()
        os.mkfifo(model / "lexicon.npy")
        assert refusal(model) == f"model {model} is incomplete: lexicon.npy is missing"

    @pytest.mark.parametrize(("name", "whole"), [("lexicon.npy", 152), ("source_words.txt", 16)])
    def test_a_truncated_file(self, model: Path, name: str, whole: int) -> None:
        os.truncate(model / name, whole - 4)
        message = f"{model / name} has {whole - 4} bytes, expected {whole}: it is truncated or changed"
        assert refusal(model) == message

    @pytest.mark.parametrize("name", ["lexicon.npy", "source_words.txt"])
    def test_one_changed_byte(self, model: Path, name: str) -> None:
        content = bytearray((model / name).read_bytes())
        content[-2] ^= 1
        (model / name).write_bytes(content)
        message = f"{model / name} is damaged: its checksum is wrong; copy or train the model again"
        assert refusal(model) == message

    def test_a_file_that_cannot_be_read(self, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: Path) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr("cepts.storage.parts.checksum", fail)
        assert refusal(model) == f"cannot read {model / 'lexicon.npy'}: Input/output error"

    def test_a_description_that_cannot_be_read(self, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(Path, "read_text", fail)
        assert refusal(model) == f"cannot read {model / 'model.json'}: Input/output error"


class TestForgery:
    """Files whose size and checksum are right, because a stranger wrote them and `model.json`."""

    def forge(self, model: Path, content: bytes, dtype: str = "<f4", shape: tuple[int, ...] = (2, 3)) -> str:
        (model / "lexicon.npy").write_bytes(content)
        entry = {"dtype": dtype, "shape": list(shape), **entry_of(model / "lexicon.npy")}
        edit(model, arrays={"lexicon": entry})
        return refusal(model)

    def test_a_pickle_runs_no_code(self, model: Path) -> None:
        class Trap:
            def __reduce__(self) -> tuple[Any, ...]:
                return os.mkdir, (str(model.parent / "trapped"),)

        np.save(model / "lexicon.npy", np.array([Trap()]), allow_pickle=True)
        damaged = f"{model / 'lexicon.npy'} is damaged: it is not an array of numbers"
        assert self.forge(model, (model / "lexicon.npy").read_bytes(), "|O", (1,)) == damaged
        assert self.forge(model, pickle.dumps(Trap())) == damaged
        assert not (model.parent / "trapped").exists()

    @pytest.mark.parametrize(
        "shape", ["(1000000, 1000000)", "(-1,)", "(99,)", "(" * 5000, "__import__('os')"]
    )
    def test_a_header_that_lies(self, model: Path, shape: str) -> None:
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
        content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(24)
        message = f"{model / 'lexicon.npy'} is damaged: it is not an array of numbers"
        assert self.forge(model, content) == message

    def test_another_array(self, model: Path) -> None:
        np.save(model / "lexicon.npy", np.zeros(4, np.int32))
        message = f"{model / 'lexicon.npy'} holds <i4 [4], expected <f4 [2, 3]"
        assert self.forge(model, (model / "lexicon.npy").read_bytes()) == message

    def test_another_number_of_lines(self, model: Path) -> None:
        (model / "source_words.txt").write_text("a\nb\n")
        edit(model, texts={"source_words": {"lines": 3, **entry_of(model / "source_words.txt")}})
        assert refusal(model) == f"{model / 'source_words.txt'} has 2 lines, expected 3"

    def test_a_text_that_is_not_utf8(self, model: Path) -> None:
        (model / "source_words.txt").write_bytes(b"a\xff\n")
        edit(model, texts={"source_words": {"lines": 1, **entry_of(model / "source_words.txt")}})
        assert refusal(model) == f"{model / 'source_words.txt'} is damaged: not UTF-8 at byte 1"
