"""`cepts align --format`: the same links in every format, with the words of the lines as they stand."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.links import FORMATS
from cepts.links.formats import NUMBERED, ONE_PIECE
from tests.cli.command import refused, run, succeed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

FAST = ("--iterations", "ibm1=1,hmm=1", "--quiet")


@pytest.fixture(scope="module")
def scored(text: Text) -> cepts.Links:
    """The links that all formats should have."""
    return cepts.read_links(io.StringIO(succeed("align", text.source, text.target, *FAST, "--scores")))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_the_same_links(text: Text, scored: cepts.Links, name: str) -> None:
    out = succeed("align", text.source, text.target, *FAST, "--format", name)
    found = cepts.read_links(io.StringIO(out), len(scored) if name in NUMBERED else None, format=name)
    assert [[link[:2] for link in pair] for pair in found] == [[link[:2] for link in pair] for pair in scored]


def test_scores_are_a_format(text: Text) -> None:
    with_option = succeed("align", text.source, text.target, *FAST, "--scores")
    assert succeed("align", text.source, text.target, *FAST, "--format", "pharaoh-scores") == with_option


@pytest.mark.parametrize("separator", [" ||| ", "\t"])
def test_lines_are_kept_as_they_stand(tmp_path: Path, separator: str) -> None:
    pairs = [
        ("L'eau,  oui", "Water, yes"),
        ("", ""),
        ("Émile 👩\u200d🔬!", "Émile 👩\u200d🔬!"),
        ("猫がいる。", "A cat."),
    ]
    content = "".join(f"{source}{separator}{target}\r\n" for source, target in pairs).encode()
    lines = succeed("align", "-", *FAST, "--tokenize", "--format", "jsonl", stdin=content).split("\n")[:-1]
    told = [json.loads(line) for line in lines]
    assert [(pair["source"], pair["target"]) for pair in told] == pairs
    assert told[0]["source_tokens"] == ["L'", "eau", ",", "oui"]
    for pair in told:
        for side in ("source", "target"):
            cut = [pair[side][first:end] for first, end in pair[f"{side}_spans"]]
            assert cut == pair[f"{side}_tokens"]
    files = tmp_path / "source", tmp_path / "target"
    for file, side in zip(files, zip(*pairs, strict=True), strict=True):
        file.write_text("".join(f"{line}\n" for line in side), encoding="utf-8")
    assert succeed("align", *files, *FAST, "--tokenize", "--format", "jsonl").split("\n")[:-1] == lines


@pytest.mark.parametrize("name", sorted(set(FORMATS) - set(ONE_PIECE)))
def test_pairs_on_stdin_are_answered_in_every_format(text: Text, model: Path, name: str) -> None:
    some = b"\n".join(text.joined(" ||| ").split(b"\n")[:3]) + b"\n\n"
    streamed = succeed("align", "--model", model, "--format", name, "--quiet", stdin=some)
    assert streamed == succeed("align", "--model", model, "-", "--format", name, "--quiet", stdin=some)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--scores", "--format", "jsonl"),
            "--scores is about --format pharaoh, jsonl has what it can hold; drop one",
        ),
        (
            ("--direction", "forward", "--n-best", "2", "--format", "tsv"),
            "--format tsv does not go with --n-best in one direction, which writes whole alignments; drop one of them",
        ),
        (
            ("--format", "farao"),
            "invalid value for '--format': 'farao' is not one of 'pharaoh', 'pharaoh-scores'",
        ),
    ],
)
def test_options_that_are_refused(text: Text, arguments: tuple[str, ...], message: str) -> None:
    assert refused("align", text.source, text.target, *arguments).startswith(message)


def test_documents_are_not_written_pair_by_pair(model: Path) -> None:
    said = refused("align", "--model", model, "--format", "tmx", stdin=b"a ||| b\n")
    assert said == "--format tmx is one document, and pairs on stdin are answered one by one; give files"


def test_documents_of_two_files_call_their_languages_as_told(text: Text) -> None:
    codes = ("--source-language", "fr", "--target-language", "de")
    written = succeed("align", text.source, text.target, *FAST, "--format", "tmx", *codes)
    assert 'srclang="fr"' in written
    assert 'xml:lang="de"' in written
    unnamed = succeed("align", text.source, text.target, *FAST, "--format", "tmx")
    assert unnamed == written.replace('"fr"', '"x-source"').replace('"de"', '"x-target"')


def test_what_xml_cannot_hold_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("a\x01\n")
    (tmp_path / "target").write_text("b\n")
    files = (tmp_path / "source", tmp_path / "target")
    result = run("align", *files, *FAST, "--format", "tmx", "--output", tmp_path / "out")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(
        "cepts: source text, line 1: character U+0001 cannot be written in XML; remove"
    )
    assert not (tmp_path / "out").exists()


TAGGED = """<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>The <bpt i="1">&lt;b&gt;</bpt>cat<ept i="1">&lt;/b&gt;</ept> &amp; %s.</seg></tuv>
<tuv xml:lang="fr"><seg>Le <bpt i="1">&lt;b&gt;</bpt>chat<ept i="1">&lt;/b&gt;</ept> &amp; %s.</seg></tuv></tu>
</body></tmx>
"""


def test_a_tagged_memory_comes_out_as_text_with_its_languages_and_places(tmp_path):
    (tmp_path / "a.tmx").write_text(TAGGED, encoding="utf-8")
    for name in ("tmx", "xliff"):
        written = succeed("align", tmp_path / "a.tmx", "--tokenize", "--format", name)
        assert "The cat &amp; %s." in written
        assert "Le chat &amp; %s." in written
        assert "0-3 4-7 8-9" in written  # The, cat, & in what is written, not in what was read
        assert '"en"' in written
        assert '"fr"' in written
    original = json.loads(succeed("align", tmp_path / "a.tmx", "--tokenize", "--format", "jsonl"))
    assert original["source"].startswith("The <bpt")
    cut = [original["source"][first:end] for first, end in original["source_spans"]]
    assert cut == ["The", "cat", "&amp;", "."]
