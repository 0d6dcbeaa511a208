"""The text of a task: the first pairs of a corpus to learn from, the last ones to tune and to score on."""

from __future__ import annotations

import lzma
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError
from paper_tables.setting import data_folder
from translating.rows import DEV, TASKS, TEST

if TYPE_CHECKING:
    from pathlib import Path

    from cepts import Bitext


class Material(NamedTuple):
    """What a system learns from, what it is tuned on, and what it is scored on."""

    train: Bitext
    dev: Bitext
    test: Bitext


def read_material(task: str, pairs: int, dev: int = DEV, test: int = TEST) -> Material:
    """Read the text of a task."""
    folder = data_folder(f"words/{TASKS[task].corpus}")
    sides = [_first_and_last(folder / f"train.{side}.xz", pairs, dev + test) for side in ("src", "tgt")]
    (first_source, last_source), (first_target, last_target) = sides
    first = list(zip(first_source, first_target, strict=True))
    last = list(zip(last_source, last_target, strict=True))
    return Material(*(bitext_from_pairs(part) for part in (first, last[:dev], last[dev:])))


def _first_and_last(path: Path, first: int, last: int) -> tuple[list[str], list[str]]:
    """Return the first and the last lines of a file, which must not meet."""
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        beginning = list(islice(lines, first))
        rest = deque(lines, last)
    if len(beginning) < first or len(rest) < last:
        raise InputError(f"{path} has too few lines for {first} pairs to learn from and {last} others")
    return [line.rstrip("\n") for line in beginning], [line.rstrip("\n") for line in rest]


def lines_of(side_of: Bitext) -> tuple[list[str], list[str]]:
    """Return the sentences of both sides, as they are in the vocabulary, words between spaces."""
    source, target = (
        [" ".join(side.sentence(k)) for k in range(len(side))] for side in (side_of.source, side_of.target)
    )
    return source, target
