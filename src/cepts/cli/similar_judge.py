"""`cepts similar train-judge` and `cepts similar judge`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import errors_option, running_options, with_options, within
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.cli.similar_opening import model_option, open_judge, open_similarity, output_option, read_sides
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.corpus import TextOptions


@command("train-judge", short_help="Learn to tell a human's translation from a machine's.")
@click.argument("source")
@click.argument("human")
@click.argument("machine")
@model_option
@click.option(
    "--output", metavar="FOLDER", required=True, help="The folder to write; an older judge there goes."
)
@click.option(
    "--kind",
    type=click.Choice(["everything", "shared", "perceptron", "lvq", "dimension"]),
    default="everything",
    show_default=True,
    help="What judges: all that Cepts knows; tags that both languages have; or a classifier of the factors alone.",
)
@click.option(
    "--aligner", metavar="FOLDER", help="With everything: a model of `cepts train`, for more evidence."
)
@click.option(
    "--seed", type=within(bounds.SEED), metavar="N", default=1, show_default=True, help="Of random numbers."
)
@errors_option
@with_options(running_options)
def train_judge(source: str, human: str, machine: str, **options: Any) -> None:
    """Learn to tell a human's translation from a machine's, and save the judge in a folder.

    Line k of HUMAN and line k of MACHINE translate line k of SOURCE (also .gz, .xz). The judge keeps a copy of what it
    needs of the model.
    """
    from cepts.storage import check_folder_writable

    check_folder_writable(options["output"])
    announce_compilation(options["quiet"])
    model = open_similarity(options["model"])
    aligner = None if options["aligner"] is None else _open_aligner(model.text, options)
    sides = read_sides([source, human, machine], model.text, options["errors"], aligned=True)
    from cepts.quality.judge import Judge

    chosen = {name: options[name] for name in ("kind", "seed", "threads")}
    Judge.fit(model, *sides, aligner=aligner, **chosen).save(options["output"])
    finished(options["quiet"], counted(len(sides[0]), "line"), output=options["output"])


def _open_aligner(text: TextOptions, options: dict[str, Any]) -> Aligner:
    """Load a word aligner that reads text as the model does."""
    from cepts.aligning import Aligner

    aligner = Aligner.load(options["aligner"], threads=options["threads"])
    if aligner.text.of_words() != text:
        raise OptionError(
            f"{options['aligner']} and {options['model']} were trained with different --tokenize, --segmenter or"
            " --keep-case; train both with the same, on the same text if pieces of words are learned"
        )
    return aligner


@command(short_help="Say which of two translations is the human one.")
@click.argument("source")
@click.argument("candidate_a")
@click.argument("candidate_b")
@click.option(
    "--model", metavar="FOLDER", required=True, help="The judge that `cepts similar train-judge` wrote."
)
@errors_option
@output_option
@with_options(running_options)
def judge(source: str, candidate_a: str, candidate_b: str, **options: Any) -> None:
    """Say for each line which of two translations is the human one.

    Line k of CANDIDATE_A and line k of CANDIDATE_B translate line k of SOURCE (also .gz, .xz). Out come lines of A or
    B, TAB, and by how much: the larger, the surer.
    """
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    found = open_judge(options["model"], options["threads"])
    sides = read_sides([source, candidate_a, candidate_b], found.text, options["errors"], aligned=True)
    margins = found.margins(*sides).tolist()
    with destination(options["output"]) as stream:
        stream.writelines(f"{'A' if margin >= 0 else 'B'}\t{abs(margin):.6f}\n" for margin in margins)
    ties = margins.count(0.0)
    if ties:
        note(f"{ties} of {len(margins)} lines cannot be told apart: A is written, with 0", options["quiet"])
    finished(options["quiet"], counted(len(margins), "line"), output=options["output"])
