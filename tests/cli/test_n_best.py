"""`--n-best` in one direction: lists of the best alignments, whole and in parts, of files, of stdin, and refused."""

from __future__ import annotations

import io
import re
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cepts
from cepts.cli import answers
from cepts.cli.answers import write_lists
from cepts.cli.progress import Survived
from cepts.running.steps import Step, listening
from tests.cli.command import names, run, start, succeed
from tests.cli.conftest import PAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

LINE = re.compile(r"(\d+) \|\|\| ((?:\d+-\d+(?: \d+-\d+)*)?) \|\|\| (-?\d+\.\d{4})")
DIRECTIONS = ("forward", "reverse")


def parsed(out: str) -> dict[int, list[tuple[str, float]]]:
    """Read lists: for each line of the text its alignments with their log probabilities."""
    lists: dict[int, list[tuple[str, float]]] = {}
    for line in out.removesuffix("\n").split("\n"):
        match = LINE.fullmatch(line)
        assert match, line
        lists.setdefault(int(match[1]), []).append((match[2], float(match[3])))
    return lists


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("model_type", ["ibm1", "hmm", "ibm3", "ibm4"])
def test_lists_are_those_of_python(model_type: str, direction: str, text: Text) -> None:
    options = ("--model-type", model_type, "--direction", direction)
    lists = parsed(succeed("align", text.source, text.target, *options, "--n-best", "5"))
    bitext = cepts.read_bitext(text.source, text.target)
    aligner = cepts.Aligner(model_type=model_type, direction=direction).fit(bitext)
    found = aligner.best_lists(bitext, 5)
    assert list(lists) == list(range(PAIRS)), "in the order of the text, from 0"
    for k, entries in lists.items():
        logs = [log for _, log in entries]
        assert logs == sorted(logs, reverse=True)
        assert logs == pytest.approx([log for _, log in found.of(k)], abs=1e-4)
        assert [links for links, _ in entries] == [
            " ".join(f"{link.source}-{link.target}" for link in links) for links, _ in found.of(k)
        ]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_first_of_a_list_is_what_is_written_without(direction: str, text: Text) -> None:
    files = ("align", text.source, text.target, "--direction", direction)
    first = [entries[0][0] for entries in parsed(succeed(*files, "--n-best", "3")).values()]
    assert first == succeed(*files).removesuffix("\n").split("\n")


def test_more_is_longer_with_the_same_beginning(model: Path, text: Text) -> None:
    files = ("align", "--model", model, text.source, text.target, "--direction", "forward", "--n-best")
    few, many = (parsed(succeed(*files, number)) for number in ("2", "30"))
    for k in range(PAIRS):
        assert many[k][: len(few[k])] == few[k]
    assert max(len(entries) for entries in many.values()) == 30


def test_a_saved_model_gives_the_same_lists_on_files_and_on_stdin(
    model: Path, text: Text, tmp_path: Path
) -> None:
    options = ("--direction", "reverse", "--n-best", "4")
    plain = succeed("align", text.source, text.target, *options)
    files = ("align", "--model", model, text.source, text.target, "--threads", "2", *options)
    assert succeed(*files, "--output", tmp_path / "lists.gz") == ""
    unpacked = subprocess.run(["gzip", "-dc", tmp_path / "lists.gz"], capture_output=True, check=True)
    assert unpacked.stdout.decode() == plain
    assert succeed("align", "--model", model, *options, stdin=text.joined("\t")) == plain
    assert names(tmp_path) == {"lists.gz"}


def test_lists_are_the_same_in_parts(text: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    bitext = cepts.read_bitext(text.source, text.target)
    aligner = cepts.Aligner(direction="forward").fit(bitext)
    whole = io.StringIO()
    assert write_lists(aligner, bitext, 3, whole) == Survived(PAIRS)
    heard: list[Step] = []
    links = 3 * int(np.maximum(bitext.source.lengths, bitext.target.lengths).sum())
    for listed, least in (
        (1, PAIRS),
        (40, links // 80),
        (links // 2, 2),
    ):  # one pair at a time, a few, half of them
        monkeypatch.setattr(answers, "LISTED", listed)
        parts = io.StringIO()
        heard.clear()
        with listening(heard.append):
            assert write_lists(aligner, bitext, 3, parts) == Survived(PAIRS)
        assert parts.getvalue() == whole.getvalue()
        done = [step.done for step in heard]
        assert done == sorted(done)
        assert done[-1] == pytest.approx(1)
        assert len(done) >= least


def test_pairs_that_have_no_list_or_no_model(model: Path, tmp_path: Path) -> None:
    chat, cat = " ".join(["chat"] * 401), " ".join(["cat"] * 401)
    file = tmp_path / "pairs"
    file.write_text(f"\nle chat ||| the cat\n ||| cat\n{chat} ||| {cat}\n", encoding="utf-8")
    options = ("--model", model, "--direction", "forward", "--n-best", "3")
    for files, stdin in (((file,), b""), ((), file.read_bytes())):
        result = run("align", *options, *files, stdin=stdin)
        assert result.status == 0
        assert {k: len(entries) for k, entries in parsed(result.out).items()} == {1: 3, 3: 3}
        assert result.err == (
            "cepts: 2 of 4 pairs have an empty side: they have no lines\n"
            "cepts: 1 of 4 pairs have more than 400 words on a side: aligned in pieces\n"
        )


def test_nothing_but_empty_sides(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs"
    file.write_text(" ||| cat\n", encoding="utf-8")
    result = run("align", "--model", model, file, "--direction", "forward", "--n-best", "3")
    assert result[:3] == (0, "", "cepts: 1 of 1 pairs have an empty side: they have no lines\n")


def test_pairs_that_are_too_long_for_the_model_are_counted(text: Text, tmp_path: Path) -> None:
    folder, file = tmp_path / "model", tmp_path / "pairs"
    succeed("train", text.source, text.target, "--model-type", "ibm3", "--output", folder)
    long = " ".join(["chat"] * 129) + " ||| " + " ".join(["cat"] * 129)
    file.write_text(f"le chat ||| the cat\n{long}\n{long}\n", encoding="utf-8")
    result = run("align", "--model", folder, file, "--direction", "forward", "--n-best", "2")
    assert result.err == "cepts: 2 of 3 pairs are too long for this model: aligned by a simpler one\n"
    assert result.out.count("\n") == 6


def test_each_line_of_stdin_is_answered_at_once(model: Path) -> None:
    process = start("align", "--model", model, "--direction", "forward", "--n-best", "2")
    assert process.stdin
    assert process.stdout
    for number in range(3):
        process.stdin.write(b"le chat dort . ||| the cat sleeps .\n")
        process.stdin.flush()
        assert [process.stdout.readline().split()[0] for _ in range(2)] == [str(number).encode()] * 2
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_model_of_one_direction_needs_no_direction(text: Text, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    one_way = ("--training", "independent", "--direction", "reverse")
    succeed("train", text.source, text.target, *one_way, "--output", folder)
    files = ("align", "--model", folder, text.source, text.target, "--n-best", "2")
    assert succeed(*files) == succeed("align", text.source, text.target, *one_way, "--n-best", "2")
    result = run(*files, "--direction", "forward")
    assert result[:3] == (
        2,
        "",
        f"cepts: {folder} was trained in direction reverse alone: align in that direction, or train both\n",
    )


ONE_WAY = "--direction forward --n-best 5"
BESIDE = "does not go with --n-best in one direction, which writes whole alignments; drop one of them"
REFUSED = {
    "--n-best 5": (
        "--n-best needs --direction forward or --direction reverse, whose best alignments are written, or --combine"
        " cepts; add one of them"
    ),
    "--n-best 5 --direction both --combine union": (
        "--n-best needs --direction forward or --direction reverse, whose best alignments are written, or --combine"
        " cepts; add one of them"
    ),
    "--direction forward --n-best 0": "--n-best 0: expected a number from 1 to 10000",
    "--direction forward --n-best 10001": "--n-best 10001: expected a number from 1 to 10000",
    "--direction forward --n-best many": (
        "invalid value for '--n-best': 'many' is not a valid integer; see cepts align --help"
    ),
    f"{ONE_WAY} --scores": f"--scores {BESIDE}",
    f"{ONE_WAY} --min-confidence 0": f"--min-confidence {BESIDE}",
    f"{ONE_WAY} --format cepts": "--format cepts needs --direction both; add that, or drop it",
    f"{ONE_WAY} --certificates {{folder}}/file": (
        "--certificates needs --direction both; add that, or drop it"
    ),
    f"{ONE_WAY} --association counts --combine cepts": (
        "--association needs --direction both; add that, or drop it"
    ),
    f"{ONE_WAY} --model-type bihmm": (
        "--n-best: there are no lists of --model-type bihmm; use ibm1, hmm, ibm3 or ibm4"
    ),
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_is_refused(options: str, text: Text, tmp_path: Path) -> None:
    given = options.format(folder=tmp_path).split()
    result = run("align", text.source, text.target, *given, "--output", tmp_path / "lists")
    assert (result.status, result.out, result.err) == (2, "", f"cepts: {REFUSED[options]}\n")
    assert names(tmp_path) == set()


def test_what_is_refused_with_the_sample() -> None:
    result = run("align", "--sample", "--direction", "forward", "--n-best", "5")
    assert result[:3] == (
        2,
        "",
        "cepts: --n-best in one direction does not go with --sample; drop one of them\n",
    )
