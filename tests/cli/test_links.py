"""`cepts combine` and `cepts evaluate`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import cepts
from tests.cli.command import refused, run, succeed

if TYPE_CHECKING:
    from pathlib import Path

# Worked out by hand. Links A: 3. Gold S: 0-0 and 2-2 of the first pair, 0-0 of the second; P: 1-1 besides.
# In S and A: 0-0 of the first pair. In P and A: that and 1-1.
LINKS = "0-0 1-1 2-1\n\n"
GOLD = "0-0 1?1 2-2\n0-0\n"
NAACL = "1 1 1 S\n1 2 2 P\n1 3 3 S\n2 1 1\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with links, and a gold in each format."""
    for name, content in (("links", LINKS), ("gold", GOLD), ("naacl", NAACL)):
        (tmp_path / name).write_text(content)
    return tmp_path


def test_combine_in_both_orders(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("0-0 1-1\n2-2\n\n")
    other.write_text("0-0 2-1\n\n\n")
    assert succeed("combine", one, other, "--combine", "union") == "0-0 1-1 2-1\n2-2\n\n"
    output = tmp_path / "output"
    assert succeed("combine", other, one, "--combine", "intersection", "--output", output) == ""
    assert output.read_text() == "0-0\n\n\n"


def test_final_takes_the_first_file_first(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("0-3\n")
    other.write_text("0-5\n")
    # Neither link is a neighbour of another; with 0-3 taken first, source word 0 is no longer free for 0-5.
    method = ("--combine", "grow-diag-final-and")
    assert succeed("combine", one, other, *method) == "0-3\n"
    assert succeed("combine", other, one, *method) == "0-5\n"


def test_evaluate_as_json(files: Path) -> None:
    told = json.loads(succeed("evaluate", files / "links", files / "gold", "--json"))
    low, high = told.pop("interval_aer")
    assert 0 <= low <= 0.5 <= high <= 1
    assert told.pop("signature").startswith("aer|alpha:0.1|")
    assert told == {
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(1 / 3),
        "f1": pytest.approx(4 / 9),
        "weighted_f": pytest.approx(1 / (0.1 / (2 / 3) + 0.9 / (1 / 3))),
        "aer": pytest.approx(1 - (1 + 2) / (3 + 3)),
        "links": 3,
        "sure": {name: pytest.approx(1 / 3) for name in ("precision", "recall", "f1")},
        "possible": {
            "precision": pytest.approx(2 / 3),
            "recall": pytest.approx(2 / 4),
            "f1": pytest.approx(4 / 7),
        },
        "sentences": 2,
        "alpha": 0.1,
    }


def test_evaluate_against_a_naacl_gold_for_people(files: Path) -> None:
    out = succeed("evaluate", files / "links", files / "naacl", "--alpha", "0.5")
    rows = [line.split() for line in out.split("\n")]
    assert ["P", "possible,", "R", "sure", "66.67", "33.33", "44.44"] in rows
    assert ["weighted", "F,", "0.5", "44.44"] in rows
    assert next(row for row in rows if row[:1] == ["AER"])[1] == "50.00"


def test_mixups_are_noticed_and_said(tmp_path: Path) -> None:
    gold = cepts.sample().gold
    right = cepts.read_links(gold)
    files = [tmp_path / name for name in ("shifted", "swapped")]
    write(files[0], [[(link.source + 1, link.target + 1) for link in pair] for pair in right])
    write(files[1], [[(link.target, link.source) for link in pair] for pair in right])
    shifted, swapped = (run("evaluate", file, gold) for file in files)
    assert (shifted.status, swapped.status) == (0, 0)
    assert shifted.err.startswith("cepts: links look 1-based: shifted down by one the AER would be 0.000")
    assert swapped.err.startswith(
        "cepts: source and target look swapped: turned round the AER would be 0.000"
    )
    assert succeed("evaluate", files[1], gold, "--quiet") == swapped.out


def write(file: Path, pairs: list[list[tuple[int, int]]]) -> None:
    """Write links in the Pharaoh format."""
    file.write_text("".join(" ".join(f"{i}-{j}" for i, j in pair) + "\n" for pair in pairs))


def test_evaluate_phrases(files: Path) -> None:
    # By hand. Links 0-0 1-1 2-1: 0 x 0; 1,2 x 1; 0,1,2 x 0,1. Gold, sentence 1, sure 0-0 2-2, possible 1-1: 0 x 0,
    # 1 x 1, 2 x 2, 0,1 x 0,1, 1,2 x 1,2, 0,1,2 x 0,1,2; sentence 2: 0 x 0. Common: 0 x 0 of sentence 1.
    told = json.loads(succeed("evaluate", files / "links", files / "gold", "--phrases", "5", "--json"))
    assert told["phrases"] == {
        "precision": pytest.approx(1 / 3),
        "recall": pytest.approx(1 / 7),
        "f1": pytest.approx(1 / 5),
        "found": 3,
        "gold": 7,
        "common": 1,
        "max_length": 5,
    }
    out = succeed("evaluate", files / "links", files / "gold", "--phrases", "5")
    assert ["phrases", "up", "to", "5", "33.33", "14.29", "20.00"] in [
        line.split() for line in out.split("\n")
    ]
    told = json.loads(succeed("evaluate", files / "links", files / "gold", "--phrases", "1", "--json"))
    assert [told["phrases"][name] for name in ("found", "gold", "common")] == [1, 4, 1]


def test_evaluate_phrases_of_words_with_possible_links_only(tmp_path: Path) -> None:
    # Source word 0 has two possible links: 0 x 0,1 needs both; with any of them 0 x 0 and 0 x 1 are pairs, too.
    (tmp_path / "links").write_text("0-0\n")
    (tmp_path / "gold").write_text("0?0 0?1\n")
    asked = ("evaluate", tmp_path / "links", tmp_path / "gold", "--phrases", "5", "--json")
    for options, gold in (((), 1), (("--possible", "all"), 1), (("--possible", "any"), 3)):
        told = json.loads(succeed(*asked, *options))
        assert told["phrases"]["gold"] == gold
        assert f"|possible:{'any' if gold == 3 else 'all'}|" in told["signature"]


def test_a_gold_without_possible_links_makes_the_rule_for_them_idle(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("0-0\n")
    asked = ("evaluate", tmp_path / "links", tmp_path / "links", "--phrases", "5")
    plain = run(*asked)
    said = run(*asked, "--possible", "any")
    assert plain.err == ""
    assert said.out == plain.out.replace("|possible:all|", "|possible:any|")
    assert said.err == (
        "cepts: the gold has no possible links: --possible all and any give the same figures\n"
    )
    assert run(*asked, "--possible", "any", "--quiet").err == ""


@pytest.fixture
def text(files: Path) -> tuple[str, ...]:
    """Options that name the text of the links: three words a side, then one."""
    (files / "source").write_text("a b c\nd\n")
    (files / "target").write_text("u v w\nx\n")
    return "--source", str(files / "source"), "--target", str(files / "target")


def test_evaluate_with_the_text_gives_the_same(files: Path, text: tuple[str, ...]) -> None:
    plain = succeed("evaluate", files / "links", files / "naacl", "--phrases", "5")
    assert succeed("evaluate", files / "links", files / "naacl", "--phrases", "5", *text) == plain


def test_evaluate_phrases_of_another_text_is_refused(files: Path, text: tuple[str, ...]) -> None:
    (files / "source").write_text("a b c\n")
    (files / "target").write_text("u v w\n")
    said = refused("evaluate", files / "links", files / "gold", "--phrases", "5", "--possible", "any", *text)
    assert re.fullmatch(r"\S*links: .*\b2\b.*\b1\b.*", said), said


@pytest.mark.parametrize(
    ("links", "gold", "pattern"),
    [
        (
            "0-0\n1-0\n",
            GOLD,
            r"links, line 2: link 1-0 \(from 0\) is outside of its pair, which has 1 source and .*",
        ),
        (
            LINKS,
            "0-0\n0-1\n",
            r"gold, line 2: link 0-1 \(from 0\) is outside .*; are these links for this text.*",
        ),
        (LINKS, "1 1 1\n2 1 2\n", r"gold, sentence 2: link 0-1 \(from 0\) is outside of its pair.*"),
        (
            LINKS,
            "1-1 2-2 3-3\n1-1\n",
            "gold, line 1: link 3-3 .*; one lower all links fit: they count from 1.*",
        ),
        ("0-0\n", GOLD, "links: links of 1 pairs, but source has 2 pairs, expected as many; .*"),
        (LINKS, "0-0\n\n\n", "gold: links of 3 pairs, but source has 2 pairs, expected as many; .*"),
        (LINKS, "3 1 1\n", "gold, line 1: sentence 3, expected at most 2, the number of sentence pairs; .*"),
    ],
)
def test_links_that_do_not_fit_the_text_are_refused(
    files: Path, text: tuple[str, ...], links: str, gold: str, pattern: str
) -> None:
    (files / "links").write_text(links)
    (files / "gold").write_text(gold)
    assert text[0] == "--source"
    result = run("evaluate", "links", "gold", "--source", "source", "--target", "target", cwd=files)
    assert (result.status, result.out) == (2, "")
    assert re.fullmatch(f"cepts: {pattern}\n", result.err), result.err


def test_gold_in_the_wrong_direction_is_known_for_certain_from_the_text(files: Path) -> None:
    for name, content in (("source", "a b c\n"), ("target", "u\n"), ("links", "2-0\n"), ("gold", "0-2\n")):
        (files / name).write_text(content)
    result = run("evaluate", "links", "gold", "--source", "source", "--target", "target", cwd=files)
    assert result.status == 2
    assert result.err == (
        "cepts: gold, line 1: link 0-2 (from 0) is outside of its pair, which has 3 source and 1 target words; turned"
        " round all links fit: source and target are swapped\n"
    )


# Worked out by hand; 0-N links a source word to NULL, N-0 a target word. With a fourth source word in the first pair,
# A has 3-N and N-2 there, 0-N and N-0 in the second pair besides: 7 links. The gold has 3-N besides.
# Possible: |S| = 3, A and S 1, A and P 3; AER 1 - (1 + 3) / (7 + 3). Sure: |S| = 4, A and S 2; 1 - (2 + 3) / (7 + 4).
@pytest.mark.parametrize(
    ("gold", "options", "rule", "recall", "aer"),
    [
        ("gold", ("--null",), "possible", 1 / 3, 3 / 5),
        ("naacl", ("--null",), "possible", 1 / 3, 3 / 5),
        ("gold", ("--null-links", "possible"), "possible", 1 / 3, 3 / 5),
        ("gold", ("--null-links", "sure"), "sure", 2 / 4, 6 / 11),
        ("gold", ("--null", "--null-links", "sure"), "sure", 2 / 4, 6 / 11),
    ],
)
def test_evaluate_with_null_links(
    files: Path,
    text: tuple[str, ...],
    gold: str,
    options: tuple[str, ...],
    rule: str,
    recall: float,
    aer: float,
) -> None:
    (files / "source").write_text("a b c d\nd\n")
    told = json.loads(succeed("evaluate", files / "links", files / gold, *text, *options, "--json"))
    assert (told["precision"], told["recall"]) == pytest.approx((3 / 7, recall))
    assert told["aer"] == pytest.approx(aer)
    assert told["links"] == 7
    assert f"|null:{rule}|" in told["signature"]
    table = succeed("evaluate", files / "links", files / gold, *text, *options).split("\n")
    assert f"{100 * aer:.2f}" in table[4].split()
    assert f"|null:{rule}|" in table[-2]


def test_null_links_of_a_gold_with_sure_links_only(tmp_path: Path) -> None:
    # An empty line, and the NULL link of a NAACL file, which is dropped and made again: AER 0.
    contents = {"source": "a b\n\n", "target": "u\nv\n", "links": "0-0\n\n", "gold": "1 1 1\n1 2 0\n"}
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    text = ("--source", str(tmp_path / "source"), "--target", str(tmp_path / "target"))
    told = json.loads(succeed("evaluate", tmp_path / "links", tmp_path / "gold", "--null", "--json", *text))
    assert (told["aer"], told["recall"], told["links"]) == (0, 1, 3)  # 0-0, word 1, and v of the second pair
    assert "|null:sure|" in told["signature"]


def test_with_null_links_too_the_text_is_checked_first(files: Path, text: tuple[str, ...]) -> None:
    assert text[0] == "--source"
    (files / "links").write_text("0-0 3-3\n\n")
    names = ("--source", "source", "--target", "target")
    plain, asked = (run("evaluate", "links", "gold", *names, *more, cwd=files) for more in ((), ("--null",)))
    assert (asked.status, asked.out) == (2, "")
    assert asked.err == plain.err
    assert asked.err.startswith(
        "cepts: links, line 1: link 3-3 (from 0) is outside of its pair, which has 3 "
    )


NEEDS_TEXT = "needs the text, to know which words have no link: add --source FILE and --target FILE"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--null",), f"--null {NEEDS_TEXT}"),
        (("--null-links", "sure"), f"--null-links {NEEDS_TEXT}"),
        (
            ("--null-links", "maybe"),
            "invalid value for '--null-links': 'maybe' is not one of 'sure', 'possible'; see cepts evaluate --help",
        ),
        (
            ("--source", "links"),
            (
                "links, line 1: neither '|||' nor TAB; give two files, or one with `source ||| target` or `source TAB"
                " target` on each line"
            ),
        ),
        (
            ("--target", "links"),
            "--target needs --source: give both, or a --source with both languages, or none",
        ),
        (("--input-format", "tmx"), "--input-format needs the text; add --source FILE"),
        (("--phrases", "0"), "--phrases 0: expected a number from 1 to 32767"),
        (("--possible", "any"), "--possible any is about phrase pairs: add --phrases N, as --phrases 5"),
        (
            ("--phrases", "5", "--possible", "some"),
            "invalid value for '--possible': 'some' is not one of 'all', 'any'; see cepts evaluate --help",
        ),
    ],
)
def test_options_of_evaluate_that_are_refused(files: Path, options: tuple[str, ...], message: str) -> None:
    result = run("evaluate", "links", "gold", *options, cwd=files)
    assert (result.status, result.out, result.err) == (2, "", f"cepts: {message}\n")
