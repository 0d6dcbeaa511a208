"""`cepts translate train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import (
    chosen_text,
    input_options,
    linked_text,
    refuse,
    running_options,
    text_options,
    with_options,
    within,
)
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.cli.reading import note_left_out, read_input
from cepts.errors import OptionError

if TYPE_CHECKING:
    from cepts.corpus import Bitext, Side
    from cepts.translation import Translator

TUNERS = ("mira", "pro")
SETTINGS = ("order", "max_length", "tuner", "rounds", "beam", "distortion_limit")

learning_options = (
    click.option("--dev", nargs=2, metavar="SOURCE TARGET", help="Two files to tune the weights on."),
    click.option("--links", metavar="FILE", help="Links of the words, instead of aligning them first."),
    click.option(
        "--lm-text", metavar="FILE", help="More text of the target language, for the language model."
    ),
    click.option("--method", metavar="NAME", help="Recipe of the aligner, as in `cepts align` (best)."),
    click.option("--combine", metavar="NAME", help="How two directions become one, as in `cepts align`."),
    click.option(
        "--order",
        type=within(bounds.NGRAM),
        metavar="N",
        help="Of the language model: words of an n-gram (5).",
    ),
    click.option(
        "--max-length",
        type=within(bounds.PHRASE_LENGTH),
        metavar="N",
        help="Words of a phrase on either side (5).",
    ),
    click.option("--tuner", type=click.Choice(TUNERS), help="How weights are found from lists (mira)."),
    click.option("--rounds", type=within(bounds.TUNING_ROUNDS), metavar="N", help="Of tuning, at most (8)."),
    click.option("--beam", type=within(bounds.BEAM), metavar="N", help="Partial translations that are kept."),
    click.option(
        "--distortion-limit",
        type=within(bounds.DISTORTION_LIMIT),
        metavar="N",
        help="Words from the end of a phrase to the next one, at most (6); 0: in order.",
    ),
    click.option(
        "--seed", type=within(bounds.SEED), metavar="N", default=1, show_default=True, help="Of tuning."
    ),
)


@command(short_help="Learn from translated text, and save the model.")
@click.argument("source")
@click.argument("target", required=False)
@click.option(
    "--output", metavar="FOLDER", required=True, help="The folder to write; an older model there goes."
)
@with_options(learning_options, input_options, text_options, running_options)
def train(source: str, target: str | None, **options: Any) -> None:
    """Learn to translate from two line-aligned files, and save the model in a folder.

    Words are aligned, phrases are taken from the links, n-grams are counted in TARGET, and the weights of all that are
    tuned on --dev. Without TARGET, SOURCE holds both languages, as in `cepts align`.
    """
    from cepts.storage import check_folder_writable

    check_folder_writable(options["output"])
    _check(options)
    announce_compilation(options["quiet"])
    bitext = read_input(source, target, options, **_text(options))
    note_left_out(bitext.left_out, source, options["quiet"])
    dev, more = _read_dev(bitext, options), _read_more(bitext, options)
    translator = _trained(source, bitext, dev, more, options)
    translator.save(options["output"])
    _note_trained(translator, options["quiet"])
    finished(options["quiet"], counted(len(bitext), "pair"), output=options["output"])


def _check(options: dict[str, Any]) -> None:
    """Refuse what would have no effect, before any work."""
    if options["links"] is not None:
        refuse(
            ("method", "combine"), options, "is about aligning, and --links has the links; drop one of both"
        )
    if not options["dev"]:
        refuse(("tuner", "rounds"), options, "needs --dev SOURCE TARGET to tune on; add that, or drop it")
    given = [options[name] for name in ("links", "lm_text")] + list(options["dev"] or ())
    if "-" in given:
        raise OptionError("-: of these files none can be standard input; give files")


def _text(options: dict[str, Any]) -> dict[str, Any]:
    """Pick how lines become words; where links are given, as the command that made them does."""
    return chosen_text(options) if options["links"] is None else linked_text(options)


def _text_of(bitext: Bitext, options: dict[str, Any]) -> Any:
    """Return how the training text was read, with what was learned of its script."""
    from cepts.corpus import TextOptions
    from cepts.corpus.segmenter import segmenters

    given = _text(options)
    return TextOptions(given["tokenize"], given["keep_case"], segmenters(given["segmenter"])).after(bitext)


def _read_dev(bitext: Bitext, options: dict[str, Any]) -> Bitext | None:
    from cepts.corpus import read_bitext

    if not options["dev"]:
        return None
    return read_bitext(*options["dev"], errors=options["errors"], **_text_of(bitext, options)._asdict())


def _read_more(bitext: Bitext, options: dict[str, Any]) -> Side | None:
    from cepts.corpus import read_side

    if options["lm_text"] is None:
        return None
    text = _text_of(bitext, options).of_side(source=False)
    return read_side(options["lm_text"], errors=options["errors"], **text)


def _trained(
    source: str, bitext: Bitext, dev: Bitext | None, more: Side | None, options: dict[str, Any]
) -> Translator:
    """Train what the options ask for."""
    from cepts.links.reading import read_fitting
    from cepts.translation import Translator

    links = None if options["links"] is None else read_fitting(options["links"], bitext, source)
    return Translator.train(
        bitext,
        dev,
        links=links,
        more_target=more,
        text=_text_of(bitext, options),
        aligner={name: options[name] for name in ("method", "combine") if options[name] is not None},
        seed=options["seed"],
        threads=options["threads"],
        **{name: options[name] for name in SETTINGS if options[name] is not None},
    )


def _note_trained(translator: Translator, quiet: bool) -> None:
    """Say what tuning came to, and what spoils it."""
    trained = translator.trained
    if "dev_bleu" not in trained:
        note("no --dev: the weights are the usual ones, not tuned", quiet)
        return
    if trained["overlap"]:
        note(
            f"{trained['overlap']} of {trained['dev_pairs']} pairs of dev are in the training text, too: they make dev"
            " look too good; drop them from one of both",
            quiet,
        )
    history = trained["dev_bleu"]
    note(f"BLEU on dev {max(history):.2f}, before tuning {history[0]:.2f}", quiet)
