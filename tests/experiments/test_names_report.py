"""The experiment of names: its rows are kept, compared and reported, and its command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cepts.names
from cepts.errors import InputError
from freitag_2007 import command, material, measuring
from freitag_2007.claims import claims
from freitag_2007.comparing import PAIRS, compare
from freitag_2007.paper import ARABIC, MANDARIN, RANKING, RUSSIAN, TRANSCRIPTION
from freitag_2007.report import report, tables
from freitag_2007.results import Results, Sheet
from freitag_2007.rows import (
    BY_PLACE,
    CORPORA,
    ROWS,
    SYSTEMS,
    TABLES,
    WORDS,
    Row,
    rows_of,
    signature,
    system_of,
)
from paper_tables import comparing
from tests.experiments.asking import refusal, report_from
from tests.experiments.row_records import MADE, Asking, estimate, filled, verdicts, without

SCRIPT = Path(command.__file__).resolve().parents[1] / "names.py"


def test_every_row_has_its_system_and_its_signature() -> None:
    assert {row.table for row in ROWS} == set(TABLES)
    assert len({signature(row) for row in ROWS if row.table == "ranking"}) == len(rows_of("ranking"))
    for row in ROWS:
        if row.table in ("weights", "transcription", "ranking"):
            assert system_of(row) in SYSTEMS
    for table, pairs in PAIRS.items():
        assert {name for pair in pairs for name in pair} <= {row.name for row in rows_of(table)}
    assert TRANSCRIPTION.keys() <= {row.name for row in rows_of("transcription")}
    assert all(one.keys() <= {row.name for row in rows_of("ranking")} for one in RANKING.values())
    assert f"smt.order:{cepts.names.PhraseSettings().order}|" in signature(
        BY_PLACE["transcription", "combination"]
    )
    assert "update:perceptron" in signature(BY_PLACE["ranking", "g-2"])
    assert RUSSIAN not in BY_PLACE["transcription", "ptem-zero"].corpora
    for row in ROWS:  # as in records that were made before it could be chosen
        assert ("start:zero" in signature(row)) == row.name.endswith("-zero")
        assert "start:order-0" not in signature(row)


def make_record(sheet: Sheet, row: Row, corpus: str, good: int) -> dict[str, Any]:
    """A record of which `good` of 100 names, or percent of the orders, are right."""
    ranks = [1] * good + [2] * (100 - good)
    measures = ("agreeing", "accuracy", "precision", "mean", "mrr", "1-best", "5-best", "character_errors",
                "accuracy of all", "mrr of all", "1-best of all", "5-best of all")  # fmt: skip
    return {
        **sheet.place(row, corpus),
        "signature": signature(row),
        **MADE,
        **dict.fromkeys(measures, estimate(good)),
        "right": [float(good)] * 100,
        "of": [100] * 100,
        "weights": [
            [one, one, "∅", weight] for one, weight in zip("dcgbft", (9, 8, 7, 6, 5, 2), strict=True)
        ],
        "readings": {"against": good / 100, "together": good / 200, "one": good / 300},
        "words": 33000,
        "groups": 3698,
        "competing": 1000,
        "ranked": 1000,
        "ranks": ranks,
        "train": 8084,
        "dev": 1000,
        "scored": 1000,
        "lengths": [6.5, 5.9],
        "references": 1.01,
        "training_seconds": 10.0,
        "answering_seconds": 0.1,
    }


GOOD = {"edits-0": 60, "edits-1": 70, "edits-2": 76, "edits-3": 82, "suffix": 50, "plain": 25, "smt": 40,
        "edits": 50, "combination": 70, "r-1": 99}  # fmt: skip


def make_results(path: Path, sheet: Sheet) -> Results:
    def make(row: Row, corpus: str) -> dict[str, Any]:
        good = 99 if (row.table, row.name) == ("consonants", "edits-0") else GOOD.get(row.name, 30)
        return make_record(sheet, row, corpus, good)

    return filled(Results(path), make)


def test_claims(tmp_path: Path) -> None:
    sheet = Sheet("test")
    results = make_results(tmp_path / "x.json", sheet)
    found = verdicts(claims(results, sheet))
    assert found["Consonants: order 0 contradicts the true order of 1 % of the pairs at most"] == "yes"
    assert found["Consonants: Levenshtein within 0.03 of the paper's"] == "no"  # 0.30
    assert found["Rhymes: each order is better than the one before it"] == "yes"
    assert found["Rhymes: break-even precision of order 3 at least 0.75"] == "yes"
    assert found[f"{ARABIC}, 1-best: `combination` is better than `edits`, by more than chance"] == "yes"
    assert found["As printed, Arabic 1-best: `ptem` is better than `smt-4gram`, by more than chance"] == "no"
    assert found[f"Ranking {ARABIC}: the best edit model has accuracy 0.97 or more"] == "yes"
    assert found[f"Ranking {MANDARIN}: `g-3` is better than `r-1`, by more than chance"] == "no"
    both = [
        f"Rhymes, equal scores found together: `{name}` fares poorly, below order 0"
        for name in ("levenshtein", "suffix")
    ]
    assert [found[text] for text in both] == ["yes", "yes"]  # 0.15 and 0.25, 0.30
    record = results.record(sheet, BY_PLACE["rhymes", "suffix"], WORDS)
    assert record is not None
    record["readings"]["together"] = 0.31
    assert [verdicts(claims(results, sheet))[text] for text in both] == ["yes", "no"]
    text = "As printed, Arabic 1-best: `ptem-zero` is better than `smt-4gram`, by more than chance"
    assert found[text] == "no"
    without(results, "edits-2")
    assert verdicts(claims(results, sheet))["Rhymes: each order is better than the one before it"] == "-"
    assert claims(Results(tmp_path / "none.json"), sheet) == []


def test_the_report(tmp_path: Path) -> None:
    sheet = Sheet("test")
    results = make_results(tmp_path / "x.json", sheet)
    text = report(results, sheet, remarks="A remark.")
    assert "| PTEM, order 3, from a model of order 0 | `ptem` | 0.300 |" in text
    assert "| PTEM, order 3, from zero weights, all edits | `ptem-zero` | 0.300 |" in text
    assert "| `suffix` | 0.500 | 0.500 | 0.250 | 0.167 | 0.130 |" in text
    assert "| 0.552 | 0.803 |" in text
    assert "| the paper | 8,084 | 1,000 | 1,000 | 6.5 | 4.9 | - |" in text
    assert "## Remarks\n\nA remark." in text
    assert "| Linear combination of `smt` and `edits` | `combination` | **0.700** |" in text
    assert "| `combination` | `edits` | **+0.200** |" in text
    assert "was made with older settings" not in text
    for corpus in CORPORA:
        assert f"### {corpus}" in text
    record = results.record(sheet, BY_PLACE["ranking", "r-1"], ARABIC)
    assert record is not None
    record["signature"] = record["signature"].replace("epochs:20", "epochs:3")
    assert "`r-1` was made with older settings; now `epochs:20`: run again" in report(results, sheet)
    assert "No row is finished." in report(Results(tmp_path / "none.json"), sheet)
    assert tables(Results(tmp_path / "none.json"), sheet).startswith("## Table 5")


def test_two_rows_of_names_by_hand() -> None:
    one, other = {"ranks": [1, 1, 2, 0]}, {"ranks": [1, 3, 0, 0]}
    found = compare("transcription", one, other)
    assert found["1-best"].difference == 0.25
    assert found["5-best"].difference == 0.25
    ranked = compare("ranking", {"ranks": [1, 2]}, {"ranks": [4, 2]})
    assert ranked["mrr"].difference == pytest.approx(0.375)


def test_blocks_weigh_as_much_as_they_hold() -> None:
    one, other = {"right": [4.0, 10.0], "of": [10, 30]}, {"right": [0.0, 10.0], "of": [10, 30]}
    assert compare("rhymes", one, other)["precision"].difference == pytest.approx(4 / 40)


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """The experiment with a stand-in for measuring."""
    asking = Asking(command.main, tmp_path)

    def named(sheet: Sheet, corpus: str, rows: Any, *_: Any) -> Any:
        for row in rows:
            asking.asked.append((row.table, row.name, corpus))
            record = make_record(sheet, row, corpus, 50)
            yield record | ({"skipped": "it is not installed"} if row.name == "phonetisaurus" else {})

    def folded(sheet: Sheet, rows: Any, _: int) -> Any:
        return named(sheet, "words", rows)

    monkeypatch.setattr(measuring, "measure_consonants", folded)
    monkeypatch.setattr(measuring, "measure_rhymes", folded)
    monkeypatch.setattr(measuring, "measure_names", named)
    monkeypatch.setattr(comparing, "RESAMPLES", 20)
    return asking


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, asking: Asking) -> None:
    run = asking.run
    assert run("--tables", "rhymes", "--rows", "suffix,edits-3") == [
        ("rhymes", "suffix", "words"),
        ("rhymes", "edits-3", "words"),
    ]
    assert run("--tables", "rhymes", "--rows", "suffix,edits-0", "--part", "test") == [
        ("rhymes", "edits-0", "words")
    ]
    some = run("--corpora", MANDARIN, "--tables", "transcription,ranking")
    assert len(some) == len(rows_of("transcription")) + len(rows_of("ranking"))
    again = run("--corpora", MANDARIN, "--tables", "transcription,ranking")
    assert again == [("transcription", "phonetisaurus", MANDARIN)]  # which was passed over, not done
    assert run("--corpora", MANDARIN, "--rows", "r-1", "--again", "--tables", "ranking") == [
        ("ranking", "r-1", MANDARIN)
    ]
    assert run("--report") == []
    assert (tmp_path / "names-dev.md").read_text().startswith("# Names, rhymes, consonants")
    assert (tmp_path / "names.md").exists()
    everything = run("--again")
    assert len(everything) == sum(len(row.corpora) for row in ROWS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tables", "rhyme"], "no table rhyme; there are consonants, rhymes, data"),
        (["--corpora", "zh-en"], "no corpus zh-en; there are ar-en-google"),
        (["--rows", "smt,x"], "no row x; there are edits-0, levenshtein"),
        (["--part", "train"], "invalid choice: 'train'"),
        (["--threads", "0"], "0: expected a number from 1"),
    ],
)
def test_options_that_cannot_be(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refusal(command.parse, arguments, capsys)


def test_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"no data in .*; set CEPTS_DATA to the folder that holds rhyme/"):
        material.read_rhymes()
    with pytest.raises(SystemExit, match=r"no data in .*holds names/zh-en-dict/"):
        command.main(["--corpora", MANDARIN, "--tables", "data", "--output", str(tmp_path)])


def test_data_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path))
    folder = tmp_path / "names" / "xx"
    folder.mkdir(parents=True)
    for part in ("train", "dev", "test"):
        (folder / f"{part}.tsv").write_text(f"a{part}\tA{part}\nb{part}\tB\n", encoding="utf-8")
    (folder / "test_refs.tsv").write_text("atest\tAtest|AA\nbtest\tB\n", encoding="utf-8")
    names = material.read_corpus("xx", "test")
    assert names.train == [("atrain", "Atrain"), ("btrain", "B")]
    assert names.references == {"atest": ["Atest", "AA"], "btest": ["B"]}
    assert material.read_corpus("xx", "dev").references == {"adev": ["Adev"], "bdev": ["B"]}
    (tmp_path / "rhyme").mkdir()
    (tmp_path / "rhyme" / "groups.tsv").write_text("AA\tah bah\nEH\tred bed\n", encoding="utf-8")
    assert material.read_rhymes() == [["ah", "bah"], ["red", "bed"]]


def test_it_works_from_any_directory_and_hides_nothing(tmp_path: Path) -> None:
    done = report_from(tmp_path, SCRIPT)
    assert done.stderr.splitlines()[-1] == "wrote out/names-dev.md"
    assert Path(cepts.names.__file__).parent.name == "names"
    assert Path(cepts.names.__file__).parents[1].name == "cepts"
