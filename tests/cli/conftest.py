"""One small text, aligned once and trained once, for all tests of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

import cepts
from tests.cli.command import succeed

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = 60


class Text(NamedTuple):
    """Two line-aligned files, and their lines."""

    source: Path
    target: Path
    pairs: list[tuple[str, str]]

    def joined(self, separator: str) -> bytes:
        """Return both sides in one file."""
        return "".join(f"{source}{separator}{target}\n" for source, target in self.pairs).encode()


@pytest.fixture(scope="session")
def text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    """The first pairs of the sample."""
    folder = tmp_path_factory.mktemp("text")
    paths = cepts.sample()
    sides = [path.read_text(encoding="utf-8").split("\n")[:PAIRS] for path in paths[:2]]
    files = [folder / "text.fr", folder / "text.en"]
    for file, lines in zip(files, sides, strict=True):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return Text(files[0], files[1], list(zip(*sides, strict=True)))


@pytest.fixture(scope="session")
def links(text: Text) -> str:
    """What plain `cepts align` writes for it."""
    return succeed("align", text.source, text.target)


@pytest.fixture(scope="session")
def model(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained on it; tests only read it."""
    folder = tmp_path_factory.mktemp("models") / "model"
    assert succeed("train", text.source, text.target, "--output", folder) == ""
    return folder
