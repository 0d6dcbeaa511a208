"""`cepts align` and `cepts train`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import click

from cepts.cli.answers import EMPTY, LINK, LISTED, check_single, kind_of, write_answer, write_answers
from cepts.cli.clusters import opened_cluster
from cepts.cli.known import check_known, fit, known_options, lexicon_options, read_known
from cepts.cli.opening import lists_wanted, open_aligner
from cepts.cli.options import (
    align_format_option,
    cepts_options,
    checkpoint_options,
    cluster_options,
    dual_options,
    input_options,
    linking_options,
    memory_option,
    names_of,
    refuse,
    running_options,
    text_options,
    training_options,
    with_options,
)
from cepts.cli.output import (
    check_outputs,
    destination,
    write_certificates,
    write_offsets,
    write_timings,
)
from cepts.cli.progress import (
    Survived,
    announce_compilation,
    note,
    note_certificates,
    note_memory,
    note_pruning,
    progress,
    summarise,
    survived,
)
from cepts.cli.reading import memory_for, note_left_out, read_input
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.corpus import Bitext


@click.command()
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.option("--sample", is_flag=True, help="Align the built-in French-English sample and show it.")
@click.option(
    "--model", metavar="FOLDER", help="Use the model that `cepts train` wrote; without files, read stdin."
)
@with_options(lexicon_options, known_options)
@with_options(training_options, linking_options, dual_options, cepts_options, input_options, text_options)
@align_format_option
@click.option(
    "--scores", is_flag=True, help="Write links as i-j:probability and, after a TAB, the pair's score."
)
@click.option("--output", metavar="FILE", help="Write the links here instead of stdout (also .gz, .xz).")
@click.option(
    "--offsets", metavar="FILE", help="With --tokenize: write each token's first and end character, as JSON."
)
@click.option(
    "--certificates",
    metavar="FILE",
    help="With dual: write for each pair whether its links are proved best, the rounds, and the bound.",
)
@click.option(
    "--timings", metavar="FILE", help="Write cells, iterations, seconds by stage and objectives, as JSON."
)
@with_options((memory_option,), checkpoint_options, cluster_options, running_options)
def align(source: str | None, target: str | None, **options: Any) -> None:
    """Link the words of two translated texts.

    SOURCE and TARGET are line-aligned files (also .gz, .xz, .zst). Without TARGET, SOURCE or `-` holds both languages:
    lines of `source ||| target` or of source TAB target, or TMX, XLIFF, PO, JSONL, Parquet, or a zip of OPUS. One line
    of links per pair comes out: `i-j` says that word i of the source belongs to word j of the target, counted from 0.

    With --model and no files, pairs are read from stdin and answered line by line.

    --scores adds the probability of each link, and the pair's score: the log probability per word, mean of
    both directions.

    --direction forward writes the best path of the model in which source words generate target words (each
    target word has at most one link, with bi1 and bihmm two), reverse the other one; both, combined, are nearly
    always better.

    --model-type: hmm for everything; ibm1 where word order tells nothing; bi1 and bihmm, slower, where a word
    often stands for two; ibm4, slower, for better best paths, with --combine grow-diag and its kin. --regularity
    helps where rare words collect garbage: with --training independent, most of all in texts of some ten thousand
    pairs or less. --optimizer pgd is there to compare: em is faster and links better.

    --combine dual, or --method bidirectional, makes one model of both directions and searches for its best links by
    dual decomposition. Most pairs get a certificate: no other links are better. Good for phrases; takes longer.

    --format writes links in other formats, with words, character offsets and probabilities where they have a place for
    them: see `cepts convert`.

    --combine cepts puts every word into one group, or leaves it to NULL, and groups pair off: all words of a group are
    linked with each other. --format cepts writes the groups themselves.

    --lexicon and --known-links say what you know already: a dictionary, which counts as having seen its words together
    a few times, and links of some pairs, which are learned from and come out as they are.

    --direction forward --n-best 100 writes lists of the best alignments instead, a line for each: `line ||| links |||
    log probability`, lines counted from 0.
    """
    check_outputs(*(options[name] for name in ("output", "offsets", "certificates", "timings")))
    check_known(options)
    check_checkpoint(options)
    if options["offsets"] and not options["tokenize"] and not options["model"]:
        raise OptionError("--offsets needs --tokenize: without it tokens are what stands between spaces")
    if options["sample"]:
        align_sample(source, options)
    elif options["model"] and source is None:
        stream(options)
    elif source is None:
        raise OptionError("nothing to align: give SOURCE TARGET, or one file with both, or --sample")
    else:
        align_files(source, target, options)


def check_checkpoint(options: dict[str, Any]) -> None:
    """Refuse what would have no effect."""
    if options["checkpoint"] is None:
        refuse(("resume",), options, "needs --checkpoint FOLDER; add that, or drop it")
    if options.get("model") or options.get("sample"):
        refuse(("checkpoint",), options, "is about training; drop it, or --model or --sample")


def align_files(source: str, target: str | None, options: dict[str, Any]) -> None:
    """Train on two files, or open a model, and write the links, or what else is wanted."""
    from cepts.storage import together

    options["memory"] = memory_for(options, source, target)
    announce_compilation(options["quiet"])
    with opened_cluster(options) as cluster, progress(options["quiet"]) as monitor:
        aligner = open_aligner(options, monitor, cluster=cluster)
        kind = kind_of(aligner, options)
        if kind == "lists":
            aligner.memory = aligner.memory._replace(taken=LISTED * LINK)
        bitext = read(aligner, source, target, _reading(target, options), _kept_text(options["format"]))
        given = read_known(options, bitext, source)
        if not options["model"]:
            fit(aligner, bitext, given, options)
        links = None if kind == "lists" else aligner.align(bitext, **given._asdict())
    with together():
        counts = write_answers(kind, aligner, bitext, links, given, options)
        if options["offsets"]:
            write_offsets(bitext, options["offsets"])
        if options["certificates"]:
            write_certificates(aligner, options["certificates"])
        if options["timings"]:
            write_timings(aligner, bitext, options["timings"])
    note_certificates(aligner, options["quiet"])
    note_pruning(aligner, options["quiet"])
    note_memory(aligner.memory, aligner.scratch.on_disk, options["quiet"])
    note_left_out(bitext.left_out, source, options["quiet"])
    summarise(counts, options["quiet"], EMPTY[kind])


def _reading(target: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """How files are read: two of them do not name their languages, and codes are for the document that is written."""
    from cepts.links.formats import ONE_PIECE

    if target is not None and options["format"] in ONE_PIECE:
        return options | dict.fromkeys(("source_language", "target_language"))
    return options


def _kept_text(format: str | None) -> bool | Literal["decoded"]:  # noqa: A002
    """What must be kept of the lines: all, for offsets; in a document of XML that of another has no place."""
    from cepts.links.formats import NEED_TEXT, ONE_PIECE

    return "decoded" if format in ONE_PIECE else format in NEED_TEXT


def read(
    aligner: Aligner,
    source: str,
    target: str | None,
    options: dict[str, Any],
    keep_text: bool | Literal["decoded"] = False,
) -> Bitext:
    """Read the text as the aligner wants its words; with its lines as they stand, if these are wanted."""
    from cepts.words import Step

    aligner.monitor(Step("reading", 1, 1, 0.0))
    bitext = read_input(source, target, options, keep_text=keep_text, **aligner.text._asdict())
    aligner.monitor(Step("reading", 1, 1, 1.0))
    return bitext


def stream(options: dict[str, Any]) -> None:
    """Answer pairs on stdin line by line."""
    from cepts.corpus import bitext_from_pairs, split_pairs
    from cepts.links.text import stripped
    from cepts.words.training import ignore

    refuse(
        ("offsets", "certificates", "timings", "known_links", "dask", *names_of(input_options)),
        options,
        "needs files: pairs on stdin are answered one by one",
    )
    announce_compilation(options["quiet"])
    aligner = open_aligner(options, ignore)
    kind = kind_of(aligner, options)
    check_single(kind, aligner, options)
    if sys.stdin.isatty():
        note("type lines of `source ||| target`; Ctrl-D ends", options["quiet"])
    counts = Survived()
    with destination(options["output"]) as output:
        for sides in split_pairs(sys.stdin.buffer, errors=options["errors"]):
            pair = (stripped(sides[0]), stripped(sides[1]))
            bitext = bitext_from_pairs([pair], errors=options["errors"], **aligner.text._asdict())
            write_answer(kind, aligner, bitext, counts.pairs, output, options, pair)
            output.flush()
            counts = survived(bitext, aligner, counts)
    summarise(counts, options["quiet"], EMPTY[kind])


def align_sample(source: str | None, options: dict[str, Any]) -> None:
    """Align the sample, draw some of it, and score it."""
    from cepts.cli.sample import show_sample

    if source is not None or options["model"]:
        raise OptionError("--sample brings its own text: drop the files and --model")
    ignored = ("tokenize", "segmenter", "keep_case", "format", "scores", "offsets", "certificates", "timings")
    known = ("lexicon", "known_links", "dask")
    refuse(
        (*ignored, *known, *names_of(input_options)), options, "does not go with --sample; drop one of them"
    )
    announce_compilation(options["quiet"])
    with progress(options["quiet"]) as monitor:
        aligner = open_aligner(options, monitor)
        if lists_wanted(aligner.recipe, options):
            raise OptionError("--n-best in one direction does not go with --sample; drop one of them")
        shown = show_sample(aligner)
    with destination(options["output"]) as stream:
        stream.write(shown)


@click.command()
@click.argument("source")
@click.argument("target", required=False)
@click.option(
    "--output", metavar="FOLDER", required=True, help="The folder to write; an older model there goes."
)
@click.option(
    "--from", "begin", metavar="MODEL", help="Add the text to this model, instead of starting over."
)
@with_options(lexicon_options, known_options)
@with_options(training_options, linking_options, dual_options, cepts_options, input_options, text_options)
@with_options((memory_option,), checkpoint_options, cluster_options, running_options)
def train(source: str, target: str | None, **options: Any) -> None:
    """Train a model on two translated texts and save it in a folder.

    SOURCE and TARGET are as in `cepts align`.

    `cepts align --model FOLDER` on the same text gives the links that `cepts align` gives.

    With --from, what MODEL has learned counts as it did, and only the new text is read and walked over. Its recipe, and
    how it cuts text into words, are those of MODEL.
    """
    from cepts.storage import check_folder_writable

    check_folder_writable(options["output"])
    check_known(options)
    check_checkpoint(options)
    options["memory"] = memory_for(options, source, target)
    announce_compilation(options["quiet"])
    with opened_cluster(options) as cluster, progress(options["quiet"]) as monitor:
        aligner = open_aligner({**options, "model": None}, monitor, lists=False, cluster=cluster)
        bitext = read(aligner, source, target, options)
        aligner = fit(aligner, bitext, read_known(options, bitext, source), options)
        aligner.save(options["output"])
    note_pruning(aligner, options["quiet"])
    note_memory(aligner.memory, aligner.scratch.on_disk, options["quiet"])
    note_left_out(bitext.left_out, source, options["quiet"])
    summarise(survived(bitext, aligner), options["quiet"], EMPTY["links"])
