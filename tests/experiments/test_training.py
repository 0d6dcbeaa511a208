"""What a run keeps: curves, objectives, scores, memory; and the whole of it on a little real text."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import regularised
from cepts import Aligner, Links, evaluate, sample_bitext
from cepts.aligning import Recipe
from cepts.words import index_bitext
from paper_tables import meter
from paper_tables.meter import Moment, forget_peak, peak_mb
from schoenemann_2011 import plots
from schoenemann_2011.results import Sheet
from schoenemann_2011.rows import COLUMNS, PLACES, recipe_of
from schoenemann_2011.scoring import scores_of
from schoenemann_2011.training import Text, curve, measured_stages, read_text


def test_curves_of_both_optimizers() -> None:
    begin, end = Moment(10.0, 100.0), Moment(16.0, 111.0)
    # EM reports at the end of an iteration what it started from
    reports = [(9.0, Moment(13.0, 105.0)), (7.0, Moment(15.5, 110.0))]
    made = curve(reports, begin, end, 6.0, "em")
    assert made["objectives"] == [9.0, 7.0, 6.0]
    assert made["wall_after"] == [0.0, 3.0, 5.5]
    assert made["cpu_after"] == [0.0, 5.0, 10.0]
    assert (made["iterations"], made["wall_seconds"], made["cpu_seconds"]) == (2, 6.0, 11.0)
    # PGD reports at the beginning of an iteration, after the line search of the one before
    made = curve(reports, begin, end, 6.0, "pgd")
    assert made["objectives"] == [9.0, 7.0, 6.0]
    assert made["wall_after"] == [0.0, 5.5, 6.0]


def test_scores_worked_out_by_hand() -> None:
    gold = Links.from_pairs([[(0, 0), (1, 1), (2, 2, 1.0, False)], [(0, 0)], [(0, 1, 1.0, False)]])
    links = Links.from_pairs([[(0, 0), (2, 2), (2, 1)], [(0, 0)], [(0, 0)]])
    scores = scores_of(links, gold)
    # 3 of 5 links are possible, 2 of 3 sure links found: 1 / (0.1 / (3 / 5) + 0.9 / (2 / 3)) = 60 / 91
    assert scores["weighted_f"] == pytest.approx(60 / 91)
    assert scores["aer"] == pytest.approx(1 - (2 + 3) / (5 + 3))
    # the first sentence has 2 of 3 and 1 of 2, the second all; the third has no sure link and is left out
    assert scores["mean_weighted_f"] == pytest.approx((1 / (0.1 / (2 / 3) + 0.9 / (1 / 2)) + 1) / 2)
    assert scores["mean_aer"] == pytest.approx((1 - (1 + 2) / (3 + 2) + 0) / 2)
    assert (scores["mean_sentences"], scores["sentences"]) == (2, 3)


@pytest.fixture(scope="module")
def sample() -> Text:
    bitext = sample_bitext()
    return Text(bitext, index_bitext(bitext), Links.from_pairs([[(0, 0)]]), {})


def trained(sample: Text, row: str, iterations: int) -> dict[str, Any]:
    run, stage = PLACES[row]
    whole = recipe_of(run, "reverse", 3)
    last = list(whole.iterations)[stage]
    recipe = replace(whole, **{f"{last}_iterations": iterations})
    return measured(sample, row, [recipe])[0]


def measured(sample: Text, row: str, recipes: list[Recipe]) -> list[dict[str, Any]]:
    run, stage = PLACES[row]
    stages = list(measured_stages(run, recipes, sample, 1))
    assert [made is None for made in stages] == [one is None for one in run.rows]
    made = stages[stage]
    assert made is not None
    return made


@pytest.mark.parametrize("row", ["hmm-em-reg", "hmm-renormalised", "hmm-pgd-reg", "bihmm-pgd", "ibm4"])
def test_both_directions_at_once_are_what_each_is_alone(sample: Text, row: str) -> None:
    recipes = [recipe_of(PLACES[row][0], direction, 2) for direction in ("forward", "reverse")]
    together = measured(sample, row, recipes)
    for recipe, made in zip(recipes, together, strict=True):
        (alone,) = measured(sample, row, [recipe])
        assert made["objectives"] == alone["objectives"]
        assert made["scores"] == alone["scores"]


@pytest.mark.parametrize(
    "row", ["hmm-em", "hmm-em-reg", "hmm-renormalised", "hmm-pgd-reg", "bihmm-em-reg", "ibm4"]
)
def test_the_final_objective_is_what_one_more_iteration_starts_from(sample: Text, row: str) -> None:
    shorter, longer = trained(sample, row, 2), trained(sample, row, 3)
    assert shorter["objectives"] == longer["objectives"][:3]
    assert shorter["objective"] == pytest.approx(longer["objectives"][2], abs=1e-3)
    assert shorter["iterations"] == 2
    assert len(shorter["wall_after"]) == len(shorter["objectives"]) == 3
    assert sorted(shorter["wall_after"]) == shorter["wall_after"]
    assert shorter["wall_after"][-1] <= shorter["wall_seconds"]


@pytest.mark.skipif(not meter.FORGET.exists(), reason="the peak can be reset on Linux alone")
def test_the_peak_is_that_of_a_part_of_the_process() -> None:
    forget_peak()
    before = peak_mb()
    much = np.ones(20_000_000)  # 153 MB
    grown = peak_mb()
    assert grown > before + 100
    del much
    forget_peak()
    assert peak_mb() < grown - 100


@pytest.mark.usefixtures("data_folder")
def test_all_of_it_on_a_little_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plots, "write_plots", lambda *_: {})  # they have tests of their own
    rows = "hmm-em-reg,hmm-renormalised,ibm4,bihmm-em"
    chosen = [
        "--corpora",
        "en-fr-hansards",
        "--pairs",
        "60",
        "--iterations",
        "2",
        "--rows",
        rows,
        "--together",
    ]
    regularised.main([*chosen, "--output", str(tmp_path)])
    records = json.loads((tmp_path / "regularised-small.json").read_text())
    assert [(one["run"], one["direction"]) for one in records] == [
        (name, direction)
        for name in ("mono-renormalised", "mono-em-reg", "mono-ibm4", "bi-em")
        for direction in ("forward", "reverse")
    ]
    for record in records:
        assert record["text"]["pairs"] == 37 + 60
        for stage in filter(None, record["stages"]):
            first, middle, last = stage["objectives"]
            assert first > last
            assert first > middle > last or stage["model"] == "ibm4"  # which may climb another summit
            assert 0 < stage["scores"]["weighted_f"] < 1
    report = (tmp_path / "regularised-small-dev-60-2-iterations.md").read_text()
    assert "- en-fr-hansards: 37 scored sentences and 60 training pairs behind them" in report
    said = capsys.readouterr().err
    assert "en-fr-hansards: 8 runs to do\n" in said
    assert "en-fr-hansards En|Fr mono-ibm4: ibm4 F " in said
    assert "en-fr-hansards En|Fr bi-em: bi1 F " in said
    assert "mono-ibm4 of en-fr-hansards" in report  # among those of both directions at once
    assert weighted_f_of_aligner() == pytest.approx(records[3]["stages"][1]["scores"]["weighted_f"])


def weighted_f_of_aligner() -> float:
    """The same row as a user would have it."""
    text = read_text(Sheet("small", "dev", pairs=60), "en-fr-hansards", 1)
    aligner = Aligner("schoenemann-2011", direction=COLUMNS[5].direction, ibm1_iterations=2, hmm_iterations=2)
    links = aligner.fit(text.bitext).align(text.bitext)
    return evaluate(links.head(len(text.gold)), text.gold).weighted_f
