"""A saved model of names, opened by a command, and refused in words where it is something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cepts.errors import ModelError, OptionError

if TYPE_CHECKING:
    from cepts.characters import EditModel

MADE_BY = "cepts names train PAIRS.tsv --output FOLDER"
KNOWN = {
    "word-aligner": "a word aligner",
    "name-phrases": "a phrase system, for use from Python",
    "name-combination": "a combination of systems, for use from Python",
}

model_option = click.option(
    "--model", metavar="FOLDER", required=True, help="The model that `cepts names train` wrote."
)


def open_names_model(path: str) -> EditModel:
    """Load an edit model; say what else a folder holds."""
    from cepts.characters import EditModel
    from cepts.characters.saving import KIND
    from cepts.storage import describe_folder

    kind = describe_folder(path)["kind"]
    if kind != KIND:
        what = KNOWN.get(kind, f"a model of kind {kind!r}")
        raise ModelError(f"{path} is {what}, expected a model of names, made by: {MADE_BY}")
    return EditModel.load(path)


def check_writes(model: EditModel, path: str) -> None:
    """Refuse a model that never learned to write names, before anything is read."""
    if not model.options.is_transduction:
        raise OptionError(
            f"{path} was trained with --mode {model.options.mode} and cannot write names, only compare them;"
            " train one with --mode generate"
        )
