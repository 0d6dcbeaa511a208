"""`cepts validate`: what is wrong with a file of links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import (
    errors_option,
    input_format_option,
    quiet_option,
    tokenize_option,
    with_options,
    within,
)
from cepts.cli.output import destination
from cepts.cli.progress import announce_compilation, note
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.links import Validation


@command()
@click.argument("links")
@click.option("--source", metavar="FILE", help="The source text; with --target: compare links with it.")
@click.option("--target", metavar="FILE", help="The target text.")
@with_options((input_format_option, tokenize_option, errors_option))
@click.option(
    "--limit",
    type=within(bounds.PROBLEMS),
    metavar="N",
    default=20,
    show_default=True,
    help="List at most N problems of a kind; all are counted.",
)
@quiet_option
def validate(links: str, **options: Any) -> int:
    """Find what is wrong with a file of links.

    LINKS is a file in any of the formats of `cepts convert`, or - for stdin. A line for each problem goes to stdout:
    file, line, kind and a sentence. Kinds are format (what cannot be read), count (of pairs), range (words that are not
    there), duplicate, base (counted from 0 or 1), direction (source and target swapped), words (other than the text's).

    The exit status is 2 if there is any problem, 0 if there is none.
    """
    from cepts.links import validate_links
    from cepts.running.steps import tell

    tell("reading")
    result = validate_links(
        links, _read_text(options), format=options["input_format"], limit=options["limit"]
    )
    with destination(None) as stream:
        for problem in result.problems:
            place = result.name if problem.line is None else f"{result.name}, line {problem.line}"
            stream.write(f"{place}: {problem.kind}: {problem.message}\n")
    note(_summary(result), options["quiet"])
    return 0 if result.valid else 2


def _read_text(options: dict[str, Any]) -> Bitext | None:
    """Read the text, if it is given."""
    from cepts.corpus import read_bitext

    if (options["source"] is None) != (options["target"] is None):
        raise OptionError("--source and --target go together: give both, or none")
    if options["source"] is None:
        if options["tokenize"]:
            raise OptionError("--tokenize is about the text: add --source FILE and --target FILE")
        return None
    announce_compilation(options["quiet"])
    return read_bitext(
        options["source"], options["target"], tokenize=options["tokenize"], errors=options["errors"]
    )


def _summary(result: Validation) -> str:
    """Say how much there is, and how many problems of each kind."""
    found = ", ".join(f"{count:,} {kind}" for kind, count in result.counts.items())
    problems = f"problems: {found}" if found else "no problems"
    return f"{result.name}: {result.format}, {result.pairs:,} pairs, {result.links:,} links; {problems}"
