"""What a run of cepts keeps: scores as a user would have them, curves, the sentence; and all of it on a little text."""

import json
from pathlib import Path

import numpy as np
import pytest

from cepts import Aligner, Bitext, Links, evaluate, sample_bitext
from cepts.combine import factorise
from cepts.corpus import bitext_from_pairs
from goutte_2004 import command, plots, rows, sentence
from goutte_2004.figures import Figures, pairs_per_second
from goutte_2004.measuring import Scorer, Trained, measure, measure_row, measure_run, model_name
from goutte_2004.results import Sheet
from goutte_2004.rows import CONFIDENCES, OURS, RULES, RUNS, SMALL, Row, Run
from goutte_2004.sentence import count_links, find_sentence, sentence_of
from goutte_2004.speed import cpu_seconds, measure_speed
from paper_tables.setting import Corpus

SCORED = 20


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    """The sample, and the sentence of the paper's figures as its pair 3."""
    sample = sample_bitext()
    pairs = [
        (" ".join(sample.source.sentence(k)), " ".join(sample.target.sentence(k))) for k in range(len(sample))
    ]
    return bitext_from_pairs([*pairs[:3], (sentence.ENGLISH, sentence.FRENCH), *pairs[3:]])


@pytest.fixture(scope="module")
def gold(bitext: Bitext) -> Links:
    """What another model thinks of the first pairs."""
    return Aligner(model_type="ibm1").fit(bitext).align(bitext).head(SCORED)


@pytest.fixture(scope="module")
def trained(bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """The HMM, which is all that tests of measuring need."""
    folder = tmp_path_factory.mktemp("models") / "fast"
    Aligner("fast").fit(bitext).save(folder)
    return Trained(folder, bitext, SCORED, 1)


def test_figures_by_hand() -> None:
    gold = Links.from_pairs([[(0, 0), (1, 1, 1.0, False)], [(0, 0)]])
    head = bitext_from_pairs([("a b c", "A B"), ("d", "D")])
    found = Scorer(head, gold).figures(Links.from_pairs([[(0, 0), (0, 1)], [], [(5, 5)]]))
    # two links, one of them sure; two sure and three possible gold links; AER 1 - (1 + 1) / (2 + 2)
    assert found.plain == pytest.approx((50.0, 50.0, 50.0, 50.0, 33.3333, 40.0, 50.0))
    # NULL: b, c, d and D in the answer, possible c in the gold: 6 links, 4 possible; 1 - (1 + 2) / (6 + 2)
    assert found.null == pytest.approx((16.6667, 50.0, 25.0, 33.3333, 50.0, 40.0, 62.5))
    assert found.links_per_word == pytest.approx(2 * 2 / 7, abs=1e-4)
    assert found.aligned == pytest.approx(100 * 3 / 7, abs=1e-4)


def test_scores_are_those_of_an_aligner(trained: Trained, gold: Links) -> None:
    run = Run("fast", "a few rows", (1000.0,), ("sum", "counts", "information"))
    made = measure(run, trained, gold)
    assert set(made["rows"]) == {row.key for row in run.rows}
    assert len(made["rows"]) == (4 + 4 + 1) * 2
    assert set(made["rules"]) == set(RULES)
    assert made["curves"] == {}
    head = trained.bitext.part(0, SCORED)
    lengths = head.source.lengths, head.target.lengths
    for row in (Row("sum", "aic", 1000.0, 0.1), Row("counts", "bic", 1000.0)):
        aligner = trained.aligner(**row.options)
        links, figures = aligner.align(head), Figures.read(made["rows"][row.key])
        assert figures.plain.aer == pytest.approx(100 * evaluate(links, gold).aer, abs=1e-3)
        with_null = evaluate(links, gold, null="auto", lengths=lengths)
        assert figures.null.f_sure == pytest.approx(100 * with_null.sure.f1, abs=1e-3)
        assert links.cepts is not None
        assert figures.aligned == pytest.approx(100 * links.cepts.aligned_share(), abs=1e-3)
    grown = evaluate(trained.aligner(combine="grow-diag").align(head), gold)
    assert Figures.read(made["rules"]["grow-diag"]).plain.aer == pytest.approx(100 * grown.aer, abs=1e-3)


def test_measures_that_count_see_more_than_the_scored_pairs(trained: Trained, gold: Links) -> None:
    row = Row("information", "aic", 1000.0)
    aligner = trained.aligner(**row.options)
    assert len(trained.text("sum")) == SCORED
    assert len(trained.text("information")) == len(trained.bitext) > SCORED
    assert (
        trained._replace(scored=10_001).text("tables").source.offsets[-1] == trained.bitext.source.offsets[-1]
    )
    wide, narrow = (
        evaluate(aligner.align(trained.text(name)).head(SCORED), gold) for name in (row.measure, "sum")
    )
    made = measure(Run("fast", "", (1000.0,), ("information",)), trained, gold)["rows"][row.key]
    assert made["plain"][-1] == pytest.approx(100 * wide.aer, abs=1e-3)
    assert wide.aer != narrow.aer


def test_rows_that_are_known_are_not_measured_again(
    trained: Trained, gold: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = Run("fast", "two measures", (1000.0,), ("sum", "product"))
    narrow = wide._replace(measures=("sum",))
    known = {**measure(narrow, trained, gold), "wall_seconds": 10.0, "cpu_seconds": 5.0}
    measured: list[str] = []

    def look(row: Row, trained: Trained, scorer: Scorer, curved: bool) -> tuple[Figures, list[Figures]]:
        measured.append(row.key)
        return measure_row(row, trained, scorer, curved)

    monkeypatch.setattr("goutte_2004.measuring.measure_row", look)
    both = measure(wide, trained, gold, known)
    assert measured == [row.key for row in wide.rows if row.measure == "product"]
    assert both == measure(wide, trained, gold)
    corpus = Corpus(trained.bitext, gold, {"pairs": len(trained.bitext)})
    record = measure_run(Sheet("dev"), wide, "ro-en", corpus, 1, None, known)
    assert record["rows"] == both["rows"]
    assert record["wall_seconds"] > 10.0
    assert record["cpu_seconds"] > 5.0


def test_the_rows_of_the_paper_s_search() -> None:
    assert [row.options["search"] for row in rows.PAPER_ROWS] == ["restarts"] * 2
    assert [row.key for row in rows.PAPER_ROWS] == ["counts aic 100 1 restarts", "counts bic 100 1 restarts"]
    assert rows.PAPERS.rows[-2:] == rows.PAPER_ROWS
    assert not any(row.search == "restarts" for run in RUNS[1:] for row in run.rows)
    assert rows.PAPER_ROWS[0].label == "counts, AIC, scale 100, restarts"
    assert rows.PAPERS.recipe.search == "annealing"  # so that a model that is trained serves all rows


def test_curves(trained: Trained, gold: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run("cepts", "ours, of one measure", (1000.0,), ("sum",))
    monkeypatch.setattr("goutte_2004.measuring.OURS", run)
    made = measure(run, trained, gold)
    assert set(made["curves"]) == {Row("sum", "aic", 1000.0, weight).key for weight in rows.NULL_WEIGHTS}
    for key, curve in made["curves"].items():
        points = [Figures.read(one) for one in curve]
        assert len(points) == len(CONFIDENCES)
        assert points[0] == Figures.read(made["rows"][key])
        shares = [one.aligned for one in points]
        assert shares == sorted(shares, reverse=True)
    point = made["curves"][Row("sum", "aic", 1000.0, 0.1).key][CONFIDENCES.index(0.9)]
    aligner = trained.aligner(combine="cepts", association="sum", null_weight=0.1, min_confidence=0.9)
    wanted = evaluate(aligner.align(trained.text()), gold)
    assert point["plain"][-1] == pytest.approx(100 * wanted.aer, abs=1e-3)


def test_models_are_kept_and_found_again(
    bitext: Bitext, gold: Links, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run("fast", "one measure", (1000.0,), ("tables",))
    sheet, corpus = Sheet("dev"), Corpus(bitext, gold, {"pairs": len(bitext)})
    first, second = (measure_run(sheet, run, "ro-en", corpus, 1, tmp_path) for _ in range(2))
    assert [path.name for path in tmp_path.iterdir()] == [model_name(sheet, run, "ro-en")]
    assert (first["loaded"], second["loaded"]) == (False, True)
    assert first["rows"] == second["rows"]
    assert (first["part"], first["run"], first["corpus"], first["text"]["pairs"]) == (
        "dev",
        "fast",
        "ro-en",
        len(bitext),
    )
    monkeypatch.setattr(Aligner, "load", lambda *_, **__: pytest.fail("another part is another model"))
    with pytest.raises(pytest.fail.Exception, match="another part"):
        measure_run(Sheet("test"), run, "ro-en", corpus, 1, tmp_path)
    names = {
        model_name(sheet, run, corpus)
        for sheet in (Sheet("dev"), Sheet("test"), Sheet("dev", 300))
        for run in RUNS
        for corpus in rows.CORPORA
    }
    assert len(names) == 3 * 3 * 2


def test_the_sentence(trained: Trained, gold: Links) -> None:
    assert find_sentence(trained.text()) == 3
    found = sentence_of(trained, gold, "annealing")
    assert found is not None
    assert " ".join(found["source"]) == sentence.ENGLISH
    assert " ".join(found["target"]) == sentence.FRENCH
    counts = np.array(found["counts"])
    assert counts.shape == (7, 11)
    # two lists of a hundred: each generated word is linked, or left to NULL, once in each alignment of its list
    assert counts.sum() == pytest.approx(100 * (6 + 10), abs=1)
    assert np.allclose(np.array(found["source_shares"]).sum(axis=1), 1, atol=1e-3)
    assert np.allclose(np.array(found["target_shares"]).sum(axis=1), 1, atol=1e-3)
    assert [tuple(link[:2]) for link in found["gold"]] == [link[:2] for link in gold[3]]
    pair = trained.text().part(3, 4)
    aligner = trained.aligner(combine="cepts", association="counts", scale=100.0)
    made = factorise(count_links(aligner, pair), aligner.recipe.cepts).links()
    assert [tuple(link) for link in found["links"]] == [link[:2] for link in made[0]]


def test_without_the_sentence(trained: Trained, gold: Links) -> None:
    assert find_sentence(trained.text().part(0, 3)) is None
    assert sentence_of(trained._replace(scored=3), gold, "annealing") is None


@pytest.mark.parametrize("search", ["annealing", "restarts"])
def test_criteria_of_the_sentence_by_the_number_of_cepts(trained: Trained, gold: Links, search: str) -> None:
    found = sentence_of(trained, gold, search)
    assert found is not None
    criteria = found["criteria"]
    assert len(criteria) == 6
    # six English and ten French words; the counts are 100 for each of them
    for at, one in enumerate(criteria):
        assert one["aic"] == pytest.approx(one["likelihood"] - 15 * (at + 1), abs=2e-3)
        assert one["bic"] == pytest.approx(one["likelihood"] - 7.5 * (at + 1) * np.log(1600), abs=0.5)
        assert 0 <= one["noise"] < 1
    likelihoods = [one["likelihood"] for one in criteria]
    assert likelihoods == sorted(likelihoods)
    # the best by AIC is what an aligner finds
    aligner = trained.aligner(combine="cepts", association="counts", scale=100.0, search=search)
    answer = aligner.align(trained.text().part(3, 4)).cepts
    assert answer is not None
    best = max(range(6), key=lambda at: criteria[at]["aic"])
    assert answer.chosen.tolist() == [best + 1]
    assert criteria[best]["noise"] == pytest.approx(found["noise"], abs=1e-6)
    assert criteria[best]["likelihood"] == pytest.approx(answer.log_likelihoods[0], abs=1e-2)


def test_speed_is_of_one_thread_and_of_two_parts(bitext: Bitext) -> None:
    rounds = cpu_seconds(bitext, 2)
    assert len(rounds) == 2
    assert all(seconds > 0 for one in rounds for seconds in one)


@pytest.mark.usefixtures("data_folder")
def test_speed_on_a_little_text() -> None:
    record = measure_speed(120)
    assert (record["part"], record["pairs"], record["run"], record["corpus"]) == (
        "train",
        120,
        "speed",
        "en-fr-hansards",
    )
    assert (record["factorised"], record["threads"], len(record["rounds"])) == (120, 1, 3)
    assert record["signature"] == SMALL.recipe.signature
    assert pairs_per_second(record, False) > pairs_per_second(record, True) > 0


@pytest.mark.usefixtures("data_folder")
def test_all_of_it_on_a_little_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tuple(Row(measure, "aic", scale) for measure in ("counts", "attached") for scale in (100.0, 1000.0))
    every = {run.name: run.rows for run in RUNS}
    monkeypatch.setattr(
        Run, "rows", property(lambda run: tuple(row for row in every[run.name] if row in few))
    )
    monkeypatch.setattr(plots, "write_plots", lambda *_: {})  # it has a test of its own
    command.main(["--corpora", "en-fr-hansards", "--pairs", "60", "--output", str(tmp_path)])
    records = json.loads((tmp_path / "cepts.json").read_text())
    assert [one["run"] for one in records] == [run.name for run in RUNS]
    for record in records:
        assert (record["text"]["scored"], record["text"]["pairs"]) == (37, 97)
        made = {rule: Figures.read(one) for rule, one in record["rules"].items()}
        assert made["intersection"].links_per_word <= made["grow-diag"].links_per_word
        assert made["grow-diag"].aligned <= made["union"].aligned < 100
        assert all(0 < one["plain"][-1] < 100 for one in record["rows"].values())
        assert (record["curves"] != {}) == (record["run"] == OURS.name)
        assert record["sentence"]["source"][:2] == ["they", "need"]
        assert [link[:2] for link in record["sentence"]["gold"]][-1] == [5, 9]
    report = (tmp_path / "cepts-dev-60.md").read_text()
    assert "- en-fr-hansards: 37 scored sentences and 60 training pairs behind them" in report
    printed = capsys.readouterr()
    assert "en-fr-hansards: 3 runs to do\n" in printed.err
    assert "no choice yet" in printed.err
    assert "| `cepts` | attached, AIC, scale 1000 |" in printed.out
