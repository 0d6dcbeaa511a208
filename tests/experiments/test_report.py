"""The Markdown and the plots, from rows that were made by hand."""

import sys
from pathlib import Path

import pytest

from paper_tables.svg import write_svg
from schoenemann_2011.plots import DRAWINGS
from schoenemann_2011.report import report, write_report
from schoenemann_2011.results import Results, Sheet
from schoenemann_2011.rows import COLUMNS, PLACES, TABLES
from tests.experiments.reading import table_under
from tests.experiments.records import make_results

SHEET = Sheet("small", "test")


def some_f(row: str, column: str) -> float | None:
    """French-English, and of it all but projected gradient descent."""
    if not column.endswith("Fr") or "pgd" in row:
        return None
    return 70.0 + 0.25 * list(TABLES["small"].rows).index(row)


def some_results(path: Path) -> Results:
    return make_results(path, SHEET, some_f, lambda row, _: 2000.0 if row == "hmm-em" else 2050.0)


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return some_results(tmp_path / "x.json")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The report with the remarks of a person, and its plots, which take long to draw; tests only read them."""
    pytest.importorskip("matplotlib", reason="the extra 'experiments' is not installed")
    folder = tmp_path_factory.mktemp("report")
    (folder / "regularised-small-remarks.md").write_text("Rain.\n")
    return write_report(some_results(folder / "x.json"), SHEET, folder)


def test_our_table_beside_the_papers(results: Results) -> None:
    heads, _, *rows = table_under(report(results, SHEET, {}), "Weighted F")
    assert heads == ["", *(column.name for column in COLUMNS)]
    cells = {row[0]: row[1:] for row in rows}
    # row 5 of the table: 70 + 5 / 4; in the paper 69.3 and, for En|Fr, 86.9
    assert cells["HMM, EM, no reg."][0] == "- / 69.3"
    assert cells["HMM, EM, no reg."][5] == "71.2 / 86.9"
    assert cells["HMM, EM, auto"][5] == "71.8 / -"
    assert cells["HMM, PGD, no reg."][5] == "- / 85.6"
    assert cells["IBM-4 (paper: GIZA++)"] == [
        "- / 72.5",
        "- / 72.3",
        "- / 76.8",
        "- / 73.0",
        "- / 86.4",
        "72.5 / 89.0",
    ]
    assert cells["IBM-4 behind 5 x IBM-3 (paper: GIZA++)"][5] == "73.0 / 89.0"  # the paper's is that of IBM-4
    assert cells["Bi-HMM, EM, no reg., p(b = 1) = 0.9"][0] == "- / 66.2"
    assert cells["IBM-4, with reg. in IBM-4 alone"][0] == "- / -"
    assert len(rows) == 28


def test_the_other_tables(results: Results) -> None:
    text = report(results, SHEET, {})
    errors = {row[0]: row[6] for row in table_under(text, "AER")}
    assert errors["HMM, EM, no reg."] == "28.7"  # 100 - 71.25, rounded to even
    means = {row[0]: row[6] for row in table_under(text, "Mean over sentences: weighted F")}
    assert means["HMM, EM, no reg."] == "35.6"
    objectives = {row[0]: row[1:] for row in table_under(text, "Final objectives")}
    # 100 (2050 / 2000 - 1)
    assert objectives["HMM, no reg., EM: exact / renormalised"] == ["- / -"] * 5 + ["2.0 / 2.0 (+2.50 %)"]
    assert objectives["HMM, no reg.: EM / PGD"][5] == "2.0 / -"
    costs = {row[0]: row[1:] for row in table_under(text, "Seconds of training")}
    assert costs["HMM, EM, no reg."] == ["-"] * 5 + ["3.0 / 5.0", "1.500", "100"]
    assert costs["HMM, PGD, no reg."] == ["-"] * 8


def test_what_was_scored_and_how_it_was_made(results: Results) -> None:
    record = results.record(SHEET, PLACES["bihmm-em"][0], COLUMNS[5])
    assert record is not None
    record["stages"][1]["oversized"] = 7
    record = results.record(SHEET, PLACES["ibm4"][0], COLUMNS[5])
    assert record is not None
    record["stages"][2]["oversized"] = 8
    text = report(results, SHEET, {}, "The moon was full.")
    assert "Table 3 of T. Schoenemann" in text
    assert "Scored on **test**" in text
    assert (
        "- en-fr-hansards: 10 scored sentences and 1,000 training pairs behind them (5,000 and 6,000 words"
        in text
    )
    assert "- de-en: -\n" in text
    assert "sentences that count: en-fr-hansards 9 of 10." in text
    assert "- cepts 9.9, 2 threads, a machine, 2 cores\n" in text
    assert "- auto chose lambda 2.5 for mono-word en-fr-hansards\n" in text
    assert "aligned by single ones: 7 of en-fr-hansards\n" in text
    assert "too large for IBM-4, aligned by the HMM: 8 of en-fr-hansards\n" in text
    assert "- IBM-4 follows the HMM at once" in text
    assert "|optimizer:em|regularity:off|" in text
    assert "- mono-renormalised: the same but `jump_update:renormalised`\n" in text
    assert "- bi-em-reg: the same but `model_type:bihmm|regularity:0.5`\n" in text
    assert "- mono-ibm4: the same but `model_type:ibm4|ibm4_iterations:5`\n" in text
    chain = "model_type:ibm4|ibm3_iterations:5|ibm4_iterations:5|ibm3_first:True"
    assert f"- mono-ibm4-chain: the same but `{chain}`\n" in text
    assert "- mono-ibm4-own-reg: the same but `model_type:ibm4|ibm4_iterations:5|last_term:2.5`\n" in text
    assert "## Remarks\n\nThe moon was full.\n" in text
    assert "![" not in text
    assert "the term raises F in every column | **incomplete** |" in text
    assert "## What it may cost" in text


def test_a_recipe_of_a_time_with_fewer_options_differs_in_nothing_more(results: Results) -> None:
    record = results.record(SHEET, PLACES["ibm1-em"][0], COLUMNS[5])
    assert record is not None
    later = ("rounds", "alpha", "null_state", "ibm3_iterations")
    fields = record["signature"].split("|")
    record["signature"] = "|".join(field for field in fields if field.partition(":")[0] not in later)
    assert "- mono-renormalised: the same but `jump_update:renormalised`\n" in report(results, SHEET, {})


def test_nothing_yet(tmp_path: Path) -> None:
    text = report(Results(tmp_path / "x.json"), SHEET, {})
    assert "No run is finished." in text
    assert "sentences that count: -." in text
    assert "IBM-4 follows" not in text
    assert {row[1] for row in table_under(text, "What reproduces")[2:]} == {"**-**"}


def test_remarks_from_a_file_and_plots_with_their_labels(written: list[Path]) -> None:
    path, *plots = written
    assert path.name == "regularised-small.md"
    assert "## Remarks\n\nRain.\n\n## Weighted F" in path.read_text()
    assert [plot.name for plot in plots] == [f"regularised-small-{name}.svg" for name in DRAWINGS]
    for plot in plots:
        assert f"]({plot.name})" in path.read_text()
        text = plot.read_text()
        assert "<dc:date>" not in text
        assert all(f">{column.name}<" in text for column in COLUMNS)
        assert len(text) < 300_000
    gains, iterations, seconds = (plot.read_text() for plot in plots)
    assert ">EM, renormalised<" in iterations
    assert ">PGD<" not in iterations  # of which there is no row
    assert ">wall seconds<" in seconds
    assert ">ours, with reg.<" in gains
    assert ">Bi-HMM, EM<" in gains


def test_a_plot_is_the_same_each_time(written: list[Path], results: Results, tmp_path: Path) -> None:
    again = tmp_path / "again.svg"
    write_svg(DRAWINGS["gains"], results, SHEET, again)
    (first,) = (path for path in written if path.name == "regularised-small-gains.svg")
    assert again.read_bytes() == first.read_bytes()


def test_without_matplotlib_there_is_a_report_without_plots(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (path,) = write_report(results, SHEET, tmp_path)
    assert "![" not in path.read_text()
    assert (
        "no plots: matplotlib is not installed (pip install 'cepts[experiments]')" in capsys.readouterr().err
    )
