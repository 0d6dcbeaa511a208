"""A saved model of names, opened by a command, and refused in words where it is something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cepts.errors import ModelError, OptionError

if TYPE_CHECKING:
    from cepts.characters import EditModel
    from cepts.names import NameSystem

MADE_BY = "cepts names train PAIRS.tsv --output FOLDER"
KNOWN = {
    "word-aligner": "a word aligner",
    "name-phrases": "a phrase system, which knows no edits",
    "name-combination": "a combination of systems, not an edit model alone",
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


def open_system(path: str) -> NameSystem:
    """Load any system that transcribes and ranks names."""
    from cepts.storage import describe_folder

    if describe_folder(path)["kind"] not in ("name-phrases", "name-combination"):
        return open_names_model(path)
    from cepts.names import load_system

    return load_system(path)


def check_writes(system: NameSystem, path: str) -> None:
    """Refuse a model that never learned to write names, before anything is read."""
    from cepts.characters import EditModel

    if isinstance(system, EditModel) and not system.options.is_transduction:
        raise OptionError(
            f"{path} was trained with --mode {system.options.mode} and cannot write names, only compare them;"
            " train one with --mode generate"
        )
