"""`--tokenize` and `--segmenter` on text in scripts without spaces; in this process, which is faster than a new one."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from cepts.cli.main import _status
from tests.cli.command import without_announcement

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., tuple[int, str, str]]

PAIRS = [
    ("わたしはほんをよむ", "I read a book"),
    ("ねこはさかなをたべる", "the cat eats fish"),
    ("わたしはさかなをたべる", "I eat fish"),
    ("ねこはほんをよむ", "the cat reads a book"),
    ("ねこ、わたし。", "cat , I ."),
    ("さかなはねこをたべる", "fish eats the cat"),
] * 10


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("japanese") / "text.tsv"
    file.write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS), "utf-8")
    return file


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    """What runs a command: returns its status, and what it wrote."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        status = _status([str(argument) for argument in arguments], debug=False)
        written = capfd.readouterr()
        return status, written.out, without_announcement(written.err)

    return run


def test_a_model_cuts_new_text_as_the_text_that_it_learned_from(
    command: Command, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, offsets, again = tmp_path / "model", tmp_path / "offsets", tmp_path / "again"
    status, links, _ = command("align", text, "--tokenize", "--offsets", offsets, "--quiet")
    assert status == 0
    assert command("train", text, "--tokenize", "--output", model, "--quiet") == (0, "", "")
    assert command("align", "--model", model, text, "--offsets", again, "--quiet") == (0, links, "")
    assert again.read_text("utf-8") == offsets.read_text("utf-8")
    spans = json.loads(offsets.read_text("utf-8").splitlines()[1])["source"]
    assert spans == [[0, 2], [2, 3], [3, 6], [6, 7], [7, 8], [8, 10]]  # ねこ は さかな を た べる
    line = "{} ||| {}\n".format(*PAIRS[1]).encode()  # alone, it would teach nothing
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert command("align", "--model", model, "--quiet") == (0, links.splitlines(True)[1], "")
    said = command("info", model)[1]
    assert "tokenised (segmenter auto), " in said
    assert " source and 0 target pieces learned, lower-cased" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--segmenter", "auto"), "--segmenter needs --tokenize; add that, or drop it"),
        (
            ("--tokenize", "--segmenter", "mecab"),
            "segmenter 'mecab' is unknown; expected one of auto, characters, learned, jieba, sudachi",
        ),
    ],
)
@pytest.mark.parametrize("name", ["align", "similar train", "filter", "lexicon"])
def test_what_is_refused(
    command: Command, text: Path, tmp_path: Path, name: str, options: tuple[str, ...], said: str
) -> None:
    files = {"align": (text,), "lexicon": (text, text, text, "--format", "tsv")}.get(name, (text, text))
    output = () if name == "align" else ("--output", tmp_path / "out")
    assert command(*name.split(), *files, *output, *options) == (2, "", f"cepts: {said}\n")


def test_a_model_keeps_its_segmenter(command: Command, text: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    training = ("--tokenize", "--segmenter", "characters,auto", "--output", model, "--quiet")
    assert command("train", text, *training) == (0, "", "")
    assert command("align", "--model", model, text, "--segmenter", "auto") == (
        2,
        "",
        (
            "cepts: --segmenter auto: the model was trained with --segmenter characters,auto; drop it, or train one"
            " with it\n"
        ),
    )
    assert command("align", "--model", model, text, "--segmenter", "characters,auto", "--quiet")[0] == 0


def test_a_model_of_words_between_spaces_has_no_segmenter(
    command: Command, text: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    assert command("train", text, "--no-tokenize", "--output", model, "--quiet") == (0, "", "")
    assert command("align", "--model", model, text, "--segmenter", "learned") == (
        2,
        "",
        "cepts: --segmenter learned: the model was trained with words between spaces; drop it, or train one with it\n",
    )


def test_sentences_of_a_language_are_cut_as_their_model_knows_it(
    command: Command, text: Path, tmp_path: Path
) -> None:
    model, source, target = tmp_path / "model", tmp_path / "source", tmp_path / "target"
    training = ("--k", "2", "--iterations", "3", "--output", model, "--quiet")
    assert command("similar", "train", text, "--tokenize", *training)[0] == 0
    source.write_text(f"{PAIRS[1][0]}\n", "utf-8")
    target.write_text(f"{PAIRS[1][1]}\n{PAIRS[0][1]}\n", "utf-8")
    scored = command("similar", "score", "--model", model, text)
    assert scored[0] == 0
    status, ranked, _ = command("similar", "rank", "--model", model, source, target)
    assert status == 0
    assert ranked.splitlines()[0].split("\t")[1] == "1"
    assert "pieces learned" in command("info", model)[1]
