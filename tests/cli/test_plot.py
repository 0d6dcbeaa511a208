"""`cepts plot`."""

from __future__ import annotations

import json
import struct
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from cepts.cli.pictures import check_picture
from cepts.errors import OptionError
from tests.cli.command import names, refused, run, succeed
from tests.views.svg import lines, size, texts
from tests.views.test_records import BENCHMARK, RECORD

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

LINKS = "0-0:0.95 1-1:0.85 2-2:0.3\t-1.5\n0-0:0.9\t-2\n"
GOLD = "0-0 1-1 2-1\n0-0\n"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A few rows of test, and one of dev."""
    larger = {**RECORD, "text": {"pairs": 5100, "scored": 100}, "scores": {"own": [20.0]}}
    peer = {**RECORD, "system": "eflomal", "scores": {"own": [30.0]}}
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([RECORD, larger, peer, {**RECORD, "part": "dev"}]), encoding="utf-8")
    return path


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    """Links with confidences, and gold."""
    files = tmp_path / "best.links", tmp_path / "gold"
    for path, text in zip(files, (LINKS, GOLD), strict=True):
        path.write_text(text, encoding="utf-8")
    return files


def test_training_as_align_tells_it(text: Text, tmp_path: Path) -> None:
    timings, picture = tmp_path / "run.json", tmp_path / "training.svg"
    files = ("--timings", timings, "--output", tmp_path / "links")
    succeed("align", text.source, text.target, "--iterations", "ibm1=3,hmm=2", *files)
    told = json.loads(timings.read_text())["training"]
    assert [(one["stage"], len(one["objectives"])) for one in told] == [("ibm1", 3), ("hmm", 2)]
    assert succeed("plot", "training", timings, "--title", "A run", "--output", picture) == ""
    document = ET.fromstring(picture.read_text(encoding="utf-8"))
    assert [len(line) for line in lines(document)] == [3, 2]
    assert {"ibm1", "hmm", "run", "A run", "objective per word"} <= {*texts(document)}
    assert succeed("plot", "training", timings, "--title", "A run") == picture.read_text(encoding="utf-8")


def test_a_model_that_was_trained_before_has_no_curves(text: Text, model: Path, tmp_path: Path) -> None:
    timings = tmp_path / "run.json"
    files = ("--timings", timings, "--output", tmp_path / "links")
    succeed("align", text.source, text.target, "--model", model, *files)
    message = refused("plot", "training", timings)
    assert message.endswith(
        "has no training curves: nothing was trained; run `cepts align --timings FILE` without --model"
    )


def test_reliability(linked: tuple[Path, Path]) -> None:
    document = ET.fromstring(succeed("plot", "reliability", *linked))
    # one tenth has 0.9 and 0.95, both right; 0.85 is right, 0.3 is wrong: (0.15 + 0.15 + 0.3) / 4
    assert "best (error 0.150)" in texts(document)
    assert [len(line) for line in lines(document)] == [3]
    halves = ET.fromstring(succeed("plot", "reliability", *linked, "--bins", "2"))
    assert [len(line) for line in lines(halves)] == [2]


def test_reliability_of_several_files(linked: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("0-0:0.5\n\n", encoding="utf-8")
    found = texts(ET.fromstring(succeed("plot", "reliability", linked[0], other, linked[1])))
    assert {"best (error 0.150)", "other (error 0.500)"} <= {*found}


def test_accuracy_and_speed(rows: Path, tmp_path: Path) -> None:
    for command, label in (("accuracy", "AER, %"), ("speed", "CPU seconds")):
        result = run("plot", command, rows)
        assert result.status == 0
        assert result.err == "cepts: 1 of 4 rows are of the part dev: left out; --part dev draws them\n"
        found = texts(ET.fromstring(result.out))
        assert {"de-en", "best", "eflomal", "training pairs", label} <= {*found}
        assert run("plot", command, rows, "--quiet").err == ""
    alone = texts(ET.fromstring(succeed("plot", "accuracy", rows, "--part", "test", "--systems", "eflomal")))
    assert "best" not in alone
    wall = texts(ET.fromstring(succeed("plot", "speed", rows, "--part", "dev", "--measure", "wall")))
    assert {"wall seconds", "de-en, 1,000 pairs"} <= {*wall}
    benchmark = tmp_path / "benchmark.json"
    benchmark.write_text(json.dumps(BENCHMARK), encoding="utf-8")
    assert "fast_align" in texts(ET.fromstring(succeed("plot", "speed", benchmark)))


def test_a_picture_as_png(rows: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    options = ("--part", "test", "--corpora", "de-en")
    document = ET.fromstring(succeed("plot", "accuracy", rows, *options))
    picture = tmp_path / "accuracy.PNG"
    assert succeed("plot", "accuracy", rows, *options, "--output", picture) == ""
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    assert (width, height) == tuple(2 * number for number in size(document))


def test_png_without_its_extra_is_refused(rows: Path, tmp_path: Path) -> None:
    picture = tmp_path / "accuracy.png"
    with mock.patch.dict(sys.modules, resvg_py=None):
        message = refused("plot", "accuracy", rows, "--part", "test", "--output", picture)
    assert message == "PNG needs the extra `png`: pip install 'cepts[png]', or write SVG"
    assert names(tmp_path) == {rows.name}


def test_a_terminal_gets_no_picture() -> None:
    with mock.patch.object(sys, "stdout") as stdout:
        stdout.isatty.return_value = True
        with pytest.raises(OptionError, match="a picture is nothing for a terminal: add --output FILE"):
            check_picture(None)
        stdout.isatty.return_value = False
        check_picture("-")


@pytest.mark.parametrize(
    ("links", "gold", "message"),
    [
        (
            "0-0 1-1\n",
            "0-0\n",
            "best.links has no confidences: expected links such as 0-1:0.93; write them with",
        ),
        ("\n\n", "0-0\n\n", "best.links has no links: there is nothing to draw"),
        ("", "", "best.links has no links: there is nothing to draw"),
        (LINKS, "0-0\n", "links have 2 sentences, gold has 1"),
        ("0-0:nan\n", "0-0\n", "best.links, line 1: "),
    ],
)
def test_links_that_cannot_be_drawn(
    linked: tuple[Path, Path], tmp_path: Path, links: str, gold: str, message: str
) -> None:
    for path, text in zip(linked, (links, gold), strict=True):
        path.write_text(text, encoding="utf-8")
    assert message in refused("plot", "reliability", *linked, "--output", tmp_path / "picture.svg")
    assert names(tmp_path) == {path.name for path in linked}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("accuracy", "ROWS", "--output", "picture.pdf"),
            "--output picture.pdf: expected a name with .svg or .png at",
        ),
        (
            ("accuracy", "ROWS", "--output", "nowhere/picture.svg"),
            "cannot write nowhere/picture.svg: there is no fold",
        ),
        (("accuracy", "ROWS", "--systems", ","), "--systems ',': expected names with commas between them"),
        (
            ("accuracy", "ROWS", "--systems", "giza"),
            "no row is of the system 'giza'; expected one of best, eflomal",
        ),
        (("speed", "ROWS", "ROWS"), "two rows of best on 1,000 training pairs of de-en (test); expected one"),
        (
            ("training", "ROWS"),
            "rows.json has no training curves: expected what `cepts align --timings FILE` writes",
        ),
        (("training", "nowhere"), "nowhere: no such file"),
        (("training",), "FILES is missing; see cepts plot training --help"),
        (("reliability", "ROWS"), "LINKS is missing"),
        (("speed", "ROWS", "--measure", "gpu"), "invalid value for '--measure'"),
    ],
)
def test_what_cannot_be_is_refused(rows: Path, arguments: tuple[str, ...], message: str) -> None:
    given = [rows if one == "ROWS" else one for one in arguments]
    result = run("plot", *given)
    assert result.status == 2
    assert result.out == ""
    assert message in result.err.splitlines()[-1]
    assert names(rows.parent) == {rows.name}


def test_bins_that_cannot_be_are_refused(linked: tuple[Path, Path]) -> None:
    assert (
        refused("plot", "reliability", *linked, "--bins", "0") == "--bins 0: expected a number from 1 to 1000"
    )
