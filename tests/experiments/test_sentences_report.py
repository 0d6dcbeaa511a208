"""The experiment of sentences: its rows are kept, compared and reported, and its command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cepts.sentences
from huerta import command, measuring
from huerta.claims import claims
from huerta.comparing import PAIRS, compare
from huerta.paper import ACCURACY
from huerta.report import report, tables
from huerta.results import Results, Sheet
from huerta.rows import (
    BY_PLACE,
    CORPORA,
    JUDGED,
    OWN,
    ROWS,
    SHARES,
    TABLES,
    TATOEBA,
    TATOEBA_DEV,
    WMT12,
    Row,
    rows_of,
    signature,
)
from paper_tables import comparing
from paper_tables.comparing import is_better
from tests.experiments.asking import refusal, report_from
from tests.experiments.reading import table_under
from tests.experiments.row_records import MADE, Asking, estimate, filled, verdicts, without

SCRIPT = Path(command.__file__).resolve().parents[1] / "sentences.py"
KINDS = ("mistranslated", "shuffled", "truncated")


def test_rows() -> None:
    assert {row.table for row in ROWS} == set(TABLES)
    assert len(BY_PLACE) == len(ROWS)
    assert {corpus for row in ROWS for corpus in row.corpora} == set(CORPORA)
    for table, pairs in PAIRS.items():
        assert {name for pair in pairs for name in pair} <= {row.name for row in rows_of(table)}
    assert ACCURACY.keys() <= {row.name for row in rows_of("judge")}
    for table in TABLES:
        assert len({signature(row) for row in rows_of(table)}) == len(rows_of(table))
    assert "update:additive|step:0.5" in signature(BY_PLACE["figure", "additive-0.5"])
    assert "measure:hellinger" in signature(BY_PLACE["retrieval", "both"])
    assert "measure:cosine" in signature(BY_PLACE["retrieval", "printed-16"])


def make_record(sheet: Sheet, row: Row, corpus: str, good: int) -> dict[str, Any]:
    """A record of which `good` of 100 sentences are right."""
    share = estimate(good)
    spoiled = [str(bad) for bad in SHARES]
    return {
        **sheet.place(row, corpus),
        "signature": signature(row),
        **MADE,
        "curve": [100.0 / (1 + k * good) for k in range(201)],
        "unit": "norm",
        "accuracy": share,
        "plain accuracy": share,
        "plain": 90,
        "mrr": share,
        "right": [1.0] * good + [0.0] * (100 - good),
        "ranks": [1] * good + [4] * (100 - good),
        "areas": {bad: dict.fromkeys(KINDS, share) for bad in spoiled},
        "blocks": {bad: dict.fromkeys(KINDS, [good / 100] * 50) for bad in spoiled},
        "counts": {bad: {"clean": 10} for bad in spoiled},
        "found": {bad: {"clean": 0.01, "shuffled": 0.9} if row.name == "filter" else {} for bad in spoiled},
        "said": "done",
    } | ({"sts 4a": share} if row.name == "both" else {})


GOOD = {"both-usual": 95, "both": 90, "filter": 98, "perceptron": 74, "lvq": 60, "stacked": 80, "multiplicative": 60,
        "additive": 70, **{f"{begin}-{k}": k for begin in ("k", "kl") for k in (4, 8, 16, 32, 64)}}  # fmt: skip


def make_results(path: Path, sheet: Sheet) -> Results:
    def make(row: Row, corpus: str) -> dict[str, Any]:
        return make_record(sheet, row, corpus, GOOD.get(row.name, 50))

    return filled(Results(path), make)


def test_claims(tmp_path: Path) -> None:
    sheet = Sheet("test")
    results = make_results(tmp_path / "x.json", sheet)
    found = verdicts(claims(results, sheet))
    assert found["Figure 1: after 20 iterations, multiplicative is below `additive`"] == "no"
    assert found["Figure 1: after 20 iterations, multiplicative is below `additive-0.1`"] == "yes"
    assert found["Figure 1: a larger k explains more (KL)"] == "yes"
    task = "Human or machine, learned from wmt12"
    assert found[f"{task}, tags alone: `perceptron` reaches the paper's accuracy, within chance"] == "yes"
    assert found[f"{task}, tags alone: `lvq` reaches the paper's accuracy, within chance"] == "no"
    assert found[f"{task}: tags alone find 68% or more: `perceptron`"] == "yes"
    assert found[f"{task}: everything finds more than 73%: `everything`"] == "no"
    assert found[f"{task}: everything finds more than 73%: `stacked`"] == "yes"
    text = "Human or machine, learned from wmt12: everything is better than the less probable alignment alone"
    assert found[text] == "no"  # both are right in half of the cases
    better = "both kinds of evidence are better than `lexicon"
    assert found[f"Retrieval: {better}`, by more than chance (MRR)"] == "yes"
    assert found[f"Retrieval, above usual: {better}-usual`, by more than chance (MRR)"] == "yes"
    assert found["Retrieval: the default, `both-usual`, is what measures best (MRR)"] == "yes"
    assert found["Cleaning de-en: the area of shuffled pairs is 0.97 or more"] == "yes"
    text = "Cleaning de-en: the filter is above all baselines for truncated pairs, whatever their share"
    assert found[text] == "yes"
    for record in results.records.values():
        if record["row"] == "alignment-score":
            record["areas"]["30"]["truncated"] = [0.99, 0.98, 1.0]
        if record["row"] == "filter":
            record["areas"]["10"]["shuffled"] = [0.96, 0.95, 0.97]
    found = verdicts(claims(results, sheet))
    assert found[text] == "no"
    assert found["Cleaning de-en: the area of shuffled pairs is 0.97 or more"] == "no"


@pytest.mark.parametrize(("high", "verdict"), [(0.72999, "no"), (0.73, "yes")])
@pytest.mark.parametrize("corpus", [TATOEBA_DEV, WMT12])
def test_an_accuracy_is_reached_if_chance_may_be_what_is_missing(
    tmp_path: Path, corpus: str, high: float, verdict: str
) -> None:
    sheet = Sheet("test")
    results = make_results(tmp_path / "x.json", sheet)
    record = results.record(sheet, BY_PLACE["judge" if corpus == WMT12 else OWN, "perceptron"], corpus)
    assert record is not None
    record["accuracy"] = [0.7, 0.67, high]
    text = f"Human or machine, learned from {corpus}, tags alone: `perceptron` reaches the paper's accuracy"
    (claim,) = [one for one in claims(results, sheet) if one.text == f"{text}, within chance"]
    assert (claim.verdict, claim.ours, claim.paper) == (
        verdict,
        f"perceptron 0.700 (0.670 to {high:.3f})",
        "0.730",
    )


def test_claims_wait_for_their_figures(tmp_path: Path) -> None:
    sheet = Sheet("test")
    results = make_results(tmp_path / "x.json", sheet)
    without(results, "k-8")
    assert verdicts(claims(results, sheet))["Figure 1: a larger k explains more (squared error)"] == "-"
    assert claims(Results(tmp_path / "none.json"), sheet) == []


def test_comparisons_by_hand() -> None:
    found = compare("judge", {"right": [1.0, 1.0, 0.5, 0.0]}, {"right": [1.0, 0.0, 0.5, 0.0]})
    assert found["accuracy"].difference == 0.25
    ranked = compare("retrieval", {"ranks": [1, 2]}, {"ranks": [4, 2]})
    assert (ranked["accuracy"].difference, ranked["mrr"].difference) == (0.5, 0.375)
    one, other = ({"blocks": {"20": {"shuffled": [0.9 + k / 100, 0.9]}}} for k in (4, 0))
    assert compare("cleaning", one, other, 20)["shuffled"].difference == pytest.approx(0.02)
    assert not is_better(compare("cleaning", other, one, 20)["shuffled"])


def test_report(tmp_path: Path) -> None:
    sheet = Sheet("test")
    results = make_results(tmp_path / "x.json", sheet)
    text = report(results, sheet, remarks="A person's words.")
    judges = table_under(text, "Human or machine?")
    assert judges[0] == ["judge", *(f"from {corpus}" for corpus in JUDGED), "paper"]
    row = next(line for line in judges if line[0].endswith("`perceptron`"))
    assert row[1:] == ["0.740 (0.730 to 0.750)"] * len(JUDGED) + ["0.730"]
    model = next(line for line in judges if line[0].endswith("`model-of-tags`"))
    assert model[1:] == ["0.500 (0.490 to 0.510)"] * len(JUDGED) + ["-"]
    own = text.partition("The corpus that was factorised")[2].partition("## Retrieval")[0]
    heads = ["judge", "from tatoeba-dev", "from tatoeba-held-out", "paper"]
    assert table_under(text, "Human or machine? The corpus that was factorised")[0] == heads
    assert "| tags, k = 16, LVQ `lvq` | 0.600 (0.590 to 0.610) | 0.600 (0.590 to 0.610) | 0.687 |" in own
    assert "| judge, 90 sentences | from tatoeba-dev | from tatoeba-held-out |" in own
    assert "| tatoeba-dev | `perceptron` | `model-of-words` | accuracy | **+0.240** |" in own
    found = table_under(text, "Retrieval")
    assert found[0] == ["evidence", "accuracy", "MRR", "STS 4A, correlation", "CPU s"]
    cleaned = table_under(text, "de-en")
    assert len(cleaned[0]) == 2 + len(KINDS) * len(SHARES)
    assert "| de-en | 20 % | `filter` | clean 1.0%, shuffled 90.0% |" in text
    assert "| wmt12 | `everything` | `less-literal` | accuracy | +0.000 |" in text
    assert "| tatoeba | `both` | `lexicon` | mrr | **+0.300** |" in text
    assert table_under(text, "Figure 1: loss against iterations")[2][2] == "100"
    assert "A person's words." in text
    assert "Scored on WMT12's test part" in text
    assert "all rows together: " in text
    assert "run again" not in text


def test_older_settings_are_told(tmp_path: Path) -> None:
    sheet = Sheet("dev")
    results = Results(tmp_path / "x.json")
    row = BY_PLACE["retrieval", "both"]
    record = make_record(sheet, row, TATOEBA, 50)
    results.records[results.place_of(record)] = record | {
        "signature": record["signature"].replace("hellinger", "dot")
    }
    assert "`both` was made with older settings; now `measure:hellinger`: run again" in report(results, sheet)
    assert not results.has(sheet, row, TATOEBA)
    assert "No row is finished." in report(Results(tmp_path / "none.json"), sheet)
    assert tables(Results(tmp_path / "none.json"), sheet) == ""


def test_the_plot_is_the_same_for_the_same_rows(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from huerta.plots import write_plots

    sheet = Sheet("dev")
    results = make_results(tmp_path / "x.json", sheet)
    texts = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (path,) = write_plots(results, sheet, tmp_path / name).values()
        assert path.name == "sentences-figure-1.svg"
        texts.append(path.read_text())
    assert texts[0] == texts[1]
    assert "<dc:date>" not in texts[0]
    assert "additive, step 0.5" in texts[0]
    assert "k = 64" in texts[0]
    without(results, "kl-4")
    assert write_plots(results, sheet, tmp_path) == {}


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """The experiment with a stand-in for measuring."""
    asking = Asking(command.main, tmp_path)

    def measure(sheet: Sheet, todo: Any, _: int) -> Any:
        for row, corpus in todo:
            asking.asked.append((row.table, row.name, corpus))
            yield make_record(sheet, row, corpus, 50)

    monkeypatch.setattr(measuring, "MEASURED", dict.fromkeys(TABLES, measure))
    monkeypatch.setattr("huerta.report.write_plots", lambda *_: {})
    monkeypatch.setattr(comparing, "RESAMPLES", 20)
    return asking


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, asking: Asking) -> None:
    run = asking.run
    assert run("--rows", "lvq,filter", "--corpora", "wmt12,de-en") == [
        ("judge", "lvq", "wmt12"),
        ("cleaning", "filter", "de-en"),
    ]
    assert run("--rows", "lvq,dimension", "--corpora", "wmt12") == [("judge", "dimension", "wmt12")]
    assert run("--rows", "lvq", "--corpora", "wmt12", "--again") == [("judge", "lvq", "wmt12")]
    assert run("--rows", "lvq", "--corpora", "wmt12", "--size", "300") == [("judge", "lvq", "wmt12")]
    assert len(run("--tables", "figure")) == len(rows_of("figure"))
    assert run("--tables", "figure", "--part", "test") == []  # random matrices have no parts
    assert run("--report") == []
    assert (tmp_path / "sentences-dev.md").read_text().startswith("# Sentences\n")
    assert "the figures mean nothing" in (tmp_path / "sentences-dev-300.md").read_text()
    assert len(run("--tables", "retrieval", "--again")) == len(rows_of("retrieval"))


def test_every_table_can_be_measured() -> None:
    assert set(measuring.MEASURED) == set(TABLES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tables", "figures"], "no table figures; there are figure, judge, judge-tatoeba, retrieval"),
        (["--corpora", "zh-en"], "no corpus zh-en; there are random, tatoeba"),
        (["--rows", "lvq,x"], "no row x; there are multiplicative, additive"),
        (["--part", "train"], "invalid choice: 'train'"),
        (["--threads", "0"], "0: expected a number from 1"),
        (["--size", "299"], "--size 299: expected a number from 300"),
    ],
)
def test_options_that_cannot_be(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refusal(command.parse, arguments, capsys)


def test_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match=r"no data in .*holds sentences/wmt12qe_enes/"):
        command.main(["--rows", "lvq", "--corpora", WMT12, "--output", str(tmp_path)])


def test_it_works_from_any_directory_and_hides_nothing(tmp_path: Path) -> None:
    done = report_from(tmp_path, SCRIPT)
    assert done.stderr.splitlines()[-1] == "wrote out/sentences-dev.md"
    assert Path(cepts.sentences.__file__).parent.name == "sentences"
    assert Path(cepts.sentences.__file__).parents[1].name == "cepts"
