"""`cepts view`: links, drawn."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cepts.cli.help import command
from cepts.cli.options import (
    LINK_FORMATS,
    check_option,
    errors_option,
    input_options,
    linking_options,
    running_options,
    segmenter_option,
    tokenize_option,
    with_options,
)
from cepts.cli.output import STDOUT, check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished
from cepts.cli.view_reading import arranged, read_shown
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.views import AlignedPair

FORMATS = ("terminal", "svg", "png", "html")
DRAWINGS = ("matrix", "bipartite", "both")
WIDTH = 100  # of drawings that are not for a terminal
SUFFIXES = {".svg": "svg", ".png": "png", ".html": "html", ".htm": "html"}
COMPRESSED = (".gz", ".xz")


@command()
@click.argument("source")
@click.argument("target", required=False)
@click.argument("links", required=False)
@click.option("--model", metavar="FOLDER", help="Make the links with the model that `cepts train` wrote.")
@click.option("--gold", metavar="FILE", help="Gold links, to see what is right, wrong and missed.")
@click.option(
    "--lines", metavar="LIST", help="Which pairs, such as 1-10 or 3,7-9; else the first 10, in HTML all."
)
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    help="Draw for the terminal (the default), as a picture, or as a page; else seen from the name of the output.",
)
@click.option(
    "--drawing",
    type=click.Choice(DRAWINGS),
    help="A matrix, words joined by lines, or both (the default).",
)
@click.option(
    "--lists",
    type=click.Choice(["together", "apart"]),
    help="Alignments of an n-best list as one with shares (the default), or one after the other.",
)
@click.option(
    "--links-format",
    type=click.Choice(LINK_FORMATS),
    metavar="NAME",
    help="The format of LINKS, if it cannot be seen from the text.",
)
@click.option("--output", metavar="FILE", help="Write here instead of stdout.")
@with_options(linking_options, input_options, (tokenize_option, segmenter_option, errors_option))
@with_options((check_option,), running_options)
def view(source: str, target: str | None, links: str | None, **options: Any) -> None:
    """Draw aligned sentence pairs.

    SOURCE and TARGET are line-aligned files, or SOURCE holds both languages, as in `cepts align`. LINKS has their
    links, in any format of `cepts convert`, or n-best lists; --model makes them instead. A file of links that holds
    the words, too, such as JSONL, needs no other.
    \f
    In the terminal a matrix of blocks, then two lines of words joined by dots, or, where they are too long, groups of
    words above their translations; in colour where it is one. As SVG or PNG (extra `png`) the matrix as in papers, and
    two rows of words joined by lines. As HTML one page for a whole corpus, with a search, a filter by score, and the
    worst pairs first; it needs no network.
    """
    format = options["format"] or _format_of(options["output"])  # noqa: A001
    options["keep_case"] = False  # words are drawn as they stand
    files = arranged(source, target, links, options["model"])
    _check(format, options)
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    shown = read_shown(files, options, whole=format == "html")
    from cepts.views import aligned_pairs

    gold, compared = shown.gold
    which: dict[str, Any] = {"numbers": shown.numbers, "notes": shown.notes, "compared": compared}
    pairs = aligned_pairs(shown.text, shown.links, gold, **which)
    _write(format, pairs, Path(files.links or options["model"]).name, options)
    if options["output"] is not None:
        finished(options["quiet"], counted(len(shown.numbers), "pair"), output=options["output"])


def _format_of(output: str | None) -> str:
    """See from the name of the output what it is to be.

    >>> _format_of("pairs.svg.gz"), _format_of(None)
    ('svg', 'terminal')
    """
    path = Path(output or "")
    return SUFFIXES.get(
        (path.with_suffix("") if path.suffix in COMPRESSED else path).suffix.lower(), "terminal"
    )


def _check(format: str, options: dict[str, Any]) -> None:  # noqa: A002
    """Refuse what cannot be shown."""
    to_stdout = options["output"] in (None, STDOUT)
    if format in ("png", "html") and to_stdout and _is_terminal():
        raise OptionError(f"--format {format} is not for a terminal: add --output FILE")
    if format == "html" and options["drawing"] is not None:
        raise OptionError("--drawing is chosen in the page itself; drop it, or --format html")


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _write(format: str, pairs: Iterator[AlignedPair], name: str, options: dict[str, Any]) -> None:  # noqa: A002
    """Draw the pairs where they are wanted."""
    drawing, output = options["drawing"] or "both", options["output"]
    if format == "terminal":
        with destination(output) as stream:
            colour = stream.isatty() and "NO_COLOR" not in os.environ
            width = shutil.get_terminal_size((WIDTH, 0)).columns if stream.isatty() else WIDTH
            for number, pair in enumerate(pairs):
                stream.write(("\n\n" if number else "") + _in_terminal(pair, drawing, width, colour) + "\n")
        return
    if format == "html":
        from cepts.views import write_html

        with destination(output) as stream:
            write_html(pairs, stream, name)
        return
    from cepts.views import draw_svg, to_png

    svg = draw_svg(pairs, drawing)
    if format == "svg":
        with destination(output) as stream:
            stream.write(svg)
    else:
        _write_bytes(to_png(svg), output)


def _in_terminal(pair: AlignedPair, drawing: str, width: int, colour: bool) -> str:
    """Draw one pair for a terminal, below a heading."""
    from cepts.views import draw_lines, draw_matrix, draw_pairs

    heading = f"\x1b[1m{pair.heading}\x1b[0m" if colour else pair.heading
    parts = [heading]
    shape: dict[str, Any] = {"width": width, "colour": colour}
    if drawing != "bipartite":
        parts.append(draw_matrix(pair.source, pair.target, pair.links, pair.gold, **shape))
    if drawing != "matrix":
        aligned = pair.source, pair.target, pair.links
        lines = draw_lines(*aligned, **shape)
        parts.append(draw_pairs(*aligned, **shape) if lines is None else lines)
    return "\n\n".join(part for part in parts if part)


def _write_bytes(content: bytes, output: str | None) -> None:
    """Write a picture."""
    if output in (None, STDOUT):
        with destination(output) as stream:
            stream.buffer.write(content)
        return
    from cepts.storage import atomic_writer

    with atomic_writer(str(output), binary=True) as file:
        file.write(content)
