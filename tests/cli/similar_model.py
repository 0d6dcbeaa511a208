"""What the tests of `cepts similar` share: the sample cut in two, and a small model of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cepts
from tests.cli.command import succeed

if TYPE_CHECKING:
    from pathlib import Path

LEARNED = 180
SMALL = ("--k", "8", "--iterations", "20")


class Texts(NamedTuple):
    """Files of the sample, and a model that was learned from the first two."""

    source: Path
    target: Path
    new_source: Path
    new_target: Path
    machine: Path
    model: Path


def prepare(folder: Path) -> Texts:
    """Cut the sample in two, spoil what is new to make a machine's translation, and learn from the first part."""
    texts = Texts(*(folder / name for name in Texts._fields))
    for path, learned, new in zip(cepts.sample()[:2], texts[:2], texts[2:4], strict=True):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        learned.write_text("".join(lines[:LEARNED]), encoding="utf-8")
        new.write_text("".join(lines[LEARNED:]), encoding="utf-8")
    translations = texts.new_target.read_text(encoding="utf-8").splitlines()
    spoiled = [" ".join([*line.split()[:-1][::-1], "of", "."]) for line in translations]
    texts.machine.write_text("".join(f"{line}\n" for line in spoiled), encoding="utf-8")
    arguments = ("similar", "train", texts.source, texts.target, "--output", texts.model)
    assert succeed(*arguments, *SMALL) == ""
    return texts
