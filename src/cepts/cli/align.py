"""`cepts align` and `cepts train`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import click

from cepts.cli.answers import (
    EMPTY,
    LINK,
    LISTED,
    check_single,
    kind_of,
    write_answer,
    write_answers,
    write_formatted,
)
from cepts.cli.clusters import opened_cluster
from cepts.cli.help import command, option
from cepts.cli.known import check_known, fit, known_options, lexicon_options, read_known
from cepts.cli.opening import lists_wanted, open_aligner
from cepts.cli.options import (
    align_format_option,
    cepts_options,
    check_option,
    checkpoint_options,
    cluster_options,
    dual_options,
    input_options,
    linking_options,
    memory_option,
    names_of,
    refuse,
    running_options,
    set_option,
    text_options,
    training_options,
    whitespace_option,
    with_options,
    with_settings,
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
    counted,
    finished,
    note,
    note_certificates,
    note_memory,
    note_pruning,
    note_strength,
    summarise,
    survived,
)
from cepts.cli.reading import check_model, memory_for, note_left_out, read_input, said_of_unknown
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.corpus import Bitext, TextOptions

LOOKED_AT = 20  # pairs of a stream, before it is said what the model knows of them


@command(
    examples=(
        "cepts align book.fr book.en --output book.links",
        "cepts align memory.tmx --method fast --format jsonl --threads 2",
    )
)
@click.argument("source", required=False)
@click.argument("target", required=False)
@option("--sample", is_flag=True, help="Align the built-in French-English sample and show it.", group="Text")
@option(
    "--model",
    metavar="FOLDER",
    help="Use the model that `cepts train` wrote.",
    group="Text",
)
@with_options(input_options, text_options, (whitespace_option,))
@with_options(training_options, (set_option,), lexicon_options, known_options)
@with_options(linking_options, dual_options, cepts_options, (check_option,))
@align_format_option
@option(
    "--scores",
    is_flag=True,
    help="Write probabilities of links, and each pair's score.",
    group="Links",
)
@option(
    "--output",
    metavar="FILE",
    help="Write the links here instead of stdout (also .gz, .xz).",
    group="Links",
)
@option(
    "--offsets",
    metavar="FILE",
    help="Write the first and the end character of each token, as JSON.",
    group="Links",
    common=False,
)
@option(
    "--certificates",
    metavar="FILE",
    help="With dual: write for each pair whether its links are proved best, the rounds, and the bound.",
    group="Links",
    common=False,
)
@option(
    "--timings",
    metavar="FILE",
    help="Write cells, iterations, seconds by stage and objectives, as JSON.",
    group="Running",
    common=False,
)
@with_options((memory_option,), checkpoint_options, cluster_options, running_options)
def align(source: str | None, target: str | None, **options: Any) -> None:
    """Link the words of two translated texts: a line of links for each pair.

    SOURCE and TARGET are line-aligned files. SOURCE alone holds both languages: TMX, XLIFF, PO, JSONL, Parquet, lines
    of `source ||| target`, ... `i-j` links word i of the source with word j of the target, counted from 0.
    \f
    Files can also end with .gz, .xz or .zst; `-` is stdin. One file with both languages is lines of `source ||| target`
    or of source TAB target, or TMX, XLIFF, PO, JSONL, Parquet, or a zip of OPUS. With --model and no files, pairs are
    read from stdin and answered line by line.

    TMX, XLIFF, PO, JSONL and Parquet hold raw text: it is split into tokens, and links count these. Plain text whose
    punctuation stands at its words is split, too, but links are those of the words between spaces. --tokenize splits
    all text, --no-tokenize none; --to-whitespace writes links of the words between spaces of whatever is split. A model
    goes on with what was done to its text.

    --scores adds the probability of each link, and the pair's score: the log probability per word, mean of
    both directions.

    --direction forward writes the best path of the model in which source words generate target words (each
    target word has at most one link, with bi1 and bihmm two), reverse the other one; both, combined, are nearly
    always better.

    --model-type: hmm for everything; ibm1 where word order tells nothing; bi1 and bihmm, slower, where a word
    often stands for two; ibm4, slower, for better best paths, with --combine grow-diag and its kin. --set regularity
    helps where rare words collect garbage: with --training independent, most of all in texts of some ten thousand
    pairs or less. --set optimizer=pgd is there to compare: em is faster and links better.

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

    Each setting below can also be given as an option of its own, --set jump_band=5 as --jump-band 5.
    """
    options = with_settings(options)
    check_outputs(*(options[name] for name in ("output", "offsets", "certificates", "timings")))
    check_known(options)
    check_checkpoint(options)
    if options["offsets"] and not options["tokenize"] and not options["model"] and target is not None:
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
    from cepts.aligning.stopwatch import Stopwatch
    from cepts.storage import together

    options["memory"] = memory_for(options, source, target)
    announce_compilation(options["quiet"])
    with opened_cluster(options) as cluster:
        aligner = open_aligner(options, cluster=cluster)
        kind = kind_of(aligner, options)
        if kind == "lists":
            aligner.memory = aligner.memory._replace(taken=LISTED * LINK)
        text = {"keep_text": _kept_text(options["format"]), **aligner.text._asdict()}
        bitext = read_input(source, target, _reading(target, options), or_nothing=True, **text)
        if not len(bitext):
            write_nothing(aligner, bitext, options)
            return
        alignment, stopwatch = None, Stopwatch()
        check_text_wanted(kind, aligner.text.after(bitext), options)
        given = read_known(options, bitext, source)
        if options["model"]:
            check_model(aligner, bitext, options["model"], options)
        else:
            fit(aligner, bitext, given, options)
        if kind != "lists":
            with stopwatch("links"):
                alignment = aligner.align(bitext, **given._asdict())
        dual = None if alignment is None else alignment.dual
    with together():
        counts = write_answers(aligner, bitext, alignment, given, options, stopwatch)
        if options["offsets"]:
            write_offsets(bitext, options["offsets"])
        if options["certificates"] and dual is not None:
            write_certificates(dual, options["certificates"])
        if options["timings"]:
            write_timings(aligner, bitext, stopwatch.seconds, options["timings"])
    if not options["model"]:
        note_strength(aligner.recipe, alignment, options["quiet"])
    note_certificates(dual, options["quiet"])
    note_pruning(aligner, options["quiet"])
    note_memory(aligner.memory, aligner.scratch.on_disk, options["quiet"])
    note_left_out(bitext.left_out, source, options["quiet"])
    summarise(counts, options["quiet"], EMPTY[kind])
    said = [counted(len(bitext), "pair")]
    if alignment is not None:
        said.append(counted(len(alignment.confidence), "link"))
    finished(options["quiet"], *said, output=options["output"])


def write_nothing(aligner: Aligner, bitext: Bitext, options: dict[str, Any]) -> None:
    """Write what comes of a text without pairs: files without lines."""
    from cepts.links import Links
    from cepts.storage import together

    with together():
        with destination(options["output"]) as stream:
            if kind_of(aligner, options) == "links":
                write_formatted(Links.from_pairs([]), stream, options, bitext, ([], []))
        if options["offsets"]:
            write_offsets(bitext, options["offsets"])
        if options["certificates"]:
            with destination(options["certificates"]):
                pass
        if options["timings"]:
            write_timings(aligner, bitext, {}, options["timings"])
    finished(options["quiet"], counted(0, "pair"), output=options["output"])


def check_text_wanted(kind: str, text: TextOptions, options: dict[str, Any]) -> None:
    """Refuse what is about tokens where there are none, or where links are wanted of the words between spaces."""
    if options["offsets"] and not text.tokenize:
        raise OptionError("--offsets needs --tokenize: without it tokens are what stands between spaces")
    if text.to_whitespace:
        why = "is about tokens, and links are those of words between spaces here; drop one of them"
        refuse(("offsets", "known_links"), options, why)
        if kind != "links":
            raise OptionError(f"{'--format cepts' if kind == 'cepts' else '--n-best'} {why}")


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


def stream(options: dict[str, Any]) -> None:
    """Answer pairs on stdin line by line."""
    from cepts.corpus import bitext_from_pairs, split_pairs
    from cepts.links.text import stripped

    refuse(
        ("offsets", "certificates", "timings", "known_links", "dask", *names_of(input_options)),
        options,
        "needs files: pairs on stdin are answered one by one",
    )
    announce_compilation(options["quiet"])
    aligner = open_aligner(options)
    kind = kind_of(aligner, options)
    check_single(kind, aligner, options)
    check_text_wanted(kind, aligner.text, options)
    if sys.stdin.isatty():
        note("type lines of `source ||| target`; Ctrl-D ends", options["quiet"])
    counts, first = Survived(), list[tuple[str, str]]()
    with destination(options["output"]) as output:
        for sides in split_pairs(sys.stdin.buffer, errors=options["errors"]):
            pair = (stripped(sides[0]), stripped(sides[1]))
            bitext = bitext_from_pairs([pair], errors=options["errors"], **aligner.text._asdict())
            oversized = write_answer(kind, aligner, bitext, counts.pairs, output, options, pair)
            output.flush()
            counts = survived(bitext, oversized, counts)
            if bitext.cells and len(first) < LOOKED_AT:
                first.append(pair)
                if len(first) == LOOKED_AT:
                    note_unknown(aligner, first, options)
    summarise(counts, options["quiet"], EMPTY[kind])
    finished(options["quiet"], counted(counts.pairs, "pair"), output=options["output"])


def note_unknown(aligner: Aligner, pairs: list[tuple[str, str]], options: dict[str, Any]) -> None:
    """Say so if the model seems to be the wrong way round for the first pairs of a stream, or of other languages."""
    from cepts.corpus import bitext_from_pairs

    if options["no_check"] or options["quiet"]:
        return
    found = aligner.unknown_words(
        bitext_from_pairs(pairs, errors=options["errors"], **aligner.text._asdict())
    )
    if said := said_of_unknown(found, options["model"]):
        note(said, options["quiet"])


def align_sample(source: str | None, options: dict[str, Any]) -> None:
    """Align the sample, draw some of it, and score it."""
    from cepts.cli.sample import show_sample

    if source is not None or options["model"]:
        raise OptionError("--sample brings its own text: drop the files and --model")
    ignored = (
        "tokenize",
        "to_whitespace",
        "segmenter",
        "keep_case",
        "format",
        "scores",
        "offsets",
        "certificates",
        "timings",
    )
    known = ("lexicon", "known_links", "dask")
    refuse(
        (*ignored, *known, *names_of(input_options)), options, "does not go with --sample; drop one of them"
    )
    announce_compilation(options["quiet"])
    aligner = open_aligner(options)
    if lists_wanted(aligner.recipe, options):
        raise OptionError("--n-best in one direction does not go with --sample; drop one of them")
    shown = show_sample(aligner)
    with destination(options["output"]) as stream:
        stream.write(shown)


@command(
    examples=(
        "cepts train book.fr book.en --output model",
        "cepts train more.fr more.en --from model --output model",
    )
)
@click.argument("source")
@click.argument("target", required=False)
@option(
    "--output",
    metavar="FOLDER",
    required=True,
    help="The folder to write; an older model there goes.",
    group="Training",
)
@option(
    "--from",
    "begin",
    metavar="MODEL",
    help="Add the text to this model, instead of starting over.",
    group="Training",
)
@with_options(input_options, text_options, (whitespace_option,))
@with_options(training_options, (set_option,), lexicon_options, known_options)
@with_options(linking_options, dual_options, cepts_options, (check_option,))
@with_options((memory_option,), checkpoint_options, cluster_options, running_options)
def train(source: str, target: str | None, **options: Any) -> None:
    """Train a model on two translated texts and save it in a folder.

    SOURCE and TARGET are as in `cepts align`.

    `cepts align --model FOLDER` on the same text gives the links that `cepts align` gives.
    \f
    With --from, what MODEL has learned counts as it did, and only the new text is read and walked over. Its recipe, and
    how it cuts text into words, are those of MODEL.
    """
    options = with_settings(options)
    from cepts.storage import check_folder_writable

    check_folder_writable(options["output"])
    check_known(options)
    check_checkpoint(options)
    options["memory"] = memory_for(options, source, target)
    announce_compilation(options["quiet"])
    with opened_cluster(options) as cluster:
        aligner = open_aligner({**options, "model": None}, lists=False, cluster=cluster)
        bitext = read_input(source, target, options, **aligner.text._asdict())
        if options["begin"]:
            check_model(aligner, bitext, options["begin"], options)
        aligner = fit(aligner, bitext, read_known(options, bitext, source), options)
        aligner.save(options["output"])
    note_pruning(aligner, options["quiet"])
    note_memory(aligner.memory, aligner.scratch.on_disk, options["quiet"])
    note_left_out(bitext.left_out, source, options["quiet"])
    summarise(survived(bitext, aligner.oversized), options["quiet"], EMPTY["links"])
    finished(options["quiet"], counted(len(bitext), "pair"), output=options["output"])
