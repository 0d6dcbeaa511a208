"""A `cepts` for the sessions of the pages that is loaded once, and forks itself for each command.

Starting Python and loading kernels is most of what a small command takes. The process that waits here has done both; a
command in the pages' folder of programs hands it its streams, folder and environment, and ends as its child does.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_STREAMS = 64
APART = 1000  # no stream of a command has such a number
COMMAND = """\
import json, os, socket, sys
streams = [number for number in map(int, os.listdir("/dev/fd")) if os.path.exists(f"/dev/fd/{{number}}")]
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    socket.send_fds(server, [b"!"], streams)
    server.sendall(json.dumps([sys.argv[1:], streams, os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(9) or 1))
"""


@contextmanager
def warm_command(folder: Path) -> Iterator[Path]:
    """Start the process that waits; gives the folder where its command is."""
    address, programs = folder / "waiting", folder / "programs"
    programs.mkdir()
    script = programs / "ask.py"
    script.write_text(COMMAND.format(address=str(address)), encoding="utf-8")
    command = programs / "cepts"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -ISE "{script}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.docs.warm", str(address)],
        env=environment,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    ) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == b"ready\n"
        try:
            yield programs
        finally:
            waiting.terminate()


def wait_for_commands(address: str) -> None:
    """Load everything that most commands need, then fork for each one that asks."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 (no path of ours)
        said, sys.stdout = sys.stdout, nowhere
        run(["align", "--sample", "--threads", "1"])
        sys.stdout = said
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for children
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while True:
            asking, _ = listener.accept()
            with asking:
                streams = socket.recv_fds(asking, 1, MOST_STREAMS)[1]
                if os.fork() == 0:
                    answer(asking, streams)
                for stream in streams:
                    os.close(stream)


def answer(asking: socket.socket, streams: list[int]) -> None:
    """Be the command: take over its streams, folder and environment, and say how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with asking.makefile("rb") as message:
        arguments, places, folder, environment = json.loads(message.read())
    apart = [fcntl.fcntl(stream, fcntl.F_DUPFD, APART) for stream in streams]
    for place, stream in zip(places, apart, strict=True):
        os.dup2(stream, place)
    for stream in {*streams, *apart} - {*places}:
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    status = run(arguments)
    for file in (sys.stdout, sys.stderr):
        try:
            file.flush()
        except OSError:  # whoever read it is gone
            status = status or 1
    asking.sendall(str(status).encode())
    os._exit(status)


def run(arguments: list[str]) -> int:
    """Run `cepts`; returns its status."""
    from cepts.cli.main import main

    try:
        main(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    wait_for_commands(sys.argv[1])
