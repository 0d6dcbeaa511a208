"""Processes that save correction after correction, each killed at some moment; what they said, and what they left.

Writes an object for each: "told", the corrections that were acknowledged, "kept", the file's lines, and "begun",
whether a save had begun that came to nothing.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from cepts.web.corrections import Corrections
from tests.web.pairs import make_bitext

if TYPE_CHECKING:
    from cepts.corpus import Bitext


def main(path: Path, kills: int) -> None:
    """Let processes begin and end."""
    bitext, chance = make_bitext(), Random(10)
    for _ in range(kills):
        before = set(path.parent.iterdir())
        told = killed(path, bitext, chance)
        begun = any(left.suffix == ".tmp" for left in set(path.parent.iterdir()) - before)
        kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        print(json.dumps({"told": told, "kept": kept, "begun": begun}), flush=True)


def killed(path: Path, bitext: Bitext, chance: Random) -> list[str]:
    """Return what a process was told before it was killed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        save_for_ever(path, bitext, write)
    os.close(write)
    with os.fdopen(read, "rb") as told:
        lines = [told.readline() for _ in range(chance.randint(0, 3))]
        time.sleep(chance.random() * 0.02)
        os.kill(child, signal.SIGKILL)
        lines += told.readlines()
    os.waitpid(child, 0)
    return [line.decode() for line in lines if line.endswith(b"\n")]


def save_for_ever(path: Path, bitext: Bitext, write: int) -> None:
    """Correct lines in turn, and say after each what was saved."""
    corrections = Corrections(path, bitext)
    for step in range(10**9):
        line = (1, 2, 4, 6)[step % 4]
        links = [(0, 0, step % 2 == 0), (1, 1, True)]
        saved = corrections.put(line, links, corrections.version(line), by="x" * (1000 * (step % 7)))
        os.write(write, f"{saved.written()}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
