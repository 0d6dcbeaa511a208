"""What `cepts names` refuses: one line, status 2, and nothing left behind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.cli import command
from tests.cli.command import names as files_in
from tests.cli.command import run
from tests.cli.names_model import TEST, TRAIN, train_writer

if TYPE_CHECKING:
    from pathlib import Path

refused = partial(command.refused, "names")


@pytest.fixture(scope="module")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_writer(tmp_path_factory.mktemp("names") / "writer")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "{file} is empty: expected lines of `source TAB target`"),
        (b"a\tb\nc d\n", "{file}, line 2: no TAB, expected `source TAB target`"),
        (b"a\tb\n\xff\tb\n", "{file}, line 2: invalid UTF-8, byte 0xff at byte 1 of the line; "),
        (b"a\tb\n\0\tb\n", "{file}, line 2: a NUL byte at byte 1 of the line; "),
        (b"a\t\n", "there is nothing to learn from: 1 examples have an empty string"),
    ],
)
def test_training_data_that_cannot_be_used(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "pairs"
    file.write_bytes(content)
    assert refused("train", file, "--output", tmp_path / "model").startswith(message.format(file=file))
    assert files_in(tmp_path) == {"pairs"}


def test_a_dev_file_that_cannot_be_used(tmp_path: Path) -> None:
    said = refused("train", TRAIN, "--output", tmp_path / "model", "--dev", tmp_path / "none")
    assert said == f"{tmp_path / 'none'}: no such file"
    assert files_in(tmp_path) == set()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--order", "5"), "--order 5: expected a number from 0 to 4"),
        (("--epochs", "0"), "--epochs 0: expected a number from 1 to 10000"),
        (("--seed", "-1"), "--seed -1: expected a number from 0 to 2147483647"),
        (("--decoys", "3"), "--decoys needs --mode rank or classify; add that, or drop it"),
        (("--trues", "3", "--mode", "rank"), "--trues needs --mode classify; add that, or drop it"),
        (("--beam", "1", "--mode", "rank"), "--beam needs --mode generate; add that, or drop it"),
        (
            ("--update", "perceptron", "--mode", "affinity"),
            "--update needs --mode generate; add that, or drop it",
        ),
        (("--start", "zero", "--mode", "rank"), "--start needs --mode generate; add that, or drop it"),
        (("--start", "one"), "invalid value for '--start': 'one' is not one of 'order-0', 'zero'"),
        (
            ("--start", "zero", "--system", "phrases"),
            "--start is of the edit model; drop it, or --system phrases",
        ),
        (("--mode", "best"), "invalid value for '--mode': 'best' is not one of"),
    ],
)
def test_options_of_training_that_cannot_be_used(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    assert refused("train", TRAIN, "--output", tmp_path / "model", *options).startswith(message)
    assert files_in(tmp_path) == set()


def test_a_place_that_cannot_be_written_is_told_before_training(tmp_path: Path) -> None:
    said = refused("train", TRAIN, "--output", tmp_path / "no" / "model")
    assert "there is no folder" in said
    (tmp_path / "notes").write_text("")
    assert "it is a file, and a model is a folder" in refused("train", TRAIN, "--output", tmp_path / "notes")


def test_a_model_that_is_none(tmp_path: Path, model: Path) -> None:
    none = tmp_path / "none"
    assert refused("transcribe", "--model", none) == f"there is no model {none}"
    assert refused("transcribe", "--model", model) == (
        f"{model} is a word aligner, expected a model of names, made by: cepts names train PAIRS.tsv"
        " --output FOLDER"
    )
    assert "is a word aligner" in refused("rank", "--model", model, "--candidates", TEST)
    assert "is a word aligner" in refused("explain", model, "a", "b")
    assert "is a word aligner" in refused("evaluate", TEST, "--model", model)
    assert "is a word aligner" in refused("match", TEST, TEST, "--model", model)


def test_a_damaged_model(writer: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in writer.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (copy / "values.npy").write_bytes(b"")
    assert "values.npy has 0 bytes" in refused("transcribe", "--model", copy)


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (b"a\n\xff\n", "standard input, line 2: invalid UTF-8, byte 0xff at byte 1 of the line; "),
        (
            b"a\tb\n",
            "standard input, line 1: a TAB, expected one name a line; cut -f 1 keeps the first column",
        ),
    ],
)
def test_names_that_cannot_be_read_leave_no_output(
    writer: Path, tmp_path: Path, stdin: bytes, message: str
) -> None:
    said = refused("transcribe", "--model", writer, "--output", tmp_path / "out", stdin=stdin)
    assert said.startswith(message)
    assert files_in(tmp_path) == set()


def test_options_that_cannot_be_used(writer: Path) -> None:
    model = ("--model", writer)
    assert refused("transcribe", *model, "--n-best", "0") == "--n-best 0: expected a number from 1 to 10000"
    assert refused("transcribe", *model, "--beam", "0") == "--beam 0: expected a number from 1 to 10000"
    assert refused("transcribe", *model, "--threads", "0") == "--threads 0: expected a number from 1 to 1024"
    assert refused("rank", *model, "--candidates", "-") == (
        "--candidates -: names are read from standard input; give a file"
    )
    assert refused("match", "-", "-", *model).startswith("LEFT and RIGHT cannot both be standard input")


def test_what_explain_refuses(writer: Path) -> None:
    assert refused("explain", writer, "вера") == (
        "give SOURCE and TARGET to explain, or none of them for the model's largest weights"
    )
    whole = "lists weights of the whole model; drop it, or SOURCE and TARGET"
    assert refused("explain", writer, "вера", "vera", "--top", "3") == f"--top {whole}"
    assert refused("explain", writer, "вера", "vera", "--letter", "в") == f"--letter {whole}"
    assert refused("explain", writer, "--top", "0") == "--top 0: expected a number from 1 to 1000000"
    assert refused("explain", writer, "--letter", "q").startswith(
        "--letter q: not one of the model's source letters, абвгд"
    )


def test_what_evaluate_refuses(writer: Path, tmp_path: Path) -> None:
    either = "give either --model FOLDER or --answers FILE, to say what is evaluated"
    assert refused("evaluate", TEST) == either
    assert refused("evaluate", TEST, "--model", writer, "--answers", TEST) == either
    assert refused("evaluate", TEST, "--answers", TEST).startswith(
        f"{TEST}, line 1: 2 columns, expected `name TAB"
    )
    strange = tmp_path / "strange"
    strange.write_text("x\t1\ty\t0\n")
    assert refused("evaluate", TEST, "--answers", strange) == (
        f"{strange} has candidates of none of the names of {TEST}: give files that belong together"
    )
    assert refused("evaluate", TEST, "--answers", strange, "--task", "order") == (
        "--answers does not go with --task order; drop one of them"
    )
    assert refused("evaluate", TEST, "--model", writer, "--refs", "--task", "group") == (
        "--refs does not go with --task group; drop one of them"
    )


def test_a_model_of_groups_does_not_write_names(tmp_path: Path) -> None:
    groups = tmp_path / "groups"
    groups.write_text("cat\that\nbug\trug\n")
    result = run(
        "names", "train", groups, "--output", tmp_path / "model", "--mode", "classify", "--order", "0"
    )
    assert result.status == 0
    said = refused("transcribe", "--model", tmp_path / "model")
    assert said == (
        f"{tmp_path / 'model'} was trained with --mode classify and cannot write names, only compare them;"
        " train one with --mode generate"
    )
