"""`cepts combine` and `cepts evaluate`: on anybody's links."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import (
    input_options,
    names_of,
    quiet_option,
    refuse,
    tokenize_option,
    with_options,
    within,
)
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cepts.links import Links


@command()
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
    finished(quiet, counted(len(links), "pair"), counted(len(links.confidence), "link"), output=output)


@command()
@click.argument("links")
@click.argument("gold")
@click.option(
    "--alpha",
    type=within(bounds.PROBABILITY),
    metavar="X",
    default=0.1,
    show_default=True,
    help="Weight of precision in the weighted F, from 0 to 1.",
)
@click.option(
    "--seed",
    type=within(bounds.SEED),
    metavar="N",
    default=1,
    show_default=True,
    help="Of the samples that the interval is made from.",
)
@click.option(
    "--phrases",
    type=within(bounds.PHRASE_LENGTH),
    metavar="N",
    help="Score the phrase pairs of up to N words a side, too.",
)
@click.option(
    "--possible",
    type=click.Choice(["all", "any"]),
    help="For --phrases: how many links a gold word needs inside if all of them are possible (default: all).",
)
@click.option(
    "--null", is_flag=True, help="Count each word without a link as linked to NULL; needs the text."
)
@click.option(
    "--null-links",
    type=click.Choice(["sure", "possible"]),
    help="Like --null, and say what such links are in the gold (else: possible, if it has any possible link).",
)
@click.option("--source", metavar="FILE", help="The source text; with --target: check that all links fit.")
@click.option("--target", metavar="FILE", help="The target text, unless --source holds both languages.")
@with_options((*input_options, tokenize_option))
@click.option(
    "--json", "as_json", is_flag=True, help="Write fractions, as JSON, instead of a table in percent."
)
@quiet_option
def evaluate(
    links: str,
    gold: str,
    possible: str | None,
    null: bool,
    null_links: str | None,
    source: str | None,
    target: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Score links against a gold standard.

    LINKS is a Pharaoh file (`i-j`, counted from 0). GOLD is one too, with `i-j` for sure and `i?j` for
    possible links, or a NAACL/WPT file (`sentence source target S|P`, counted from 1).
    """
    from cepts.evaluation import evaluate as evaluate_links
    from cepts.evaluation import notice_mixups

    reading = {name: options.pop(name) for name in (*names_of(input_options), "tokenize")}
    options["null"] = null_links or ("auto" if null else None)
    if source is None:
        refuse(reading, reading, "needs the text; add --source FILE")
    _check_text_options(source, target, "--null-links" if null_links else "--null" if null else None)
    if possible is not None and options["phrases"] is None:
        raise OptionError(f"--possible {possible} is about phrase pairs: add --phrases N, as --phrases 5")
    if options["phrases"] or source is not None:
        announce_compilation(quiet)  # only then: what compiles takes long to load
    found, right, lengths = _read_both(links, gold, source, target, reading)
    result = evaluate_links(found, right, lengths=lengths, possible=possible or "all", **options)
    if possible is not None and right.sure.all():
        note("the gold has no possible links: --possible all and any give the same figures", quiet)
    for sentence in notice_mixups(found, right):
        note(sentence, quiet)
    with destination(None) as stream:
        stream.write((json.dumps(result.to_dict(), indent=1) if as_json else str(result)) + "\n")


def _check_text_options(source: str | None, target: str | None, needed_by: str | None) -> None:
    """Refuse one side of the text alone, and no text where an option needs it."""
    if source is None and target is not None:
        raise OptionError("--target needs --source: give both, or a --source with both languages, or none")
    if needed_by is not None and source is None:
        raise OptionError(
            f"{needed_by} needs the text, to know which words have no link: add --source FILE and --target FILE"
        )


def _read_both(
    links: str, gold: str, source: str | None, target: str | None, reading: dict[str, Any]
) -> tuple[Links, Links, tuple[NDArray[np.int64], NDArray[np.int64]] | None]:
    """Read links and gold; where the text is given, check that they fit it and return its lengths, too."""
    from cepts.corpus import read_bitext
    from cepts.links import read_links
    from cepts.links.reading import read_fitting

    if source is None:
        found = read_links(links)
        return found, read_links(gold, pairs=len(found)), None
    bitext = read_bitext(source, target, errors="replace", **reading)  # only the number of words matters
    found, right = (read_fitting(path, bitext, source) for path in (links, gold))
    return found, right, (bitext.source.lengths, bitext.target.lengths)
