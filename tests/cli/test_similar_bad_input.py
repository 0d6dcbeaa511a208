"""What `cepts similar train`, `score` and `rank` refuse: one line, status 2, and nothing left behind."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.cli import command
from tests.cli.command import names as files_in
from tests.cli.similar_model import prepare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.similar_model import Texts

refused = partial(command.refused, "similar")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    return prepare(tmp_path_factory.mktemp("similar"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no sentence pairs: {file} is empty"),
        (b"a\tb\nc d\n", "{file}, line 2: no TAB, expected one, as in `source TAB target`"),
        (b"a\tb\n\xff\tb\n", "{file}, line 2: invalid UTF-8, byte 0xff at byte 1 of the line; "),
        (b"\t\n\t\n", "the source text has no words: there is nothing to learn features from"),
        (b"a\tb\nc\td\n", "the source text has no features: none is there 2 times; lower min_count"),
    ],
)
def test_text_that_nothing_can_be_learned_from(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "both"
    file.write_bytes(content)
    arguments = ("train", file, "--output", tmp_path / "model", "--features", "words")
    assert refused(*arguments).startswith(message.format(file=file))
    assert files_in(tmp_path) == {"both"}


def test_files_of_different_lengths(texts: Texts, tmp_path: Path) -> None:
    said = refused("train", texts.source, texts.new_target, "--output", tmp_path / "model")
    assert said.startswith(f"{texts.source} has 180 lines, {texts.new_target} has 60: ")
    said = refused("score", "--model", texts.model, texts.source, texts.new_target)
    assert said.startswith(f"{texts.source} has 180 lines, {texts.new_target} has 60: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--k", "0"), "--k 0: expected a number from 1 to 10000"),
        (("--k", "5000"), "k 5000 is more than these data allow: 180 pairs of sentences"),
        (("--features", "words:9"), "words 9: expected the length of n-grams, from 0 to 8"),
        (("--features", "tags"), "the source text, line 1: token 'le' has no tag, expected word_TAG;"),
        (
            ("--features", "arcs:tags"),
            "the source text, line 1: token 'le' has no tag, relation and head, expected word_TAG_relation_head;",
        ),
        (("--features", "arcs:2"), "features 'arcs:2': arcs:2: expected arcs:words or arcs:tags"),
        (("--max-features", "0"), "--max-features 0: expected a number from 1 to 1000000000"),
        (("--coupling", "nan"), "--coupling nan: expected a number from 0 to 1e+06"),
        (("--update", "additive"), "the additive update is for the squared error (beta 1), got beta 0"),
        (("--measure", "euclidean"), "invalid value for '--measure': 'euclidean' is not one of"),
        (("--threads", "0"), "--threads 0: expected a number from 1 to 1024"),
    ],
)
def test_options_that_cannot_be_used(
    texts: Texts, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    arguments = ("train", texts.source, texts.target, "--output", tmp_path / "model", *options)
    assert refused(*arguments).startswith(message)
    assert files_in(tmp_path) == set()


def test_a_place_that_cannot_be_written_is_told_before_training(texts: Texts, tmp_path: Path) -> None:
    place = tmp_path / "no" / "model"
    assert "there is no folder" in refused("train", texts.source, texts.target, "--output", place)
    place = tmp_path / "no" / "scores"
    arguments = ("--model", texts.model, texts.new_source, texts.new_target, "--output", place)
    assert "there is no folder" in refused("score", *arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--n-best", "0"), "--n-best 0: expected a number from 1 to 10000"),
        (("--neighbours", "-1"), "--neighbours -1: expected a number from 0 to 1000"),
    ],
)
def test_numbers_of_ranks_that_cannot_be(texts: Texts, options: tuple[str, ...], message: str) -> None:
    arguments = ("rank", "--model", texts.model, texts.new_source, texts.new_target, *options)
    assert refused(*arguments) == message


def test_texts_that_cannot_be_ranked(texts: Texts, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"")
    ranked = ("rank", "--model", texts.model)
    said = f"{nothing} is empty: give a file with a sentence on each line"
    assert refused(*ranked, texts.new_source, nothing) == said
    assert refused(*ranked, texts.new_source, tmp_path / "none") == f"{tmp_path / 'none'}: no such file"
    said = "only one of the texts can be standard input: give files for the others"
    assert refused(*ranked, "-", "-") == said


def test_a_model_of_another_kind(texts: Texts, model: Path) -> None:
    said = refused("score", "--model", model, texts.new_source, texts.new_target)
    expected = "expected a model of sentences, made by: cepts similar train SOURCE TARGET --output FOLDER"
    assert said == f"{model} is a model of kind 'word-aligner', {expected}"


def test_a_damaged_model(texts: Texts, tmp_path: Path) -> None:
    damaged = tmp_path / "model"
    shutil.copytree(texts.model, damaged)
    array = damaged / "factors_source_factors.npy"
    array.write_bytes(array.read_bytes()[:-4])
    said = refused("score", "--model", damaged, texts.new_source, texts.new_target)
    assert said.startswith(f"{array} has ")
