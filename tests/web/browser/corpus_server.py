"""A small corpus with two alignments and gold, and a `cepts serve` of it that can be killed and started again."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 600  # seconds: the first one may have to compile
PAIRS = [
    ("le chat noir dort", "the black cat sleeps", "0-0 1-1 2-1 3-3", "0-0 1-2 2-2 3-3", "0-0 1-2 2-1 3?3"),
    ("<script>hacked=1</script> <b>gras</b>", "<img/src=x/onerror=hacked=1> bold", "0-0", "0-0", "0-0 1-1"),
    (
        "القط الأسود نائم على السرير",
        "the black cat sleeps on the bed",
        "0-2 1-1 2-3",
        "0-2 1-1",
        "0-2 1-1 2-3 3-4",
    ),
    ("the black cat sleeps", "黑 猫 在 睡觉", "0-0 1-0 2-1 3-3", "1-0 2-1 3-3", "1-0 2-1 3-3 3?2"),
    (
        " ".join(f"mot{k}" for k in range(100)),
        " ".join(f"word{k}" for k in range(100)),
        " ".join(f"{k}-{k}" for k in range(100)),
        " ".join(f"{k}-{99 - k}" for k in range(100)),
        " ".join(f"{k}-{k}" for k in range(99)),
    ),
]
PLAIN = 60  # more pairs, whose links are right: 0-0 1-1 2-2


def pairs() -> list[tuple[str, str, str, str, str]]:
    """Source, target, links, other links and gold of each line; the plain ones come after `PAIRS`."""
    right = "0-0 1-1 2-2"
    return [
        *PAIRS,
        *((f"une ligne numéro{k}", f"a line number{k}", right, right, right) for k in range(PLAIN)),
    ]


def write_corpus(folder: Path) -> dict[str, Any]:
    """Write the corpus into a folder; return the options of `cepts serve` that name its files."""
    names = ("text.fr", "text.en", "links.txt", "other.txt", "gold.txt")
    for name, lines in zip(names, zip(*pairs(), strict=True), strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    source, target, links, other, gold = (str(folder / name) for name in names)
    corrections = str(folder / "corrections.jsonl")
    return {
        "source": source,
        "target": target,
        "links": (links, other),
        "gold": gold,
        "corrections": corrections,
    }


class CorpusProcess:
    """`cepts serve` as a process of its own, its address, and what it has on its disk."""

    def __init__(self, model: Path, folder: Path, *options: str) -> None:
        self.log = folder / "log"
        self.command = [sys.executable, "-m", "cepts", "serve", str(model), *options]
        for name, values in write_corpus(folder).items():
            for value in values if isinstance(values, tuple) else (values,):
                self.command += [f"--{name}", value]
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Start it, at the port that it had before, and wait until it answers."""
        with self.log.open("w", encoding="utf-8") as stream:
            self.process = subprocess.Popen(
                [*self.command, "--port", str(self.port)], stderr=stream, text=True
            )
        until = time.monotonic() + PATIENCE
        while "serving on" not in (said := self.log.read_text(encoding="utf-8")):
            assert self.process.poll() is None, said
            assert time.monotonic() < until, said
            time.sleep(0.05)
        self.port = int(said.rpartition(":")[2].strip().rstrip("/"))

    def kill(self) -> None:
        """End it at once, as when the power is cut."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def correction_of(address: str, line: int) -> list[list[Any]] | None:
    """The links of a line that the server has, None if it is not corrected."""
    with urlopen(f"{address}api/corpus/{line}", timeout=PATIENCE) as answer:
        correction = json.load(answer)["correction"]
    return None if correction is None else correction["links"]
