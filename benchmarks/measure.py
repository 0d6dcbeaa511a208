"""Run a command and measure it: CPU seconds of it and its children, wall seconds, peak resident memory.

The command is started by a small process of its own (this file, run as a script): a child begins with the
peak memory of whoever started it, and the benchmark itself may have read a whole corpus.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Measurement:
    """What a finished command has used; peak memory is that of its largest process."""

    cpu_seconds: float
    wall_seconds: float
    peak_mb: float


class CommandFailedError(Exception):
    """A measured command that did not end with status 0."""


def measure(
    command: Sequence[object],
    environment: Mapping[str, str] | None = None,
    output: Path | None = None,
) -> Measurement:
    """Run a command to its end, its stdout and stderr into `output` or nowhere, and return what it used."""
    with tempfile.TemporaryDirectory() as folder:
        report, log = Path(folder, "report"), output or Path(folder, "log")
        launcher = [sys.executable, "-S", "-E", __file__, report, *command]
        with log.open("wb") as stream:
            subprocess.run(
                [str(part) for part in launcher],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                check=True,
            )
        result = json.loads(report.read_text())
        if result.pop("status") != 0:
            end = log.read_text(errors="replace").strip().splitlines()[-1:] or ["no output"]
            raise CommandFailedError(f"{' '.join(map(str, command))}: {end[0]}")
        return Measurement(**result)


def launch(report: str, command: list[str]) -> None:
    """Start a command, wait for it and write what it used, as the launching process."""
    start = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    unit = (
        1024**2 if sys.platform == "darwin" else 1024
    )  # ru_maxrss is in bytes there, in kilobytes elsewhere
    result = {
        "status": os.waitstatus_to_exitcode(status),
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "wall_seconds": time.perf_counter() - start,
        "peak_mb": usage.ru_maxrss / unit,
    }
    Path(report).write_text(json.dumps(result))


if __name__ == "__main__":
    launch(sys.argv[1], sys.argv[2:])
