"""The experiment on translation: its text, its figures, and that a run goes on where it stopped."""

import json
import lzma

import numpy as np
import pytest

import translation
from cepts import Aligner
from cepts.errors import InputError
from translating import measuring, report, rows
from translating.alignments import Kept, aligned
from translating.material import lines_of, read_material
from translating.results import Results, Sheet

WORDS = {"der": "the", "hund": "dog", "kater": "cat", "schläft": "sleeps", "rennt": "runs", ".": "."}
SOURCES = [f"{d} {n} {v} ." for d in ("der",) for n in ("hund", "kater") for v in ("schläft", "rennt")] * 8


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A corpus whose words translate in order."""
    home = tmp_path / "data" / "words" / "de-en"
    home.mkdir(parents=True)
    targets = [" ".join(WORDS[word] for word in line.split()) for line in SOURCES]
    for name, lines in (("src", SOURCES), ("tgt", targets)):
        with lzma.open(home / f"train.{name}.xz", "wt", encoding="utf-8") as stream:
            stream.write("".join(f"{line}\n" for line in lines))
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path / "data"))


@pytest.mark.usefixtures("data")
def test_text_is_learned_from_the_beginning_and_scored_at_the_end():
    material = read_material("de-en", 10, dev=2, test=3)
    assert [len(part) for part in material] == [10, 2, 3]
    assert lines_of(material.train)[0] == SOURCES[:10]
    assert lines_of(material.dev)[0] == SOURCES[-5:-3]
    assert lines_of(material.test)[0] == SOURCES[-3:]
    with pytest.raises(InputError, match="too few lines for 30 pairs to learn from and 3 others"):
        read_material("de-en", 30, dev=1, test=2)


def test_bi_word_models_are_for_the_small_task_and_every_recipe_can_be():
    assert [row.name for row in rows.ROWS if not rows.is_run(row, "de-en")] == ["bihmm", "bihmm-reg"]
    assert all(row.signature for row in rows.ROWS)
    assert set(rows.PAPER["de-en-small"]) <= set(rows.BY_NAME)


@pytest.mark.usefixtures("data")
def test_a_run_measures_what_is_missing(tmp_path, monkeypatch):
    arguments = [
        "--tasks",
        "de-en",
        "--rows",
        "baseline-union,hmm",
        "--pairs",
        "20",
        "--threads",
        "1",
        "--seeds",
        "2",
    ]
    arguments += [
        "--dev-sentences",
        "4",
        "--test-sentences",
        "5",
        "--output",
        str(tmp_path),
        "--part",
        "test",
    ]
    translation.main([*arguments, "--rows", "hmm"])
    translation.main(arguments)
    records = json.loads((tmp_path / "translation.json").read_text())
    assert [record["run"] for record in records] == ["hmm", "baseline-union"]
    for record in records:
        assert [run["seed"] for run in record["runs"]] == [1, 2]
        assert record["runs"][0]["bleu"][0] == pytest.approx(100.0)
        assert record["runs"][0]["ter"][0] == 0
        assert record["sentences"] == 5
        assert set(record["seconds"]) == {"align", "learn", "tune", "translate"}
    assert records[1]["difference"] == [0.0, 0.0, 0.0]
    assert "search" not in records[1]
    assert [(one["lower"], one["higher"]) for one in records[0]["search"]] == [(0.0, 0.0)] * 3
    text = (tmp_path / "translation-20.md").read_text()
    assert "weights tuned on 4 sentences, 5 unseen sentences translated" in text
    assert "## The search" in text
    assert "Of the 5 scored pairs 5 are in the training text, too." in text
    assert "## German to English, 100,000 pairs" in text
    assert "| both directions, union | 100.00 ± 0.00 |" in text
    monkeypatch.setattr(measuring, "measure_row", None)  # would fail if it were asked again
    translation.main(arguments)


@pytest.mark.usefixtures("data")
def test_rows_that_share_a_training_are_trained_once(tmp_path, monkeypatch):
    bitext = read_material("de-en", 20, dev=2, test=3).train
    fitted, fit = [], Aligner.fit
    monkeypatch.setattr(Aligner, "fit", lambda self, text: fitted.append(text) or fit(self, text))
    sheet, kept = Sheet("test", 20), Kept(tmp_path / "kept")
    family = [name for name in rows.BY_NAME if name.startswith(("baseline", "bidirectional"))]
    found = {name: aligned(sheet, rows.BY_NAME[name], "de-en", bitext, kept, 1) for name in family}
    assert len(fitted) == 1
    for name, made in found.items():
        row = rows.BY_NAME[name]
        alone = Aligner(**row.options).fit(bitext).align(bitext)
        assert np.array_equal(made.links.source, alone.source)
        assert np.array_equal(made.links.target, alone.target)
        assert made.spent.cpu > 0
        assert kept.links(sheet.place(row, "de-en"), "another recipe", len(bitext)) is None


def test_what_tells_most_is_run_first():
    assert list(rows.BY_NAME)[:4] == ["best", "hmm", "hmm-reg", "eflomal"]
    assert set(rows.FIRST) <= set(rows.BY_NAME) == {row.name for row in rows.ROWS}


@pytest.mark.usefixtures("data")
def test_rows_before_the_reference_are_compared_with_it_later(tmp_path):
    arguments = ["--tasks", "de-en", "--pairs", "20", "--threads", "1", "--seeds", "1", "--part", "test"]
    arguments += ["--dev-sentences", "4", "--test-sentences", "5", "--output", str(tmp_path)]
    translation.main([*arguments, "--rows", "best"])
    first = json.loads((tmp_path / "translation.json").read_text())
    assert "difference" not in first[0]
    translation.main([*arguments, "--rows", "hmm"])
    both = json.loads((tmp_path / "translation.json").read_text())
    assert [record["difference"] for record in both] == [[0.0, 0.0, 0.0]] * 2


def test_differences_by_hand():
    references = ["a b c d e", "f g h i j"]
    higher, lower = references, ["a b c d e", "x x x x x"]
    apart, low, high = measuring.difference(higher, lower, references)
    assert apart == pytest.approx(50.0)
    assert low >= 0
    assert high <= 100
    assert measuring.difference(lower, lower, references) == (0.0, 0.0, 0.0)


def test_the_papers_figures_stand_beside_ours():
    assert report.paper_cells("hmm", rows.PAPER["de-en"]) == ["27.94", "56.98"]
    assert report.paper_cells("baseline-union", {}) == ["29.59 (Chinese to English)", ""]
    assert report.paper_cells("best", {}) == ["", ""]


def test_a_report_of_nothing(tmp_path):
    results = Results(tmp_path / "none.json")
    assert "No row is finished." in report.report(results, Sheet("test"), "")
