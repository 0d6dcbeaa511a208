"""A model that is used the wrong way round is refused; one of other languages is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.command import refused, run, succeed
from tests.corpus.written import put

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

CURE = "exchange source and target, or say --no-check"


def test_sides_that_are_exchanged(model: Path, text: Text) -> None:
    message = refused("align", text.target, text.source, "--model", model)
    assert "wrong way round" in message
    assert message.endswith(CURE)
    assert "with the sides exchanged 0 % and 0 %" in message
    assert succeed("align", text.target, text.source, "--model", model, "--no-check").count("\n") == 60


@pytest.mark.parametrize("pairs", [19, 20])
def test_twenty_lines_are_enough(model: Path, text: Text, tmp_path: Path, pairs: int) -> None:
    turned = "".join(f"{target} ||| {source}\n" for source, target in text.pairs[:pairs])
    file = put(tmp_path, "both", "nothing ||| \n" + turned)
    assert run("align", file, "--model", model).status == (2 if pairs == 20 else 0)


def test_a_stream_is_answered_all_the_same(model: Path, text: Text) -> None:
    turned = "".join(f"{target} ||| {source}\n" for source, target in text.pairs).encode()
    result = run("align", "--model", model, stdin=turned)
    assert (result.status, result.out.count("\n")) == (0, 60)
    assert result.err.count("wrong way round") == result.err.count("\n") == 1
    for options in (("--no-check",), ("--quiet",)):
        assert succeed("align", "--model", model, *options, stdin=turned) == result.out
    assert (
        succeed("align", "--model", model, stdin=b"".join(turned.splitlines(keepends=True)[:19])).count("\n")
        == 19
    )


def test_other_languages(model: Path, text: Text, tmp_path: Path) -> None:
    file = put(
        tmp_path,
        "both",
        "".join(f"x{source.replace(' ', ' x')} ||| {target}\n" for source, target in text.pairs),
    )
    result = run("align", file, "--model", model)
    assert result.status == 0
    assert result.err == (
        f"cepts: {model} does not know 100 % of its source and 0 % of its target words: is it a model of these"
        " languages, and of text that was cut into words and lower-cased alike?\n"
    )
    for options in (("--no-check",), ("--quiet",)):
        assert succeed("align", file, "--model", model, *options) == result.out


def test_every_command_that_aligns_with_a_model(model: Path, text: Text, tmp_path: Path) -> None:
    turned, links = (text.target, text.source), tmp_path / "out"
    for command in (
        ("view", *turned, "--model", model),
        ("terms", *turned, "--model", model),
        ("filter", *turned, "--model", model, "--scores"),
        ("train", *turned, "--from", model, "--output", links),
    ):
        assert "wrong way round" in refused(*command)
        assert run(*command, "--no-check").status == 0
