"""`cepts` within the test's own process: for what does not need a real one, which takes a second to start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from cepts.cli.main import cepts
from cepts.errors import CeptsError
from tests.cli.command import COMPILING

if TYPE_CHECKING:
    from pathlib import Path


def inside(*arguments: str | Path, stdin: str = "") -> tuple[str, str]:
    """Run a command that must succeed; return what it writes, and what it says."""
    done = CliRunner().invoke(
        cepts, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr.replace(COMPILING, "")


def refused_inside(*arguments: str | Path) -> str:
    """Run a command that must refuse, with nothing on stdout; return what it says."""
    done = CliRunner().invoke(cepts, [str(argument) for argument in arguments])
    assert done.stdout == ""
    assert isinstance(done.exception, CeptsError | SystemExit), done.exception
    return str(done.exception) if isinstance(done.exception, CeptsError) else done.stderr
