"""`cepts names transcribe` and `cepts names rank`: names on stdin, candidates on stdout."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.names_opening import check_writes, model_option, open_system
from cepts.cli.options import errors_option, refuse, running_options, with_options, within
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from cepts.characters import Candidate
    from cepts.names import NameSystem

    Answer = Callable[[list[str]], list[list[Candidate]]]

RANKED_AT_ONCE = 1 << 18  # pairs, until lines are written

n_best_option = click.option(
    "--n-best",
    type=within(bounds.CANDIDATES),
    metavar="N",
    default=5,
    show_default=True,
    help="Candidates to write for each name, at most.",
)
output_option = click.option("--output", metavar="FILE", help="Write here instead of stdout (also .gz, .xz).")
beam_option = click.option(
    "--beam",
    type=within(bounds.NAME_BEAM),
    metavar="N",
    help="Partial names that are kept while searching (10); more is slower, and may find better ones.",
)


@command()
@model_option
@n_best_option
@beam_option
@errors_option
@output_option
@with_options(running_options)
def transcribe(**options: Any) -> None:
    """Write names in the other script.

    Names come from stdin, one a line. Out come lines of name TAB rank TAB candidate TAB score, the best candidate with
    rank 1. A letter that was not in the training data is copied.
    """
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    system = open_system(options["model"])
    check_writes(system, options["model"])
    chosen = {"n_best": options["n_best"], "threads": options["threads"], **beam_for(system, options)}
    _answer_stdin(lambda names: system.transcribe(names, **chosen), options)


@command()
@model_option
@click.option(
    "--candidates", metavar="FILE", required=True, help="What to choose from, one a line (also .gz, .xz)."
)
@n_best_option
@errors_option
@output_option
@with_options(running_options)
def rank(**options: Any) -> None:
    """Find for each name the candidates that go best with it.

    Names come from stdin, one a line. Out come lines of name TAB rank TAB candidate TAB score, the best candidate with
    rank 1. Each name is compared with every candidate; for two long lists, `cepts names match` is faster.
    """
    check_outputs(options["output"])
    if options["candidates"] == "-":
        raise OptionError("--candidates -: names are read from standard input; give a file")
    announce_compilation(options["quiet"])
    system = open_system(options["model"])
    candidates = _read_candidates(options)
    n_best, threads = options["n_best"], options["threads"]
    size = max(1, RANKED_AT_ONCE // len(candidates))
    _answer_stdin(lambda names: system.rank(names, candidates, n_best, threads=threads), options, size)


def beam_for(system: NameSystem, options: dict[str, Any]) -> dict[str, int]:
    """Return how many partial names an edit model keeps; other systems have no such choice."""
    from cepts.characters import EditModel
    from cepts.characters.model import BEAM

    if not isinstance(system, EditModel):
        refuse(["beam"], options, "is for edit models alone; drop it")
        return {}
    return {"beam": BEAM if options["beam"] is None else options["beam"]}


def _read_candidates(options: dict[str, Any]) -> list[str]:
    """Read what to choose from, each once; say what was left out."""
    from cepts.names.files import read_names

    read = read_names(options["candidates"], errors=options["errors"])
    filled = list(filter(None, read))
    different = list(dict.fromkeys(filled))
    for count, what in (
        (len(read) - len(filled), "lines of candidates are empty: left out"),
        (len(filled) - len(different), "candidates were there before: left out"),
    ):
        if count:
            note(f"{count} of {len(read)} {what}", options["quiet"])
    return different


def _answer_stdin(answer: Answer, options: dict[str, Any], at_once: int | None = None) -> None:
    """Answer names as they come, `at_once` at most; count empty lines and names without an answer."""
    from cepts.names.files import single_name, stream_lines

    if sys.stdin.isatty():
        note("type names, one a line; Ctrl-D ends", options["quiet"])
    lines = empty = unanswered = 0
    with destination(options["output"]) as output:
        for block in stream_lines(errors=options["errors"]):
            names = [name for line in block if (name := single_name(line, "standard input"))]
            lines, empty = lines + len(block), empty + len(block) - len(names)
            size = at_once or max(len(names), 1)
            for begin in range(0, len(names), size):
                some = names[begin : begin + size]
                unanswered += _write(some, answer(some), output)
                output.flush()
            _tell()
    for count, what in ((empty, "lines are empty"), (unanswered, "names have no candidate")):
        if count:
            note(f"{count} of {lines} {what}: nothing is written for them", options["quiet"])
    finished(options["quiet"], counted(lines, "line"), output=options["output"])


def _write(names: Iterable[str], lists: list[list[Candidate]], output: TextIO) -> int:
    """Write the candidates of each name, by rank; count the names that have none."""
    for name, found in zip(names, lists, strict=True):
        for number, (text, score) in enumerate(found, 1):
            output.write(f"{name}\t{number}\t{text}\t{score:.4f}\n")
    return sum(not found for found in lists)


def _tell() -> None:
    """Say how much of standard input has been read, if it is a file."""
    from cepts.running.steps import tell

    status = os.fstat(sys.stdin.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size:
        tell("names", sys.stdin.buffer.tell() / status.st_size)
