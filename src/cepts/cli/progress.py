"""Progress on stderr: a bar where it is a terminal, silence where it is not."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.words import Monitor, Step


@contextmanager
def progress(quiet: bool) -> Iterator[Monitor]:
    """Give a monitor that draws stage, iteration, objective and time left."""
    if quiet or not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description:<14}"),
        BarColumn(),
        TextColumn("{task.fields[objective]:>24}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def show(step: Step) -> None:
            if step.stage not in tasks:
                tasks[step.stage] = bars.add_task(step.stage, total=step.iterations, objective="")
            fields = {} if step.objective is None else {"objective": f"-log p {step.objective:,.0f}"}
            name = f"{step.stage} {step.iteration}/{step.iterations}"
            bars.update(tasks[step.stage], description=name, completed=step.iteration - 1 + step.done, **fields)

        yield show


def note(text: str, quiet: bool) -> None:
    """Say something on stderr, unless all is to be quiet."""
    if not quiet:
        print(f"cepts: {text}", file=sys.stderr, flush=True)


def announce_compilation(quiet: bool) -> None:
    """Say that kernels are being compiled, if they are: the first run of a version takes some seconds longer."""
    from cepts.running.kernel import kernels_are_compiled

    if not kernels_are_compiled():
        note("compiling kernels, once; this takes some seconds", quiet)
