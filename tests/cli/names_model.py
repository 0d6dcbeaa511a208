"""What the tests of `cepts names` share: the sample, and a small model of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.corpus.samples import sample_names
from tests.cli.command import succeed

if TYPE_CHECKING:
    from pathlib import Path

TRAIN, TEST = sample_names()
SMALL = ("--order", "1", "--epochs", "5")


def column(number: int, count: int | None = None, path: Path = TEST) -> str:
    """Return a column of a file of pairs, one field a line."""
    lines = path.read_text(encoding="utf-8").splitlines()[:count]
    return "".join(line.split("\t")[number] + "\n" for line in lines)


def train_writer(folder: Path) -> Path:
    """Train a model that writes names."""
    assert succeed("names", "train", TRAIN, "--output", folder, *SMALL) == ""
    return folder
