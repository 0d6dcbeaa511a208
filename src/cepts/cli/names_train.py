"""`cepts names train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts import bounds
from cepts.cli.help import command
from cepts.cli.options import errors_option, quiet_option, refuse, within
from cepts.cli.progress import announce_compilation, counted, finished, note
from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts.characters import EditModel, Epoch, TrainingOptions
    from cepts.names import Combination, PhraseSystem
    from cepts.names.files import Row

MODES = ("generate", "rank", "classify", "affinity")
UPDATES = ("expected", "perceptron")
STARTS = ("order-0", "zero")
SYSTEMS = ("edit", "phrases", "both")
NEEDED = {  # options that only some modes use
    "decoys": ("rank", "classify"),
    "trues": ("classify",),
    "beam": ("generate",),
    "update": ("generate",),
    "start": ("generate",),
}
MEASURES = {
    "generate": "mean reciprocal rank",
    "rank": "mean reciprocal rank",
    "classify": "share of right orders",
    "affinity": "share of right orders",
}


@command(short_help="Learn from pairs of names, and save the model.")
@click.argument("pairs")
@click.option(
    "--output", metavar="FOLDER", required=True, help="The folder to write; an older model there goes."
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="generate",
    show_default=True,
    help="What to learn: to write names, to rank given ones, to tell groups apart, or an order.",
)
@click.option(
    "--system",
    type=click.Choice(SYSTEMS),
    default="edit",
    show_default=True,
    help="The edit model; in mode generate also a phrase-based system of letters, or both combined (needs --dev).",
)
@click.option(
    "--order",
    type=within(bounds.ORDER),
    metavar="N",
    default=3,
    show_default=True,
    help="How many letters around an edit are looked at, from 0 to 4.",
)
@click.option(
    "--dev",
    metavar="FILE",
    help="Data like PAIRS: the epoch that does best there is kept, and `match` learns how sure it is.",
)
@click.option(
    "--epochs",
    type=within(bounds.EPOCHS),
    metavar="N",
    help="How often all is presented: 10 times, in mode rank 20, in mode affinity 5.",
)
@click.option(
    "--decoys",
    type=within(bounds.STRINGS),
    metavar="N",
    help="In modes rank (200) and classify (5): wrong strings drawn for each name.",
)
@click.option(
    "--trues",
    type=within(bounds.STRINGS),
    metavar="N",
    help="In mode classify: right strings drawn for each one (5).",
)
@click.option(
    "--beam",
    type=within(bounds.NAME_BEAM),
    metavar="N",
    help="In mode generate: partial names that are kept in training (30).",
)
@click.option(
    "--update",
    type=click.Choice(UPDATES),
    help="In mode generate: learn from all wrong names as probable as they are (the default), or from the best one.",
)
@click.option(
    "--start",
    type=click.Choice(STARTS),
    help="In mode generate: begin with the weights and the edits of a model of order 0 (the default), or with weights"
    " of zero and all edits.",
)
@click.option(
    "--seed",
    type=within(bounds.SEED),
    metavar="N",
    default=1,
    show_default=True,
    help="Of the order and of what is drawn.",
)
@errors_option
@quiet_option
def train(pairs: str, **options: Any) -> None:
    """Learn from pairs of names how letters become others, and save the model in a folder.

    PAIRS has a pair on each line, source TAB target (also .gz, .xz; `-` is stdin). In mode classify a line is a group:
    strings that belong together, with TABs between them. In mode affinity it is source TAB better TAB worse.
    \f
    generate is for `cepts names transcribe`, rank for `rank` and `match`; classify and affinity compare strings of one
    language, as in rhymes, or by any order of one's own.
    """
    from cepts.storage import check_folder_writable

    check_folder_writable(options["output"])
    for name, modes in NEEDED.items():
        if options["mode"] not in modes:
            refuse([name], options, f"needs --mode {' or '.join(modes)}; add that, or drop it")
    _check_system(options)
    announce_compilation(options["quiet"])
    from cepts.names.files import reader_of

    read = reader_of(options["mode"])
    data = read(pairs, errors=options["errors"])
    dev = None if options["dev"] is None else read(options["dev"], errors=options["errors"])
    systems: dict[str, EditModel | PhraseSystem] = {}
    if options["system"] != "phrases":
        systems["edit"] = model = _edit_model(data, dev, options)
    if options["system"] != "edit":
        systems["phrases"] = _phrase_system(data, dev, options)
    _whole(systems, dev).save(options["output"])
    if "edit" in systems:
        examples = sum(map(len, data)) if options["mode"] == "classify" else len(data)
        _note_history(model, examples, len(dev or ()), options["quiet"])
    finished(options["quiet"], counted(len(data), "pair"), output=options["output"])


def _check_system(options: dict[str, Any]) -> None:
    """Refuse what does not go with a system."""
    if options["system"] == "edit":
        return
    if options["mode"] != "generate":
        raise OptionError(f"--system {options['system']} needs --mode generate; add that, or drop it")
    if options["system"] == "phrases":
        refuse(
            ["epochs", "beam", "update", "start"],
            options,
            "is of the edit model; drop it, or --system phrases",
        )
    elif options["dev"] is None:
        raise OptionError("--system both needs --dev FILE, names to learn from how much each of both counts")


def _edit_model(data: list[Row], dev: list[Row] | None, options: dict[str, Any]) -> EditModel:
    from cepts.characters import EditModel
    from cepts.running.steps import Step, ignore

    chosen = _chosen(options)
    ignore(Step("training", 1, chosen.epoch_count, 0.0))  # and tell whoever watches
    model = EditModel.fit(data, dev=dev, options=chosen, progress=_tell_epoch)
    if dev is not None and chosen.is_transduction:
        _calibrate(model, data, dev, options["quiet"])
    return model


def _phrase_system(data: list[Row], dev: list[Row] | None, options: dict[str, Any]) -> PhraseSystem:
    from cepts.names import PhraseSystem

    pairs, others = ([(row[0], row[1]) for row in rows] for rows in (data, dev or []))
    return PhraseSystem.fit(pairs, others if dev is not None else None, seed=options["seed"])


def _whole(
    systems: dict[str, EditModel | PhraseSystem], dev: list[Row] | None
) -> EditModel | PhraseSystem | Combination:
    """Return the one system, or two as one."""
    if len(systems) == 1 or dev is None:
        return next(iter(systems.values()))
    from cepts.names import Combination

    return Combination.fit(systems, [(row[0], row[1]) for row in dev])


def _calibrate(model: EditModel, data: list[Row], dev: list[Row], quiet: bool) -> None:
    """Let the model learn from dev how sure matches are; what it was trained on would make it too sure."""
    from cepts.names.matching import calibrate

    known = {*data}
    fresh = [(row[0], row[1]) for row in dev if row not in known and all(row)]
    targets = {target for _, target in fresh}
    others = list(dict.fromkeys(target for _, target in data if target and target not in targets))
    try:
        calibrate(model, fresh, others, progress=telling("calibrating"))
    except InputError as error:
        note(f"matches have no probabilities, dev is too small for that: {error}", quiet)


def telling(stage: str) -> Callable[[int, int], None]:
    """Show how many names of how many are done."""
    from cepts.running.steps import tell

    return lambda done, total: tell(stage, done / total)


def _chosen(options: dict[str, Any]) -> TrainingOptions:
    """Make of the options what the model takes."""
    from cepts.characters import TrainingOptions

    names = ("mode", "order", "epochs", "decoys", "trues", "beam", "update", "start", "seed")
    return TrainingOptions(**{name: options[name] for name in names if options[name] is not None})


def _tell_epoch(epoch: Epoch) -> None:
    """Show an epoch as a step of any training."""
    from cepts.running.steps import Step, ignore

    ignore(Step("training", epoch.number, epoch.of, 1.0, epoch.loss))


def _note_history(model: EditModel, count: int, dev_count: int, quiet: bool) -> None:
    """Say what was left out, whether dev was in training, and which epoch was kept."""
    from cepts.characters.examples import LONGEST

    history = model.history
    assert history is not None  # it was just trained
    for number, what in (
        (history.left.empty, "have an empty string: left out"),
        (history.left.long, f"have a string of more than {LONGEST:,} letters: left out"),
        (history.left.repeated, "were there before: left out"),
    ):
        if number:
            note(f"{number} of {count} examples {what}", quiet)
    if history.overlap:
        note(
            f"{history.overlap} of {dev_count} examples of dev are in the training data, too: they make dev look too"
            " good; drop them from one of both",
            quiet,
        )
    if dev_count:
        best = history.epochs[history.chosen - 1]
        measure = f"{MEASURES[model.options.mode]} {best.dev:.3f}"
        note(f"epoch {best.number} of {best.of} is kept: it does best on dev, {measure}", quiet)
