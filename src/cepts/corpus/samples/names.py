"""Where the built-in sample of names is."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple


class NamePaths(NamedTuple):
    """Russian and English names to learn from, and others to try; `source TAB target` lines."""

    train: Path
    test: Path


def sample_names() -> NamePaths:
    """Return the files of the sample: first names, writers, composers, towns, in small letters.

    >>> sample_names().train.read_text(encoding="utf-8").splitlines()[4].split("\\t")
    ['алексей', 'alexei']
    """
    folder = Path(str(files("cepts.corpus.samples")))
    return NamePaths(folder / "ru-en.names.tsv", folder / "ru-en.names.test.tsv")
