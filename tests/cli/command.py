"""`cepts`, called within this process or as a process of its own.

A process needs a second to start, and most tests ask for nothing that only a process has. Those that do (signals,
pipes, closed streams, answers while stdin is open, compilation) use `run_process` and `start`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

from numba.core import event

from cepts.cli.main import main
from cepts.running import compiling

if TYPE_CHECKING:
    from collections.abc import Iterator

CEPTS = (sys.executable, "-m", "cepts")
LONGEST = 120  # seconds; a process that takes longer hangs
COMPILING = re.compile(r"cepts: compiling kernels, once for this version: [^\n]*\n")
DONE = re.compile(r"^cepts: done: (.* in \d+\.\d s(?:, written to .*)?)\n\Z", re.MULTILINE)


class Result(NamedTuple):
    """How a run ended, and what it wrote; apart from that, whether it said that kernels were compiled.

    The last line, which says how much was done and how long it took, is left out: see `done`.
    """

    status: int
    out: str
    err: str
    compiled: bool


def run(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> Result:
    """Run `cepts` within this process; its stdin ends after the bytes that are given."""
    return as_result(*written(*arguments, stdin=stdin, cwd=cwd))


def done(*arguments: str | Path, stdin: bytes = b"") -> str:
    """Run `cepts`, which must succeed; return what its last line says was done, or nothing without such a line."""
    status, _, err = written(*arguments, stdin=stdin)
    said = DONE.search(err.decode("utf-8"))
    assert status == 0
    return said[1] if said else ""


def written(*arguments: str | Path, stdin: bytes, cwd: Path | None = None) -> tuple[int, bytes, bytes]:
    """Run `cepts` within this process; return its status and what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        files[0].write_bytes(stdin)
        with streams(*files), surroundings_kept(), chdir(cwd or Path.cwd()):
            try:
                main([*map(str, arguments)])
            except SystemExit as end:
                status = end.code
        assert isinstance(status, int)
        return status, files[1].read_bytes(), files[2].read_bytes()


def run_process(*arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> Result:
    """Run `cepts` as a process of its own."""
    done = subprocess.run(
        [*CEPTS, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env=os.environ | (env or {}),
        timeout=LONGEST,
        check=False,
    )
    return as_result(done.returncode, done.stdout, done.stderr)


def as_result(status: int, out: bytes, err: bytes) -> Result:
    """Decode what was written, and take out what is said when kernels are compiled."""
    said = err.decode("utf-8")
    return Result(
        status,
        out.decode("utf-8", "surrogateescape"),
        without_announcement(said),
        COMPILING.search(said) is not None,
    )


@contextmanager
def streams(stdin: Path, stdout: Path, stderr: Path) -> Iterator[None]:
    """Put files in place of the streams: commands ask for their numbers and for their bytes."""
    with (
        stdin.open(encoding="utf-8") as given,
        stdout.open("w", encoding="utf-8") as out,
        stderr.open("w", encoding="utf-8", errors="backslashreplace") as err,
        mock.patch.multiple(sys, stdin=given, stdout=out, stderr=err),
    ):
        yield


@contextmanager
def surroundings_kept() -> Iterator[None]:
    """Undo what a command does to its process: its environment, its handler of SIGTERM, its ear for compilation.

    Whatever the command needs is compiled in this process.
    """
    listeners = []

    def register(kind: str, listener: event.Listener) -> None:
        listeners.append((kind, listener))
        event_register(kind, listener)

    event_register, handler = event.register, signal.getsignal(signal.SIGTERM)
    with (
        mock.patch.dict(os.environ, COLUMNS="80"),
        mock.patch.object(event, "register", register),
        mock.patch.object(compiling, "compile_beside", return_value=[]),
    ):
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, handler)
            for kind, listener in listeners:
                with suppress(ValueError):  # Numba's own have left already
                    event.unregister(kind, listener)


def without_announcement(said: str) -> str:
    """Leave out what is said when a test is the first that ever needs some kernel, and how long it took."""
    return DONE.sub("", COMPILING.sub("", said, count=1))


def succeed(*arguments: str | Path, stdin: bytes = b"") -> str:
    """Run `cepts` where nothing is to be said: return stdout, with status 0 and an empty stderr."""
    result = run(*arguments, stdin=stdin)
    assert (result.status, result.err) == (0, ""), result
    return result.out


def refused(*arguments: str | Path, stdin: bytes = b"") -> str:
    """Run `cepts` where it must refuse, in one line, with status 2 and an empty stdout: return what it says."""
    result = run(*arguments, stdin=stdin)
    assert (result.status, result.out) == (2, ""), result
    assert result.err.startswith("cepts: ")
    assert result.err.count("\n") == 1
    return result.err.removeprefix("cepts: ").rstrip("\n")


def start(*arguments: str | Path, **options: object) -> subprocess.Popen[bytes]:
    """Start `cepts` as a process with pipes, for a test that talks to it."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*CEPTS, *map(str, arguments)], **(pipes | options))  # type: ignore[call-overload,no-any-return]


def names(folder: Path) -> set[str]:
    """Name everything in a folder and below, to see that nothing was left behind."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
