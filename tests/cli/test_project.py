"""`cepts project`: from files to files, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.command import names, succeed
from tests.cli.inside import inside, refused_inside

if TYPE_CHECKING:
    from pathlib import Path

CONLLU = "1\tdu\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
FILES = {
    "bio": "The O\nWhite B-ORG\nHouse I-ORG\nopens O\n\nYes O\n\n",
    "fr": "La Maison Blanche ouvre\nOui\n",
    "links": "0-0 1-2:0.9 2-1:0.7 3-3\n0-0\n",
    "reverse": "0-0 2-1:0.9 1-2:0.7 3-3\n0-0\n",
    "naacl": "1 1 1\n1 2 3\n1 3 2\n1 4 4\n",
    "markup": "The <b>White House</b> opens\nYes\n",
    "conllu": f"1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n{CONLLU.strip()}\n2\tle\t_\tDET\t_\t_\t1\tdet\t_\t_\n\n{CONLLU}",
    "two": "to the\nof\n",
    "two-links": "0-0\n0-0\n",
    "no-links": "\n\n",
    "far": "0-0\n0-7\n",
    "one": "La Maison Blanche\n",
    "three": "0-0\n0-0\n0-0\n",
    "from-i": "The O\nHouse I-ORG\n",
    "empty": "\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of small files, where commands run."""
    folder = tmp_path_factory.mktemp("project")
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


BIO = "La\tO\t_\nMaison\tB-ORG\t0.80\nBlanche\tI-ORG\t0.80\nouvre\tO\t_\n\nOui\tO\t_\n\n"


def test_a_real_process(folder: Path) -> None:
    assert succeed("project", folder / "bio", folder / "fr", folder / "links") == BIO


def test_files_and_formats(folder: Path) -> None:
    assert inside("project", "bio", "fr", "links", "--output", "out.gz") == ("", "")
    assert names(folder) == {*FILES, "out.gz"}
    marked = ("La <ORG>Maison Blanche</ORG> ouvre\nOui\n", "")
    assert inside("project", "bio", "fr", "links", "--format", "markup") == marked
    with_confidence = inside("project", "markup", "fr", "links", "--confidence")
    assert with_confidence == ('La <b confidence="0.80">Maison Blanche</b> ouvre\nOui\n', "")
    assert inside("project", "-", "fr", "links", stdin=FILES["bio"]) == (BIO, "")


def test_links_the_other_way_round_and_naacl() -> None:
    assert inside("project", "bio", "fr", "reverse", "--reverse")[0] == BIO
    assert inside("project", "bio", "fr", "naacl")[0].splitlines()[1] == "Maison\tB-ORG\t1.00"


def test_surface_tokens_and_a_complete_tree() -> None:
    out, said = inside("project", "conllu", "two", "two-links", "--surface", "--complete")
    assert said == ""
    rows = [line.split("\t")[3:8] for line in out.splitlines() if line[:1].isdigit()]
    assert rows == [["X", "_", "_", "0", "root"], ["_", "_", "_", "1", "dep"], ["X", "_", "_", "0", "root"]]


def test_what_is_survived_is_counted() -> None:
    out, said = inside("project", "bio", "fr", "no-links")
    assert [line.split("\t")[1] for line in out.splitlines() if line] == ["O"] * 5
    assert said == (
        "cepts: 2 of 2 sentences have no links: left without annotations\n"
        "cepts: 1 of 1 spans have no linked word: left out\n"
    )
    assert inside("project", "bio", "fr", "no-links", "--quiet") == (out, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "bio fr far",
            "far, line 2: link 0-7 (from 0) is outside of its pair, which has 1 source and 1 target words;",
        ),
        ("bio fr three", "three: links of 3 pairs, but bio has 2 pairs, expected as many"),
        (
            "bio one links",
            "bio has 2 sentences, one has 1 lines: line k of one must translate sentence k of bio",
        ),
        (
            "from-i fr links",
            "from-i, line 2: I-ORG behind O, expected B-ORG or I-ORG before it; write B-ORG, or use",
        ),
        ("bio - -", "annotated, target and links: only one of them can be standard input"),
        ("bio fr links --complete", "--complete is about conllu, and this is bio; drop it"),
        ("bio fr links --surface", "--surface is about conllu, and this is bio; drop it"),
        ("markup fr links --lenient", "--lenient is about bio, and this is markup; drop it"),
        ("bio fr links --confidence", "--confidence is about markup: bio and conllu have it anyway; drop it"),
        ("bio fr links --format conllu", "format conllu: bio cannot become that"),
        ("bio fr links --max-gap -1", "--max-gap -1: expected a number from 0 to 1000"),
        ("bio fr links --input-format conllu", "bio, line 1: 1 columns, expected 10, separated by TAB"),
        ("empty fr links", "empty is empty: give a file with annotated sentences"),
        ("nowhere fr links", "nowhere: no such file"),
        ("bio fr links --output no/out", "cannot write no/out: there is no folder"),
    ],
)
def test_what_is_refused(folder: Path, arguments: str, message: str) -> None:
    assert refused_inside("project", *arguments.split()).startswith(message)
    assert names(folder) == set(FILES)


def test_iob1_is_read_when_asked() -> None:
    out, _ = inside("project", "-", "fr", "links", "--lenient", stdin=FILES["bio"].replace("B-", "I-"))
    assert out == BIO
