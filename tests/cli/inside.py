"""`cepts` within this process: for commands that compile nothing, many times faster than a process of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from click.testing import CliRunner

from cepts.cli.main import _status
from tests.cli.command import Result, without_announcement

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    """Run `cepts`; its stdin ends after the bytes that are given."""
    with CliRunner().isolation(input=stdin) as streams:
        status = _status([str(argument) for argument in arguments], debug=False)
        sys.stdout.flush()
        sys.stderr.flush()
    out, err = (stream.getvalue().decode("utf-8") for stream in streams[:2])
    return Result(status, out, without_announcement(err), compiled=False)


def succeed(*arguments: str | Path, stdin: bytes = b"") -> str:
    """Run `cepts` where nothing is to be said: return stdout, with status 0 and an empty stderr."""
    result = run(*arguments, stdin=stdin)
    assert (result.status, result.err) == (0, "")
    return result.out


def refused(*arguments: str | Path, stdin: bytes = b"") -> str:
    """Run `cepts` where it must refuse, in one line, with status 2 and an empty stdout: return what it says."""
    result = run(*arguments, stdin=stdin)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("cepts: ")
    assert result.err.count("\n") == 1
    return result.err.removeprefix("cepts: ").rstrip("\n")
