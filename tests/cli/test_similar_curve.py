"""`cepts similar curve`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.sentences.features import FeatureOptions, FeatureSpace
from cepts.sentences.joint import JointNMF
from tests.cli.command import names as files_in
from tests.cli.command import run, succeed
from tests.views.svg import lines, texts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

OPTIONS = ("--features", "words:1,chars:3-3", "--weighting", "tfidf", "--norm", "length", "--iterations", "8")


def test_the_numbers_are_those_of_python(text: Text) -> None:
    out = succeed("similar", "curve", text.source, text.target, "--k", "5,2", "--start", "svd", *OPTIONS)
    header, *lines = out.splitlines()
    assert header == "k\titeration\tloss"
    bitext = cepts.read_bitext(text.source, text.target)
    options = FeatureOptions(characters=(3, 3), weighting="tfidf", norm="length")
    matrices = [FeatureSpace.fit(side, options).encode(side) for side in (bitext.source, bitext.target)]
    expected = [
        (k, number, loss)
        for k in (2, 5)
        for number, loss in enumerate(JointNMF(k, iterations=8, start="svd").fit(*matrices).losses)
    ]
    assert len(lines) == len(expected) >= 12
    for line, (k, number, loss) in zip(lines, expected, strict=True):
        fields = line.split("\t")
        assert fields[:2] == [str(k), str(number)]
        assert float(fields[2]) == pytest.approx(loss, rel=1e-6)


def test_a_picture_is_drawn(text: Text, tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    out = succeed("similar", "curve", text.source, text.target, "--k", "2,3", *OPTIONS, "--output", picture)
    document = ET.fromstring(picture.read_text(encoding="utf-8"))
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    for k, line in zip(("3", "2"), lines(document), strict=True):  # the first line is drawn last
        assert len(line) == len([row for row in rows if row[0] == k])
        assert f"k = {k}" in texts(document)


def test_the_picture_is_that_of_cepts_plot(text: Text, tmp_path: Path) -> None:
    picture, numbers = tmp_path / "curve.svg", tmp_path / "numbers"
    out = succeed("similar", "curve", text.source, text.target, "--k", "2,3", *OPTIONS, "--output", picture)
    numbers.write_text(out, encoding="utf-8")
    assert succeed("plot", "training", numbers) == picture.read_text(encoding="utf-8")


def test_empty_sides_are_counted(tmp_path: Path) -> None:
    both = tmp_path / "both"
    both.write_text("a b\tx y\n\tx\na b\tx y\n", encoding="utf-8")
    result = run("similar", "curve", both, "--k", "1", "--iterations", "2")
    assert (result.status, result.out.splitlines()[0]) == (0, "k\titeration\tloss")
    assert result.err == "cepts: 1 of 3 pairs have an empty side: they say nothing of translation\n"
    assert run("similar", "curve", both, "--k", "1", "--iterations", "2", "--quiet").err == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--k", "4,x"), "--k 4,x: expected numbers from 1 with commas between them, such as 4,8,16"),
        (("--k", "0"), "--k 0: expected numbers from 1"),
        (("--k", ""), "--k : expected numbers from 1"),
        (("--k", "4", "--output", "curve"), "--output curve: expected a name with .svg or .png at the end"),
        (("--k", "4", "--output", "-"), "--output -: the numbers go to standard output; name a file for"),
        (("--k", "1000"), "k 1000 is more than these data allow: 60 pairs of sentences"),
        (
            ("--features", "verbs"),
            "features 'verbs': 'verbs' is unknown; expected words, chars, tags or arcs",
        ),
        (("--features", "tags:2"), "the source text, line 1: token 'le' has no tag, expected word_TAG;"),
        (("--min-count", "0"), "--min-count 0: expected a number from 1 to 1000000000"),
        (("--min-count", "99"), "the source text has no features: none is there 99 times; lower min_count"),
        (("--beta", "nan"), "--beta nan: expected a number above -1, up to 4"),
        (("--row-sparsity", "1"), "row_sparsity needs factor_sparsity:"),
    ],
)
def test_what_cannot_be_is_refused(
    text: Text, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    given = options if "--output" in options else (*options, "--output", str(tmp_path / "curve.svg"))
    result = run("similar", "curve", text.source, text.target, *given)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"cepts: {message}")
    assert result.err.count("\n") == 1
    assert files_in(tmp_path) == set()
