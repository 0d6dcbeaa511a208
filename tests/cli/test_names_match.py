"""`cepts names match`, with a model that is calibrated and one that is not."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from cepts.characters import EditModel
from cepts.names.files import read_pairs
from cepts.names.matching import match
from tests.cli.command import refused, run, succeed
from tests.cli.names_model import SMALL, TEST, TRAIN, column, train_writer

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = read_pairs(TEST)


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that has learned from the sample's test how sure it is; tests only read it."""
    folder = tmp_path_factory.mktemp("names") / "calibrated"
    result = run("names", "train", TRAIN, "--output", folder, "--dev", TEST, *SMALL)
    assert (result.status, result.err.count("\n")) == (0, 1)  # the epoch alone
    return folder


@pytest.fixture
def lists(tmp_path: Path) -> tuple[Path, Path]:
    """The names of the sample's test, with an empty line; their targets, in another order, and 50 others."""
    left, right = tmp_path / "left", tmp_path / "right"
    left.write_text(column(0) + "\n", encoding="utf-8")
    lines = [*reversed(column(1).splitlines()), *column(1, 50, TRAIN).splitlines()]
    right.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return left, right


def found(text: str) -> list[tuple[str, ...]]:
    return [tuple(line.split("\t")) for line in text.splitlines()]


def test_matches_are_those_of_python_in_the_order_of_the_left_list(
    calibrated: Path, lists: tuple[Path, Path]
) -> None:
    result = run("names", "match", *lists, "--model", calibrated)
    names = [path.read_text(encoding="utf-8").split() for path in lists]
    expected = match(EditModel.load(calibrated), *names)
    assert found(result.out) == [(one, other, f"{score:.4f}") for one, other, score in expected]
    assert len({row[:2] for row in found(result.out)} & {*PAIRS}) >= 25
    assert all(0.5 <= float(row[2]) <= 1 for row in found(result.out))
    assert result.err == (
        f"cepts: 1 of 31 lines of {lists[0]} are empty: left out\n"
        f"cepts: {len(expected)} of 30 different names of {lists[0]} have a match\n"
    )


def test_a_higher_precision_or_score_leaves_matches_out(calibrated: Path, lists: tuple[Path, Path]) -> None:
    arguments = ("names", "match", *lists, "--model", calibrated, "--quiet")
    everything = found(succeed(*arguments, "--min-score", "0"))
    for limit in (("--min-score", "0.95"), ("--precision", "0.8")):
        fewer = found(succeed(*arguments, *limit))
        assert 0 < len(fewer) <= len(everything)
        assert {*fewer} <= {*everything}
    assert all(float(row[2]) >= 0.95 for row in found(succeed(*arguments, "--min-score", "0.95")))


def test_one_to_one_uses_each_line_once(calibrated: Path, tmp_path: Path) -> None:
    left, right = tmp_path / "left", tmp_path / "right"
    left.write_text("вадим\nвадим\nполина\n", encoding="utf-8")
    right.write_text("vadim\npolina\n", encoding="utf-8")
    arguments = ("names", "match", left, right, "--model", calibrated, "--quiet", "--min-score", "0")
    assert [row[:2] for row in found(succeed(*arguments))] == [
        ("вадим", "vadim"),
        ("вадим", "vadim"),
        ("полина", "polina"),
    ]
    once = [row[1] for row in found(succeed(*arguments, "--one-to-one"))]
    assert sorted(once) == ["polina", "vadim"]


def test_several_matches_of_a_name(calibrated: Path, lists: tuple[Path, Path]) -> None:
    arguments = ("--min-score", "0", "--n-best", "2", "--quiet", "--threads", "2")
    rows = found(succeed("names", "match", *lists, "--model", calibrated, *arguments))
    assert len(rows) > 30
    assert all(float(one[2]) >= float(other[2]) for one, other in pairwise(rows) if one[0] == other[0])


def test_stdin_and_an_output_file(calibrated: Path, lists: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("-", lists[1], "--model", calibrated, "--output", out, "--quiet")
    assert succeed("names", "match", *arguments, stdin="вадим\n".encode()) == ""
    assert out.read_text(encoding="utf-8").startswith("вадим\tvadim\t")


def test_without_dev_there_is_no_promise(lists: tuple[Path, Path], tmp_path: Path) -> None:
    plain = train_writer(tmp_path / "plain")
    result = run("names", "match", *lists, "--model", plain, "--precision", "0.9")
    assert (result.status, result.out) == (2, "")
    assert result.err.endswith(
        "cepts: the model is not calibrated, so no precision can be promised; train it with names train"
        " --dev, or give a least score\n"
    )
    assert "matching             not calibrated\n" in succeed("info", plain)


def test_info_says_that_a_model_is_calibrated(calibrated: Path) -> None:
    assert "matching             calibrated on dev\n" in succeed("info", calibrated)


def test_a_small_dev_is_no_error(tmp_path: Path) -> None:
    dev = tmp_path / "dev"
    dev.write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS[:5]), encoding="utf-8")
    result = run("names", "train", TRAIN, "--output", tmp_path / "model", "--dev", dev, *SMALL)
    assert result.status == 0
    assert result.err.startswith(
        "cepts: matches have no probabilities, dev is too small for that: 5 different pairs of names to calibrate with"
    )


def test_what_cannot_be_matched_is_refused(
    calibrated: Path, lists: tuple[Path, Path], tmp_path: Path
) -> None:
    def refused(*arguments: str | Path) -> str:
        result = run("names", "match", *arguments, "--model", calibrated)
        assert (result.status, result.out) == (2, "")
        return result.err.splitlines()[-1]

    empty = tmp_path / "empty"
    empty.write_text("")
    assert refused(lists[0], empty) == f"cepts: {empty} is empty: expected names"
    assert refused(TEST, lists[1]).startswith(f"cepts: {TEST}, line 1: a TAB, expected one name a line")
    assert refused(*lists, "--n-best", "0") == "cepts: --n-best 0: expected a number from 1 to 10000"
    assert refused(*lists, "--min-score", "1", "--precision", "0.9") == (
        "cepts: give either a least score or a precision, not both"
    )


def test_memory_changes_no_match_and_is_said(calibrated: Path, lists: tuple[Path, Path]) -> None:
    arguments = ("names", "match", *lists, "--model", calibrated)
    result = run(*arguments, "--memory", "250M")
    assert result.out == succeed(*arguments, "--quiet")
    assert "cepts: memory: 250 MB\n" in result.err
    assert "--memory 200 MB: too little for these lists; give at least" in refused(
        *arguments, "--quiet", "--memory", str((200 << 20) + 1)
    )
