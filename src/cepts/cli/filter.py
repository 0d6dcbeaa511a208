"""`cepts filter`: a cleaner bitext, or a score for each of its pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.choices import listed
from cepts.cli.help import command
from cepts.cli.options import (
    check_option,
    check_text,
    chosen_text,
    input_options,
    refuse,
    running_options,
    text_options,
    with_options,
    within,
)
from cepts.cli.output import STDOUT, check_outputs, destination
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.cli.reading import check_model, input_arguments, note_left_out, read_input
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.corpus import TextOptions
    from cepts.quality.filtering import Filtered
    from cepts.quality.similar import Similarity

RULE_OPTIONS = (
    click.option(
        "--max-words",
        type=within(bounds.PAIR_WORDS),
        metavar="N",
        default=250,
        show_default=True,
        help="Drop pairs with more words on a side.",
    ),
    click.option(
        "--max-ratio",
        type=within(bounds.MAX_RATIO),
        metavar="X",
        default=9.0,
        show_default=True,
        help="Drop pairs with more than X words on one side for each on the other.",
    ),
    click.option("--keep-identical", is_flag=True, help="Keep pairs with the same words on both sides."),
    click.option("--keep-duplicates", is_flag=True, help="Keep pairs that were there before."),
)


@command("filter")
@click.argument("source")
@click.argument("target", required=False)
@click.option(
    "--output",
    metavar="PREFIX",
    help="Write PREFIX.src, PREFIX.tgt and PREFIX.dropped.tsv; with --scores: the file of scores.",
)
@click.option("--scores", is_flag=True, help="Write a score for each line, and nothing else.")
@click.option(
    "--min-score",
    type=within(bounds.PROBABILITY),
    metavar="X",
    help="Drop pairs with a lower score, from 0 to 1. If not given, the suggested threshold.",
)
@with_options(RULE_OPTIONS)
@click.option("--model", metavar="FOLDER", help="Link words with a trained aligner instead of a new one.")
@click.option(
    "--similar", metavar="FOLDER", help="Let a model of cepts similar train have a say in the scores."
)
@click.option(
    "--seed",
    type=within(bounds.SEED),
    metavar="N",
    default=1,
    show_default=True,
    help="Of the bad pairs that are made up to learn from.",
)
@with_options((check_option,), input_options, text_options, running_options)
def filter(source: str, target: str | None, **options: Any) -> None:  # noqa: A001
    """Drop the pairs of a bitext that are no good translations.

    SOURCE and TARGET are line-aligned files, or SOURCE holds both languages, as in `cepts align`. Rules drop pairs with
    an empty side, of too many words, of lengths that are too different, with the same words on both sides, and pairs
    that were there before. All others get a score from 0 (bad) to 1 (good), learned from the text itself, without gold
    or any other model; those below a threshold are dropped, too.

    Lines are written as they were; of TMX and XLIFF, their text. PREFIX.dropped.tsv says why a line was dropped: line,
    reason, score, source and target, separated by TAB. With --scores nothing is dropped: line k of the output is the
    score of pair k, and 0 where a rule would drop it.
    """
    from cepts.quality.filter_files import output_paths
    from cepts.quality.filtering import filter_bitext
    from cepts.quality.rules import Rules

    _check(source, target, options)
    rules = Rules(
        options["max_words"],
        options["max_ratio"],
        not options["keep_identical"],
        not options["keep_duplicates"],
    )
    announce_compilation(options["quiet"])
    aligner, similar = _open(options)
    text = _text_options(options, aligner, similar)
    bitext = read_input(source, target, options, or_nothing=True, **text._asdict())
    if aligner is not None and len(bitext):
        check_model(aligner, bitext, options["model"], options)
    filtered = filter_bitext(
        bitext,
        rules=rules,
        aligner=aligner,
        similar=similar,
        **{name: options[name] for name in ("min_score", "seed", "threads")},
    )
    _write(filtered, source, target, options)
    note_left_out(bitext.left_out, source, options["quiet"])
    for sentence in report(filtered, scored_only=options["scores"]) if len(bitext) else []:
        note(sentence, options["quiet"])
    output = options["output"]
    if not options["scores"]:
        output = listed(output_paths(output), "and")
    finished(options["quiet"], counted(len(bitext), "pair"), output=output)


def _check(source: str, target: str | None, options: dict[str, Any]) -> None:
    """Refuse what does not go together, and places that cannot be read or written, before any work."""
    from cepts.quality.filter_files import check_readable_twice, output_paths

    if options["scores"]:
        refuse(("min_score",), options, "does not go with --scores, which drops nothing; drop one of them")
        check_outputs(options["output"])
        return
    prefix = options["output"]
    if prefix is None:
        raise OptionError("nothing to write: give --output PREFIX, or --scores")
    if prefix in ("", STDOUT) or prefix.endswith("/"):
        raise OptionError(f"--output {prefix}: expected the beginning of file names, such as clean")
    check_readable_twice(*(path for path in (source, target) if path is not None))
    check_outputs(*output_paths(prefix))


def _open(options: dict[str, Any]) -> tuple[Aligner | None, Similarity | None]:
    """Open the models that were given."""
    aligner = similar = None
    if options["model"] is not None:
        from cepts.aligning import Aligner

        aligner = Aligner.load(options["model"], threads=options["threads"])
    if options["similar"] is not None:
        from cepts.quality.similar import Similarity

        similar = Similarity.load(options["similar"])
    return aligner, similar


def _text_options(
    options: dict[str, Any], aligner: Aligner | None, similar: Similarity | None
) -> TextOptions:
    """Say how lines become words: as the models know them, or as the options say."""
    from cepts.corpus import TextOptions
    from cepts.corpus.segmenter import segmenters

    models = [model.text.of_words() for model in (aligner, similar) if model is not None]
    if len(set(models)) > 1:
        raise OptionError(
            "--model and --similar were trained on text that was split or lower-cased in different ways;"
            " train both with the same --tokenize, --segmenter and --keep-case, and what is learned on the same text"
        )
    for text in models:
        check_text(text, options)
        return text
    chosen = chosen_text(options)
    return TextOptions(**chosen | {"segmenter": segmenters(chosen["segmenter"])})


def _write(filtered: Filtered, source: str, target: str | None, options: dict[str, Any]) -> None:
    """Write the scores, or what is kept and what is dropped."""
    from cepts.quality.filter_files import write_filtered, write_filtered_pairs

    if not options["scores"] and target is not None:
        write_filtered(filtered, source, target, options["output"])
        return
    if not options["scores"]:
        reading = input_arguments(options)
        del reading["markup"]  # what is written is the text as it was
        write_filtered_pairs(filtered, source, options["output"], **reading)
        return
    with destination(options["output"]) as stream:
        for score in filtered.scores.tolist():
            stream.write(f"{score:.6f}\n")


def report(filtered: Filtered, scored_only: bool) -> list[str]:
    """Say how many pairs were dropped for what, and what the threshold is."""
    pairs = len(filtered.scores)
    kept = int(filtered.kept.sum())
    counts = ", ".join(f"{count} {reason.text}" for reason, count in filtered.dropped().items())
    verb = "would be dropped" if scored_only else "dropped"
    said = [f"{kept} of {pairs} pairs kept, {pairs - kept} {verb}" + (f": {counts}" if counts else "")]
    if filtered.suggested > 0:
        said.append(
            f"suggested threshold {filtered.suggested:.6f}, where a pair is as probably bad as good:"
            f" {100 * filtered.bad_share:.2f} % of the scored pairs seem to be bad"
        )
    else:
        said.append("no threshold is suggested: no pair that was scored looks bad")
    if filtered.threshold != filtered.suggested:
        said.append(f"used threshold {filtered.threshold:.6f}, as --min-score says")
    return said
