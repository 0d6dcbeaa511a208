"""The experiments on text that is added and on pruning between models, on the built-in sample."""

import json

import pytest

import incremental
import pruning
from cepts import read_links, sample, sample_bitext


@pytest.fixture
def small(monkeypatch):
    """Let both experiments read the sample in the place of a corpus."""
    gold = read_links(sample()[2])
    corpus = (sample_bitext(), gold, {})
    for experiment in (incremental, pruning):
        monkeypatch.setattr(experiment, "read_corpus", lambda *_: corpus)
    return len(sample_bitext()) - len(gold)


def test_added_text_is_worth_something_and_rows_are_kept(small, tmp_path):
    sizes = ["--old", str(small // 4), "--new", str(small - small // 4)]
    arguments = ["--corpora", "made", *sizes, "--output", str(tmp_path)]
    incremental.main(arguments)
    (row,) = json.loads((tmp_path / "incremental.json").read_text())
    assert set(row["aer"]) == set(row["seconds"]) == set(incremental.WAYS)
    assert row["aer"]["added"] < row["aer"]["old"]
    before = (tmp_path / "incremental.md").read_text()
    incremental.main(arguments)
    assert (tmp_path / "incremental.md").read_text() == before
    assert before.count("made") == 1


@pytest.mark.usefixtures("small")
def test_a_threshold_of_nothing_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(pruning, "THRESHOLDS", (0.0, 0.1))
    pruning.main(["--corpora", "made", "--output", str(tmp_path)])
    whole, little = json.loads((tmp_path / "pruning.json").read_text())
    assert whole["kept"] == 1.0
    assert little["kept"] < 0.5
    assert little["aer"] > whole["aer"]
    assert f"{whole['aer']:.2f}/100/" in (tmp_path / "pruning.md").read_text()
