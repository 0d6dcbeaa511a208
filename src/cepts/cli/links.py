"""`cepts combine` and `cepts evaluate`: on anybody's links."""

from __future__ import annotations

import json

import click

from cepts.cli.options import quiet_option
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, note


@click.command()
@click.argument("forward")
@click.argument("reverse")
@click.option(
    "--combine",
    "method",
    metavar="NAME",
    required=True,
    help="union, intersection, grow-diag, grow-diag-final or grow-diag-final-and.",
)
@click.option("--scores", is_flag=True, help="Write confidences and scores, where the files have them.")
@click.option("--output", metavar="FILE", help="Write the links here instead of stdout (also .gz, .xz).")
@quiet_option
def combine(forward: str, reverse: str, method: str, scores: bool, output: str | None, quiet: bool) -> None:
    """Make one set of links of two, whoever made them.

    FORWARD and REVERSE are Pharaoh files, both with source-target links: `i-j` is source word i, target word
    j, counted from 0.
    """
    from cepts.combine import combine as combine_links
    from cepts.links import read_links, write_pharaoh

    check_outputs(output)
    announce_compilation(quiet)
    links = combine_links(read_links(forward), read_links(reverse), method)
    with destination(output) as stream:
        write_pharaoh(links, stream, scores=scores)


@click.command()
@click.argument("links")
@click.argument("gold")
@click.option(
    "--alpha",
    type=float,
    metavar="X",
    default=0.1,
    show_default=True,
    help="Weight of precision in the weighted F, from 0 to 1.",
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    default=1,
    show_default=True,
    help="Of the samples that the interval is made from.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Write fractions, as JSON, instead of a table in percent."
)
@quiet_option
def evaluate(links: str, gold: str, alpha: float, seed: int, as_json: bool, quiet: bool) -> None:
    """Score links against a gold standard.

    LINKS is a Pharaoh file (`i-j`, counted from 0). GOLD is one too, with `i-j` for sure and `i?j` for
    possible links, or a NAACL/WPT file (`sentence source target S|P`, counted from 1).
    """
    from cepts.evaluation import evaluate as evaluate_links
    from cepts.evaluation import notice_mixups
    from cepts.links import read_links

    found = read_links(links)
    right = read_links(gold, pairs=len(found))
    result = evaluate_links(found, right, alpha=alpha, seed=seed)
    for sentence in notice_mixups(found, right):
        note(sentence, quiet)
    with destination(None) as stream:
        stream.write((json.dumps(result.to_dict(), indent=1) if as_json else str(result)) + "\n")
