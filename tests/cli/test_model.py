"""`cepts train`, `cepts align --model` and `cepts info`."""

from __future__ import annotations

import json
import select
from typing import IO, TYPE_CHECKING

from tests.cli.command import run, run_process, start, succeed, without_announcement
from tests.cli.conftest import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text


def test_a_model_gives_the_links_of_plain_align_byte_for_byte(model: Path, text: Text, links: str) -> None:
    files = ("align", "--model", model, text.source, text.target)
    assert succeed(*files, "--threads", "2") == links
    result = run_process(*files)
    assert (result.status, result.out, result.err) == (0, links, ""), "a process of its own does the same"


def test_a_process_answers_each_line_at_once(model: Path, text: Text) -> None:
    file = model.parent / "both"
    file.write_bytes(text.joined(" ||| "))
    expected = succeed("align", "--model", model, file, "--scores").split("\n")
    with start("align", "--model", model, "--scores") as process:
        for k in range(3):
            source, target = text.pairs[k]
            assert answer(process.stdin, process.stdout, f"{source} ||| {target}\n") == expected[k] + "\n"
        assert answer(process.stdin, process.stdout, "\n") == "\n"
        assert " 1-0:" in " " + answer(process.stdin, process.stdout, "zyzzyva 1984 ||| 1984 quux\n")
        out, err = process.communicate()
    assert (process.returncode, out) == (0, b"")
    assert (
        without_announcement(err.decode())
        == "cepts: 1 of 5 pairs have an empty side: their lines of links are empty\n"
    )


def answer(questions: IO[bytes] | None, answers: IO[bytes] | None, line: str) -> str:
    """Ask, and wait for the answer while stdin stays open."""
    assert questions is not None
    assert answers is not None
    questions.write(line.encode())
    questions.flush()
    ready, _, _ = select.select([answers], [], [], 60)
    assert ready, "no answer while stdin is open"
    return answers.readline().decode()


def test_a_bad_line_on_stdin_ends_the_stream_but_not_what_was_answered(model: Path) -> None:
    result = run("align", "--model", model, stdin=b"le chat ||| the cat\nno bars\n")
    assert (result.status, result.out.count("\n")) == (2, 1)
    assert result.err == "cepts: standard input, line 2: no '|||', expected one, as in `source ||| target`\n"


def test_info_tells_what_was_trained(model: Path) -> None:
    rows = dict(line.split(maxsplit=1) for line in succeed("info", model).split("\n")[:-1])
    assert rows["kind"] == "word-aligner, format 1"
    assert rows["trained"] == f"on           {PAIRS} pairs"
    assert rows["text"] == "tokens as given, lower-cased"
    assert (rows["method"], rows["model_type"], rows["direction"]) == ("best", "hmm", "both")


def test_text_options_are_kept_in_the_model(text: Text, tmp_path: Path) -> None:
    model = tmp_path / "model"
    options = ("--tokenize", "--keep-case", "--model-type", "ibm1", "--quiet")
    assert succeed("train", text.source, text.target, "--output", model, *options) == ""
    told = json.loads(succeed("info", model, "--json"))
    segmenter = [{"name": "auto", "pieces": {}}] * 2
    assert told["meta"]["text"] == {"tokenize": True, "keep_case": True, "segmenter": segmenter}
    assert told["meta"]["recipe"]["model_type"] == "ibm1"
    words = (model / "target_words.txt").read_text(encoding="utf-8").split("\n")
    assert {"The", "the"} <= set(words)
    offsets = tmp_path / "offsets"
    line = b"Le chat noir.\tThe black cat.\n"
    assert succeed("align", "--model", model, "-", "--offsets", offsets, stdin=line).count("\n") == 1
    assert json.loads(offsets.read_text())["source"] == [[0, 2], [3, 7], [8, 12], [12, 13]]


def test_training_again_replaces_the_model(text: Text, tmp_path: Path) -> None:
    model = tmp_path / "model"
    for iterations in ("ibm1=1", "ibm1=2"):
        options = ("--model-type", "ibm1", "--iterations", iterations)
        succeed("train", text.source, text.target, "--output", model, *options)
    assert json.loads((model / "model.json").read_text())["meta"]["recipe"]["ibm1_iterations"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
