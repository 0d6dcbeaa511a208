"""What the commands for sentences read: models, refused in words where they are something else, and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cepts.errors import InputError, ModelError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.corpus import Side, TextOptions
    from cepts.quality.judge import Judge
    from cepts.quality.similar import Similarity

MADE_BY = "cepts similar train SOURCE TARGET --output FOLDER"
JUDGE_MADE_BY = "cepts similar train-judge --model MODEL SOURCE HUMAN MACHINE --output FOLDER"
STDIN = "-"

model_option = click.option(
    "--model", metavar="FOLDER", required=True, help="The model that `cepts similar train` wrote."
)
output_option = click.option("--output", metavar="FILE", help="Write here instead of stdout (also .gz, .xz).")


def open_similarity(path: str) -> Similarity:
    """Load a model of sentences; say what else a folder holds."""
    from cepts.quality.saving import KIND
    from cepts.quality.similar import Similarity

    check_kind(path, KIND, "a model of sentences", MADE_BY)
    return Similarity.load(path)


def open_judge(path: str, threads: int) -> Judge:
    """Load a judge; say what else a folder holds."""
    from cepts.quality.judge import KIND, Judge

    check_kind(path, KIND, "a judge", JUDGE_MADE_BY)
    return Judge.load(path, threads=threads)


def check_kind(path: str, kind: str, expected: str, made_by: str) -> None:
    """Refuse a folder of another kind."""
    from cepts.storage import describe_folder

    found = describe_folder(path)["kind"]
    if found != kind:
        raise ModelError(f"{path} is a model of kind {found!r}, expected {expected}, made by: {made_by}")


def read_sides(paths: Sequence[str], text: TextOptions, errors: Any, aligned: bool) -> list[Side]:
    """Read files one by one, a source and its targets; where they are `aligned`, refuse different numbers of lines."""
    from cepts.corpus import read_side
    from cepts.corpus.files import check_file

    if paths.count(STDIN) > 1:
        raise OptionError("only one of the texts can be standard input: give files for the others")
    for path in paths:  # before a long first file is read
        check_file(path)
    sides = [
        read_side(path, errors=errors, **text.of_side(source=number == 0))
        for number, path in enumerate(paths)
    ]
    if aligned:
        _check_counts(paths, sides)
    return sides


def _check_counts(paths: Sequence[str], sides: Sequence[Side]) -> None:
    from cepts.corpus.files import shown

    for path, side in zip(paths, sides, strict=True):
        if len(side) != len(sides[0]):
            raise InputError(
                f"{shown(paths[0])} has {len(sides[0])} lines, {shown(path)} has {len(side)}; line k of one file must"
                " translate line k of the other"
            )
