"""What a run keeps: scores as a user would have them, certificates by rounds; and the whole of it on a little text."""

import doctest
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import both_directions
from cepts import Aligner, Links, evaluate, sample_bitext
from cepts.combine import HEURISTICS, DualLinks, combine
from cepts.evaluation import phrase_scores
from denero_2011 import measuring, plots
from denero_2011.figures import PAPER, figures_of
from denero_2011.measuring import certificates, f1_of, measure, phrase_counts
from denero_2011.rows import FOOTNOTE, PAPER_CORPUS, PAPERS, RELEASED, RUNS, TUNED, Run
from paper_tables.setting import Corpus, read_corpus


def test_examples_in_docstrings() -> None:
    result = doctest.testmod(measuring)
    assert result.attempted > 0
    assert result.failed == 0


def test_certificates_are_counted_by_rounds() -> None:
    nothing = Links.from_pairs([[]] * 5)
    certified = np.array([True, False, True, True, True])
    rounds = np.array([3, 250, 1, 3, 250], np.int32)
    dual = DualLinks(nothing, nothing, certified, rounds, np.zeros(5))
    found = certificates(dual)
    assert (found["pairs"], found["mean_rounds"]) == (5, 101.4)
    assert {at: count for at, count in enumerate(found["in_round"]) if count} == {1: 1, 3: 2, 250: 1}
    assert len(found["in_round"]) == 251
    first = certificates(dual, 2)
    assert (first["pairs"], first["mean_rounds"], sum(first["in_round"])) == (2, 126.5, 1)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """The sample; its gold is what another model thinks of the first twenty pairs."""
    bitext = sample_bitext()
    return Corpus(bitext, Aligner(model_type="ibm1").fit(bitext).align(bitext).head(20), {})


@pytest.mark.parametrize("run", [TUNED, PAPERS, FOOTNOTE], ids=lambda run: run.name)
def test_scores_are_those_of_an_aligner(corpus: Corpus, run: Run) -> None:
    made = measure(run, corpus, 1)
    scores = made["scores"]
    assert list(scores["baseline"]) == list(scores["dual"]) == list(HEURISTICS)
    asked = {
        ("dual", "intersection"): {"combine": "dual", "remainder": "intersection"},
        ("dual", "union"): {"combine": "dual", "remainder": "union"},
        ("baseline", "grow-diag-final"): {"combine": "grow-diag-final"},
        ("posterior", "posterior"): {"combine": "posterior"},
    }
    aligner = Aligner(run.method, **run.options).fit(corpus.bitext)
    for (model, rule), options in asked.items():
        aligner.recipe = replace(run.recipe, **options)
        alignment = aligner.align(corpus.bitext)
        links, dual = alignment.head(20), alignment.dual
        wanted = evaluate(links, corpus.gold, phrases=5)
        assert wanted.phrases is not None
        found = scores[model][rule]
        assert (found["aer"], found["links"]) == (wanted.aer, len(links.source))
        assert found["phrases"]["f1"] == wanted.phrases.f1
        loose = evaluate(links, corpus.gold, phrases=5, possible="any").phrases
        assert loose is not None
        assert found["phrases_any"]["f1"] == loose.f1
        if rule == "union" and dual is not None:
            assert sum(made["certificates"]["all"]["in_round"]) == dual.certified.sum()
            assert sum(made["certificates"]["scored"]["in_round"]) == dual.certified[:20].sum()
    assert made["certificates"]["scored"]["pairs"] == 20
    assert made["certificates"]["all"]["pairs"] == len(corpus.bitext)
    change = scores["dual"]["intersection"]["aer"] - scores["baseline"]["intersection"]["aer"]
    difference, low, high, p = made["gains"]["aer"]
    assert difference == pytest.approx(100 * change, abs=1e-3)
    assert low <= difference <= high
    assert 0 < p <= 1
    assert set(made["seconds"]) == {"training", "plain", "dual", "posterior"}


def test_phrases_are_counted_by_sentence(corpus: Corpus) -> None:
    links = combine(corpus.gold, corpus.gold.select(corpus.gold.source != 2), "intersection")
    counts = phrase_counts(links, corpus.gold, "all")
    whole = phrase_scores(links, corpus.gold)
    assert counts.sum(axis=0).tolist() == [whole.found, whole.gold, whole.common]
    assert f1_of(counts.sum(axis=0, keepdims=True))[0] == pytest.approx(whole.f1)


@pytest.mark.usefixtures("data_folder")
def test_the_papers_own_links_have_the_papers_figures() -> None:
    read = read_corpus(PAPER_CORPUS, "test", 10)
    assert (read.facts["scored"], read.facts["pairs"]) == (150, 160)
    made = figures_of(measure(RELEASED, read, 1))
    assert {row: str(one) for row, one in made.links.items()} == {
        row: str(one) for row, one in PAPER.links.items()
    }
    assert made.overlaps["baseline"] == (2777, 5499)


@pytest.mark.usefixtures("data_folder")
def test_all_of_it_on_a_little_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plots, "write_plots", lambda *_: {})  # it has a test of its own
    both_directions.main(["--corpora", "en-fr-hansards", "--pairs", "60", "--output", str(tmp_path)])
    records = json.loads((tmp_path / "both-directions.json").read_text())
    assert [one["run"] for one in records] == [*(run.name for run in RUNS), "best"]
    best = records.pop()
    assert (
        0
        < best["interval_aer"][0]
        < best["scores"]["posterior"]["posterior"]["aer"]
        < best["interval_aer"][1]
    )
    for record in records:
        assert (record["text"]["scored"], record["text"]["pairs"]) == (37, 97)
        assert record["certificates"]["all"]["pairs"] == 97
        for model in ("baseline", "dual"):
            made = record["scores"][model]
            assert made["intersection"]["links"] <= made["grow-diag"]["links"] <= made["union"]["links"]
            assert 0 < made["intersection"]["aer"] < 1
        baseline = record["scores"]["baseline"]  # where all have a certificate, the answers are the same
        assert baseline["intersection"]["links"] < baseline["union"]["links"]
    report = (tmp_path / "both-directions-dev-60.md").read_text()
    assert "- en-fr-hansards: 37 scored sentences and 60 training pairs behind them" in report
    assert "| **incomplete** |" in report
    assert "en-fr-hansards: 4 runs to do\n" in capsys.readouterr().err
