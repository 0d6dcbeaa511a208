"""Options that several commands share, in one vocabulary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cepts import bounds
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cepts.bounds import Bounds
    from cepts.corpus import TextOptions

Command = TypeVar("Command", bound="Callable[..., Any]")

COMBINERS = (
    "union",
    "intersection",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
    "posterior",
    "dual",
    "cepts",
)


class within(click.ParamType):  # type: ignore[type-arg]  # noqa: N801 (like `int` and `float`)
    """Numbers within bounds: refused before anything is read."""

    def __init__(self, limits: Bounds) -> None:
        self.limits = limits
        self.name = "integer" if limits.whole else "float"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Read a number as click does, and refuse what is out of bounds."""
        number: int | float = (click.INT if self.limits.whole else click.FLOAT).convert(value, param, ctx)
        if not self.limits.holds(number):
            raise OptionError(
                f"{param.opts[0] if param is not None else 'number'} {value}: expected {self.limits}"
            )
        return number


tokenize_option = click.option(
    "--tokenize", is_flag=True, help="Split raw text into tokens; links count tokens."
)
errors_option = click.option(
    "--errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    show_default=True,
    help="Stop at bytes that are not UTF-8, or replace them by U+FFFD.",
)
segmenter_option = click.option(
    "--segmenter",
    metavar="NAME",
    help="With --tokenize: how scripts without spaces are cut: auto (the default), characters, learned, jieba or"
    " sudachi; two names with a comma, for source and target.",
)
text_options = (
    tokenize_option,
    segmenter_option,
    click.option("--keep-case", is_flag=True, help="Tell capitals from small letters (else not)."),
    errors_option,
)
input_options = (
    click.option(
        "--input-format",
        metavar="NAME",
        help="What is read: text (two files), or one file: bars, tsv, tmx, xliff, po, jsonl, parquet, moses-zip. If not"
        " given, seen from the content.",
    ),
    click.option("--source-language", metavar="CODE", help="The source, in a file that names its languages."),
    click.option("--target-language", metavar="CODE", help="The target, in a file that names its languages."),
    click.option(
        "--markup",
        type=click.Choice(["strip", "keep"]),
        help="HTML and placeholders such as %s: strip (the default for tmx, xliff, po) or keep (for others).",
    ),
)
training_options = (
    click.option(
        "--method",
        metavar="NAME",
        help="Recipe that sets everything else: best (the default), fast, bidirectional, cepts, denero-2011,"
        " goutte-2004, schoenemann-2011.",
    ),
    click.option(
        "--model-type", metavar="NAME", help="Word model: ibm1, hmm (the default), bi1, bihmm, ibm3 or ibm4."
    ),
    click.option("--optimizer", metavar="NAME", help="How it is trained: em (the default) or pgd."),
    click.option(
        "--regularity", metavar="X", help="Price of what rare words explain: a number, auto or off."
    ),
    click.option("--iterations", metavar="NAME=N,...", help="Rounds of training, such as ibm1=5,hmm=5."),
    click.option(
        "--training", metavar="NAME", help="Of both directions: agreement (the default) or independent."
    ),
    click.option("--agreement", metavar="NAME", help="What both directions count: product, odds or mean."),
    click.option(
        "--doubt", type=within(bounds.DOUBT), metavar="X", help="With odds: what they are divided by."
    ),
    click.option(
        "--same-spelling",
        type=within(bounds.WEIGHT),
        metavar="X",
        help="Count given to words spelled alike; 0: none.",
    ),
    click.option(
        "--families",
        metavar="NAME",
        help="Words with the same beginnings share what is known of them; or endings; or off.",
    ),
    click.option(
        "--spelling",
        type=within(bounds.SPELLING),
        metavar="X",
        help="What it counts that words are spelled nearly alike; 0: nothing.",
    ),
    click.option(
        "--null-probability",
        type=within(bounds.INNER_PROBABILITY),
        metavar="X",
        help="Probability that a word has no counterpart.",
    ),
    click.option(
        "--null-update", metavar="NAME", help="That probability stays fixed (the default) or is learned."
    ),
    click.option(
        "--null-state",
        metavar="NAME",
        help="What follows a word without counterpart: NULL remembers (the default) or forgets the position.",
    ),
    click.option(
        "--double-probability",
        type=within(bounds.INNER_PROBABILITY),
        metavar="X",
        help="In bi1 and bihmm: of a word with two counterparts.",
    ),
    click.option(
        "--prior", type=within(bounds.PRIOR), metavar="X", help="Dirichlet prior of the lexicon; 0: none."
    ),
    click.option(
        "--prune",
        type=within(bounds.PRUNE),
        metavar="X",
        help="Behind IBM-1, drop word pairs that are less probable in both directions; 0 (the default): none.",
    ),
    click.option(
        "--classes", type=within(bounds.CLASSES), metavar="N", help="In ibm4: word classes of each language."
    ),
    click.option(
        "--jump-band",
        type=within(bounds.JUMP_BAND),
        metavar="N",
        help="Longest jump with a parameter of its own.",
    ),
    click.option(
        "--jump-classes",
        type=within(bounds.JUMP_CLASSES),
        metavar="N",
        help="Classes of words that jumps depend on.",
    ),
    click.option(
        "--jump-update",
        metavar="NAME",
        help="M step of jumps: exact (the default), gradient or renormalised.",
    ),
)
linking_options = (
    click.option(
        "--combine",
        metavar="NAME",
        help=f"How two directions become one: {', '.join(COMBINERS)}. If not given, the recipe's way.",
    ),
    click.option("--direction", metavar="NAME", help="forward, reverse or both (the default)."),
    click.option(
        "--min-confidence",
        type=within(bounds.PROBABILITY),
        metavar="X",
        help="Leave out links that are less probable, from 0 to 1.",
    ),
    click.option(
        "--precision",
        type=within(bounds.INNER_PROBABILITY),
        metavar="X",
        help="Choose that limit so that so many of the links are expected to be right, such as 0.95.",
    ),
    click.option(
        "--confidence",
        metavar="NAME",
        help="What links are written with: calibrated probabilities, or the product of both directions'.",
    ),
)
dual_options = (
    click.option(
        "--rounds",
        type=within(bounds.ROUNDS),
        metavar="N",
        help="With dual: rounds until a pair goes without a certificate.",
    ),
    click.option(
        "--alpha",
        type=within(bounds.ALPHA),
        metavar="X",
        help="With dual: what one more link of a word costs.",
    ),
    click.option("--step", metavar="NAME", help="With dual: how prices move, in adaptive or harmonic steps."),
    click.option(
        "--step-size",
        type=within(bounds.STEP_SIZE),
        metavar="X",
        help="With dual: how far they move at first.",
    ),
    click.option("--remainder", metavar="NAME", help="With dual: heuristic for pairs without a certificate."),
)
association_options = (
    click.option(
        "--association",
        metavar="NAME",
        help="With cepts: what fills a pair's matrix: attached, sum or product (of posteriors), counts, weighted or"
        " ranked (of n-best lists), tables, cooccurrence, information.",
    ),
    click.option(
        "--n-best",
        type=within(bounds.N_BEST_ALIGNMENTS),
        metavar="N",
        help="In one direction: write a list of the N best alignments of each pair. With cepts: how long the lists are"
        " that are counted.",
    ),
    click.option(
        "--null-weight",
        type=within(bounds.NULL_WEIGHT),
        metavar="X",
        help="With cepts: what NULL's share counts.",
    ),
    click.option(
        "--scale",
        type=within(bounds.SCALE),
        metavar="N",
        help="With cepts: take a matrix for that of two lists of N alignments; more gives more cepts.",
    ),
)


def factorising_options(when: str = "") -> tuple[Callable[[Command], Command], ...]:
    """Say how matrices are factorised; `when` is what the help of each option begins with."""

    def said(text: str) -> str:
        return when + text if when else text[0].upper() + text[1:]

    return (
        click.option(
            "--criterion",
            metavar="NAME",
            help=said("what chooses the number of cepts: aic (the default) or bic."),
        ),
        click.option(
            "--search",
            metavar="NAME",
            help=said("how they are found: by annealing (the default), or as the best of random restarts."),
        ),
        click.option(
            "--restarts", type=within(bounds.RESTARTS), metavar="N", help="With restarts: how many of them."
        ),
        click.option(
            "--seed", type=within(bounds.SEED), metavar="N", help="With restarts: where random numbers begin."
        ),
        click.option(
            "--orphans",
            metavar="NAME",
            help=said(
                "what becomes of words whose cept has none on the other side: reassign (the default) gives them to"
                " other cepts, retrain fits these again before."
            ),
        ),
        click.option(
            "--sure-confidence",
            type=within(bounds.PROBABILITY),
            metavar="X",
            help=said("write links that are less probable as possible ones, i?j."),
        ),
    )


cepts_options = (*association_options, *factorising_options("With cepts: "))
format_option = click.option(
    "--format",
    type=click.Choice(["pharaoh", "cepts"]),
    help="Write links i-j (pharaoh, the default), or groups of words i,i-j,j:probability (cepts).",
)
# As in cepts.links, which would bring numpy.
LINK_FORMATS = (
    "pharaoh",
    "pharaoh-scores",
    "naacl",
    "talp",
    "giza",
    "jsonl",
    "tsv",
    "marian",
    "tmx",
    "xliff",
)
MARKERS = ("sentencepiece", "wordpiece", "bpe", "bytelevel")
align_format_option = click.option(
    "--format",
    type=click.Choice([*LINK_FORMATS, "cepts"]),
    metavar="NAME",
    help=f"Write links as {', '.join(LINK_FORMATS)} (pharaoh is the default), or groups of words (cepts).",
)
input_format_option = click.option(
    "--input-format",
    type=click.Choice(LINK_FORMATS),
    metavar="NAME",
    help="The format of LINKS, if it cannot be seen from the text.",
)
language_options = (
    click.option(
        "--source-language", metavar="CODE", help="In TMX and XLIFF: the source's code, such as fr."
    ),
    click.option("--target-language", metavar="CODE", help="In TMX and XLIFF: the target's code."),
)


quiet_option = click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
memory_option = click.option(
    "--memory",
    metavar="SIZE",
    help="What may be used before arrays go to disk, such as 4G; half of what is free and at most 1.5G, unless given.",
)
checkpoint_options = (
    click.option(
        "--checkpoint", metavar="FOLDER", help="Save the training there after every iteration; see --resume."
    ),
    click.option("--resume", is_flag=True, help="Go on from the checkpoint, if there is one."),
)
cluster_options = (
    click.option(
        "--dask",
        metavar="PLACE",
        help="Work on a Dask cluster: the scheduler's address, such as tcp://host:8786, or local:4 for four processes"
        " of this machine. What comes out does not depend on it.",
    ),
    click.option(
        "--task-timeout",
        type=within(bounds.TASK_TIMEOUT),
        metavar="SECONDS",
        help="With --dask: a worker that is at one task for longer hangs, and others do its work (600).",
    ),
)
running_options = (
    click.option(
        "--threads",
        type=within(bounds.THREADS),
        metavar="N",
        default=1,
        show_default=True,
        help="Threads to use; what comes out does not depend on it.",
    ),
    quiet_option,
)


def with_options(*groups: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    """Decorate a command with groups of options, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return decorate


def names_of(group: tuple[Callable[[Any], Any], ...]) -> list[str]:
    """Name the parameters that a group of options sets."""
    probe = click.command()(with_options(group)(lambda: None))
    return [parameter.name for parameter in probe.params if parameter.name]


def parse_iterations(text: str | None) -> dict[str, int]:
    """Read `ibm1=5,hmm=5`; bi1 and bihmm mean the same stages, ibm3 and ibm4 their own.

    >>> parse_iterations("ibm1=5,hmm=3")
    {'ibm1_iterations': 5, 'hmm_iterations': 3}
    """
    stages = {"ibm1": "ibm1", "hmm": "hmm", "bi1": "ibm1", "bihmm": "hmm", "ibm3": "ibm3", "ibm4": "ibm4"}
    wanted: dict[str, int] = {}
    for part in [] if text is None else text.split(","):
        name, _, number = (field.strip() for field in part.partition("="))
        field = f"{stages.get(name)}_iterations"
        if name not in stages or field in wanted or not re.fullmatch("[0-9]{1,9}", number):
            raise OptionError(f"--iterations {text}: expected a number for ibm1, hmm or both: ibm1=5,hmm=5")
        wanted[field] = int(number)
    return wanted


def parse_regularity(text: str | None) -> float | str | None:
    """Read a number, or leave auto and off to the recipe.

    >>> parse_regularity("2.5"), parse_regularity("auto")
    (2.5, 'auto')
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def chosen_text(options: dict[str, Any]) -> dict[str, Any]:
    """Pick how lines become words out of a command's options, under the names that readers of text have."""
    if options["segmenter"] is not None and not options["tokenize"]:
        raise OptionError("--segmenter needs --tokenize; add that, or drop it")
    return {name: options[name] for name in ("tokenize", "keep_case")} | {
        "segmenter": options["segmenter"] or "auto"
    }


def check_text(trained: TextOptions, options: dict[str, Any]) -> None:
    """Refuse options of text that a model was not trained with."""
    flags = [name for name in ("tokenize", "keep_case") if not getattr(trained, name)]
    refuse(flags, options, "was not used when the model was trained; train one with it")
    given = options["segmenter"]
    if given is not None and (not trained.tokenize or given != trained.segmenter.name):
        was = f"--segmenter {trained.segmenter.name}" if trained.tokenize else "words between spaces"
        raise OptionError(
            f"--segmenter {given}: the model was trained with {was}; drop it, or train one with it"
        )


def refuse(names: Iterable[str], options: dict[str, Any], why: str) -> None:
    """Refuse options that were given but would have no effect."""
    for name in names:
        if options[name] is not None and options[name] is not False:  # but a 0 that was given
            raise OptionError(f"--{name.replace('_', '-')} {why}")


def recipe_options(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what belongs to a recipe out of a command's options, under the recipe's names."""
    names = (
        "model_type",
        "optimizer",
        "training",
        "doubt",
        "same_spelling",
        "families",
        "spelling",
        "lexicon_weight",
        "null_probability",
        "null_update",
        "null_state",
        "double_probability",
        "prune",
        "classes",
        "jump_band",
        "jump_classes",
        "jump_update",
    )
    linking = names_of(linking_options + dual_options + cepts_options)
    chosen = {name: options.get(name) for name in (*names, *linking)}
    chosen["regularity"] = parse_regularity(options.get("regularity"))
    for field in ("prior", "agreement"):  # one option for both stages
        chosen |= {f"ibm1_{field}": options.get(field), f"hmm_{field}": options.get(field)}
    return {name: value for name, value in chosen.items() if value is not None} | parse_iterations(
        options.get("iterations")
    )
