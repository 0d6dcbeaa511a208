"""`cepts validate`: problems on stdout, a summary on stderr, 2 where anything is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli import command
from tests.cli.command import refused, run

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = {"links": "0-0 1-1\n\n", "source": "a b\nc\n", "target": "u v w\nx\n"}
TEXT = ("--source", "source", "--target", "target")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with links and their text, in which the commands run."""
    for name, content in CONTENTS.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("files")
def test_nothing_is_wrong() -> None:
    for text in ((), TEXT):
        result = run("validate", "links", *text)
        assert (result.status, result.out) == (0, "")
        assert result.err == "cepts: links: pharaoh, 2 pairs, 2 links; no problems\n"
    quiet = run("validate", "-", "--quiet", stdin=b"1 1 1 S\n")
    assert quiet[:3] == (0, "", "")


def test_problems_have_their_lines(files: Path) -> None:
    (files / "links").write_text("0-0 0-0 1-3\nx\n\n")
    result = run("validate", "links", *TEXT)
    assert result.status == 2
    assert result.out.splitlines() == [
        "links, line 2: format: 'x' is not a link, expected i-j (sure), i?j (possible) or i-j:confidence",
        "links: count: links of 3 pairs, but the text has 2: the file goes on behind it",
        "links, line 1: range: link 1-3 (from 0) is outside of its pair, which has 2 source and 3 target words",
        "links, line 1: duplicate: link 0-0 stands there more than once",
    ]
    told = "problems: 1 format, 1 duplicate, 1 count, 1 range"
    assert result.err == f"cepts: links: pharaoh, 3 pairs, 3 links; {told}\n"
    assert run("validate", "links", *TEXT, "--quiet")[:3] == (2, result.out, "")


def test_as_a_process(files: Path) -> None:
    (files / "links").write_text("0-2\n\n")
    result = command.run("validate", "links", "--source", "target", "--target", "source", cwd=files)
    assert result.status == 2
    assert result.out.splitlines()[1] == (
        "links, line 1: direction: turned round all links fit: source and target are swapped"
    )


def test_limit_format_and_tokens(files: Path) -> None:
    (files / "links").write_text("2-4 3-4\n2-2\n")
    told = run("validate", "links", "--input-format", "talp", *TEXT, "--limit", "1")
    assert told.out.splitlines() == [
        "links, line 1: range: link 2-4 (from 1) is outside of its pair, which has 2 source and 3 target words"
    ]
    assert told.err.endswith("talp, 2 pairs, 3 links; problems: 3 range\n")
    (files / "source").write_text("a b\nc!!\n")
    (files / "target").write_text("u v w\nx?\n")
    (files / "links").write_text("0-0\n1-1\n")
    assert run("validate", "links", *TEXT).status == 2
    assert run("validate", "links", *TEXT, "--tokenize").status == 0


def test_other_words(files: Path) -> None:
    line = '{"source": "a b", "target": "U v w", "links": []}\n{"source": "d", "target": "x", "links": []}\n'
    (files / "links").write_text(line)
    result = run("validate", "links", *TEXT)
    assert (result.status, result.out) == (
        2,
        "links: words: pair 2: its source words are 'd', but the text has 'c', expected the same\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--source", "source"), "--source and --target go together: give both, or none"),
        (("--tokenize",), "--tokenize is about the text: add --source FILE and --target FILE"),
        (("--limit", "0"), "--limit 0: expected a number from 1 to 1000000"),
        (("--source", "none", "--target", "target"), "none: no such file"),
    ],
)
@pytest.mark.usefixtures("files")
def test_options_that_are_refused(arguments: tuple[str, ...], message: str) -> None:
    assert refused("validate", "links", *arguments) == message


def test_what_is_no_text_is_refused(files: Path) -> None:
    (files / "links").write_bytes(b"0-0\n\xff\n")
    assert refused("validate", "links").startswith(
        "links, line 2: invalid UTF-8 (byte 0xff), expected plain text"
    )
    (files / "links").write_bytes(b"0-0\n\0\n")
    assert refused("validate", "links").startswith(
        "links, line 2: a NUL byte, expected text; is this a file of"
    )
    assert refused("validate", "none") == "none: no such file"
