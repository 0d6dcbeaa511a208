"""Commands that write several files: on a disk that is full at any of them, all are as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cepts.storage import atomic
from tests.cli.command import refused, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Text

TRAINING = "--iterations ibm1=1,hmm=1 --quiet"
ALIGN = "align SOURCE TARGET --output OUT.links --timings OUT.timings " + TRAINING
COMMANDS = {
    ALIGN: ("links", "timings"),
    ALIGN + " --tokenize --offsets OUT.offsets": ("links", "offsets", "timings"),
    ALIGN + " --combine dual --certificates OUT.certificates": ("links", "certificates", "timings"),
    "filter SOURCE TARGET --output OUT --min-score 0 --max-words 8 --quiet": ("src", "tgt", "dropped.tsv"),
    "filter PAIRS --output OUT --min-score 0 --max-words 8 --quiet": ("src", "tgt", "dropped.tsv"),
    "lexicon SOURCE TARGET LINKS --format moses --output OUT --quiet": ("f2e", "e2f"),
    "lexicon --model MODEL --format moses --output OUT --quiet": ("f2e", "e2f"),
}
CASES = [(command, ending) for command, endings in COMMANDS.items() for ending in endings]


@pytest.fixture(scope="module")
def places(
    text: Text, links: str, model: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str | Path]:
    """What the words in capitals stand for."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "links").write_text(links)
    (folder / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in text.pairs))
    return {
        "SOURCE": text.source,
        "TARGET": text.target,
        "LINKS": folder / "links",
        "PAIRS": folder / "pairs.tsv",
        "MODEL": model,
    }


@pytest.mark.parametrize(("command", "full"), CASES)
def test_a_full_disk_leaves_all_outputs_as_they_were(
    command: str,
    full: str,
    places: dict[str, str | Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endings = COMMANDS[command]
    for ending in endings:
        (tmp_path / f"out.{ending}").write_text("before")
    write = atomic._Output.write

    def until_full(self: atomic._Output, data: bytes) -> int:
        if str(self._path).endswith(f"out.{full}"):
            raise atomic.cannot_write(self._path, OSError(28, "No space left on device"))
        return write(self, data)

    monkeypatch.setattr(atomic._Output, "write", until_full)
    arguments = [
        str(places.get(word, word.replace("OUT", str(tmp_path / "out")))) for word in command.split()
    ]
    assert refused(*arguments) == f"cannot write {tmp_path / 'out'}.{full}: No space left on device"
    expected = {f"out.{ending}": "before" for ending in endings}
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == expected
    if full == endings[-1]:  # and with space again all are written
        monkeypatch.undo()
        assert run(*arguments).status == 0
        assert {path.name for path in tmp_path.iterdir()} == set(expected)
        assert all(path.read_text() != "before" for path in tmp_path.iterdir())


def test_numbers_and_picture_of_a_curve(text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: atomic._Output, data: bytes) -> int:  # noqa: ARG001
        raise atomic.cannot_write(self._path, OSError(28, "No space left on device"))

    monkeypatch.setattr(atomic._Output, "write", full)
    picture = tmp_path / "curve.svg"
    asked = ("--k", "2", "--iterations", "2", "--quiet", "--output", picture)
    assert refused("similar", "curve", text.source, text.target, *asked) == (
        f"cannot write {picture}: No space left on device"
    )
    assert not list(tmp_path.iterdir())
