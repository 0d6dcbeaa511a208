"""`cepts lexicon`: lexical tables and dictionaries, from links or from a model."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.choices import listed
from cepts.cli.help import command
from cepts.cli.options import (
    errors_option,
    input_options,
    linked_text,
    names_of,
    refuse,
    running_options,
    segmenter_option,
    tokenize_option,
    with_options,
    within,
)
from cepts.cli.output import STDOUT, check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished
from cepts.cli.reading import note_left_out, read_input, split_links
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.phrases.lexical import LexicalTable
    from cepts.phrases.selection import Pruning

    Tables = tuple[LexicalTable, LexicalTable]
    Words = tuple[Sequence[str], Sequence[str]]

ENDINGS = {"moses": ("f2e", "e2f"), "marian": ("s2t",), "tsv": ("tsv",)}
SHORTLIST = 100  # targets of a source word that Marian is given, unless something else is said
MODEL_THRESHOLD = 1e-3  # of a model, which keeps pairs down to a millionth, unless something else is said


@command()
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.argument("links", required=False)
@click.option("--model", metavar="FOLDER", help="Take the probabilities of a model instead of links.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(ENDINGS)),
    required=True,
    help="Tables for Moses, a shortlist for Marian, or a dictionary for people.",
)
@click.option("--output", metavar="PREFIX", required=True, help="The files' name without its ending.")
@click.option("--gzip", is_flag=True, help="Compress the files, and add .gz to their names.")
@click.option(
    "--best", type=within(bounds.BEST_WORDS), metavar="N", help="Keep the N best of each word (marian: 100)."
)
@click.option(
    "--threshold",
    type=within(bounds.PROBABILITY),
    metavar="X",
    help="Leave out what is less probable; tsv: has a lower score (links: 0, a model: 0.001).",
)
@click.option(
    "--min-count",
    type=within(bounds.MIN_COUNT),
    metavar="N",
    help="Leave out pairs of words with fewer links.",
)
@click.option(
    "--examples",
    type=within(bounds.EXAMPLES),
    metavar="N",
    help="With tsv: show the first N pairs of each link.",
)
@click.option("--lowercase", is_flag=True, help="Count capitals as small letters.")
@with_options(input_options, (tokenize_option, segmenter_option, errors_option), running_options)
def lexicon(source: str | None, target: str | None, links: str | None, **options: Any) -> None:
    """Write which words translate which, and how probably.

    SOURCE and TARGET are line-aligned files, LINKS has their links as Pharaoh lines; without TARGET, SOURCE holds both
    languages, as in `cepts align`. Words are written as they stand
    in the text. With --model, the probabilities and words are those of a trained model.

    --format moses writes PREFIX.f2e, lines of `target source p(target|source)`, and PREFIX.e2f, lines of `source
    target p(source|target)`; marian writes PREFIX.s2t, a shortlist in the columns of .f2e; tsv writes PREFIX.tsv, a
    dictionary with a header.
    """
    paths = [f"{options['output']}.{ending}" for ending in ENDINGS[options["kind"]]]
    paths = [f"{path}.gz" if options["gzip"] else path for path in paths]
    if options["model"] is None and source is not None:
        source, target, links = split_links(source, target, links)
    _check(source, options)
    pruning = _pruning(options)
    check_outputs(*paths)
    announce_compilation(options["quiet"])
    if options["model"] is None:
        bitext, found = _read(str(source), target, str(links), options)
        _write_from_links(bitext, found, paths, pruning, options)
        note_left_out(bitext.left_out, str(source), options["quiet"])
        said: tuple[str, ...] = counted(len(bitext), "pair"), counted(len(found.confidence), "link")
    else:
        _write_from_model(paths, pruning, options)
        said = ("the model's words",)
    finished(options["quiet"], *said, output=listed(paths, "and"))


def _check(source: str | None, options: dict[str, Any]) -> None:
    """Refuse what does not go together, before any work."""
    if options["output"] in ("", STDOUT) or options["output"].endswith("/"):
        raise OptionError(f"--output {options['output']}: expected the beginning of file names, such as lex")
    if options["kind"] != "tsv":
        refuse(("examples",), options, "goes with --format tsv alone; drop it")
    if options["model"] is None:
        if source is None:
            raise OptionError(
                "nothing to count: give SOURCE TARGET LINKS, or a file with both languages and LINKS, or --model FOLDER"
            )
        return
    if source is not None:
        raise OptionError("--model has its own words and probabilities: drop SOURCE TARGET LINKS, or --model")
    given = options | {"errors": options["errors"] != "strict"}
    names = (
        "min_count",
        "examples",
        "lowercase",
        "tokenize",
        "segmenter",
        "errors",
        *names_of(input_options),
    )
    refuse(names, given, "is about text and links; drop it, or --model")


def _pruning(options: dict[str, Any]) -> Pruning:
    """Make what the options, or the format's habits, leave out."""
    from cepts.phrases.selection import Pruning

    best = SHORTLIST if options["kind"] == "marian" else None
    threshold = 0.0 if options["model"] is None else MODEL_THRESHOLD
    return Pruning(
        1 if options["min_count"] is None else options["min_count"],
        threshold if options["threshold"] is None else options["threshold"],
        best if options["best"] is None else options["best"],
    )


def _read(source: str, target: str | None, links: str, options: dict[str, Any]) -> tuple[Bitext, Links]:
    """Read the text, and links that fit it."""
    from cepts.links.reading import read_fitting

    text = linked_text({**options, "keep_case": not options["lowercase"]})
    bitext = read_input(source, target, options, **text)
    return bitext, read_fitting(links, bitext, source)


def _write_from_links(
    bitext: Bitext, links: Links, paths: list[str], pruning: Pruning, options: dict[str, Any]
) -> None:
    """Count the links, and write."""
    from cepts.phrases.dictionary import dictionary
    from cepts.phrases.lexical import lexical_tables
    from cepts.phrases.lexicon_files import write_dictionary

    if options["kind"] == "tsv":
        more = {"examples": options["examples"] or 0, "threads": options["threads"]}
        found = dictionary(bitext, links, **asdict(pruning), **more)
        with destination(paths[0]) as stream:
            write_dictionary(found, stream, bitext)
    else:
        tables = lexical_tables(bitext, links, options["threads"])
        _write_tables(tables, (bitext.source.words, bitext.target.words), paths, pruning)


def _write_from_model(paths: list[str], pruning: Pruning, options: dict[str, Any]) -> None:
    """Open a model, and write its lexicon."""
    from cepts.aligning import Aligner
    from cepts.phrases.dictionary import dictionary_of_tables
    from cepts.phrases.lexical import tables_of_model
    from cepts.phrases.lexicon_files import write_dictionary

    aligner = Aligner.load(options["model"])
    wanted = (True, options["kind"] != "marian")
    if any(want and not there for want, there in zip(wanted, aligner.recipe.trained, strict=True)):
        raise OptionError(
            f"{options['model']} was trained in direction {aligner.recipe.direction} alone, and --format"
            f" {options['kind']} needs {'both' if all(wanted) else 'forward'}; train a model of both directions"
        )
    table, known = aligner.lexicon()
    words = (known.source, known.target)
    tables = tables_of_model(table.row_offsets, table.columns, table.values, len(known.target))
    if options["kind"] == "tsv":
        with destination(paths[0]) as stream:
            write_dictionary(dictionary_of_tables(tables, words, pruning), stream)
    else:
        _write_tables(tables, words, paths, pruning)


def _write_tables(tables: Tables, words: Words, paths: list[str], pruning: Pruning) -> None:
    """Write both directions for Moses, or the first alone, without NULL, for Marian."""
    from cepts.phrases.lexicon_files import write_lexicon
    from cepts.storage import together

    with together():
        for path, table, sides in zip(paths, tables, (words, words[::-1]), strict=False):
            with destination(path) as stream:
                write_lexicon(table, *sides, stream, null=len(paths) == 2, pruning=pruning)
