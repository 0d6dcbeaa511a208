"""Write `src/cepts/running/kernels.json`: the kernels that Python calls, and which commands need which.

    python tools/kernels.py

Commands are run on the samples, in a folder of their own, each in a process that notes which kernels Python calls, in
the order of their first use, with the types of their arguments. Cepts compiles by this list what a command needs before
it needs it, and a test compares some of it with what commands do.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from numba import types
from numba.core import event

import cepts
from cepts.running import compiling, kernel

# What is recorded for a command, by its name and perhaps its method, as `cepts` looks it up.
COMMANDS = {
    "align": "align fr en --output links",
    "align fast": "align fr en --method fast",
    "align bidirectional": "align fr en --method bidirectional",
    "align cepts": "align fr en --method cepts",
    "align denero-2011": "align fr en --method denero-2011",
    "align goutte-2004": "align fr en --method goutte-2004",
    "align schoenemann-2011": "align fr en --method schoenemann-2011",
    "train": "train fr en --output model",
    "combine": "combine links links --combine grow-diag-final-and",
    "evaluate": "evaluate links links --phrases 5",
    "lexicon": "lexicon fr en links --format moses --output lexicon",
    "phrases": "phrases fr en links --output table",
    "terms": "terms fr en",
    "filter": "filter fr en --output clean",
    "view": "view fr en --model model",
    "translate train": "translate train fr en --dev head.fr head.en --rounds 2 --output translator",
    "translate": "translate --model translator",
    "names train": "names train names --output edits --order 1 --epochs 1",
    "names transcribe": "names transcribe --model edits",
    "names rank": "names rank --model edits --candidates candidates",
    "names match": "names match persons candidates --model edits",
    "names evaluate": "names evaluate names --model edits",
    "similar train": "similar train fr en --output space",
    "similar score": "similar score fr en --model space",
    "similar rank": "similar rank fr en --model space",
    "similar train-judge": "similar train-judge head.fr head.en machine --model space --output judge",
    "similar judge": "similar judge head.fr machine head.en --model judge",
    "serve": "serve model",
}
# With rare options: `cepts warm` compiles what these need, too.
OTHERS = (
    "align fr en --model-type ibm1 --training independent --direction forward",
    "align fr en --model-type ibm1 --training independent --optimizer pgd",
    "align fr en --model-type hmm --training independent --optimizer pgd",
    "align fr en --model-type hmm --training independent --direction forward --n-best 5",
    "align fr en --model-type bi1 --training independent",
    "align fr en --model-type bihmm --training independent --combine union",
    "align fr en --model-type bihmm --training independent --optimizer pgd",
    "train fr en --model-type bihmm --training independent --output pairs",
    "align head.fr head.en --model pairs",
    "align fr en --model-type ibm4 --direction forward --n-best 5",
    "align fr en --model-type ibm4 --combine grow-diag",
    "align fr en --null-state forgets --training independent --direction forward",
    "align fr en --null-state forgets --training independent --combine grow-diag --optimizer pgd",
    "align fr en --known-links links --prune 0.01",
    "align fr en --combine cepts --association counts",
    "align fr en --combine cepts --association cooccurrence",
    "align fr en --combine cepts --association tables",
    "train fr en --from model --output more",
    "phrases fr en links --output table --memory 64K",
    "names train names --output rivals --system phrases",
    "names transcribe --model rivals",
    "names rank --model rivals --candidates candidates",
    "names train names --output edits --order 1 --epochs 1 --update perceptron",
    "names train names --output groups --order 1 --epochs 1 --mode classify",
    "names explain edits вера vera",
    "similar train fr en --output space --projection non-negative",
    "similar score fr en --model space",
)


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
        self.used: dict[str, list[Any]] = {}
        self._compiling = 0
        compiling.compile_beside = lambda *_: []  # all is compiled here
        load = kernel.KernelCache.load_overload

        def load_and_note(cache: kernel.KernelCache, signature: Any, context: Any) -> Any:
            if self._compiling == 0:
                kinds = [spelled(kind) for kind in signature]
                if self.used.setdefault(cache.name, kinds) != kinds:
                    raise TypeError(
                        f"{cache.name} is called with other types: {kinds}, not {self.used[cache.name]}"
                    )
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


def recorded(line: str, folder: Path) -> dict[str, list[Any]]:
    """Run a line in a process of its own; return the kernels that it used, with the types of their arguments."""
    command = [sys.executable, __file__, "used", *shlex.split(line)]
    with (folder / "fr").open("rb") as stdin:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=stdin,
            capture_output=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"{line}: {done.stderr.decode()}")
    used: dict[str, list[Any]] = json.loads((folder / "used").read_text(encoding="utf-8"))
    return used


def run(output: str, arguments: list[str]) -> None:
    """Run a command in this process, and write which kernels it used."""
    recorder = Recorder()
    if arguments[0] == "serve":  # which would not end
        from cepts.web.opening import open_service

        open_service(arguments[1])
    else:
        from cepts.cli.main import main

        try:
            main(arguments)
        except SystemExit as end:
            if end.code:
                raise
    Path(output).write_text(json.dumps(recorder.used), encoding="utf-8")


def write_list() -> None:
    """Record everything, and write the list."""
    commands: dict[str, list[str]] = {}
    kernels: dict[str, list[Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        for command, line in [*COMMANDS.items(), *(("", line) for line in OTHERS)]:
            used = recorded(line, folder)
            print(f"{len(used):3} kernels: {line}", flush=True)
            if command:
                commands[command] = list(used)
            for kernel_name, kinds in used.items():
                if kernels.setdefault(kernel_name, kinds) != kinds:
                    raise SystemExit(
                        f"{kernel_name} is called with other types: {kinds}, not {kernels[kernel_name]}"
                    )
    compiling.LIST.write_text(
        json.dumps({"commands": commands, "kernels": kernels}, indent=1, sort_keys=True) + "\n"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(sys.argv[1], sys.argv[2:])
    else:
        write_list()
