"""`cepts names match`: which names of two lists are the same."""

from __future__ import annotations

from typing import Any

import click

from cepts import bounds
from cepts.cli.clusters import opened_cluster
from cepts.cli.help import command
from cepts.cli.names_apply import output_option
from cepts.cli.names_opening import model_option, open_names_model
from cepts.cli.names_train import telling
from cepts.cli.options import (
    cluster_options,
    errors_option,
    memory_option,
    running_options,
    with_options,
    within,
)
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note, note_memory
from cepts.errors import OptionError


@command()
@click.argument("left")
@click.argument("right")
@model_option
@click.option(
    "--min-score", type=within(bounds.SCORE), metavar="X", help="Leave out matches with a lower score."
)
@click.option(
    "--precision",
    type=within(bounds.PROBABILITY),
    metavar="P",
    help="Leave out as many as it takes for this share of the rest to be right, going by dev; from 0 to 1.",
)
@click.option("--one-to-one", is_flag=True, help="Use each line of either list once at most.")
@click.option(
    "--n-best",
    type=within(bounds.CANDIDATES),
    metavar="N",
    default=1,
    show_default=True,
    help="Matches to write for each name of LEFT, at most.",
)
@errors_option
@output_option
@with_options((memory_option,), cluster_options, running_options)
def match(left: str, right: str, **options: Any) -> None:
    """Find for each name of LEFT the one of RIGHT that is the same.

    LEFT and RIGHT are lists, one name a line (also .gz, .xz); LEFT is in the script that the model reads. Out come
    lines of left TAB right TAB score, in the order of LEFT; a name without a match has no line.
    """
    if left == right == "-":
        raise OptionError("LEFT and RIGHT cannot both be standard input: give a file for one of them")
    check_outputs(options["output"])
    from cepts.storage.memory import wanted_memory

    memory = wanted_memory(options["memory"])
    announce_compilation(options["quiet"])
    model = open_names_model(options["model"])
    lists = [_read(path, options) for path in (left, right)]
    from cepts.corpus.files import shown
    from cepts.names.matching import match as find_matches

    chosen = {name: options[name] for name in ("min_score", "precision", "one_to_one", "n_best", "threads")}
    with opened_cluster(options) as cluster:
        told = telling("matching")
        matches = find_matches(model, *lists, **chosen, memory=memory, client=cluster, progress=told)
    with destination(options["output"]) as stream:
        for one, other, score in matches:
            stream.write(f"{one}\t{other}\t{score:.4f}\n")
    note_memory(memory, None, options["quiet"])
    matched = len({one for one, _, _ in matches})
    note(f"{matched} of {len({*lists[0]})} different names of {shown(left)} have a match", options["quiet"])
    finished(
        options["quiet"],
        counted(len(matches), "match", "matches"),
        output=options["output"],
    )


def _read(path: str, options: dict[str, Any]) -> list[str]:
    """Read a list; say how many lines are empty."""
    from cepts.corpus.files import shown
    from cepts.names.files import read_names

    names = read_names(path, errors=options["errors"])
    filled = list(filter(None, names))
    if len(filled) < len(names):
        note(
            f"{len(names) - len(filled)} of {len(names)} lines of {shown(path)} are empty: left out",
            options["quiet"],
        )
    return filled
