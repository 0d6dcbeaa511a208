"""Experiments asked on their command line: what they refuse, and where they work."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def refusal(
    parse: Callable[[list[str]], object], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> str:
    """What is said of options that cannot be."""
    with pytest.raises(SystemExit) as stopped:
        parse(arguments)
    assert stopped.value.code == 2
    return capsys.readouterr().err


def report_from(folder: Path, script: Path) -> subprocess.CompletedProcess[str]:
    """Let a script write the report of no results into `out`, from a folder that is not its own."""
    asked = [sys.executable, script, "--report", "--output", "out"]
    return subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True)
