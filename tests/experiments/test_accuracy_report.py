"""What the report of accuracy says, from records that were made by hand."""

import doctest
import json
import math
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from accuracy_report import ablation, plots, reliability, results, rows, scoring, variants
from accuracy_report.cells import Cell, cells_of, mean_reduction
from accuracy_report.judging import judged
from accuracy_report.readme import quote
from accuracy_report.report import report, summary
from accuracy_report.results import Results
from accuracy_report.rows import CORPORA, PEERS, SYSTEMS, sizes_of
from accuracy_report.scoring import lower, sampled_aer
from accuracy_report.tables import aer_table
from accuracy_report.variants import Variant
from cepts.aligning.recipes import RECIPES, Recipe
from cepts.views.records import read_measured
from paper_tables.comparing import RESAMPLES
from tests.experiments.accuracy_records import DEV, TEST, alternating, make_record, make_results, put
from tests.experiments.reading import table_under

# AER 20 of best, 25 of fast and eflomal, 30 of fast_align, 40 of thot
ERRORS = {
    "best": alternating(2, 2),
    "fast": alternating(2, 3),
    "eflomal": alternating(2, 3),
    "fast_align": alternating(3, 3),
    "thot-hmm": alternating(4, 4),
    "thot-ibm4": alternating(5, 3),
}
CELLS = sum(len(sizes_of(corpus)) for corpus in CORPORA)


@pytest.fixture(autouse=True)
def best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "best", Recipe(method="best"))


@pytest.fixture
def made(tmp_path: Path) -> Results:
    return make_results(tmp_path / "accuracy.json", TEST, ERRORS)


def change(made: Results, corpus: str, size: str, system: str, **other: Any) -> None:
    record = made.record(TEST, corpus, size, system)
    assert record is not None
    put(made, record | other)


def table_of(text: str, title: str) -> list[list[str]]:
    """The cells of a table, without the rule below its heads."""
    heads, _, *rows_there = table_under(text, title)
    return [heads, *rows_there]


def cell_of(made: Results, corpus: str, size: str) -> Cell:
    return next(cell for cell in cells_of(made, TEST) if (cell.corpus, cell.size) == (corpus, size))


@pytest.mark.parametrize("module", [ablation, reliability, results, rows], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_samples_are_those_of_the_sentences() -> None:
    """Each sample, with its sentences counted one by one."""
    record = make_record(DEV, "de-en", "1k", "fast", [0, 1, 5, 2])
    random = np.random.default_rng(crc32(b"de-en"))
    draws = random.multinomial(4, [0.25] * 4, RESAMPLES)
    expected = []
    for draw in draws.tolist():
        links = sure = right = 0
        for times, wrong in zip(draw, [0, 1, 5, 2], strict=True):
            links, sure = links + 10 * times, sure + 10 * times
            right += 2 * (10 - wrong) * times
        expected.append(100 * (1 - right / (links + sure)))
    assert sampled_aer(record) == pytest.approx(expected)


def test_differences() -> None:
    one = make_record(DEV, "de-en", "1k", "best", alternating(2, 2))
    other = make_record(DEV, "de-en", "1k", "eflomal", alternating(3, 3))
    assert lower([one], [one]) == (0.0, 0.0, 0.0, 1.0)
    found = lower([one], [other])
    assert found.difference == pytest.approx(10)
    assert (found.low, found.high) == pytest.approx((10, 10))  # whatever is drawn
    assert found.p == pytest.approx(2 / (RESAMPLES + 1))
    assert lower([other], [one]).difference == pytest.approx(-10)
    # as often better as worse, by as much: nothing is sure
    mixed = make_record(DEV, "de-en", "1k", "eflomal", alternating(0, 5))
    unsure = lower([one], [mixed])
    assert unsure.difference == pytest.approx(5)
    assert unsure.low < 0 < unsure.high
    assert unsure.p > 0.05


def test_means_of_several_places() -> None:
    ones = [make_record(DEV, corpus, "1k", "best", alternating(2, 2)) for corpus in ("de-en", "ro-en")]
    others = [
        make_record(DEV, corpus, "1k", "eflomal", wrong)
        for corpus, wrong in (("de-en", alternating(3, 3)), ("ro-en", alternating(1, 0)))
    ]
    assert lower(ones, others).difference == pytest.approx((10 - 15) / 2)


def test_the_lead_is_over_the_best_peer(made: Results) -> None:
    cell = cell_of(made, "de-en", "1k")
    assert (cell.best_peer, cell.reduction) == ("eflomal", pytest.approx(20))
    assert cell.is_complete
    assert mean_reduction(cells_of(made, TEST)) == pytest.approx(20)
    change(made, "de-en", "1k", "thot-hmm", scores={"own": [16.0, 84.0, 84.0]})
    cell = cell_of(made, "de-en", "1k")
    assert (cell.best_peer, cell.reduction) == ("thot-hmm", pytest.approx(-25))
    assert mean_reduction(cells_of(made, TEST)) == pytest.approx(20 - 45 / CELLS)
    assert not Cell("de-en", "1k", {"best": cell.records["best"]}).is_complete
    assert mean_reduction([Cell("de-en", "1k", {})]) is None


def test_what_was_asked_for(made: Results) -> None:
    found = {row["what"].partition(",")[0]: row for row in judged(cells_of(made, TEST))}
    assert found["AER of best below the best peer's"]["value"] == pytest.approx(20)
    assert all(row["met"] for row in found.values() if row["goal"] is not None and "CPU" not in row["what"])
    # all have 6 CPU seconds, 4 of them for training
    ratios = [row for row in judged(cells_of(made, TEST)) if "CPU" in row["what"]]
    assert [(row["value"], row["goal"], row["met"]) for row in ratios] == [
        (1.0, 1.0, True),
        (1.5, None, None),
        (1.0, 0.6, False),
        (1.0, 0.35, False),
        (1.5, None, None),
    ]
    # 0.01 of 50 links and 0.5 / 150 of 150
    error = found["expected calibration error of best"]
    assert error["value"] == pytest.approx((50 * 0.01 + 150 * 0.5 / 150) / 200)


@pytest.mark.parametrize(
    ("system", "field", "value", "what"),
    [
        ("fast", "peak_mb", 2001.0, "memory of fast"),
        ("best", "reliability", [[10, 9.0, 8]], "expected calibration error of best"),
        ("best", "scores", {"own": [99.0, 1.0, 1.0]}, "AER of best below the best peer's"),
    ],
)
def test_what_is_not_reached(made: Results, system: str, field: str, value: Any, what: str) -> None:
    for corpus in CORPORA:
        change(made, corpus, "all", system, **{field: value})
        if field == "scores":
            for size in sizes_of(corpus):
                change(made, corpus, size, system, **{field: value})
    missed = [row["what"] for row in judged(cells_of(made, TEST)) if row["met"] is False]
    assert [name for name in missed if name.startswith(what)]


def test_costs_count_from_50000_pairs_on(made: Results) -> None:
    for corpus, size in (("de-en", "20k"), ("ro-en", "all")):
        change(made, corpus, size, "best", cpu_seconds=600.0)
    what = "CPU of best by fast_align's, from 50,000 pairs on, the largest, at most"
    values = {row["what"]: row["value"] for row in judged(cells_of(made, TEST))}
    assert values[what] == 1.0
    change(made, "zh-en", "50k", "best", cpu_seconds=12.0)
    assert {row["what"]: row["value"] for row in judged(cells_of(made, TEST))}[what] == 2.0


def test_the_report(made: Results) -> None:
    text = report(made, TEST, remarks="Well.")
    assert "Scored on **test**, on which nothing was chosen." in text
    assert table_of(text, "ro-en\n") == [
        ["AER, %", "1k", "5k", "20k", "all"],
        ["best", *["**20.0**"] * 4],
        ["fast", *["25.0"] * 4],
        ["eflomal", *["25.0"] * 4],
        ["fast_align", *["30.0"] * 4],
        ["thot-hmm", *["40.0"] * 4],
        ["thot-ibm4", *["40.0"] * 4],
    ]
    assert table_of(text, "de-en\n")[-1] == ["thot-ibm4", *["40.0"] * 4, "-"]
    lead = table_of(text, "The lead of `best`")
    assert lead[0] == ["below the best peer, %", "1k", "5k", "20k", "50k", "all", "mean"]
    assert lead[4] == ["ro-en", *["+20.0 (eflomal)"] * 3, "-", "+20.0 (eflomal)", "+20.0"]
    assert lead[-1] == ["mean", *["+20.0"] * 6]
    assert "No peer is better than `best` by more than chance anywhere." in text
    assert table_of(text, "What it costs")[1] == [
        "en-fr-hansards 50k",
        "1.00 (1.50)",
        "1.00",
        "1.00 (1.50)",
    ]
    assert table_of(text, "Confidences")[1] == ["en-fr-hansards", *["0.005"] * 4]
    rows_there = table_of(text, "ro-en: rows")
    assert len(rows_there) == 1 + 4 * len(SYSTEMS)
    assert rows_there[3][:4] == ["1k", "eflomal", "own", "25.00"]
    assert rows_there[3][5:11] == ["75.0", "75.0", "6.0", "1.0", "100", "1.5"]
    assert rows_there[3][-1].startswith("+5.00 (")
    assert "\n## Remarks\n\nWell.\n" in text
    assert "- eflomal: `eflomal:1.0`\n" in text
    assert "- cepts 9.9, 2 threads, a machine, 2 cores\n" in text
    assert f"all rows together: {6 * sum(1 for _ in made.of_sheet(TEST)) / 3600:.1f} CPU hours" in text
    assert "- load of the machine beside a row: 1.5 in the middle, 1.5 at most\n" in text
    assert "run again" not in text
    assert summary(made, TEST).startswith("### en-fr-hansards\n")


def test_where_a_peer_is_better_it_is_named(made: Results) -> None:
    put(made, make_record(TEST, "ro-en", "5k", "eflomal", alternating(1, 1)))
    text = report(made, TEST)
    assert "- ro-en 5k: eflomal is 10.00 lower (10.00 to 10.00, p 0.001)\n" in text
    assert table_of(text, "ro-en\n")[3] == ["eflomal", "25.0", "**10.0**†", "25.0", "25.0"]
    assert "| **no** | 1 peers |" in text


def test_an_incomplete_cell_is_said(tmp_path: Path) -> None:
    results = Results(tmp_path / "accuracy.json")
    for system in ("best", "fast_align"):
        put(results, make_record(TEST, "ro-en", "1k", system, ERRORS[system]))
    text = report(results, TEST)
    assert table_of(text, "The lead of `best`")[1] == [
        "ro-en",
        "+33.3 (fast_align, incomplete)",
        "+33.3",
    ]
    assert f"in 0 complete cells of {CELLS}" in text
    assert table_of(text, "ro-en\n") == [["AER, %", "1k"], ["best", "**20.0**"], ["fast_align", "30.0"]]


def test_peers_alone(tmp_path: Path) -> None:
    results = make_results(tmp_path / "x.json", DEV, {name: ERRORS[name] for name in PEERS})
    text = report(results, DEV)
    assert "Scored on **dev**, on which choices were made." in text
    for title in ("Does it hold?", "The lead of `best`", "Where a peer is better", "Confidences", "Ablation"):
        assert f"## {title}\n" not in text
    assert table_of(text, "de-en\n")[1][1] == "**25.0**"


def test_old_rows_are_named(made: Results) -> None:
    change(made, "ro-en", "1k", "best", signature=Recipe(method="best", doubt=9.0).signature)
    text = report(made, TEST)
    assert "- ro-en 1k, best: made with an older recipe; run again\n" in text
    assert text.count("run again") == 1


def test_the_ablation(made: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two points lost on one corpus, one won on another: half a point on average."""
    variant = Variant("no spelling", {"same_spelling": 0.0})
    monkeypatch.setattr(variants, "VARIANTS", (variant, Variant("not run", {"doubt": 2.0})))
    for corpus, wrong in (("de-en", [2] * 16 + [3] * 4), ("ro-en", [2] * 18 + [1] * 2)):
        put(made, make_record(TEST, corpus, "1k", "best: no spelling", wrong, cpu_seconds=3.0))
    heads, row = table_of(report(made, TEST), "Ablation")
    assert heads[:5] == ["variant", "cells", "AER", "best there", "above best"]
    assert row[:4] == ["no spelling", "2", "20.50", "20.00"]
    assert row[4].startswith("+0.50 (")
    places = dict(zip(heads[5:-1], row[5:-1], strict=True))
    assert (places["de-en"], places["ro-en"], places["zh-en"]) == ("**+2.00**", "-1.00", "-")
    assert row[-1] == "0.50"


def test_plots(tmp_path: Path) -> None:
    made = Results(tmp_path / "accuracy.json")
    for corpus, size in (("de-en", "1k"), ("de-en", "20k"), ("ro-en", "all")):
        for system, wrong in ERRORS.items():
            put(made, make_record(TEST, corpus, size, system, wrong))
    written = plots.write_plots(made, TEST, tmp_path)
    assert {name: path.name for name, path in written.items()} == {
        name: f"accuracy-{name}.svg" for name in ("aer", "cpu", "reliability")
    }
    for name, path in written.items():
        text = path.read_text()
        assert all((f">{corpus}<" in text) == (corpus in ("de-en", "ro-en")) for corpus in CORPORA)
        assert plots.drawings_of(made, TEST)[name] == text
    assert all(f">{system}<" in written["aer"].read_text() for system in SYSTEMS)
    assert ">best, 20k<" in written["reliability"].read_text()
    assert plots.write_plots(Results(tmp_path / "none.json"), TEST, tmp_path) == {}


def test_plots_have_the_rows_that_cepts_plot_reads(made: Results, tmp_path: Path) -> None:
    records = made.of_sheet(TEST)
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(records))
    assert read_measured(path) == plots.rows_of(made, TEST)
    assert [row.aer for row in plots.rows_of(made, TEST)] == [scoring.aer_of(record) for record in records]


def test_the_plot_of_reliability_has_the_bins(made: Results) -> None:
    curves = plots.curves_of(cells_of(made, TEST), "de-en")
    assert [*curves] == ["best, 20k", "best, all", "fast, 20k", "fast, all"]
    bins = [one for one in next(iter(curves.values())) if one.links]
    assert [one.mean_confidence for one in bins] == pytest.approx([0.85, 0.95])
    assert [one.share_right for one in bins] == pytest.approx([0.86, 143 / 150])


def test_no_links_have_no_error() -> None:
    assert math.isclose(reliability.calibration_error({"reliability": [[0, 0.0, 0]] * 10}), 0.0)


def test_table_of_nothing() -> None:
    assert aer_table([], "de-en") == ""


def test_the_readme_quotes_best_beside_the_best_peer(made: Results, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(
        "before <!-- accuracy: begin --> old <!-- accuracy: end --> and "
        "<!-- speed: begin --> old <!-- speed: end --> after"
    )
    quote(made, TEST, readme)
    text = readme.read_text()
    assert text.startswith("before <!-- accuracy: begin -->\n| AER in percent | 1k | 5k |")
    assert "| ro-en | 20.0 / 25.0 | 20.0 / 25.0 |" in text
    assert (
        f"is eflomal in all {CELLS} cells. On average the error rate of Cepts is 20 % lower. No peer" in text
    )
    assert "| CPU seconds | Cepts | Cepts, `--method fast` | fast_align | eflomal |" in text
    assert text.endswith("<!-- speed: end --> after")
    assert "old" not in text
    quote(Results(tmp_path / "nothing.json"), TEST, readme)
    assert "begin -->\nNo peer has been run.\n<!--" in readme.read_text()
