"""`cepts project`: annotations of one side, carried to the other through links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import errors_option, quiet_option, refuse, tokenize_option, with_options, within
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import counted, finished, note
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.corpus import Side
    from cepts.links import Links
    from cepts.phrases.projecting import ProjectionCounts, Sentence
    from cepts.phrases.projection_lines import Line

FORMATS = ["conllu", "bio", "markup"]
STDIN = "-"


@command()
@click.argument("annotated")
@click.argument("target")
@click.argument("links")
@click.option(
    "--input-format", type=click.Choice(FORMATS), help="What ANNOTATED is; else its first lines tell."
)
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    help="What is written: the format of ANNOTATED, or bio for markup and markup for bio.",
)
@click.option(
    "--max-gap",
    type=within(bounds.MAX_GAP),
    metavar="N",
    default=1,
    show_default=True,
    help="Words within a span that may have no part in it.",
)
@click.option("--complete", is_flag=True, help="In conllu: give every word a head, so that all are one tree.")
@click.option("--confidence", is_flag=True, help="In markup: add a confidence to each opening tag.")
@click.option("--lenient", is_flag=True, help="In bio: let an I- that continues nothing begin an entity.")
@click.option("--surface", is_flag=True, help="In conllu: links count a multiword token as one word.")
@click.option("--reverse", is_flag=True, help="ANNOTATED is the target of LINKS, and TARGET the source.")
@click.option("--output", metavar="FILE", help="Write the result here instead of stdout (also .gz, .xz).")
@with_options((tokenize_option, errors_option, quiet_option))
def project(annotated: str, target: str, links: str, **options: Any) -> None:
    """Carry annotations of one text to its translation.

    ANNOTATED is CoNLL-U (tags, features, dependencies), lines of a word and its BIO tag (entities), or text with
    inline tags such as <b>...</b>. TARGET has the translation of sentence k on line k; LINKS their links.

    A word takes its annotation over its most confident link; of several, the leftmost. An entity, or a pair of tags,
    becomes one stretch of words: gaps of up to --max-gap words are closed, else the most confident part stays.
    """
    from cepts.phrases.projecting import ProjectionOptions, check_formats, project_annotations, read_annotated

    if [annotated, target, links].count(STDIN) > 1:
        raise OptionError("annotated, target and links: only one of them can be standard input")
    from cepts.running.steps import tell

    tell("reading")
    check_outputs(options["output"])
    options["tokenize"] = bool(options["tokenize"])  # raw text is not looked for here
    reading = {name: options[name] for name in ("input_format", "errors", "tokenize", "lenient")}
    sentences = read_annotated(annotated, **reading)
    wanted = ProjectionOptions(**{name: options[name] for name in ProjectionOptions._fields})
    check_formats(sentences, wanted)
    _check(sentences, options)
    targets, found = _read(sentences, annotated, target, links, options)
    with destination(options["output"]) as stream:
        counts = project_annotations(sentences, targets, found, stream, wanted)
    _summarise(counts, options["quiet"])
    finished(options["quiet"], counted(counts.sentences, "sentence"), output=options["output"])


def _check(sentences: Sequence[Sentence], options: dict[str, Any]) -> None:
    """Refuse options that would have no effect."""
    from cepts.phrases.projecting import kind_of

    given = kind_of(sentences)
    if given != "conllu":
        refuse(("complete", "surface"), options, f"is about conllu, and this is {given}; drop it")
    if given != "bio":
        refuse(("lenient",), options, f"is about bio, and this is {given}; drop it")
    if (options["format"] or given) != "markup":
        refuse(("confidence",), options, "is about markup: bio and conllu have it anyway; drop it")


def _read(
    sentences: Sequence[Sentence], annotated: str, target: str, links: str, options: dict[str, Any]
) -> tuple[list[Line], Links]:
    """Read the target and the links, and see that all three fit."""
    from cepts.corpus import Bitext
    from cepts.corpus.files import shown
    from cepts.corpus.readers import read_lines
    from cepts.links.reading import read_fitting
    from cepts.phrases.projecting import source_words
    from cepts.phrases.projection_lines import split_line

    lines = [split_line(line, options["tokenize"]) for line in read_lines(target, options["errors"])]
    if len(lines) != len(sentences):
        raise InputError(
            f"{shown(annotated)} has {len(sentences)} sentences, {shown(target)} has {len(lines)} lines: line k of"
            f" {shown(target)} must translate sentence k of {shown(annotated)}"
        )
    sides = [
        _nameless([source_words(sentence, options["surface"]) for sentence in sentences]),
        _nameless([len(line.spans) for line in lines]),
    ]
    if options["reverse"]:
        return lines, read_fitting(links, Bitext(sides[1], sides[0]), shown(annotated), words=False).swapped()
    return lines, read_fitting(links, Bitext(sides[0], sides[1]), shown(annotated), words=False)


def _nameless(lengths: list[int]) -> Side:
    """Return sentences of these lengths, all of one word: links must fit them."""
    import numpy as np

    from cepts.corpus import Side

    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    return Side(np.zeros(int(offsets[-1]), np.int32), offsets, [""])


def _summarise(counts: ProjectionCounts, quiet: bool) -> None:
    """Say what was left without annotations."""
    sentences = f"of {counts.sentences} sentences"
    if counts.unlinked:
        note(f"{counts.unlinked} {sentences} have no links: left without annotations", quiet)
    if counts.empty:
        note(f"{counts.empty} {sentences} have no words in their translation", quiet)
    if counts.arrived < counts.known:
        note(f"{counts.known - counts.arrived} of {counts.known} spans have no linked word: left out", quiet)
    if counts.torn:
        note(f"{counts.torn} of {counts.known} spans were torn apart: the most confident part stays", quiet)
    if counts.empty_nodes:
        note(f"{counts.empty_nodes} empty nodes left out", quiet)
