"""Every option is described where its command is, and no option is described that there is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click
import pytest

from cepts.aligning import COMBINERS, DIRECTIONS, MODEL_TYPES, RECIPES
from cepts.aligning.recipes import AGREEMENTS, NULL_STATES, NULL_UPDATES, OPTIMIZERS, TRAININGS
from cepts.choices import JUMP_UPDATES as UPDATES
from cepts.cli import main
from cepts.cli.main import cepts
from cepts.combine.association import MEASURES
from cepts.combine.cepts import CRITERIA, ORPHANS, SEARCHES
from cepts.combine.dual import STEPS
from tests.cli.commands import COMMANDS
from tests.docs.pages import PAGES, README, ROOT, command_sections, named, options, read

if TYPE_CHECKING:
    from pathlib import Path


def long_options(command: click.Command, off: bool = False) -> set[str]:
    """Return the names of a command's options; with `off`, also those that switch something off."""
    return {
        name
        for parameter in command.get_params(click.Context(command))
        for name in (*parameter.opts, *(parameter.secondary_opts if off else ()))
        if name.startswith("--")
    }


def described() -> dict[str, str]:
    sections: dict[str, str] = {}
    for page in PAGES:
        sections |= command_sections(read(page))
    return sections


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_described(name: str) -> None:
    missing = long_options(COMMANDS[name]) - {"--help", "--help-all"} - options(described()[name])
    assert not missing, f"not described under `cepts {name}`: {sorted(missing)}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_of_a_command_is_described(name: str) -> None:
    arguments = [
        each.human_readable_name for each in COMMANDS[name].params if isinstance(each, click.Argument)
    ]
    assert all(argument in described()[name] for argument in arguments), arguments


def test_every_option_of_the_group_is_described() -> None:
    assert long_options(cepts) <= options(read(ROOT / "docs" / "index.md"))


def test_every_described_command_exists() -> None:
    assert set(described()) == set(COMMANDS)
    assert set(main.COMMANDS) == set(cepts.list_commands(click.Context(cepts)))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_option_that_is_named_exists(page: Path) -> None:
    known = long_options(cepts).union(*(long_options(command, off=True) for command in COMMANDS.values()))
    text = re.sub(
        r"`python experiments/[^`]+`", "", read(page)
    )  # these have options of their own, tested there
    unknown = options(text) - known
    assert not unknown, sorted(unknown)


@pytest.mark.parametrize(
    "names",
    [
        AGREEMENTS,
        COMBINERS,
        DIRECTIONS,
        MODEL_TYPES,
        NULL_UPDATES,
        OPTIMIZERS,
        TRAININGS,
        UPDATES,
        ("auto", "off"),
        NULL_STATES,
        STEPS,
        MEASURES,
        CRITERIA,
        SEARCHES,
        ORPHANS,
        tuple(RECIPES),
    ],
)
def test_every_choice_is_described(names: tuple[str, ...]) -> None:
    assert all(f"`{name}`" in described()["align"] for name in names), names


def test_ci_runs_the_test_command_of_the_readme() -> None:
    line = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m pytest"
    assert line in read(README).splitlines()
    assert line in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
