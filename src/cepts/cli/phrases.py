"""`cepts phrases`: a phrase table, from text and links."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import (
    errors_option,
    input_options,
    quiet_option,
    tokenize_option,
    with_options,
    within,
)
from cepts.cli.output import STDOUT, check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.cli.reading import note_left_out, split_links

if TYPE_CHECKING:
    from cepts.phrases import TableCounts


@command()
@click.argument("source")
@click.argument("target", required=False)
@click.argument("links", required=False)
@click.option("--output", metavar="FILE", required=True, help="The table to write (also .gz, .xz).")
@click.option(
    "--max-length",
    type=within(bounds.PHRASE_LENGTH),
    metavar="N",
    default=7,
    show_default=True,
    help="Longest phrase, in words of either side.",
)
@click.option(
    "--unaligned",
    metavar="NAME",
    default="edges",
    show_default=True,
    help="Where words without a link may stand: edges, inside or never.",
)
@click.option(
    "--min-count",
    type=within(bounds.MIN_COUNT),
    metavar="N",
    default=1,
    show_default=True,
    help="Leave out phrase pairs that were found less often.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    default="256M",
    show_default=True,
    help="What phrase pairs may take; more goes to disk.",
)
@with_options(input_options, (tokenize_option, errors_option, quiet_option))
def phrases(source: str, target: str | None, links: str | None, output: str, **options: Any) -> None:
    """Write a phrase table for Moses.

    SOURCE and TARGET are line-aligned files, words separated by spaces; LINKS has their links: line k holds `i-j` for
    word i of source line k and word j of target line k, counted from 0 (also `i?j`, possible; or a NAACL file).
    Without TARGET, SOURCE holds both languages, as in `cepts align`; words of TMX, XLIFF, PO, JSONL and Parquet are
    tokens, as there.

    A line is `source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| links ||| count(t) count(s) count(s,t)`;
    lines are in the order of LC_ALL=C sort. A phrase pair has a link inside, and none that leaves it.

    --unaligned edges lets words without a link stand anywhere in a phrase, inside never first or last, never nowhere.
    """
    from cepts.phrases import write_phrase_table_from_files
    from cepts.storage.memory import parse_size

    source, target, links = split_links(source, target, links)
    quiet = options.pop("quiet")
    options["memory"] = parse_size(options["memory"])
    check_outputs(output)
    announce_compilation(quiet)

    def write(place: str | IO[bytes]) -> TableCounts:
        return write_phrase_table_from_files(source, target, links, place, **options)

    if output == STDOUT:
        with destination(output) as stream:
            counts = write(stream.buffer)
    else:
        counts = write(output)
    note_left_out(counts.left_out, source, quiet)
    say_what_is_left_out(counts, quiet)
    said = counted(counts.pairs, "pair"), counted(counts.entries, "phrase pair")
    finished(quiet, *said, output=output)


def say_what_is_left_out(counts: TableCounts, quiet: bool) -> None:
    """Say which pairs gave no phrases."""
    if counts.empty:
        note(f"{counts.empty} of {counts.pairs} pairs have an empty side: no phrases of them", quiet)
    if counts.unwritable:
        note(
            f"{counts.unwritable} of {counts.pairs} pairs have a word with '|||', which would break the table: no"
            " phrases of them",
            quiet,
        )
