"""Which kernels commands need: written into `src/cepts/running/kernels.json`, so that they can be compiled beforehand.

`python -m tests.running.recording`, from the project's root, runs commands on the samples, one after the other in a
folder of its own, and notes for each one which kernels Python calls, in the order of their first use, and the types of
their arguments. A test compares some of it with what is in the file.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba import types
from numba.core import event

import cepts
from cepts.running import kernel
from cepts.running.compiling import LIST

if TYPE_CHECKING:
    from collections.abc import Iterator

# Behind a colon a line; before it the command that the line stands for. Lines without one are of rare options.
LINES = """
align: align fr en --output links
align fast: align fr en --method fast
align bidirectional: align fr en --method bidirectional
align cepts: align fr en --method cepts
align denero-2011: align fr en --method denero-2011
align goutte-2004: align fr en --method goutte-2004
align schoenemann-2011: align fr en --method schoenemann-2011
train: train fr en --output model
lexicon: lexicon fr en links --format moses --output lexicon
phrases: phrases fr en links --output table
terms: terms fr en
filter: filter fr en --output clean
translate train: translate train fr en --dev head.fr head.en --rounds 2 --output translator
translate: translate --model translator
names train: names train names --output edits --order 1 --epochs 1
names transcribe: names transcribe --model edits
names rank: names rank --model edits --candidates candidates
names match: names match persons candidates --model edits
names evaluate: names evaluate names --model edits
similar train: similar train fr en --output space
similar score: similar score fr en --model space
similar rank: similar rank fr en --model space
similar train-judge: similar train-judge head.fr head.en machine --model space --output judge
similar judge: similar judge head.fr machine head.en --model judge
view: view fr en --model model
serve: serve model
combine: combine links links --combine grow-diag-final-and
evaluate: evaluate links links --phrases 5
"""
COMMAND = [sys.executable, "-m", "tests.running.recording"]


def spelled(kind: types.Type) -> Any:
    """Write the type of an argument as JSON: see `cepts.running.compiling.type_of`."""
    if isinstance(kind, types.BaseNamedTuple):
        made = kind.instance_class
        return {f"{made.__module__}.{made.__qualname__}": [spelled(part) for part in kind.types]}
    if isinstance(kind, types.BaseTuple):
        return [spelled(part) for part in kind]
    if isinstance(kind, types.Array):
        assert kind.aligned
        return f"{kind.dtype} {kind.ndim} {kind.layout}" + (" readonly" if not kind.mutable else "")
    assert isinstance(getattr(types, kind.name), type(kind)), kind
    return kind.name


class Recorder(event.Listener):  # type: ignore[misc]
    """Notes kernels with the types of their arguments as they are loaded, apart from those that kernels call."""

    def __init__(self) -> None:
        self.used: dict[str, Any] = {}
        self._compiling = 0
        load = kernel.KernelCache.load_overload

        def load_and_note(cache: kernel.KernelCache, signature: Any, context: Any) -> Any:
            if self._compiling == 0:
                self.used.setdefault(cache.name, []).append([spelled(kind) for kind in signature])
            return load(cache, signature, context)

        kernel.KernelCache.load_overload = load_and_note  # type: ignore[method-assign]
        event.register("numba:compile", self)

    def on_start(self, event: object) -> None:  # noqa: ARG002
        """Count functions that are being compiled."""
        self._compiling += 1

    def on_end(self, event: object) -> None:  # noqa: ARG002
        """Count functions that are being compiled."""
        self._compiling -= 1


def write_files(folder: Path) -> None:
    """Write what the lines read."""
    source, target, _ = cepts.sample()
    names = source.with_name("ru-en.names.tsv").read_text(encoding="utf-8").splitlines()[:100]
    texts = {"fr": source.read_text(encoding="utf-8"), "en": target.read_text(encoding="utf-8")}
    heads = {f"head.{name}": "\n".join(text.split("\n")[:30]) + "\n" for name, text in texts.items()}
    files = {
        **texts,
        **heads,
        "machine": "".join(f"{line[::-1]}\n" for line in heads["head.en"].splitlines()),
        "names": "\n".join(names) + "\n",
        "persons": "".join(f"{name.partition(chr(9))[0]}\n" for name in names),
        "candidates": "".join(f"{name.partition(chr(9))[2]}\n" for name in names),
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")


def record(line: str, folder: Path) -> dict[str, Any]:
    """Run a line in a process of its own; return the kernels that it used."""
    with (folder / "fr").open("rb") as stdin:
        done = subprocess.run(
            [*COMMAND, "used", *shlex.split(line)],
            cwd=folder,
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            check=False,
            text=True,
        )
    if done.returncode:
        raise SystemExit(f"{line}: {done.stderr}")
    used: dict[str, Any] = json.loads((folder / "used").read_text())
    return used


def run(output: str, arguments: list[str]) -> None:
    """Run a command in this process, and write which kernels it used."""
    recorder = Recorder()
    if arguments[0] == "serve":  # that would not end
        from cepts.web.opening import open_service

        open_service(arguments[1])
    else:
        from cepts.cli.main import main

        try:
            main([*arguments])
        except SystemExit as end:
            if end.code:
                raise
    Path(output).write_text(json.dumps(recorder.used))


def commands() -> Iterator[tuple[str, str]]:
    """Yield each line with the command that it stands for, if it does for any."""
    for line in LINES.strip().splitlines():
        command, _, arguments = line.partition(": ")
        yield command, arguments


def rewrite() -> None:
    """Record all, and write the file."""
    jobs: dict[str, list[str]] = {}
    kernels: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        for command, line in commands():
            used = record(line, folder)
            print(command, line, len(used), flush=True)
            if command:
                jobs[command] = list(used)
            for kernel_name, found in used.items():
                known = kernels.setdefault(kernel_name, [])
                for signature in found:
                    if signature not in known:
                        known.append(signature)
    for name, found in sorted(kernels.items()):
        if len(found) > 1:
            print("several", name, json.dumps(found))
    LIST.write_text(json.dumps({"commands": jobs, "kernels": dict(sorted(kernels.items()))}, indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(sys.argv[1], sys.argv[2:])
    else:
        rewrite()
