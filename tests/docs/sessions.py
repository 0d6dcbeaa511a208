"""The `console` blocks of the pages: run as they stand, and compared with what is printed below them.

    $ cepts --version
    cepts 0.1.0

The blocks of a page share one empty folder. A last line `...` stands for all further output. After a change that
is meant to change outputs, `python -m tests.docs.sessions` from the project's root writes the new ones into the pages.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import PAGES, fences, named, read

NUMBER = re.compile(r"\d+(?:\.\d+)?")
PROMPT = "$ "
REST = "..."
COMPILING = "cepts: compiling kernels"  # said by the first run of a version alone
DONE = "cepts: done: "  # with the seconds that it took
FAILURE = "cepts: a failure of ours"  # never to be written into a page
CLOSE, CLOSE_SHARE = (
    0.02,
    0.01,
)  # what processors may differ by in probabilities, scores and sizes; positions never


class Entry(NamedTuple):
    """A command and the lines that it prints."""

    command: str
    output: list[str]


def entries(text: str) -> list[Entry]:
    """Cut a console block into its commands.

    >>> entries("$ a\\nb\\nc\\n$ d\\n")
    [Entry(command='a', output=['b', 'c']), Entry(command='d', output=[])]
    """
    found: list[Entry] = []
    for line in text.splitlines():
        if line.startswith(PROMPT):
            found.append(Entry(line.removeprefix(PROMPT), []))
        else:
            found[-1].output.append(line)
    return found


def run(command: str, folder: Path, programs: Path | None = None) -> list[str]:
    """Run a command in a folder, with these programs before all others; return what it says on both streams."""
    folders = [*([] if programs is None else [str(programs)]), str(Path(sys.executable).parent)]
    path = os.pathsep.join([*folders, os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    lines = done.stdout.decode("utf-8").splitlines()
    return [line.rstrip() for line in lines if not line.startswith((COMPILING, DONE))]


def shortened(output: list[str], printed: list[str]) -> list[str]:
    """Cut an output as the page cuts it.

    >>> shortened(["a", "b", "c"], ["x", "..."])
    ['a', '...']
    """
    if printed[-1:] == [REST] and len(output) >= len(printed):
        return [*output[: len(printed) - 1], REST]
    return output


def alike(output: list[str], printed: list[str]) -> bool:
    """Tell whether two outputs have the same words and nearly the same numbers.

    >>> alike(["0-1:1"], ["0-1:0.9999"]), alike(["0-1:1"], ["0-2:1"])
    (True, False)
    """
    left, right = "\n".join(output), "\n".join(printed)
    if NUMBER.split(left) != NUMBER.split(right):
        return False
    numbers = zip(NUMBER.findall(left), NUMBER.findall(right), strict=True)
    return all(abs(float(a) - float(b)) <= max(CLOSE, CLOSE_SHARE * float(b)) for a, b in numbers)


def replay(text: str, folder: Path, programs: Path | None = None) -> list[tuple[Entry, list[str]]]:
    """Run all commands of a page's console blocks; return each with what it says now."""
    written = [entry for block in fences(text, "console") for entry in entries(block.text)]
    return [(entry, shortened(run(entry.command, folder, programs), entry.output)) for entry in written]


def refreshed(text: str, folder: Path) -> str:
    """Return a page with the outputs that its commands give now, where those differ."""
    for entry, output in replay(text, folder):
        if any(FAILURE in line for line in output):
            raise SystemExit(f"`{entry.command}` fails: {output[-1]}")
        if not alike(output, entry.output):
            old, new = ("\n".join([PROMPT + entry.command, *lines]) for lines in (entry.output, output))
            text = text.replace(f"{old}\n", f"{new}\n", 1)
    return text


def main() -> None:
    """Write new outputs into the pages."""
    for page in PAGES:
        before = read(page)
        with tempfile.TemporaryDirectory() as folder:
            after = refreshed(before, Path(folder))
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{named(page)} rewritten")


if __name__ == "__main__":
    main()
