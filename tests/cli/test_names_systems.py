"""`cepts names` with systems other than the edit model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.command import refused, succeed
from tests.cli.names_model import SMALL, TEST, TRAIN

if TYPE_CHECKING:
    from pathlib import Path


def test_a_phrase_system_and_both_together_write_and_rank_names(tmp_path: Path) -> None:
    for system, dev in (("phrases", ()), ("both", ("--dev", TEST))):
        folder = tmp_path / system
        small = SMALL if system == "both" else ()
        assert (
            succeed("names", "train", TRAIN, "--output", folder, "--system", system, *dev, *small, "--quiet")
            == ""
        )
        lines = succeed(
            "names", "transcribe", "--model", folder, "--n-best", "2", stdin="анна\n".encode()
        ).splitlines()
        assert [line.split("\t")[:2] for line in lines] == [["анна", "1"], ["анна", "2"]]
        assert lines[0].split("\t")[2] == "anna"
        candidates = tmp_path / "candidates"
        candidates.write_text("olga\nanna\n", encoding="utf-8")
        ranked = succeed(
            "names", "rank", "--model", folder, "--candidates", candidates, stdin="анна\n".encode()
        )
        assert [line.split("\t")[2] for line in ranked.splitlines()] == ["anna", "olga"]
        assert "1-best" in succeed("names", "evaluate", TEST, "--model", folder, "--quiet")
        assert "is for edit models alone" in refused("names", "transcribe", "--model", folder, "--beam", "5")
        assert "expected a model of names" in refused("names", "explain", folder, "анна", "anna")


def test_a_system_that_cannot_be_trained_so_is_refused(tmp_path: Path) -> None:
    output = ("--output", tmp_path / "model")
    both = refused("names", "train", TRAIN, *output, "--system", "both")
    assert "--system both needs --dev FILE" in both
    ranked = refused("names", "train", TRAIN, *output, "--system", "phrases", "--mode", "rank")
    assert "--system phrases needs --mode generate" in ranked
    epochs = refused("names", "train", TRAIN, *output, "--system", "phrases", "--epochs", "3")
    assert "--epochs is of the edit model" in epochs
    assert not (tmp_path / "model").exists()
