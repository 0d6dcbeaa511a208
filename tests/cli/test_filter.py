"""`cepts filter`."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

import cepts
from tests.cli.command import names, run, succeed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

ODD = [  # beside the lines of the sample: bytes that must come out as they went in
    (b"", b"nothing there"),
    (b"Oslo 1952", b"oslo 1952"),
    (b"\xc2\xa0La\tmaison  \r", b"The \xe2\x80\xa8 house\x0b"),
]


SCORES = ("--scores", "--quiet")
SAMPLE = 120  # pairs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the sample with odd lines, and files that are no good."""
    folder = tmp_path_factory.mktemp("filter")
    sides = [path.read_bytes().splitlines(keepends=True)[:SAMPLE] for path in cepts.sample()[:2]]
    for name, lines, odd in zip(("source", "target"), sides, zip(*ODD, strict=True), strict=True):
        (folder / name).write_bytes(b"".join(line + b"\n" for line in odd) + b"".join([*lines, lines[7]]))
    (folder / "two").write_bytes(b"a b\nc d\n")
    (folder / "three").write_bytes(b"x y\nz\nv\n")
    (folder / "empty").write_bytes(b"")
    (folder / "nul").write_bytes(b"a\0b\nc\n")
    (folder / "latin1").write_bytes(b"caf\xe9 x\ny z\n")
    (folder / "folder").mkdir()
    return folder


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().removesuffix(b"\n").split(b"\n")


@pytest.fixture(scope="module")
def clean(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """What a plain run writes, and says."""
    prefix = tmp_path_factory.mktemp("clean") / "clean"
    result = run("filter", folder / "source", folder / "target", "--output", prefix)
    assert (result.status, result.out) == (0, "")
    assert names(prefix.parent) == {"clean.src", "clean.tgt", "clean.dropped.tsv"}
    return prefix, result.err


@pytest.fixture(scope="module")
def scores(folder: Path) -> str:
    """The scores that a plain run writes."""
    return succeed("filter", folder / "source", folder / "target", *SCORES)


def test_every_line_is_kept_as_it_was_or_dropped_with_a_reason(folder: Path, clean: tuple[Path, str]) -> None:
    prefix, said = clean
    pairs = list(zip(lines(folder / "source"), lines(folder / "target"), strict=True))
    kept = list(zip(lines(prefix.with_suffix(".src")), lines(prefix.with_suffix(".tgt")), strict=True))
    rows = [line.split(b"\t") for line in lines(prefix.with_suffix(".dropped.tsv"))]
    numbers = [int(row[0]) for row in rows]
    assert numbers == sorted(numbers)
    assert kept == [pair for number, pair in enumerate(pairs, 1) if number not in numbers]
    assert [len(row) for row in rows] == [5] * len(rows)
    for number, _, score, *pair in rows:
        shown = [side.rstrip(b"\r").replace(b"\t", b" ") for side in pairs[int(number) - 1]]
        assert pair == shown
        assert 0 <= float(score) < 1
    reasons = [(row[0], row[1], row[2]) for row in rows if row[1] != b"low score"]
    last = str(len(pairs)).encode()
    assert reasons[:2] == [(b"1", b"empty side", b"0.000000"), (b"2", b"identical sides", b"0.000000")]
    assert (last, b"duplicate", b"0.000000") in reasons
    first, second = said.splitlines()[:2]
    counts = re.fullmatch(r"cepts: (\d+) of (\d+) pairs kept, (\d+) dropped: (.*)", first)
    assert counts
    assert [int(counts[n]) for n in (1, 2, 3)] == [len(kept), len(pairs), len(rows)]
    assert counts[4].startswith("1 empty side, 1 identical sides, ")
    assert re.match("cepts: (suggested threshold 0|no threshold is suggested)", second)


def test_scores_are_one_for_each_line_whatever_the_threads(
    folder: Path, clean: tuple[Path, str], scores: str
) -> None:
    numbers = [float(line) for line in scores.splitlines()]
    assert len(numbers) == len(lines(folder / "source"))
    assert numbers[:2] == [0.0, 0.0]
    assert all(0 <= number <= 1 for number in numbers)
    assert max(numbers) > 0.9
    assert succeed("filter", folder / "source", folder / "target", *SCORES, "--threads", "2") == scores
    dropped = [line.split(b"\t") for line in lines(clean[0].with_suffix(".dropped.tsv"))]
    assert all(float(row[2]) == numbers[int(row[0]) - 1] for row in dropped)


@pytest.mark.parametrize(
    ("options", "there", "not_there"),
    [
        ("", {"empty side", "identical sides", "duplicate"}, {"too long", "length ratio", "low score"}),
        ("--keep-identical --keep-duplicates", {"empty side"}, {"identical sides", "duplicate"}),
        ("--max-words 5 --max-ratio 1.2", {"too long", "length ratio"}, {"low score"}),
        ("--min-score 1", {"low score"}, set()),
    ],
)
def test_reasons_for_dropping_can_be_chosen(
    folder: Path, tmp_path: Path, options: str, there: set[str], not_there: set[str]
) -> None:
    prefix = tmp_path / "out"
    asked = ("--output", prefix, "--quiet", "--min-score", "0", *options.split())
    succeed("filter", folder / "source", folder / "target", *asked)
    reasons = {line.split(b"\t")[1].decode() for line in lines(prefix.with_suffix(".dropped.tsv"))}
    assert there <= reasons
    assert not reasons & not_there
    assert names(tmp_path) == {"out.src", "out.tgt", "out.dropped.tsv"}


@pytest.mark.parametrize("option", ["--seed 2", "--keep-case", "--tokenize"])
def test_scores_depend_on(folder: Path, scores: str, tmp_path: Path, option: str) -> None:
    file = tmp_path / "scores.gz"
    arguments = (folder / "source", folder / "target", *SCORES, *option.split(), "--output", file)
    assert succeed("filter", *arguments) == ""
    others = gzip.decompress(file.read_bytes()).decode()
    assert others != scores
    assert others.count("\n") == scores.count("\n")
    assert names(tmp_path) == {"scores.gz"}


def test_with_a_trained_aligner(model: Path, text: Text) -> None:
    files = (text.source, text.target, *SCORES)
    assert succeed("filter", *files, "--model", model) != succeed("filter", *files)
    result = run("filter", *files, "--model", model, "--tokenize")
    said = "cepts: --tokenize was not used when the model was trained; train one with it\n"
    assert (result.status, result.err) == (2, said)


def test_with_a_model_of_similarity(text: Text, tmp_path: Path) -> None:
    files = (text.source, text.target)
    similar = tmp_path / "similar"
    options = ("--k", "4", "--iterations", "5", "--quiet", "--keep-case")
    assert run("similar", "train", *files, "--output", similar, *options).status == 0
    plain, told = (
        succeed("filter", *files, "--scores", "--quiet", *more)
        for more in (("--keep-case",), ("--similar", similar))
    )
    assert plain != told
    assert len(plain.splitlines()) == len(told.splitlines()) == len(text.pairs)


def test_models_that_do_not_go_together(text: Text, model: Path, tmp_path: Path) -> None:
    similar = tmp_path / "similar"
    options = ("--k", "4", "--iterations", "5", "--quiet", "--keep-case")
    assert run("similar", "train", text.source, text.target, "--output", similar, *options).status == 0
    both = ("--model", model, "--similar", similar)
    result = run("filter", text.source, text.target, "--scores", *both)
    assert result.status == 2
    assert result.err == (
        "cepts: --model and --similar were trained on text that was split or lower-cased in different ways;"
        " train both with the same --tokenize, --segmenter and --keep-case, and what is learned on the same text\n"
    )


def test_bytes_that_are_no_text_come_out_as_they_went_in(folder: Path, tmp_path: Path) -> None:
    more = ("--errors", "replace", "--quiet", "--min-score", "0", "--output", tmp_path / "out")
    for name in ("latin1", "nul"):
        succeed("filter", folder / name, folder / "two", *more)
        assert (tmp_path / "out.src").read_bytes() == (folder / name).read_bytes()
        assert (tmp_path / "out.tgt").read_bytes() == (folder / "two").read_bytes()


def test_standard_input_is_scored(folder: Path, scores: str) -> None:
    given = (folder / "source").read_bytes()
    assert succeed("filter", "-", folder / "target", *SCORES, stdin=given) == scores


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ("two two", "nothing to write: give --output PREFIX, or --scores"),
        ("two two --output -", "--output -: expected the beginning of file names, such as clean"),
        ("two two --output folder/", "--output folder/: expected the beginning of file names, such as clean"),
        ("two two --output no/x", "cannot write no/x.src: there is no folder .*/no; create it first"),
        ("two two --scores --output folder", "cannot write folder: it is a folder; name a file"),
        (
            "two two --scores --min-score 0.5",
            "--min-score does not go with --scores, which drops nothing; drop one of them",
        ),
        ("two two --output x --min-score 2", "--min-score 2.0: expected a number from 0 to 1"),
        ("two two --scores --seed -1", "--seed -1: expected a number from 0 to 2147483647"),
        ("two two --scores --max-words 0", "--max-words 0: expected a number from 1 to 1000"),
        ("two two --scores --max-ratio 0", r"--max-ratio 0\.0: expected a number from 1 to 1e\+06"),
        (
            "- two --output x",
            "standard input can be read once only, and a filter reads its text twice: give a file, or use --scores",
        ),
        ("nowhere two --output x", "nowhere: no such file"),
        ("two three --scores", "two has 2 lines, three has 3: two ends first; line k .*"),
        ("nul two --scores", "nul, line 1: a NUL byte at byte 2 of the line; .*"),
        ("latin1 two --output x", "latin1, line 1: invalid UTF-8, byte 0xe9 at byte 4 of the line; .*"),
        ("two two --scores --model folder", "folder .*"),
        ("", "SOURCE is missing; see cepts filter --help"),
        ("two --output out", r"two, line 1: neither '\|\|\|' nor TAB; give two files, .*"),
    ],
)
def test_what_is_refused(folder: Path, arguments: str, pattern: str) -> None:
    before = names(folder)
    result = run("filter", *arguments.split(), cwd=folder)
    assert re.fullmatch(f"cepts: {pattern}\n", result.err), result.err
    assert (result.status, result.out) == (2, "")
    assert names(folder) == before
