"""`cepts --version` and `--help`."""

from __future__ import annotations

import re

import pytest

import cepts
from cepts.aligning import COMBINERS, DIRECTIONS, MODEL_TYPES, RECIPES
from cepts.aligning.recipes import NULL_STATES, NULL_UPDATES, OPTIMIZERS
from cepts.choices import JUMP_UPDATES as UPDATES
from cepts.combine.association import MEASURES
from cepts.combine.cepts import CRITERIA, ORPHANS, SEARCHES
from cepts.combine.dual import STEPS
from tests.cli.command import succeed

TEXT = {"--tokenize", "--segmenter", "--keep-case", "--errors"}
INPUT = {"--input-format", "--source-language", "--target-language", "--markup"}
TRAINING = {
    "--method",
    "--model-type",
    "--optimizer",
    "--regularity",
    "--iterations",
    "--training",
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
    "--lexicon",
    "--lexicon-weight",
    "--known-links",
    "--known-complete",
}
FACTORISING = {"--criterion", "--search", "--restarts", "--seed", "--orphans", "--sure-confidence"}
LINKING = {
    "--combine",
    "--direction",
    "--min-confidence",
    "--precision",
    "--confidence",
    "--rounds",
    "--alpha",
    "--step",
    "--step-size",
    "--remainder",
    "--association",
    "--n-best",
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
    }
    | INPUT
    | TEXT
    | TRAINING
    | LINKING
    | KEEPING
    | RUNNING,
    "train": {"--output", "--from"} | INPUT | TEXT | TRAINING | LINKING | KEEPING | RUNNING,
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
}


def test_version() -> None:
    assert succeed("--version") == f"cepts {cepts.__version__}\n"


def test_help_lists_the_commands_and_is_what_nothing_gives() -> None:
    out = succeed("--help")
    listed = re.findall(r"^  (\w+)  +\w", out.partition("Commands:")[2], re.MULTILINE)
    assert listed == [command for command in OPTIONS if " " not in command]
    assert succeed() == out


@pytest.mark.parametrize("command", OPTIONS)
def test_help_of_a_command_explains_every_option(command: str) -> None:
    _, _, options = succeed(*command.split(), "--help").partition("\nOptions:\n")
    entries = [" ".join(entry.split()) for entry in re.split(r"^  (?=-)", options, flags=re.MULTILINE)[1:]]
    explained = [re.fullmatch(r"(?:-h, )?(--[a-z-]+) .*\w{4,}.*[.\]]", entry) for entry in entries]
    assert {match[1] for match in explained if match} == OPTIONS[command] | {"--help"}
    assert len(explained) == len(OPTIONS[command]) + 1


def test_help_names_every_choice() -> None:
    out = re.sub(r"-\n +", "-", succeed("align", "--help"))  # lines are also broken after a hyphen
    choices = (*COMBINERS, *DIRECTIONS, *MODEL_TYPES, *RECIPES, *OPTIMIZERS, *NULL_UPDATES, *UPDATES)
    for name in (*choices, *NULL_STATES, *STEPS, *MEASURES, *CRITERIA, *SEARCHES, *ORPHANS, "auto", "off"):
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", out), name
