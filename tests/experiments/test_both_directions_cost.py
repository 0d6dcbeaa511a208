"""What dual decomposition costs: claims and table from figures made by hand, and rows measured on the sample."""

import json
from pathlib import Path
from typing import Any

import pytest

import dual_cost
from cepts import Aligner, evaluate, sample_bitext
from denero_2011.measuring import fit
from denero_2011.rows import TUNED
from paper_tables.meter import Moment
from paper_tables.setting import Corpus
from tests.experiments.reading import table_under


def made_up(seconds: float = 9.0, aer: float = 0.0805) -> dict[str, Any]:
    """Plain links cost 1 s; the recipe's own 50 rounds and all 250 are there."""
    rows = [
        {"rounds": 0, "cpu_seconds": 1.0, "aer": 0.1},
        {"rounds": 50, "cpu_seconds": seconds, "aer": aer, "certified": 0.5, "mean_rounds": 20.25},
        {"rounds": 250, "cpu_seconds": 30.0, "aer": 0.08, "certified": 0.75, "mean_rounds": 60.0},
    ]
    sizes = {"scored": 10, "pairs": 1010, "source_words": 5000, "target_words": 6000, "read_seconds": 1.0}
    return {
        "part": "test",
        "own_rounds": 50,
        "repeats": 3,
        "signature": "method:bidirectional",
        "cepts": "9.9",
        "threads": 1,
        "machine": "a machine, 2 cores",
        "text": sizes,
        "rows": rows,
    }


@pytest.mark.parametrize(
    ("seconds", "aer", "verdicts"),
    [
        (10.0, 0.081, ["yes", "yes"]),  # just as much as allowed
        (10.1, 0.05, ["no", "yes"]),  # a lower AER than after all rounds is no fault
        (2.0, 0.0811, ["yes", "no"]),
    ],
)
def test_the_recipes_own_rounds_are_judged(seconds: float, aer: float, verdicts: list[str]) -> None:
    assert [claim.verdict for claim in dual_cost.claims(made_up(seconds, aer))] == verdicts


def test_the_report() -> None:
    text = dual_cost.report(made_up())
    assert table_under(text, "Seconds and AER by rounds") == [
        ["rounds", "CPU s", "times plain", "AER", "% certified", "mean rounds"],
        ["---"] * 6,
        ["plain links", "1.00", "1.0", "10.00", "-", "-"],
        ["50 (the recipe's own)", "9.00", "9.0", "8.05", "50.0", "20.2"],
        ["250", "30.00", "30.0", "8.00", "75.0", "60.0"],
    ]
    rounds = "50 rounds, the recipe's own number,"
    assert table_under(text, "Does it hold?")[2:] == [
        [f"{rounds} cost at most 10 times plain links of both directions", "**yes**", "9.0 times"],
        [f"{rounds} have an AER of at most 0.1 above that of 250", "**yes**", "+0.05"],
    ]
    assert "10 scored sentences and 1,000 training pairs behind them" in text
    assert "scored on **test**" in text


def test_the_best_of_several_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 3.0, 10.0, 12.0, 20.0, 24.0])
    monkeypatch.setattr(Moment, "now", classmethod(lambda cls: cls(0.0, next(clock))))
    done: list[int] = []
    assert dual_cost.best_of(3, lambda: done.append(1) or len(done)) == (2.0, 3)


def test_rows_are_what_an_aligner_would_give() -> None:
    bitext = sample_bitext()
    gold = Aligner(model_type="ibm1").fit(bitext).align(bitext).head(20)
    fitted = fit(TUNED, bitext, 1)
    for rounds, combine in ((0, "intersection"), (1, "dual"), (10, "dual")):
        row = dual_cost.row_of(fitted, Corpus(bitext, gold, {}), rounds, 1)
        aligner = Aligner(TUNED.method, combine=combine, rounds=max(rounds, 1), remainder="intersection")
        links = aligner.fit(bitext).align(bitext)
        assert row["aer"] == evaluate(links.head(20), gold).aer
        if links.dual is not None:
            assert row["certified"] == links.dual.certified.mean()
            assert row["mean_rounds"] == round(float(links.dual.rounds.mean()), 2)


@pytest.mark.usefixtures("data_folder")
def test_all_of_it_on_a_little_text(tmp_path: Path) -> None:
    dual_cost.main(["--pairs", "60", "--repeats", "1", "--output", str(tmp_path)])
    measured = json.loads((tmp_path / "dual-cost-dev-60.json").read_text())
    wanted = sorted({1, 10, 25, 50, 100, 250, TUNED.own_rounds})
    assert [row["rounds"] for row in measured["rows"]] == [0, *wanted]
    shares = [row["certified"] for row in measured["rows"][1:]]
    assert shares == sorted(shares)
    assert measured["text"]["pairs"] == 97
    assert f"{TUNED.own_rounds} (the recipe's own)" in (tmp_path / "dual-cost-dev-60.md").read_text()


def test_options_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        dual_cost.main(["--repeats", "none"])
    assert "none: expected a number from 1" in capsys.readouterr().err
