"""`cepts terms`: a bilingual list of terms, from a translated text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import (
    check_option,
    errors_option,
    input_options,
    running_options,
    tokenize_option,
    with_options,
    within,
)
from cepts.cli.output import check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note, summarise, survived
from cepts.cli.reading import check_model, note_left_out, read_input
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.corpus import Bitext, Side
    from cepts.links import Links
    from cepts.phrases.term_tags import TaggedSide

SIDES = ("source", "target")


@command()
@click.argument("input", nargs=-1, required=True)
@click.option("--links", metavar="FILE", help="Use these links instead of aligning the text.")
@click.option("--model", metavar="FOLDER", help="Align with the model that `cepts train` wrote.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["tsv", "csv", "tbx", "json"]),
    default="tsv",
    show_default=True,
    help="How the list is written.",
)
@click.option("--limit", type=within(bounds.LISTED_TERMS), metavar="N", help="Write the N best terms alone.")
@click.option(
    "--min-count",
    type=within(bounds.MIN_COUNT),
    metavar="N",
    help="Leave out what fewer pairs of segments have (2; 1 for what is a whole segment).",
)
@click.option(
    "--min-score",
    type=within(bounds.PROBABILITY),
    metavar="X",
    default=0.1,
    show_default=True,
    help="Leave out terms with a lower score, from 0 to 1.",
)
@click.option(
    "--max-words",
    type=within(bounds.TERM_WORDS),
    metavar="N",
    default=4,
    show_default=True,
    help="Longest source term, in words; a target may have three more.",
)
@click.option(
    "--variants",
    type=within(bounds.VARIANTS),
    metavar="N",
    default=1,
    show_default=True,
    help="Write up to N translations of a term.",
)
@click.option(
    "--tags",
    type=click.Choice([*SIDES, "both"]),
    help="Words are word_TAG on this side: let its terms be noun phrases.",
)
@click.option(
    "--languages", metavar="CODE,CODE", help="In tbx: what both languages are called, such as en,fr."
)
@click.option("--output", metavar="FILE", help="Write the list here instead of stdout (also .gz, .xz).")
@with_options((check_option,), input_options, (tokenize_option, errors_option), running_options)
def terms(input: tuple[str, ...], **options: Any) -> None:  # noqa: A002
    """Write a bilingual list of terms.

    INPUT is a file of translations, or two line-aligned files. The text is split into tokens and aligned; with
    --links, words are what stands between spaces, as in the links, or with --tokenize tokens; with --model, what they
    were when the model was trained.

    A line is source TAB target TAB score TAB count TAB example: how good the term and its translation are, from 0 to
    1; how many pairs of segments have both; and the shortest such pair, `source ||| target`.
    """
    from cepts.phrases.term_files import write_terms
    from cepts.phrases.terms import extract_terms

    languages = _check(input, options)
    check_outputs(options["output"])
    announce_compilation(options["quiet"])
    bitext, tags, links = _linked(input, options)
    wanted = {name: options[name] for name in ("min_count", "min_score", "max_words", "variants", "limit")}
    found = extract_terms(bitext, links, **wanted, source_tags=tags[0], target_tags=tags[1])
    with destination(options["output"]) as stream:
        write_terms(found, stream, options["kind"], languages or bitext.languages or (None, None))
    note_left_out(bitext.left_out, input[0], options["quiet"])
    if not found:
        note(
            "no terms found: is the text long enough, and are its sides translations of each other?",
            options["quiet"],
        )
    finished(
        options["quiet"], counted(len(bitext), "pair"), counted(len(found), "term"), output=options["output"]
    )


def _check(inputs: tuple[str, ...], options: dict[str, Any]) -> tuple[str, str] | None:
    """Refuse what does not go together, before any work; return the languages' names, where they are given."""
    from cepts.phrases.terms import TermOptions, check_options

    if len(inputs) > len(SIDES):
        raise OptionError(f"{len(inputs)} files: expected one with both sides, or a source and a target")
    if options["links"] and options["model"]:
        raise OptionError("--links and --model both say how to align: drop one of them")
    if options["tags"] and options["tokenize"]:
        raise OptionError("--tokenize would cut tagged words: drop it, or --tags")
    check_options(TermOptions(**{name: options[name] for name in TermOptions._fields}))
    return parse_languages(options["languages"], options["kind"])


def parse_languages(text: str | None, kind: str) -> tuple[str, str] | None:
    """Read two codes.

    >>> parse_languages("en,pt-BR", "tbx")
    ('en', 'pt-BR')
    """
    if text is None:
        return None
    if kind != "tbx":
        raise OptionError("--languages is about --format tbx; drop it")
    match = re.fullmatch(r"([A-Za-z0-9-]+),([A-Za-z0-9-]+)", text)
    if match is None:
        raise OptionError(f"--languages {text}: expected two codes, such as en,fr")
    return match[1], match[2]


def _linked(
    inputs: tuple[str, ...], options: dict[str, Any]
) -> tuple[Bitext, list[TaggedSide | None], Links]:
    """Read the text, its tags if there are any, and read or make its links."""
    from cepts.links.reading import read_fitting
    from cepts.phrases.terms import without_capitals

    aligner = None if options["links"] else _aligner(options)
    bitext, tags = _read(inputs, aligner, options)
    if aligner is None:
        return bitext, tags, read_fitting(options["links"], bitext, inputs[0])
    text = bitext if aligner.text.keep_case else without_capitals(bitext)
    if options["model"]:
        check_model(aligner, text, options["model"], options)
    links = (aligner if options["model"] else aligner.fit(text)).align(text)
    summarise(survived(bitext, links.oversized), options["quiet"], "no terms of them")
    return bitext, tags, links


def _aligner(options: dict[str, Any]) -> Aligner:
    """Make an aligner, or open a saved one."""
    from cepts.aligning import Aligner

    threads = options["threads"]
    if not options["model"]:
        return Aligner(tokenize=not options["tags"] and options["tokenize"] is not False, threads=threads)
    aligner = Aligner.load(options["model"], threads=threads)
    if options["tags"] and aligner.text.tokenize:
        raise OptionError(
            "--tags needs a model of words between spaces: this one was trained with --tokenize"
        )
    if options["tokenize"] and not aligner.text.tokenize:
        raise OptionError("--tokenize was not used when the model was trained; train one with it")
    if options["tokenize"] is False and aligner.text.tokenize:
        raise OptionError("--no-tokenize: the model was trained on tokens; drop it, or train one with it")
    return aligner


def _read(
    inputs: tuple[str, ...], aligner: Aligner | None, options: dict[str, Any]
) -> tuple[Bitext, list[TaggedSide | None]]:
    """Read the text with its capitals, and take the tags off."""
    from dataclasses import replace

    from cepts.corpus.files import shown

    tokenize = (
        aligner.text.tokenize if aligner is not None else False if options["tags"] else options["tokenize"]
    )
    text: dict[str, Any] = {"tokenize": tokenize, "keep_case": True, "keep_text": not options["tags"]}
    bitext = read_input(inputs[0], inputs[1] if len(inputs) > 1 else None, options, **text)
    sides: list[Side] = []
    tags: list[TaggedSide | None] = []
    for name, side, path in zip(SIDES, (bitext.source, bitext.target), (inputs[0], inputs[-1]), strict=True):
        tags.append(_tagged(side, shown(path)) if options["tags"] in (name, "both") else None)
        sides.append(side if tags[-1] is None else tags[-1].side)
    return replace(bitext, source=sides[0], target=sides[1]), tags


def _tagged(side: Side, name: str) -> TaggedSide:
    """Take the tags off one side."""
    from cepts.phrases.term_tags import split_tags

    return split_tags(side, name)
