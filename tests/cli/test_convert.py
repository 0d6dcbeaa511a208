"""`cepts convert`: between all formats, with and without the text, for words and for subwords."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from cepts.cli.options import LINK_FORMATS, MARKERS
from cepts.links import FORMATS
from cepts.links import MARKERS as ALL_MARKERS
from cepts.links.formats import NEED_TEXT
from tests.cli import command
from tests.cli.command import names, refused, run, succeed

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = {
    "links": "0-0 1-2 2-1 3-3\n\n0-0 1-1\n",
    "source": "La maison blanche .\n\nOui .\n",
    "target": "the white house .\nx\nyes .\n",
    "source.spm": "▁La ▁mai son ▁blan che ▁.\n\n▁Oui ▁.\n",
    "target.bpe": "the whi@@ te house .\nx\nyes .\n",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with links and their text, in which the commands run."""
    for name, content in CONTENTS.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


TEXT = ("--source", "source", "--target", "target")
SUBWORDS = ("--source-subwords", "source.spm", "--target-subwords", "target.bpe")


def test_the_command_line_knows_all_names() -> None:
    assert LINK_FORMATS == FORMATS
    assert tuple(ALL_MARKERS) == MARKERS


@pytest.mark.parametrize("middle", FORMATS)
@pytest.mark.parametrize("end", ["pharaoh-scores", "naacl", "tsv", "jsonl"])
@pytest.mark.usefixtures("files")
def test_from_every_format_to_those_of_each_kind(middle: str, end: str) -> None:
    direct = succeed("convert", "links", "--format", end, *TEXT)
    succeed("convert", "links", "--format", middle, *TEXT, "--output", "middle")
    how = ("--input-format", "talp") if middle == "talp" else ()
    assert succeed("convert", "middle", "--format", end, *how, *TEXT) == direct
    holds_text = middle in NEED_TEXT and middle != "tsv"
    if holds_text or end not in NEED_TEXT:
        alone = succeed("convert", "middle", "--format", end, *how)
        assert alone == direct
    else:
        said = refused("convert", "middle", "--format", end, *how)
        assert said == f"--format {end} holds words: add --source FILE and --target FILE"


def test_pairs_at_the_end_without_links_are_kept_where_the_text_is_known(files: Path) -> None:
    (files / "links").write_text("1 1 1 S\n")
    assert succeed("convert", "links", "--format", "pharaoh") == "0-0\n"
    assert succeed("convert", "links", "--format", "pharaoh", *TEXT) == "0-0\n\n\n"


def test_stdin_and_compressed_output(files: Path) -> None:
    assert succeed("convert", "-", "--format", "naacl", stdin=b"0-0 1?1\n") == "1 1 1 S\n1 2 2 P\n"
    assert succeed("convert", "links", "--format", "talp", "--output", "out.gz") == ""
    assert gzip.decompress((files / "out.gz").read_bytes()) == b"1-1 2-3 3-2 4-4\n\n1-1 2-2\n"


def test_as_a_process(files: Path) -> None:
    done = command.run("convert", "links", "--format", "naacl", cwd=files)
    assert (done.status, done.err) == (0, "")
    assert done.out == succeed("convert", "links", "--format", "naacl")


def test_swap(files: Path) -> None:
    (files / "links").write_text("0-2:0.5\n\n")
    assert succeed("convert", "links", "--format", "pharaoh-scores", "--swap") == "2-0:0.5\n\n"
    (files / "links").write_text("0-0 2-1\n\n1-1\n")  # target first
    told = succeed("convert", "links", "--format", "jsonl", "--swap", *TEXT)
    assert json.loads(told.splitlines()[0])["links"] == [[0, 0, 1, "S"], [1, 2, 1, "S"]]
    (files / "own").write_text(told)
    back = succeed("convert", "own", "--format", "jsonl", "--swap")
    assert json.loads(back.splitlines()[0])["source"] == "the white house ."


def test_tokens_of_raw_text(files: Path) -> None:
    (files / "source").write_text("L'eau!\n")
    (files / "target").write_text("Water!\n")
    (files / "links").write_text("1-0 2-1\n")
    told = json.loads(succeed("convert", "links", "--format", "jsonl", "--tokenize", *TEXT))
    assert told["source_tokens"] == ["L'", "eau", "!"]
    assert told["source_spans"] == [[0, 2], [2, 5], [5, 6]]


def test_words_to_subwords_and_back(files: Path) -> None:
    for text in ((), TEXT):
        wide = succeed("convert", "links", "--format", "marian", "--to-subwords", *SUBWORDS, *text)
        assert wide == "0-0 1-3 2-3 3-1 3-2 4-1 4-2 5-4\n\n0-0 1-1\n"
        (files / "wide").write_text(wide)
        back = succeed("convert", "wide", "--format", "pharaoh", "--to-words", *SUBWORDS, *text)
        assert back == CONTENTS["links"]


def test_the_text_that_comes_with_subwords(files: Path) -> None:
    wide = succeed("convert", "links", "--format", "tsv", "--to-subwords", *SUBWORDS)
    assert wide.splitlines()[1:3] == ["0\t0\t0\t▁La\tthe\t1\tS", "0\t1\t3\t▁mai\thouse\t1\tS"]
    (files / "wide").write_text(wide)
    words = succeed("convert", "wide", "--format", "tsv", "--to-words", *SUBWORDS)
    assert words.splitlines()[2] == "0\t1\t2\tmaison\thouse\t1\tS"
    one = ("--source-subwords", "source.spm")
    wide = succeed("convert", "links", "--format", "tsv", "--to-subwords", *one, *TEXT)
    assert wide.splitlines()[4] == "0\t3\t1\t▁blan\twhite\t1\tS"
    said = refused("convert", "links", "--format", "tsv", "--to-subwords", *one)
    assert said == "--format tsv holds words: add --source FILE and --target FILE"


def test_links_of_marks_alone_are_counted(files: Path) -> None:
    (files / "source.spm").write_text("▁ ▁a\n")
    (files / "links").write_text("0-0 1-0\n")
    result = run("convert", "links", "--format", "pharaoh", "--to-words", *SUBWORDS[:2])
    assert (result.status, result.out) == (0, "0-0\n")
    assert result.err == "cepts: 1 links of marks without letters belong to no word; they are left out\n"


@pytest.mark.usefixtures("files")
def test_languages() -> None:
    codes = ("--source-language", "fr", "--target-language", "en")
    assert 'srclang="fr"' in succeed("convert", "links", "--format", "tmx", *TEXT, *codes)
    assert 'srcLang="fr" trgLang="en"' in succeed("convert", "links", "--format", "xliff", *TEXT, *codes)


WORDS = ("--format", "pharaoh", "--to-words")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "farao"), "invalid value for '--format': 'farao' is not one of 'pharaoh', "),
        ((), "--format NAME is missing"),
        (("--format", "tsv", "--source", "source"), "--source and --target go together: give both, or none"),
        ((*WORDS, "--to-subwords"), "--to-words and --to-subwords are two ways: choose one"),
        (
            WORDS,
            "--to-words needs the text in subwords: add --source-subwords FILE, --target-subwords FILE or both",
        ),
        (
            ("--format", "talp", "--markers", "bpe"),
            "--markers needs --to-words or --to-subwords; add one of them",
        ),
        (("--format", "talp", *SUBWORDS[:2]), "--source-subwords needs --to-words or --to-subwords; add one"),
        (
            ("--format", "talp", "--tokenize"),
            "--tokenize is about the text: add --source FILE and --target FILE",
        ),
        (
            ("--format", "talp", "--source-language", "fr"),
            "--source-language is for --format tmx and xliff; drop",
        ),
        (
            ("--format", "tmx", *TEXT, "--source-language", "?"),
            "'?' is not the code of a language, expected something like fr or pt-BR",
        ),
        (
            (*WORDS, "--source-subwords", "target"),
            "the subwords have no marks that are known: name the markers, sentencepiece, wordpiece, bpe or bytelevel",
        ),
        (("--format", "talp", "--output", "none/x"), "cannot write none/x: there is no folder "),
        (
            ("--format", "talp", "--source", "-", "--target", "-"),
            "source and target cannot both be standard input",
        ),
    ],
)
def test_options_that_are_refused(files: Path, arguments: tuple[str, ...], message: str) -> None:
    before = names(files)
    assert refused("convert", "links", *arguments).startswith(message)
    assert names(files) == before


@pytest.mark.parametrize(
    ("contents", "arguments", "message"),
    [
        (
            {"links": "0-0\n\n2-0\n"},
            ("--format", "jsonl", *TEXT),
            "links, line 3: link 2-0 (from 0) is outside of its pair, which has 2 source and 2 target words; are these",
        ),
        (
            {"links": "1-1 4-4\n\n1-1 2-2\n"},
            ("--format", "jsonl", *TEXT),
            "links, line 1: link 4-4 (from 0) is outside of its pair, which has 4 source and 4 target words; one lower",
        ),
        (
            {"links": "3 3 1 S\n"},
            ("--format", "pharaoh", *TEXT),
            "links, line 1: link 3-1 (from 1) is outside of its pair, which has 2 source and 2 target words; are these",
        ),
        (
            {"links": "0-0\n"},
            ("--format", "jsonl", *TEXT),
            "links: links of 1 pairs, but source has 3 pairs, expected",
        ),
        (
            {"target": "x\n"},
            ("--format", "jsonl", *TEXT),
            "source has 3 lines, target has 1: target ends first; line k",
        ),
        (
            {"source": "", "target": ""},
            ("--format", "talp", *TEXT),
            "links: links of 3 pairs, but source has 0 pairs, expected as many; line k must hold the links of pair k",
        ),
        (
            {"source": "\0\n\n\n"},
            ("--format", "talp", *TEXT),
            "source, line 1: a NUL byte at byte 1 of the line; the file may be UTF-16 or binary",
        ),
        (
            {"links": "0-6\n\n\n"},
            ("--format", "talp", "--to-words", *SUBWORDS),
            "links, line 1: link 0-6 (from 0) is outside of its pair, which has 6 source and 5 target words; are these",
        ),
        (
            {"links": "0-4\n\n\n"},
            ("--format", "talp", "--to-subwords", *SUBWORDS),
            "links, line 1: link 0-4 (from 0) is outside of its pair, which has 4 source and 4 target words; are these",
        ),
        (
            {"source.spm": "▁La ▁mai son ▁blan che ▁.\n\n▁Non ▁.\n"},
            ("--format", "talp", "--to-subwords", *SUBWORDS, *TEXT),
            "source.spm, line 3: the subwords join to 'Non .', but the text has 'Oui .', expected the same; are the",
        ),
        (
            {"source.spm": "▁La\n"},
            ("--format", "talp", "--to-subwords", *SUBWORDS),
            "links of 3 pairs, but 1 lines of source subwords, expected as many of both",
        ),
    ],
)
def test_input_that_is_refused(
    files: Path, contents: dict[str, str], arguments: tuple[str, ...], message: str
) -> None:
    for name, content in contents.items():
        (files / name).write_text(content, encoding="utf-8")
    before = names(files)
    assert refused("convert", "links", *arguments, "--output", "out").startswith(message)
    assert names(files) == before


def test_words_of_another_text_are_refused(files: Path) -> None:
    succeed("convert", "links", "--format", "giza", *TEXT, "--output", "A3")
    (files / "target").write_text("The white house .\nx\nno .\n")
    said = refused("convert", "A3", "--format", "pharaoh", *TEXT)
    assert said == "A3, pair 3: its target words are 'yes .', but the text has 'no .', expected the same"
