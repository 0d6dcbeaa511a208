"""Every number that an option takes has bounds, which are kept before anything is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from cepts.cli.main import cepts
from cepts.cli.options import within
from tests.cli.command import run

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS = (within, click.types.IntParamType, click.types.FloatParamType)  # ranges of click are of these, too
UNBOUNDED_BELOW = {("names", "match", "--min-score")}


def numeric_options(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Option]]:
    """Walk over all commands: each option that takes a number, behind the path of its command."""
    context = click.Context(command)
    for option in command.params:
        if isinstance(option, click.Option) and isinstance(option.type, NUMBERS):
            yield path, option
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from numeric_options(found, (*path, name))


OPTIONS = list(numeric_options(cepts))


def test_the_walk_finds_them():
    assert len(OPTIONS) > 130
    assert {" ".join(path) for path, _ in OPTIONS} >= {"align", "names transcribe", "translate", "serve"}


def test_no_option_takes_a_number_without_bounds():
    for path, option in OPTIONS:
        assert isinstance(option.type, within), (path, option.opts)


@pytest.mark.parametrize(
    ("path", "option"), [pytest.param(*each, id=" ".join((*each[0], each[1].opts[0]))) for each in OPTIONS]
)
def test_absurd_numbers_are_refused_in_one_line(path, option):
    name = option.opts[0]
    absurd = [10**12, -1] if option.type.limits.whole else [1e12, -1.5, "nan", "inf", "-inf"]
    for number in absurd:
        if number == -1.5 and (*path, name) in UNBOUNDED_BELOW:
            continue
        done = run(*path, name, str(number))
        assert done.status == 2
        assert done.out == ""
        shown = number if option.type.limits.whole else float(number)
        assert done.err == f"cepts: {name} {shown}: expected {option.type.limits}\n"


def test_a_number_that_is_none_is_refused_as_before():
    done = run("filter", "a", "b", "--max-words", "many")
    assert done.status == 2
    assert "'many' is not a valid integer" in done.err


@pytest.mark.parametrize("name", ["--regularity", "--iterations"])
@pytest.mark.parametrize("number", ["1000000000000", "-1", "nan", "inf"])
def test_absurd_numbers_within_a_text_are_refused_in_one_line(name, number):
    done = run("align", "--sample", name, f"ibm1={number}" if name == "--iterations" else number)
    assert done.status == 2
    assert done.err.startswith(f"cepts: {name} ")
    assert done.err.count("\n") == 1
