"""What is said where memory does not suffice: what was being done, how much was asked for, and what needs less."""

from __future__ import annotations

import re
from errno import ENOMEM
from traceback import walk_tb
from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Options that are worth as much memory as their number says.
COSTLY = (
    "--batch",
    "--beam",
    "--classes",
    "--examples",
    "--max-features",
    "--max-length",
    "--max-words",
    "--n-best",
)
ASKED = re.compile("allocate ([0-9.]+ [A-Za-z]+)")  # as numpy says it


class Doing(NamedTuple):
    """What a package does, what needs less memory there, and whether the options of the command have a part in it."""

    what: str
    less: str
    options: bool = True


DOINGS = {
    "corpus": Doing("reading text", "a smaller text, or shorter lines", options=False),
    "links": Doing("reading or writing links", "a part of the links at a time", options=False),
    "words": Doing("training and linking", "fewer pairs at a time, or shorter lines"),
    "combine": Doing("combining links", "fewer pairs at a time, or shorter lines"),
    "aligning": Doing("training and linking", "fewer pairs at a time, or shorter lines"),
    "phrases": Doing("collecting phrases", "a smaller text, or shorter lines"),
    "translation": Doing("translating", "fewer lines at a time, or shorter ones"),
    "names": Doing("working on names", "fewer names at a time"),
    "characters": Doing("working on names", "fewer names at a time, or shorter ones"),
    "sentences": Doing("comparing sentences", "a smaller text"),
    "quality": Doing("comparing sentences", "fewer pairs at a time"),
    "evaluation": Doing("evaluating", "fewer pairs at a time", options=False),
    "views": Doing("drawing", "fewer pairs at a time", options=False),
}
OTHERWISE = Doing("working", "a smaller text")


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error means that there is no memory: for arrays, for mapped files, or for a thread."""
    if isinstance(error, OSError):
        return error.errno == ENOMEM
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and str(error).startswith("can't start new thread")
    )


def out_of_memory(error: BaseException, command: click.Command, arguments: Sequence[str]) -> str:
    """Word an error for which memory did not suffice, in a command that was given these arguments."""
    doing = _doing(error)
    asked = ASKED.search(str(error))
    size = f" ({asked[1]} at once)" if asked else ""
    cures = [*(_cures(command, arguments) if doing.options else ()), doing.less]
    return f"out of memory while {doing.what}{size}: give {', or '.join(cures)}"


def _doing(error: BaseException) -> Doing:
    """Find out what the innermost package that does something was doing."""
    names = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)]
    parts = [name.split(".") for name in reversed(names) if name.startswith("cepts.")]
    return next((DOINGS[part[1]] for part in parts if part[1] in DOINGS), OTHERWISE)


def _cures(command: click.Command, arguments: Sequence[str]) -> Iterator[str]:
    """Name the options of a command that need less, those that were given first."""
    options = _options(command, arguments)
    given = {name: value for argument, value in _pairs(arguments) for name in options if name == argument}
    for name in COSTLY:
        if name in given:
            yield f"a smaller {name} than {given[name]}"
    if given.get("--threads", "1") != "1":
        yield "--threads 1"
    if "--memory" in options:
        yield (
            f"--memory less than {given['--memory']}"
            if "--memory" in given
            else "--memory a size, such as 500M"
        )


def _options(command: click.Command, arguments: Sequence[str]) -> set[str]:
    """Return the names of the options of the command, or of the one below it, that was called."""
    for argument in arguments:
        if isinstance(command, click.Group) and (below := command.get_command(None, argument)):  # type: ignore[arg-type]
            command = below
    return {name for parameter in command.params for name in parameter.opts}


def _pairs(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return options with their values, however they are written."""
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        name, equals, value = argument.partition("=")
        yield (name, value) if equals else (argument, following)
