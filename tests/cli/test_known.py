"""`--lexicon` and `--known-links`: one real process, the rest in this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cepts.cli.main import cepts
from cepts.errors import CeptsError, InputError, OptionError
from tests.cli.command import run, without_announcement

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from tests.cli.conftest import Text


def call(*arguments: object) -> Result:
    """Run a command that must succeed."""
    result = CliRunner().invoke(cepts, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result


def refusal(kind: type[CeptsError], *arguments: object) -> str:
    """Run a command that must be refused; return what it says."""
    with pytest.raises(kind) as caught:
        CliRunner().invoke(cepts, [str(each) for each in arguments], catch_exceptions=False)
    return str(caught.value)


@pytest.fixture
def known(text: Text, tmp_path: Path) -> Path:
    """Links of the second pair."""
    path = tmp_path / "known"
    path.write_text("\n".join(["", "0-1 1?0", *[""] * (len(text.pairs) - 2)]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    path = tmp_path / "words.tsv"
    path.write_text("Elle\tShe\t2\nlicorne\tunicorn\n" + "x " * 11 + "\ty\n", encoding="utf-8")
    return path


def test_a_process_learns_and_writes_what_is_known(
    text: Text, known: Path, lexicon: Path, links: str
) -> None:
    result = run(
        "align",
        text.source,
        text.target,
        "--known-links",
        known,
        "--known-complete",
        "--lexicon",
        lexicon,
        "--scores",
    )
    assert result.status == 0
    assert result.err == (
        "cepts: of 3 lexicon entries 1 have a word that the text lacks, 0 words that never meet in it, 1 too many"
        " words: they change nothing\n"
    )
    lines = result.out.split("\n")
    assert len(lines) == len(links.split("\n"))
    assert lines[1].split("\t")[0].split(" ")[0] == "0-1:1"
    assert {piece.split(":")[0] for piece in lines[1].split("\t")[0].split(" ")} <= {"0-1", "1-0"}


def test_a_trained_model_takes_known_links_too(text: Text, known: Path, tmp_path: Path) -> None:
    sides = (text.source, text.target)
    model = tmp_path / "model"
    call("train", *sides, "--output", model, "--known-links", known, "--quiet")
    at_once = call("align", *sides, "--known-links", known, "--quiet").stdout
    assert call("align", "--model", model, *sides, "--known-links", known, "--quiet").stdout == at_once


def test_lists_in_parts_know_the_links_of_their_part(
    text: Text, known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (
        "align",
        text.source,
        text.target,
        "--known-links",
        known,
        "--direction",
        "forward",
        "--n-best",
        3,
    )
    whole = call(*command, "--quiet").stdout
    monkeypatch.setattr("cepts.cli.answers.LISTED", 30)
    assert call(*command, "--quiet").stdout == whole
    assert all(" 0-1 " in f" {line} " for line in whole.split("\n") if line.startswith("1 ||| "))


def test_empty_files_change_nothing(text: Text, links: str, tmp_path: Path) -> None:
    empty, blank = tmp_path / "empty", tmp_path / "blank"
    empty.write_text("")
    blank.write_text("\n" * len(text.pairs))
    result = call(
        "align", text.source, text.target, "--lexicon", empty, "--known-links", blank, "--known-complete"
    )
    assert (result.stdout, without_announcement(result.stderr)) == (links, "")


def test_options_without_effect_are_refused(text: Text, known: Path, lexicon: Path, model: Path) -> None:
    sides = (text.source, text.target)
    for arguments, message in (
        ((*sides, "--lexicon-weight", 2), "--lexicon-weight needs --lexicon; add that, or drop it"),
        ((*sides, "--known-complete"), "--known-complete needs --known-links; add that, or drop it"),
        (
            (*sides, "--combine", "cepts", "--format", "cepts", "--known-links", known),
            "--known-links is about links; drop it, or --format cepts",
        ),
        (
            (*sides, "--known-links", "-", "--lexicon", "-"),
            "--lexicon and --known-links cannot both be standard input: give a file for one",
        ),
        (
            ("--model", model, *sides, "--lexicon", lexicon),
            "--lexicon cannot change a model that is trained; drop it, or --model",
        ),
        (
            ("--model", model, "--known-links", known),
            "--known-links needs files: pairs on stdin are answered one by one",
        ),
        (("--sample", "--known-links", known), "--known-links does not go with --sample; drop one of them"),
        (("--sample", "--lexicon", lexicon), "--lexicon does not go with --sample; drop one of them"),
    ):
        assert refusal(OptionError, "align", *arguments) == message


def test_files_that_do_not_fit_are_refused_with_file_and_line(text: Text, tmp_path: Path) -> None:
    path, output = tmp_path / "given", tmp_path / "output"
    blank = "\n" * (len(text.pairs) - 2)
    for option, content, message in (
        (
            "--known-links",
            "0-0\n",
            f"{path}: links of 1 pairs, but {text.source} has {len(text.pairs)} pairs",
        ),
        ("--known-links", f"\n0-99\n{blank}", f"{path}, line 2: link 0-99 (from 0) is outside of its pair"),
        ("--known-links", f"\n0-a\n{blank}", f"{path}, line 2: "),
        ("--lexicon", "a\tb\nc\n", f"{path}, line 2: one column, expected `source TAB target`"),
    ):
        path.write_text(content)
        said = refusal(InputError, "align", text.source, text.target, option, path, "--output", output)
        assert said.startswith(message)
        assert not output.exists()
