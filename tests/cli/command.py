"""`cepts` as a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

CEPTS = (sys.executable, "-m", "cepts")
LONGEST = 120  # seconds; a process that takes longer hangs
COMPILING = "cepts: compiling kernels, once; this can take a minute\n"


class Result(NamedTuple):
    """How a process ended, and what it wrote; apart from that, whether it said that kernels were compiled."""

    status: int
    out: str
    err: str
    compiled: bool


def run(
    *arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None
) -> Result:
    """Run `cepts`; its stdin ends after the bytes that are given."""
    done = subprocess.run(
        [*CEPTS, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env=os.environ | (env or {}),
        cwd=cwd,
        timeout=LONGEST,
        check=False,
    )
    said = done.stderr.decode("utf-8")
    return Result(done.returncode, done.stdout.decode("utf-8"), without_announcement(said), COMPILING in said)


def without_announcement(said: str) -> str:
    """Leave out what is said when a test is the first that ever needs some kernel."""
    return said.replace(COMPILING, "", 1)


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


def start(*arguments: str | Path, **options: object) -> subprocess.Popen[bytes]:
    """Start `cepts` with pipes, for a test that talks to it."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*CEPTS, *map(str, arguments)], **(pipes | options))  # type: ignore[call-overload,no-any-return]


def names(folder: Path) -> set[str]:
    """Name everything in a folder and below, to see that nothing was left behind."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
