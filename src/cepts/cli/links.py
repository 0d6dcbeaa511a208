"""`cepts combine` and `cepts evaluate`: on anybody's links."""

from __future__ import annotations

import json

import click

from cepts.cli.align import destination, write_links
from cepts.cli.progress import note


@click.command(short_help="Make one set of links of two directions'.")
@click.argument("forward")
@click.argument("reverse")
@click.option("--combine", "method", required=True, help="union, intersection, grow-diag, grow-diag-final[-and].")
@click.option("--scores", is_flag=True, help="Write confidences and scores, where the files have them.")
@click.option("--output", default=None, help="Write the links here instead of stdout.")
def combine(forward: str, reverse: str, method: str, scores: bool, output: str | None) -> None:
    """Make one set of links of two, whoever made them.

    FORWARD and REVERSE are Pharaoh files, both with source-target links (`i-j`: source word i, target word j).
    """
    from cepts.combine import combine as combine_links
    from cepts.links import read_links
    from cepts.storage import check_writable

    if output:
        check_writable(output)
    links = combine_links(read_links(forward), read_links(reverse), method)
    with destination(output) as stream:
        write_links(links, stream, scores)


@click.command(short_help="Score links against a gold standard.")
@click.argument("links")
@click.argument("gold")
@click.option("--alpha", type=float, default=0.1, show_default=True, help="Weight of precision in weighted F.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Fractions, as JSON.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
def evaluate(links: str, gold: str, alpha: float, seed: int, as_json: bool, quiet: bool) -> None:
    """Score links against a gold standard.

    GOLD is a Pharaoh file with `i-j` for sure and `i?j` for possible links, from 0, or a NAACL/WPT file, from 1.
    """
    from cepts.evaluation import evaluate as evaluate_links
    from cepts.evaluation import notice_mixups
    from cepts.links import read_links

    found = read_links(links)
    right = read_links(gold, pairs=len(found))
    result = evaluate_links(found, right, alpha=alpha, seed=seed)
    for sentence in notice_mixups(found, right):
        note(sentence, quiet)
    click.echo(json.dumps(result.to_dict(), indent=1) if as_json else str(result))
