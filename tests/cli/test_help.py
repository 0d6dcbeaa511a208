"""`cepts --version` and `--help`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click
import pytest

import cepts
from cepts.aligning import COMBINERS, DIRECTIONS, MODEL_TYPES, RECIPES
from cepts.aligning.recipes import NULL_STATES, NULL_UPDATES, OPTIMIZERS, SETTINGS
from cepts.choices import JUMP_UPDATES as UPDATES
from cepts.cli import align
from cepts.combine.association import MEASURES
from cepts.combine.cepts import CRITERIA, ORPHANS, SEARCHES
from cepts.combine.dual import STEPS
from tests.cli.command import refused, succeed
from tests.cli.commands import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

TEXT = {"--tokenize", "--segmenter", "--keep-case", "--errors"}
INPUT = {"--input-format", "--source-language", "--target-language", "--markup"}
TRAINING = {
    "--method",
    "--model-type",
    "--training",
    "--set",
    "--lexicon",
    "--known-links",
    "--known-complete",
}
FACTORISING = {
    "--criterion",
    "--search",
    "--restarts",
    "--seed",
    "--em-steps",
    "--tolerance",
    "--patience",
    "--orphans",
    "--sure-confidence",
}
LINKING = {"--combine", "--direction", "--min-confidence", "--precision", "--confidence", "--n-best"}
# Settings that `--set` is there for; scripts may use the options that they had before.
HIDDEN = {
    "--optimizer",
    "--regularity",
    "--iterations",
    "--null-probability",
    "--null-update",
    "--null-state",
    "--double-probability",
    "--prior",
    "--prune",
    "--classes",
    "--jump-band",
    "--jump-classes",
    "--jump-update",
    "--agreement",
    "--doubt",
    "--same-spelling",
    "--families",
    "--spelling",
    "--lexicon-weight",
    "--rounds",
    "--alpha",
    "--step",
    "--step-size",
    "--remainder",
    "--association",
    "--null-weight",
    "--scale",
    *FACTORISING,
}
RUNNING = {"--threads", "--quiet"}
CLUSTER = {"--dask", "--task-timeout"}
KEEPING = {"--memory", "--checkpoint", "--resume"} | CLUSTER
FEATURES = {"--features", "--weighting", "--norm", "--min-count", "--max-features"}
FACTORS = {
    "--beta",
    "--row-sparsity",
    "--factor-sparsity",
    "--coupling",
    "--start",
    "--update",
    "--step",
    "--iterations",
    "--tolerance",
    "--batch",
    "--epochs",
    "--seed",
}
OPTIONS = {
    "align": {
        "--sample",
        "--model",
        "--format",
        "--scores",
        "--output",
        "--offsets",
        "--certificates",
        "--timings",
        "--to-whitespace",
        "--no-check",
    }
    | INPUT
    | TEXT
    | TRAINING
    | LINKING
    | KEEPING
    | RUNNING,
    "train": {"--output", "--from", "--to-whitespace", "--no-check"}
    | INPUT
    | TEXT
    | TRAINING
    | LINKING
    | KEEPING
    | RUNNING,
    "info": {"--json"},
    "combine": {"--combine", "--scores", "--output", "--quiet"},
    "factorise": {"--null", "--cepts", "--scale", "--min-confidence", "--format", "--scores", "--output"}
    | FACTORISING
    | RUNNING,
    "evaluate": {
        "--alpha",
        "--seed",
        "--phrases",
        "--possible",
        "--null",
        "--null-links",
        "--source",
        "--target",
        "--json",
        "--tokenize",
        "--quiet",
    }
    | INPUT,
    "convert": {
        "--format",
        "--input-format",
        "--source",
        "--target",
        "--to-words",
        "--to-subwords",
        "--source-subwords",
        "--target-subwords",
        "--markers",
        "--swap",
        "--tokenize",
        "--errors",
        "--source-language",
        "--target-language",
        "--output",
        "--quiet",
    },
    "validate": {"--source", "--target", "--input-format", "--tokenize", "--errors", "--limit", "--quiet"},
    "view": {
        "--model",
        "--gold",
        "--lines",
        "--format",
        "--drawing",
        "--lists",
        "--links-format",
        "--output",
        "--combine",
        "--direction",
        "--min-confidence",
        "--precision",
        "--confidence",
        "--no-check",
        "--tokenize",
        "--segmenter",
        "--errors",
    }
    | INPUT
    | RUNNING,
    "phrases": {
        "--output",
        "--max-length",
        "--unaligned",
        "--min-count",
        "--memory",
        "--tokenize",
        "--errors",
        "--quiet",
    }
    | INPUT,
    "lexicon": {
        "--model",
        "--format",
        "--output",
        "--gzip",
        "--best",
        "--threshold",
        "--min-count",
        "--examples",
        "--lowercase",
        "--tokenize",
        "--segmenter",
        "--errors",
    }
    | INPUT
    | RUNNING,
    "terms": {
        "--links",
        "--model",
        "--format",
        "--limit",
        "--min-count",
        "--min-score",
        "--max-words",
        "--variants",
        "--tags",
        "--languages",
        "--no-check",
        "--output",
        "--input-format",
        "--source-language",
        "--target-language",
        "--markup",
        "--tokenize",
        "--errors",
    }
    | RUNNING,
    "project": {
        "--input-format",
        "--format",
        "--max-gap",
        "--complete",
        "--confidence",
        "--lenient",
        "--surface",
        "--reverse",
        "--output",
        "--tokenize",
        "--errors",
        "--quiet",
    },
    "names": set(),
    "names train": {
        "--output",
        "--mode",
        "--system",
        "--order",
        "--dev",
        "--epochs",
        "--decoys",
        "--trues",
        "--beam",
        "--update",
        "--start",
        "--seed",
        "--errors",
        "--quiet",
    },
    "names transcribe": {"--model", "--n-best", "--beam", "--errors", "--output"} | RUNNING,
    "names rank": {"--model", "--candidates", "--n-best", "--errors", "--output"} | RUNNING,
    "names match": {
        "--model",
        "--min-score",
        "--precision",
        "--one-to-one",
        "--n-best",
        "--errors",
        "--memory",
        "--output",
    }
    | CLUSTER
    | RUNNING,
    "names explain": {"--top", "--letter", "--format"},
    "names evaluate": {
        "--model",
        "--answers",
        "--against",
        "--refs",
        "--task",
        "--n-best",
        "--beam",
        "--seed",
        "--format",
        "--errors",
    }
    | RUNNING,
    "similar": set(),
    "similar train": {"--output", "--k", "--projection", "--measure", "--memory"}
    | CLUSTER
    | FEATURES
    | FACTORS
    | INPUT
    | TEXT
    | RUNNING,
    "similar score": {"--model", "--use", "--errors", "--output"} | INPUT | RUNNING,
    "similar rank": {"--model", "--use", "--n-best", "--neighbours", "--errors", "--output"} | RUNNING,
    "similar train-judge": {"--model", "--output", "--kind", "--aligner", "--seed", "--errors"} | RUNNING,
    "similar judge": {"--model", "--errors", "--output"} | RUNNING,
    "similar curve": {"--output", "--k"} | FEATURES | FACTORS | INPUT | TEXT | RUNNING,
    "translate": {"--model", "--n-best", "--names", "--beam", "--distortion-limit", "--errors", "--output"}
    | RUNNING,
    "translate train": {
        "--output",
        "--dev",
        "--links",
        "--lm-text",
        "--method",
        "--combine",
        "--order",
        "--max-length",
        "--tuner",
        "--rounds",
        "--beam",
        "--distortion-limit",
        "--seed",
    }
    | INPUT
    | TEXT
    | RUNNING,
    "filter": {
        "--output",
        "--scores",
        "--min-score",
        "--max-words",
        "--max-ratio",
        "--keep-identical",
        "--keep-duplicates",
        "--model",
        "--similar",
        "--no-check",
        "--seed",
    }
    | INPUT
    | TEXT
    | RUNNING,
    "plot": set(),
    "plot training": {"--output", "--title"},
    "plot reliability": {"--bins", "--output", "--title"},
    "plot accuracy": {"--part", "--systems", "--corpora", "--output", "--title", "--quiet"},
    "plot speed": {"--measure", "--part", "--systems", "--corpora", "--output", "--title", "--quiet"},
    "serve": {
        "--names",
        "--similar",
        "--source",
        "--target",
        "--links",
        "--gold",
        "--corrections",
        "--host",
        "--port",
        "--token",
    }
    | RUNNING,
    "warm": {"--quiet"},
    "help": {"--all"},
}
SHORT = {"--output": "-o", "--quiet": "-q", "--threads": "-j", "--help": "-h"}
SCREEN = 45  # lines


def test_version() -> None:
    assert succeed("--version") == f"cepts {cepts.__version__}\n"


def test_help_lists_the_commands_and_is_what_nothing_gives() -> None:
    out = succeed("--help")
    listed = re.findall(r"^  (\w+)  +\w", out.partition("Commands:")[2], re.MULTILINE)
    assert listed == [command for command in OPTIONS if " " not in command]
    assert succeed() == out == succeed("help")


def entries(text: str) -> list[str]:
    """Return what help says of each option, on one line."""
    sections = re.split(r"^(?:Options|Text|Training|Links|Running):\n", text, flags=re.MULTILINE)[1:]
    listed = [
        entry for section in sections for entry in re.split("^  (?=-)", section, flags=re.MULTILINE)[1:]
    ]
    return [" ".join(re.split(r"\n(?=\w)", entry)[0].split()) for entry in listed]


def long_name(entry: str) -> str:
    """Return the long name of an option that help explains, which has its short name before it."""
    match = re.fullmatch(r"(?:(-\w), )?(--[a-z-]+) .*\w{3,}.*[.\]]", entry)
    assert match, entry
    assert match[1] == SHORT.get(match[2]), entry
    return match[2]


@pytest.mark.parametrize("command", OPTIONS)
def test_all_help_of_a_command_explains_every_option(command: str) -> None:
    out = succeed(*command.split(), "--help-all")
    listed = [long_name(entry) for entry in entries(out)]
    assert {*listed} == OPTIONS[command] | {"--help", "--help-all"}
    assert len({*listed}) == len(listed)


@pytest.mark.parametrize("command", OPTIONS)
def test_help_of_a_command_is_a_screen_of_the_options_that_most_people_need(command: str) -> None:
    out, whole = succeed(*command.split(), "--help"), succeed(*command.split(), "--help-all")
    assert out == succeed("help", *command.split())
    assert whole == succeed("help", "--all", *command.split())
    assert {*re.findall("--[a-z-]+", out)} <= {*re.findall("--[a-z-]+", whole)}
    assert len(out.splitlines()) <= SCREEN
    assert out == whole or len(whole.splitlines()) > SCREEN


def test_help_of_align_fits_on_a_screen_in_groups_with_two_examples() -> None:
    out = succeed("align", "--help")
    assert len(out.splitlines()) <= SCREEN
    assert re.findall(r"^(\w+):$", out, re.MULTILINE) == ["Examples", "Text", "Training", "Links", "Running"]
    examples = re.findall("^  (cepts align .*)$", out, re.MULTILINE)
    assert len(examples) == 2
    for example in examples:
        assert {*re.findall("--[a-z-]+", example)} <= OPTIONS["align"]


@pytest.mark.parametrize("command", ["align", "train"])
def test_rare_settings_are_listed_by_name_and_keep_the_options_that_they_had(command: str) -> None:
    out = succeed(command, "--help-all").partition("\nWith --set")[2]
    listed = {*re.findall(r"^  (\w+)  ", out, re.MULTILINE)}
    assert listed == {name for name, declared in SETTINGS.items() if declared.rare}
    accepted = {name for parameter in getattr(align, command).params for name in parameter.opts}
    assert accepted >= HIDDEN
    assert not HIDDEN & {*re.findall("^  (--[a-z-]+)", out, re.MULTILINE)}


def test_help_names_every_choice() -> None:
    out = re.sub(r"-\n +", "-", succeed("align", "--help-all"))  # lines are also broken after a hyphen
    choices = (*COMBINERS, *DIRECTIONS, *MODEL_TYPES, *RECIPES, *OPTIMIZERS, *NULL_UPDATES, *UPDATES)
    for name in (*choices, *NULL_STATES, *STEPS, *MEASURES, *CRITERIA, *SEARCHES, *ORPHANS, "auto", "off"):
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", out), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["algin"], "no such command 'algin'; did you mean 'align'?; see cepts --help"),
        (["filer", "a", "b"], "no such command 'filer'; did you mean 'filter'?; see cepts --help"),
        (["xyz"], "no such command 'xyz'; see cepts --help"),
        (["names", "trian"], "no such command 'trian'; did you mean 'train'?; see cepts names --help"),
        (
            ["help", "names", "trian"],
            "no such command 'trian'; did you mean 'train'?; see cepts names --help",
        ),
        (["help", "align", "x"], "cepts align has no commands of its own; see cepts align --help"),
        (
            ["align", "--treads", "2"],
            "no such option '--treads'; did you mean '--threads'?; see cepts align --help",
        ),
    ],
)
def test_a_misspelled_name_is_answered_by_the_nearest(arguments: list[str], message: str) -> None:
    assert refused(*arguments) == message


REQUIRED = [
    (name, parameter)
    for name, command in COMMANDS.items()
    for parameter in command.params
    if parameter.required and (name, parameter.name) != ("plot reliability", "gold")  # one file is gold
]


@pytest.mark.parametrize(
    ("name", "missing"), [pytest.param(*each, id=f"{each[0]} {each[1].name}") for each in REQUIRED]
)
def test_what_is_missing_is_named(name: str, missing: click.Parameter) -> None:
    required = [each for each in COMMANDS[name].params if each.required]
    arguments = [each for each in required if isinstance(each, click.Argument)]
    if missing in arguments:  # what stands behind it would take its place
        arguments = arguments[: arguments.index(missing)]
    given = ["file" for _ in arguments]
    for option in required:
        if isinstance(option, click.Option) and option is not missing:
            given += [option.opts[0], getattr(option.type, "choices", ["1"])[0]]
    said = missing.opts[0] if isinstance(missing, click.Option) else missing.human_readable_name
    message = refused(*name.split(), *given)
    assert message.startswith(f"{said} ")
    assert message.endswith(f" is missing; see cepts {name} --help")


def test_short_names_of_options(tmp_path: Path) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_text("x y\n" * 5)
    target.write_text("u v\n" * 5)
    succeed("align", source, target, "-q", "-j", "2", "-o", tmp_path / "links")
    assert (tmp_path / "links").read_text() == succeed("align", source, target, "--quiet", "--threads", "2")
