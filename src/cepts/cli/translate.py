"""`cepts translate`: translate lines with a model; `cepts translate train` makes one."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import Group
from cepts.cli.options import errors_option, refuse, running_options, with_options, within
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.cli.translate_train import train

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from cepts.translation import Translation, Translator
    from cepts.translation.translator import Transcriber

AT_ONCE = 64  # lines, until their translations are written
OWN = ("model", "n_best", "names", "beam", "distortion_limit", "output")


@click.group(cls=Group, invoke_without_command=True)
@click.option("--model", metavar="FOLDER", help="The model that `cepts translate train` wrote.")
@click.option(
    "--n-best",
    type=within(bounds.TRANSLATIONS),
    metavar="N",
    help="Write the N best translations of each line, as `number ||| text ||| features ||| score`.",
)
@click.option("--names", metavar="FOLDER", help="A model of `cepts names train` that writes unknown words.")
@click.option(
    "--beam",
    type=within(bounds.BEAM),
    metavar="N",
    help="Partial translations that are kept (the model's own number).",
)
@click.option(
    "--distortion-limit",
    type=within(bounds.DISTORTION_LIMIT),
    metavar="N",
    help="Words from the end of a phrase to the next one, at most; 0: in order.",
)
@errors_option
@click.option("--output", metavar="FILE", help="Write here instead of stdout (also .gz, .xz).")
@with_options(running_options)
@click.pass_context
def translate(context: click.Context, /, **options: Any) -> None:
    """Translate lines of text, phrase by phrase.

    `cepts translate train SOURCE TARGET --output MODEL` learns from translated text. `cepts translate --model MODEL`
    reads lines from stdin and writes their translations, a line for a line; words stand between spaces. Words that the
    model does not know are copied.
    """
    if context.invoked_subcommand is not None:
        refuse(OWN, options, f"stands before `{context.invoked_subcommand}`, where it has no effect; drop it")
        return
    if options["model"] is None:
        refuse(OWN, options, "needs --model FOLDER; add that")
        click.echo(context.get_help())
        return
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    from cepts.translation import Translator

    translator = Translator.load(options["model"]).with_search(options["beam"], options["distortion_limit"])
    _answer_stdin(translator, _transcriber(options["names"]), options)


translate.add_command(train)


def _transcriber(path: str | None) -> Transcriber | None:
    """Open what writes unknown words."""
    if path is None:
        return None
    from cepts.cli.names_opening import check_writes, open_system

    system = open_system(path)
    check_writes(system, path)
    return system


def _answer_stdin(translator: Translator, names: Transcriber | None, options: dict[str, Any]) -> None:
    """Translate lines as they come."""
    from cepts.names.files import stream_lines

    if sys.stdin.isatty():
        note("type sentences, one a line; Ctrl-D ends", options["quiet"])
    number = 0
    with destination(options["output"]) as output:
        for block in stream_lines(errors=options["errors"]):
            lines = (" ".join(line.fields) for line in block)
            while some := list(islice(lines, AT_ONCE)):
                found = translator.translate_n_best(
                    some, options["n_best"] or 1, names=names, threads=options["threads"]
                )
                _write(found, number, options["n_best"] is not None, output)
                output.flush()
                number += len(some)
    finished(options["quiet"], counted(number, "line"), output=options["output"])


def _write(found: Sequence[Sequence[Translation]], number: int, lists: bool, output: TextIO) -> None:
    """Write the best translation of each line, or all of them; lines count from `number`."""
    for k, translations in enumerate(found, number):
        if not lists:
            output.write(translations[0].text + "\n")
            continue
        for text, score, features in translations:
            listed = " ".join(f"{name}= {value:.4f}" for name, value in features.items())
            output.write(f"{k} ||| {text} ||| {listed} ||| {score:.4f}\n")
