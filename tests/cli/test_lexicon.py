"""`cepts lexicon`: from links and from a model, in each format, and what is refused."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

import cepts
from cepts.links import read_links
from tests.cli.command import names, run, succeed
from tests.reference import lexical as reference

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

# Counted by hand: La-the 1, la-the 1 and maison-house 2, fleur has no link, nor has "big".
SOURCE = "La maison\nla maison fleur\n"
TARGET = "the house\nthe house big\n"
LINKS = "0-0 1-1\n0-0 1-1\n"
F2E = "NULL fleur 1.0\nbig NULL 1.0\nhouse maison 1.0\nthe La 1.0\nthe la 1.0"
E2F = "La the 0.5\nNULL big 1.0\nfleur NULL 1.0\nla the 0.5\nmaison house 1.0"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a text, its links, and a link file for each kind of mistake."""
    contents = {
        "source": SOURCE,
        "target": TARGET,
        "links": LINKS,
        "naacl": "1 1 1\n1 2 2\n2 1 1\n2 2 2\n",
        "three": LINKS + "0-0\n",
        "outside": "0-0 1-1\n0-0 1-3\n",
        "swapped": "0-0\n0-0\n",
        "from-one": "1-1 2-2\n1-1 3-3\n",
        "naacl-outside": "2 1 4\n",
        "no-links": "\n\n",
        "bytes": "La maison\nla \udcff fleur\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    (tmp_path / "long").write_text("la maison fleur\nla\n")
    (tmp_path / "short").write_text("the\nthe\n")
    (tmp_path / "turned").write_text("0-2\n0-0\n")
    return tmp_path


def lexicon(folder: Path, arguments: str, ending: str) -> list[str]:
    """Run in a folder, and return the lines of the file with that ending."""
    result = run("lexicon", *arguments.split(), "--output", "lex", cwd=folder)
    assert (result.status, result.out, result.err) == (0, "", "")
    data = (folder / f"lex.{ending}").read_bytes()
    return (gzip.decompress(data) if ending.endswith(".gz") else data).decode().splitlines()


def as_numbers(lines: list[str]) -> list[tuple[str, str, float]]:
    """Read lines of two words and a number, in any order."""
    fields = [line.split(" ") for line in lines]
    assert all(re.fullmatch(r"[01]\.\d{7}", field[2]) for field in fields if "." in field[2][2:])
    return sorted((field[0], field[1], float(field[2])) for field in fields)


@pytest.mark.parametrize("links", ["links", "naacl"])
def test_moses_tables(files: Path, links: str) -> None:
    lines = lexicon(files, f"source target {links} --format moses", "f2e")
    assert as_numbers(lines) == as_numbers(F2E.splitlines())
    assert as_numbers((files / "lex.e2f").read_text().splitlines()) == as_numbers(E2F.splitlines())
    assert "house maison 1.0000000" in lines


def test_a_shortlist_for_marian_has_the_target_first_and_no_null(files: Path) -> None:
    lines = lexicon(files, "source target links --format marian", "s2t")
    assert lines == ["the La 1.0000000", "the la 1.0000000", "house maison 1.0000000"]
    assert not (files / "lex.t2s").exists()


def test_a_dictionary_for_people(files: Path) -> None:
    lines = lexicon(files, "source target links --format tsv --lowercase --examples 1", "tsv")
    assert [line.split("\t") for line in lines] == [
        [
            *("source", "target", "count", "p(target|source)", "p(source|target)", "score"),
            *("line_1", "source_1", "target_1"),
        ],
        ["la", "the", "2", "1.000000", "1.000000", "1.000000", "1", "la maison", "the house"],
        ["maison", "house", "2", "1.000000", "1.000000", "1.000000", "1", "la maison", "the house"],
    ]


def test_a_shortlist_has_a_hundred_targets_of_a_word_unless_told(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\n" * 120)
    (tmp_path / "t").write_text("".join(f"w{k}\n" for k in range(120)))
    (tmp_path / "l").write_text("0-0\n" * 120)
    assert len(lexicon(tmp_path, "s t l --format marian", "s2t")) == 100
    assert len(lexicon(tmp_path, "s t l --format marian --best 110", "s2t")) == 110
    assert len(lexicon(tmp_path, "s t l --format moses", "f2e")) == 120
    assert len(lexicon(tmp_path, "s t l --format tsv --best 3", "tsv")) == 4


def test_what_is_rare_or_improbable_is_left_out(files: Path) -> None:
    assert lexicon(files, "source target links --format marian --min-count 2", "s2t") == [
        "house maison 1.0000000"
    ]
    lines = lexicon(files, "source target links --format tsv --threshold 0.7", "tsv")
    assert [line.split("\t")[0] for line in lines] == ["source", "maison"]


def test_gzip_adds_its_ending(files: Path) -> None:
    plain = lexicon(files, "source target links --format moses", "e2f")
    assert lexicon(files, "source target links --format moses --gzip", "e2f.gz") == plain


def test_tokens_of_raw_text(files: Path) -> None:
    (files / "raw").write_text("L'homme.\nL'homme\n")
    (files / "raw-target").write_text("Man.\nMan\n")
    (files / "raw-links").write_text("1-0 2-1\n1-0\n")
    lines = lexicon(files, "raw raw-target raw-links --format marian --tokenize", "s2t")
    assert lines == [". . 1.0000000", "Man homme 1.0000000"]


def test_links_of_a_real_text_on_any_threads(text: Text, links: str, tmp_path: Path) -> None:
    (tmp_path / "links").write_text(links)
    arguments = f"{text.source} {text.target} links --format moses"
    lines = lexicon(tmp_path, arguments, "f2e")
    sides = [[sentence.split() for sentence in side] for side in zip(*text.pairs, strict=True)]
    linked = [[link[:2] for link in pair] for pair in read_links(tmp_path / "links")]
    there, back = reference.probabilities(reference.counts(*sides, linked))
    assert sorted(lines) == sorted(f"{t} {s} {p:.7f}" for (s, t), p in there.items())
    reverse = (tmp_path / "lex.e2f").read_text().splitlines()
    assert sorted(reverse) == sorted(f"{s} {t} {p:.7f}" for (s, t), p in back.items())
    assert lexicon(tmp_path, f"{arguments} --threads 2", "f2e") == lines


def test_a_model_in_every_format(model: Path, tmp_path: Path) -> None:
    forward = lexicon(tmp_path, f"--model {model} --format moses --threshold 0", "f2e")
    reverse = (tmp_path / "lex.e2f").read_text().splitlines()
    for lines in (forward, reverse):
        totals: defaultdict[str, float] = defaultdict(float)
        for line in lines:
            totals[line.split(" ")[1]] += float(line.split(" ")[2])
        assert 0.3 < max(totals.values()) <= 1 + 1e-4  # rounded to seven decimals, and many of them
    shortlist = lexicon(tmp_path, f"--model {model} --format marian --threshold 0 --best 1000", "s2t")
    assert sorted(shortlist) == sorted(line for line in forward if "NULL" not in line.split(" "))
    table = [line.split("\t") for line in lexicon(tmp_path, f"--model {model} --format tsv", "tsv")]
    assert table[0] == ["source", "target", "p(target|source)", "p(source|target)", "score"]
    ways = [
        {tuple(line.split(" ")[:2]): float(line.split(" ")[2]) for line in way} for way in (forward, reverse)
    ]
    for source, target, *numbers in table[1:]:
        there, back, score = map(float, numbers)
        assert there == pytest.approx(ways[0][target, source], abs=1e-6)
        assert back == pytest.approx(ways[1][source, target], abs=1e-6)
        assert score == pytest.approx(2 * there * back / (there + back), abs=1e-5)
        assert score >= 0.001 - 1e-6  # what is left out of a model unless something else is said
    assert {row[:2] == ["?", "?"] for row in table if row[0] == "?"} == {True}


def test_a_bi_word_model_and_a_model_of_one_direction(text: Text, tmp_path: Path) -> None:
    options = ("--model-type", "bi1", "--direction", "forward", "--iterations", "ibm1=2")
    succeed("train", text.source, text.target, "--output", tmp_path / "one", *options)
    assert len(lexicon(tmp_path, "--model one --format marian", "s2t")) > 100
    refused(
        tmp_path,
        "one was trained in direction forward alone, and --format moses needs both; train a model of both directions",
        "--model one --format moses --output other",
    )
    options = ("--direction", "reverse", "--training", "independent", "--iterations", "ibm1=1,hmm=0")
    succeed("train", text.source, text.target, "--output", tmp_path / "back", *options)
    refused(
        tmp_path,
        "back was trained in direction reverse alone, and --format marian needs forward; train .*",
        "--model back --format marian --output other",
    )


def refused(folder: Path, pattern: str, arguments: str) -> None:
    """Run in the folder and check everything that holds for every refusal."""
    before = names(folder)
    result = run("lexicon", *arguments.split(" "), cwd=folder)
    assert re.fullmatch(f"cepts: {pattern}\n", result.err), result.err
    assert (result.status, result.out) == (2, "")
    assert names(folder) == before


OUTSIDE = r"\(from 0\) is outside of its pair, which has"


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ("source target three", "three: links of 3 pairs, but source has 2 pairs, expected as many; .*"),
        ("source short links", rf"links, line 1: link 1-1 {OUTSIDE} 2 source and 1 target words; .*"),
        (
            "source target outside",
            rf"outside, line 2: link 1-3 {OUTSIDE} 3 source and 3 target words; are these links for this text, .*",
        ),
        (
            "source target from-one",
            rf"from-one, line 1: link 2-2 {OUTSIDE} 2 .*; one lower all links fit: they count from 1, expected .*",
        ),
        (
            "long short turned",
            rf"turned, line 1: link 0-2 {OUTSIDE} 3 .*; turned round all links fit: source and target are swapped",
        ),
        ("source target naacl-outside", rf"naacl-outside, sentence 2: link 0-3 {OUTSIDE} .*"),
        ("source links target", "target, line 1: 'the' is not a link, expected .*"),
        ("bytes target links", "bytes, line 2: invalid UTF-8, .*"),
        ("source target nowhere", "nowhere: no such file"),
        (
            "",
            "nothing to count: give SOURCE TARGET LINKS, or a file with both languages and LINKS, or --model FOLDER",
        ),
        (
            "source",
            "LINKS is missing; give SOURCE TARGET LINKS, or a file with both languages and LINKS",
        ),
        ("source target", "LINKS is missing: target holds text, not links; give SOURCE TARGET LINKS, .*"),
        (
            "source target links --model m",
            "--model has its own words and probabilities: drop SOURCE TARGET LINKS, or --model",
        ),
        ("--model m", "there is no model m"),
        ("--model m --min-count 2", "--min-count is about text and links; drop it, or --model"),
        ("--model m --examples 2", "--examples is about text and links; drop it, or --model"),
        ("--model m --lowercase", "--lowercase is about text and links; drop it, or --model"),
        ("--model m --tokenize", "--tokenize is about text and links; drop it, or --model"),
        ("--model m --errors replace", "--errors is about text and links; drop it, or --model"),
        ("a b c --min-count 0", "--min-count 0: expected a number from 1 to 1000000000"),
        ("a b c --threshold 2", r"--threshold 2\.0: expected a number from 0 to 1"),
        ("a b c --best 0", "--best 0: expected a number from 1 to 1000000"),
        ("source target links --examples=-1", "--examples -1: expected a number from 0 to 1000"),
        ("a b c --threads 0", "--threads 0: expected a number from 1 to 1024"),
    ],
)
def test_what_is_refused(files: Path, arguments: str, pattern: str) -> None:
    refused(files, pattern, f"{arguments} --format tsv --output lex".strip())


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        ("--format tsv", "--output PREFIX is missing; see cepts lexicon --help"),
        ("--output lex", "--format is missing; see cepts lexicon --help"),
        ("--format tmx --output lex", "invalid value for '--format': 'tmx' is not one of .*"),
        ("--format moses --output -", "--output -: expected the beginning of file names, such as lex"),
        ("--format moses --output lex/", "--output lex/: expected the beginning of file names, such as lex"),
        (
            "--format moses --output no/lex",
            r"cannot write no/lex\.f2e: there is no folder .*; create it first",
        ),
        ("--format moses --output lex --examples 1", "--examples goes with --format tsv alone; drop it"),
    ],
)
def test_outputs_that_are_refused(files: Path, arguments: str, pattern: str) -> None:
    refused(files, pattern, f"source target links {arguments}")


def test_a_text_without_links_is_survived(files: Path) -> None:
    assert lexicon(files, "source target no-links --format marian", "s2t") == []
    assert len(lexicon(files, "source target no-links --format tsv", "tsv")) == 1
    lines = lexicon(files, "source target no-links --format moses", "f2e")
    assert {line.split(" ")[1] for line in lines} == {"NULL", "La", "la", "maison", "fleur"}


def test_bytes_can_be_replaced(files: Path) -> None:
    lines = lexicon(files, "bytes target links --format marian --errors replace", "s2t")
    assert "house \ufffd 1.0000000" in lines


def test_the_words_of_a_model_are_those_of_its_training(model: Path, tmp_path: Path) -> None:
    aligner = cepts.Aligner.load(model)
    assert not aligner.text.keep_case
    lines = lexicon(tmp_path, f"--model {model} --format marian", "s2t")
    assert lines == [line.lower() for line in lines]
