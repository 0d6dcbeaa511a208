"""`cepts similar train-judge` and `judge`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cepts.corpus import encode_lines
from cepts.quality.judge import Judge
from tests.cli.command import names as files_in
from tests.cli.command import run, succeed
from tests.cli.similar_model import prepare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.similar_model import Texts


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    return prepare(tmp_path_factory.mktemp("similar"))


@pytest.fixture(scope="module")
def judge(texts: Texts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judge; tests only read it."""
    return train(texts, tmp_path_factory.mktemp("judges") / "judge")


def train(texts: Texts, folder: Path, *options: str | Path) -> Path:
    files = (texts.new_source, texts.new_target, texts.machine)
    arguments = ("similar", "train-judge", "--model", texts.model, *files, "--output", folder)
    assert succeed(*arguments, *options) == ""
    return folder


def rows(out: str) -> list[tuple[str, float]]:
    return [(line[0], float(line[2:])) for line in out.splitlines()]


def test_the_human_translation_is_found(texts: Texts, judge: Path) -> None:
    files = (texts.new_source, texts.new_target, texts.machine)
    found = rows(succeed("similar", "judge", "--model", judge, *files))
    sides = [encode_lines(file.read_text(encoding="utf-8").splitlines()) for file in files]
    margins = Judge.load(judge).margins(*sides)
    assert [answer for answer, _ in found] == ["A" if margin >= 0 else "B" for margin in margins]
    assert [number for _, number in found] == pytest.approx(np.abs(margins).tolist(), abs=1e-6)
    assert np.mean(margins > 0) > 0.9


def test_exchanged_candidates_exchange_the_answer(texts: Texts, judge: Path) -> None:
    one, other = (
        rows(succeed("similar", "judge", "--model", judge, texts.new_source, *files))
        for files in ((texts.new_target, texts.machine), (texts.machine, texts.new_target))
    )
    assert one == [({"A": "B", "B": "A"}[answer], margin) for answer, margin in other]


def test_equal_candidates_are_told(texts: Texts, judge: Path) -> None:
    result = run("similar", "judge", "--model", judge, *(texts.new_source, texts.machine, texts.machine))
    assert {*rows(result.out)} == {("A", 0.0)}
    count = len(result.out.splitlines())
    assert result.err == f"cepts: {count} of {count} lines cannot be told apart: A is written, with 0\n"


@pytest.mark.parametrize("kind", ["perceptron", "lvq", "dimension"])
def test_other_kinds_of_judges(texts: Texts, tmp_path: Path, kind: str) -> None:
    folder = train(texts, tmp_path / "judge", "--kind", kind, "--seed", "3")
    assert Judge.load(folder).kind == kind
    files = (texts.new_source, texts.new_target, texts.machine)
    found = rows(succeed("similar", "judge", "--model", folder, *files))
    assert np.mean([answer == "A" for answer, _ in found]) > 0.5


def test_an_aligner_gives_more_evidence(texts: Texts, tmp_path: Path) -> None:
    aligner = tmp_path / "aligner"
    assert succeed("train", texts.source, texts.target, "--output", aligner) == ""
    assert Judge.load(train(texts, tmp_path / "judge", "--aligner", aligner)).aligner is not None


def test_an_aligner_of_other_words_is_refused(texts: Texts, tmp_path: Path) -> None:
    aligner = tmp_path / "aligner"
    assert succeed("train", texts.source, texts.target, "--output", aligner, "--keep-case") == ""
    files = (texts.new_source, texts.new_target, texts.machine)
    arguments = ("--model", texts.model, *files, "--output", tmp_path / "judge", "--aligner", aligner)
    result = run("similar", "train-judge", *arguments)
    assert result.status == 2
    assert result.err == (
        f"cepts: {aligner} and {texts.model} were trained with different --tokenize, --segmenter or --keep-case; train"
        " both with the same, on the same text if pieces of words are learned\n"
    )


def test_texts_that_do_not_fit_are_refused(texts: Texts, judge: Path, tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_text("one line\n")
    count = len(texts.new_source.read_text(encoding="utf-8").splitlines())
    message = (
        f"cepts: {texts.new_source} has {count} lines, {short} has 1; line k of one file must translate line k of the"
        " other\n"
    )
    trained = ("similar", "train-judge", "--model", texts.model, "--output", tmp_path / "judge")
    for result in (
        run("similar", "judge", "--model", judge, texts.new_source, texts.machine, short),
        run(*trained, texts.new_source, short, texts.machine),
    ):
        assert (result.status, result.out, result.err) == (2, "", message)
    assert files_in(tmp_path) == {"short"}


def test_a_model_that_is_no_judge_is_refused(texts: Texts) -> None:
    result = run("similar", "judge", "--model", texts.model, texts.source, texts.target, texts.target)
    assert result.status == 2
    assert result.err.startswith(
        f"cepts: {texts.model} is a model of kind 'similarity', expected a judge, made by: cepts similar train-judge"
    )


def test_a_machine_that_is_as_good_teaches_nothing(texts: Texts, tmp_path: Path) -> None:
    files = (texts.new_source, texts.new_target, texts.new_target)
    result = run("similar", "train-judge", "--model", texts.model, *files, "--output", tmp_path / "judge")
    assert result.status == 2
    assert result.err.startswith("cepts: nothing to learn from: in no line do the human's and the machine's")
    assert files_in(tmp_path) == set()
