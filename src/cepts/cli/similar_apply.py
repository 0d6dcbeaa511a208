"""`cepts similar score` and `cepts similar rank`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import errors_option, input_options, running_options, with_options, within
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.cli.reading import note_left_out, read_input
from cepts.cli.similar_opening import model_option, open_similarity, output_option, read_sides

if TYPE_CHECKING:
    from typing import TextIO

    from cepts.quality.retrieval import Ranked

use_option = click.option(
    "--use",
    type=click.Choice(["both", "factors", "lexicon"]),
    default="both",
    show_default=True,
    help="What the score is made of.",
)


@command(short_help="Say how well each pair of lines fits together.")
@click.argument("source")
@click.argument("target", required=False)
@model_option
@use_option
@with_options(input_options)
@errors_option
@output_option
@with_options(running_options)
def score(source: str, target: str | None, **options: Any) -> None:
    """Write a score for each pair of lines: higher is better.

    SOURCE and TARGET are line-aligned files (also .gz, .xz, .zst). Without TARGET, SOURCE or `-` holds both languages:
    lines of `source ||| target` or of source TAB target, or TMX, XLIFF, PO, JSONL, Parquet, or a zip of OPUS.
    """
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    model = open_similarity(options["model"])
    bitext = read_input(source, target, options, **model.text._asdict())
    scores = model.score(bitext, use=options["use"], threads=options["threads"])
    with destination(options["output"]) as stream:
        stream.writelines(f"{number:.6f}\n" for number in scores.tolist())
    note_left_out(bitext.left_out, source, options["quiet"])
    empty = int(((bitext.source.lengths == 0) | (bitext.target.lengths == 0)).sum())
    if empty:
        note(f"{empty} of {len(bitext)} pairs have an empty side: their score is 0", options["quiet"])
    finished(options["quiet"], counted(len(bitext), "pair"), output=options["output"])


@command(short_help="Find for each line the lines that fit best.")
@click.argument("source")
@click.argument("target")
@model_option
@click.option(
    "--n-best",
    type=within(bounds.CANDIDATES),
    metavar="N",
    default=5,
    show_default=True,
    help="Lines of TARGET to write for each line of SOURCE, at most.",
)
@use_option
@click.option(
    "--neighbours",
    type=within(bounds.NEIGHBOURS),
    metavar="N",
    default=4,
    show_default=True,
    help="Best partners of a sentence that say what is usual for it; 0: plain scores, as of `score`.",
)
@errors_option
@output_option
@with_options(running_options)
def rank(source: str, target: str, **options: Any) -> None:
    """Find for each line of SOURCE the lines of TARGET that fit best.

    Both have a sentence on each line (also .gz, .xz); their order and number may differ. Out come lines of source line
    TAB rank TAB target line TAB score; lines are numbers, counted from 1.
    """
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    model = open_similarity(options["model"])
    sides = read_sides([source, target], model.text, options["errors"], aligned=False)
    chosen = {name: options[name] for name in ("n_best", "use", "neighbours", "threads")}
    from cepts.running.steps import tell

    unanswered = ranks = 0
    with destination(options["output"]) as stream:
        for ranked in model.rank(sides[0], sides[1], **chosen):
            unanswered += _write_ranks(ranked, stream)
            stream.flush()
            ranks += len(ranked.rows)
            tell("ranking", ranks / len(sides[0]))
    if unanswered:
        note(
            f"{unanswered} of {len(sides[0])} lines have nothing in common with any other: nothing is written for them",
            options["quiet"],
        )
    finished(options["quiet"], counted(len(sides[0]), "line"), output=options["output"])


def _write_ranks(ranked: Ranked, stream: TextIO) -> int:
    """Write the best lines of some lines; count those that have none."""
    for line, targets, scores in zip(*(part.tolist() for part in ranked), strict=True):
        for place, (target, score) in enumerate(zip(targets, scores, strict=True), 1):
            if target >= 0:
                stream.write(f"{line + 1}\t{place}\t{target + 1}\t{score:.6f}\n")
    return int((ranked.targets[:, 0] < 0).sum())
