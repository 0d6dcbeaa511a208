"""`cepts` where it says something, or must refuse, in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.command import refused, run

if TYPE_CHECKING:
    from pathlib import Path


def inside(*arguments: str | Path, stdin: str = "") -> tuple[str, str]:
    """Run a command that must succeed; return what it writes, and what it says."""
    result = run(*arguments, stdin=stdin.encode())
    assert result.status == 0, result.err
    return result.out, result.err


def refused_inside(*arguments: str | Path) -> str:
    """Run a command that must refuse, with nothing on stdout; return what it says."""
    return refused(*arguments)
