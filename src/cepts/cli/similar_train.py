"""`cepts similar train`, and the options of features and factorisations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.clusters import opened_cluster
from cepts.cli.help import command, detail
from cepts.cli.options import (
    chosen_text,
    cluster_options,
    input_options,
    memory_option,
    names_of,
    running_options,
    text_options,
    with_options,
    within,
)
from cepts.cli.progress import announce_compilation, counted, finished, note, note_memory
from cepts.cli.reading import note_left_out, read_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts.corpus import Bitext
    from cepts.sentences.features import FeatureOptions

feature_options = (
    detail(
        "--features",
        metavar="LIST",
        help="What sentences are described by: words:N (n-grams of up to N words), chars:N-M (pieces of words), tags:N"
        " (n-grams of tags, of word_TAG tokens), arcs:words or arcs:tags (dependency triples, of word_TAG_relation_head"
        " tokens), with commas between them.",
    ),
    detail("--weighting", type=click.Choice(["count", "tfidf"]), help="What a feature weighs in a sentence."),
    detail(
        "--norm",
        type=click.Choice(["none", "sum", "length"]),
        help="What the weights of a sentence are divided by.",
    ),
    detail(
        "--min-count",
        type=within(bounds.MIN_COUNT),
        metavar="N",
        help="Leave out features that are there less often.",
    ),
    detail(
        "--max-features",
        type=within(bounds.FEATURES),
        metavar="N",
        help="Keep the N most frequent of each language.",
    ),
)
factorising_options = (
    detail(
        "--beta", type=within(bounds.BETA), metavar="X", help="Kind of the loss: 0 is KL, 1 squared error."
    ),
    detail(
        "--row-sparsity",
        type=within(bounds.PRICE),
        metavar="X",
        help="Price of large numbers in sentences; needs the next.",
    ),
    detail(
        "--factor-sparsity", type=within(bounds.PRICE), metavar="X", help="Price of large numbers in factors."
    ),
    detail(
        "--coupling", type=within(bounds.PRICE), metavar="X", help="Price of factors that are large in both."
    ),
    detail("--start", type=click.Choice(["random", "svd"]), help="Where the factors begin."),
    detail(
        "--update", type=click.Choice(["multiplicative", "additive"]), help="How the factors are improved."
    ),
    detail(
        "--step",
        type=within(bounds.STEP),
        metavar="X",
        help="With additive: how far, up to 1; else the best.",
    ),
    detail("--iterations", type=within(bounds.UPDATES), metavar="N", help="Rounds of training, at most."),
    detail(
        "--tolerance",
        type=within(bounds.PROBABILITY),
        metavar="X",
        help="Stop as soon as the loss falls by a smaller share.",
    ),
    detail("--batch", type=within(bounds.BATCH), metavar="N", help="Learn from N sentence pairs at a time."),
    detail(
        "--epochs", type=within(bounds.EPOCHS), metavar="N", help="With --batch: how often each pair is seen."
    ),
    detail(
        "--seed",
        type=within(bounds.SEED),
        metavar="N",
        default=1,
        show_default=True,
        help="Of random numbers.",
    ),
)
comparing_options = (
    detail(
        "--projection",
        type=click.Choice(["divergence", "non-negative", "least-squares"]),
        help="How a sentence gets its factors.",
    ),
    detail("--measure", type=click.Choice(["hellinger", "cosine", "dot"]), help="How factors are compared."),
)


@command(short_help="Learn from translated text, and save the model.")
@click.argument("source")
@click.argument("target", required=False)
@click.option(
    "--output", metavar="FOLDER", required=True, help="The folder to write; an older model there goes."
)
@click.option(
    "--k",
    type=within(bounds.FACTORS),
    metavar="N",
    help="How many factors; 128, fewer if there is little text.",
)
@with_options(feature_options, factorising_options, comparing_options, input_options, text_options)
@with_options((memory_option,), cluster_options, running_options)
def train(source: str, target: str | None, **options: Any) -> None:
    """Learn from translated text what sentences of two languages have in common, and save the model in a folder.

    SOURCE and TARGET are line-aligned files (also .gz, .xz, .zst). Without TARGET, SOURCE or `-` holds both languages:
    lines of `source ||| target` or of source TAB target, or TMX, XLIFF, PO, JSONL, Parquet, or a zip of OPUS. The model
    scores and ranks with K factors that both languages share, and with a lexicon of words.
    """
    from cepts.storage import check_folder_writable
    from cepts.storage.memory import wanted_memory

    check_folder_writable(options["output"])
    features, factors = chosen_features(options), chosen_factors(options)
    own = {name: options[name] for name in ("k", *names_of(comparing_options)) if options[name] is not None}
    memory = wanted_memory(options["memory"])
    announce_compilation(options["quiet"])
    bitext = read_text(source, target, options)
    from cepts.corpus import TextOptions
    from cepts.quality.similar import Similarity

    text = TextOptions(bool(options["tokenize"]), options["keep_case"])  # how it was cut, the bitext knows
    with opened_cluster(options) as cluster:
        tell = teller("factorising", factors["iterations"])
        running = {"threads": options["threads"], "memory": memory, "client": cluster, "progress": tell}
        model = Similarity.fit(bitext, features=features, text=text, **running, **factors, **own)
        model.save(options["output"])
    note_memory(memory, model.on_disk, options["quiet"])
    note_left_out(bitext.left_out, source, options["quiet"])
    note_empty(bitext, options["quiet"])
    finished(options["quiet"], counted(len(bitext), "pair"), output=options["output"])


def read_text(source: str, target: str | None, options: dict[str, Any]) -> Bitext:
    """Read what to learn from."""
    return read_input(source, target, options, **chosen_text(options))


def note_empty(bitext: Bitext, quiet: bool) -> None:
    """Say how many pairs have an empty side."""
    empty = int(((bitext.source.lengths == 0) | (bitext.target.lengths == 0)).sum())
    if empty:
        note(f"{empty} of {len(bitext)} pairs have an empty side: they say nothing of translation", quiet)


def chosen_features(options: dict[str, Any]) -> FeatureOptions:
    """Make of the options what features take."""
    from cepts.quality.similar import DEFAULTS
    from cepts.sentences.features import FeatureOptions, parse_features

    given = {name: options[name] for name in names_of(feature_options) if options[name] is not None}
    return FeatureOptions(**parse_features(given.pop("features", DEFAULTS["features"])), **given)


def chosen_factors(options: dict[str, Any]) -> dict[str, Any]:
    """Make of the options what a factorisation takes."""
    from cepts.quality.similar import DEFAULTS

    given = {name: options[name] for name in names_of(factorising_options) if options[name] is not None}
    return {"iterations": DEFAULTS["iterations"], **given}


def teller(stage: str, rounds: int) -> Callable[[int, float], None]:
    """Show the rounds of a factorisation as the steps of any training."""
    from cepts.running.steps import Step, ignore

    return lambda number, loss: ignore(Step(stage, number + 1, rounds, 1.0, loss))
