"""Options that several commands share, in one vocabulary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cepts import bounds
from cepts.aligning.recipes import RECIPES, SETTINGS
from cepts.checking import unknown_option
from cepts.choices import listed
from cepts.cli.help import option
from cepts.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cepts.bounds import Bounds
    from cepts.corpus import TextOptions

Command = TypeVar("Command", bound="Callable[..., Any]")


class within(click.ParamType):  # type: ignore[type-arg]  # noqa: N801 (like `int` and `float`)
    """Numbers within bounds: refused before anything is read."""

    def __init__(self, limits: Bounds) -> None:
        self.limits = limits
        self.name = "integer" if limits.whole else "float"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Read a number as click does, and refuse what is out of bounds."""
        number: int | float = (click.INT if self.limits.whole else click.FLOAT).convert(value, param, ctx)
        if not self.limits.holds(number):
            name = "number" if param is None else param.opts[0]
            raise OptionError(f"{name} {str(number)[:40]}: expected {self.limits}")
        return number


tokenize_option = option(
    "--tokenize/--no-tokenize",
    default=None,
    help="Split raw text into tokens, or do not.",
    group="Text",
)
whitespace_option = option(
    "--to-whitespace",
    is_flag=True,
    help="Of text that is split into tokens, write links of the words between spaces.",
    group="Text",
    common=False,
)
check_option = option(
    "--no-check",
    is_flag=True,
    help="Use a model even if it seems to be the wrong way round for the text, or of other languages.",
    group="Text",
    common=False,
)
errors_option = option(
    "--errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    show_default=True,
    help="Stop at bytes that are not UTF-8, or replace them by U+FFFD.",
    group="Text",
    common=False,
)
segmenter_option = option(
    "--segmenter",
    metavar="NAME",
    help="With --tokenize: how scripts without spaces are cut: auto (the default), characters, learned, jieba or"
    " sudachi; two names with a comma, for source and target.",
    group="Text",
    common=False,
)
text_options = (
    tokenize_option,
    segmenter_option,
    option(
        "--keep-case",
        is_flag=True,
        help="Tell capitals from small letters (else not).",
        group="Text",
        common=False,
    ),
    errors_option,
)
input_options = (
    option(
        "--input-format",
        metavar="NAME",
        help="What is read: text (two files), or one file: bars, tsv, tmx, xliff, po, jsonl, parquet, moses-zip. If not"
        " given, seen from the content.",
        group="Text",
        common=False,
    ),
    option(
        "--source-language",
        metavar="CODE",
        help="The source, in a file that names its languages.",
        group="Text",
        common=False,
    ),
    option(
        "--target-language",
        metavar="CODE",
        help="The target, in a file that names its languages.",
        group="Text",
        common=False,
    ),
    option(
        "--markup",
        type=click.Choice(["strip", "keep"]),
        help="HTML and placeholders such as %s: strip (the default for tmx, xliff, po) or keep (for others).",
        group="Text",
        common=False,
    ),
)


def option_of(name: str) -> str:
    """Return the option that sets a parameter of a command, or a field of a recipe.

    >>> option_of("jump_band"), option_of("hmm_prior"), option_of("null_as_word")
    ('--jump-band', '--prior', '--set null_as_word')
    """
    declared = SETTINGS[name].option if name in SETTINGS else None
    return (declared or f"--{name.replace('_', '-')}").rstrip("=")


METHODS = ("best", "fast", *sorted(RECIPES.keys() - {"best", "fast"}))


def setting_option(name: str, shown: bool | None = None) -> Callable[[Command], Command]:
    """Make the option that sets a field of a recipe; that of a rare setting is not `shown` in help, unless told."""
    declared = SETTINGS[name]
    choices = METHODS if name == "method" else declared.choices
    values = "" if declared.range is not None else f": {listed(choices)}"
    usual = getattr(RECIPES["best"], name)
    return option(
        option_of(name),
        type=within(declared.range) if declared.range and not choices else None,
        metavar="NAME" if declared.range is None else "N" if declared.range.whole else "X",
        help=_with_options(declared.help) + values + ("." if usual is None else f" ({usual})."),
        hidden=declared.rare if shown is None else not shown,
        group="Training" if declared.group == "training" else "Links",
        common=name in COMMON,
    )


def _with_options(text: str) -> str:
    """Name fields of a recipe by their options, and take the quotes off what is no field.

    >>> _with_options("Choose `min_confidence`, with `dual`")
    'Choose --min-confidence, with dual'
    """
    return re.sub("`([^`]+)`", lambda name: option_of(name[1]) if name[1] in SETTINGS else name[1], text)


def setting_options(group: str, shown: bool | None = None) -> tuple[Callable[[Command], Command], ...]:
    """Make the options that set the fields of a group; two fields can share one, and some have none."""
    own = {SETTINGS[name].option or name: name for name in SETTINGS if SETTINGS[name].group == group}
    return tuple(setting_option(name, shown) for spoken, name in own.items() if not spoken.endswith("="))


# Settings that are on the first screen of help.
COMMON = ("method", "model_type", "direction", "combine", "min_confidence", "precision")
training_options = (
    *setting_options("training"),
    option(
        "--iterations", metavar="NAME=N,...", help="Rounds of training, such as ibm1=5,hmm=5.", hidden=True
    ),
)
linking_options = setting_options("links")
dual_options = setting_options("dual")
cepts_options = setting_options("cepts")
factorising_options = tuple(
    setting_option(name, shown=True)
    for name in (
        "criterion",
        "search",
        "restarts",
        "seed",
        "em_steps",
        "tolerance",
        "patience",
        "orphans",
        "sure_confidence",
    )
)
set_option = option(
    "--set",
    "settings",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Change another setting; --help-all lists them.",
    group="Training",
)
format_option = option(
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
align_format_option = option(
    "--format",
    type=click.Choice([*LINK_FORMATS, "cepts"]),
    metavar="NAME",
    help=f"Write links as {', '.join(LINK_FORMATS)} or cepts (pharaoh).",
    group="Links",
)
input_format_option = option(
    "--input-format",
    type=click.Choice(LINK_FORMATS),
    metavar="NAME",
    help="The format of LINKS, if it cannot be seen from the text.",
)
language_options = (
    option("--source-language", metavar="CODE", help="In TMX and XLIFF: the source's code, such as fr."),
    option("--target-language", metavar="CODE", help="In TMX and XLIFF: the target's code."),
)


quiet_option = option("--quiet", is_flag=True, help="Nothing on stderr but errors.", group="Running")
memory_option = option(
    "--memory",
    metavar="SIZE",
    help="What may be used before arrays go to disk, such as 4G; half of what is free and at most 1.5G, unless given.",
    group="Running",
    common=False,
)
checkpoint_options = (
    option(
        "--checkpoint",
        metavar="FOLDER",
        help="Save the training there after every iteration; see --resume.",
        group="Running",
        common=False,
    ),
    option(
        "--resume",
        is_flag=True,
        help="Go on from the checkpoint, if there is one.",
        group="Running",
        common=False,
    ),
)
cluster_options = (
    option(
        "--dask",
        metavar="PLACE",
        help="Work on a Dask cluster: the scheduler's address, such as tcp://host:8786, or local:4 for four processes"
        " of this machine. What comes out does not depend on it.",
        group="Running",
        common=False,
    ),
    option(
        "--task-timeout",
        type=within(bounds.TASK_TIMEOUT),
        metavar="SECONDS",
        help="With --dask: a worker that is at one task for longer hangs, and others do its work (600).",
        group="Running",
        common=False,
    ),
)
running_options = (
    option(
        "--threads",
        type=within(bounds.THREADS),
        metavar="N",
        default=1,
        show_default=True,
        help="Threads to use; results do not depend on it.",
        group="Running",
    ),
    quiet_option,
)


def with_options(*groups: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    """Decorate a command with groups of options, in their order."""

    def decorate(command: Command) -> Command:
        for each in reversed([each for group in groups for each in group]):
            command = each(command)
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
    if options["tokenize"] is False and options.get("to_whitespace"):
        raise OptionError(
            "--to-whitespace is about text that is split into tokens; drop it, or --no-tokenize"
        )
    names = {"keep_case": options["keep_case"], "segmenter": options["segmenter"] or "auto"}
    return {"tokenize": bool(options["tokenize"]), **names}


def linked_text(options: dict[str, Any]) -> dict[str, Any]:
    """Pick the same of a command that makes or takes links: there some formats are tokenised without being asked."""
    return chosen_text(options) | {"tokenize": options["tokenize"]}


def check_text(trained: TextOptions, options: dict[str, Any]) -> None:
    """Refuse options of text that a model was not trained with."""
    flags = [name for name in ("tokenize", "keep_case") if not getattr(trained, name)]
    refuse(flags, options, "was not used when the model was trained; train one with it")
    if options["tokenize"] is False and trained.tokenize:
        raise OptionError("--no-tokenize: the model was trained on tokens; drop it, or train one with it")
    given = options["segmenter"]
    if given is not None and (not trained.tokenize or given != trained.segmenter.name):
        was = f"--segmenter {trained.segmenter.name}" if trained.tokenize else "words between spaces"
        raise OptionError(
            f"--segmenter {given}: the model was trained with {was}; drop it, or train one with it"
        )


def refuse(names: Iterable[str], options: dict[str, Any], why: str) -> None:
    """Refuse options that were given but would have no effect."""
    for name in names:
        if options.get(name) is not None and options[name] is not False:  # but a 0 that was given
            raise OptionError(f"{option_of(name)} {why}")


def with_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return a command's options with those that were given by `--set`, each under the name of its field."""
    added: dict[str, Any] = {}
    for text in options["settings"]:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise OptionError(f"--set {text}: expected FIELD=VALUE, such as jump_band=5")
        if name == "method":
            raise OptionError(f"--set {text}: the recipe itself is named by --method")
        if name not in SETTINGS:
            raise unknown_option("--set: ", name, SETTINGS)
        if name in added or options.get(name) is not None:
            raise OptionError(f"{option_of(name)} is given twice; drop one of them")
        added[name] = parse_setting(name, value.strip())
    return options | added


def parse_setting(name: str, text: str) -> Any:
    """Read the value of a field of a recipe.

    >>> parse_setting("jump_band", "5"), parse_setting("regularity", "auto"), parse_setting("null_as_word", "true")
    (5, 'auto', True)
    """
    usual, limits = getattr(RECIPES["fast"], name), SETTINGS[name].range
    if isinstance(usual, bool):
        if text.lower() not in ("true", "false"):
            raise OptionError(f"--set {name}={text}: expected true or false")
        return text.lower() == "true"
    if limits is None or text in SETTINGS[name].choices:
        return text
    try:
        return int(text) if limits.whole else float(text)
    except ValueError:
        raise OptionError(f"--set {name}={text}: expected {SETTINGS[name].values}") from None


def recipe_options(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what belongs to a recipe out of a command's options, under the recipe's names."""
    chosen: dict[str, Any] = {}
    iterations = parse_iterations(options.get("iterations"))
    for name, declared in SETTINGS.items():
        shared = None if declared.option is None else options.get(declared.option.removeprefix("--"))
        given = (options.get(name), iterations.get(name), shared)  # the most particular one counts
        chosen[name] = next((value for value in given if value is not None), None)
    chosen["regularity"] = parse_regularity(chosen["regularity"])
    return {name: value for name, value in chosen.items() if value is not None and name != "method"}
