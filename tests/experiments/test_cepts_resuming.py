"""The command line of cepts: what is run, kept, chosen and refused; and the file that has the package's name."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cepts
from goutte_2004 import command, measuring, plots, speed
from goutte_2004.choosing import check_choice, choices, choose_on_dev
from goutte_2004.results import CHOICE, EVERY_CORPUS, Results, Sheet, speed_place
from goutte_2004.rows import BY_NAME, CORPORA, OURS, RUNS, Row, Run
from paper_tables import setting
from tests.experiments.asking import refusal, report_from
from tests.experiments.cepts_records import (
    AT,
    COVERING,
    CURVE,
    fill,
    make_figures,
    make_record,
    make_results,
    make_speed,
)

SCRIPT = Path(command.__file__).resolve().parents[1] / "cepts.py"
EVERYTHING = [(corpus, run.name) for corpus in CORPORA for run in RUNS]
DEV = Sheet("dev")


class Measured:
    """Takes the place of measuring: writes down what is run, and can be interrupted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[tuple[str, str]] = []
        self.texts: list[tuple[str, str, int | None]] = []
        self.known: list[dict[str, Any] | None] = []
        self.patience = 1000
        self.models: Path | None = None
        monkeypatch.setattr(measuring, "measure_run", self.measure_run)
        monkeypatch.setattr(setting, "read_corpus", self.read_corpus)
        monkeypatch.setattr(speed, "measure_speed", make_speed)
        monkeypatch.setattr(plots, "write_plots", lambda *_: {})

    def read_corpus(self, *asked: Any) -> str:
        self.texts.append(asked)
        return asked[0]

    def measure_run(
        self,
        sheet: Sheet,
        run: Run,
        name: str,
        corpus: str,
        threads: int,
        models: Path | None,
        known: dict[str, Any] | None,
    ) -> dict[str, Any]:
        assert (corpus, threads) == (name, 2)
        self.known.append(known)
        if len(self.runs) == self.patience:
            raise KeyboardInterrupt
        self.runs.append((name, run.name))
        self.models = models
        return make_record(sheet, run, name)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Measured:
    return Measured(monkeypatch)


def run_script(folder: Path, *arguments: str) -> None:
    command.main(["--output", str(folder), *arguments])


def test_an_interrupted_script_goes_on_and_chooses(
    tmp_path: Path, measured: Measured, capsys: pytest.CaptureFixture[str]
) -> None:
    measured.patience = 4
    with pytest.raises(KeyboardInterrupt):
        run_script(tmp_path)
    known = Results(tmp_path / "cepts.json")
    assert len(known.records) == 4
    assert known.choice(DEV) is None
    measured.patience = 1000
    run_script(tmp_path, "--models", str(tmp_path / "models"))
    assert measured.runs == EVERYTHING
    assert measured.models == tmp_path / "models"
    # three runs a corpus: the second one was read twice, the first not again
    assert [name for name, *_ in measured.texts] == ["en-fr-hansards", "ro-en", "ro-en"]
    printed = capsys.readouterr()
    assert (
        "ro-en cepts: lowest AER of cepts 4.0 (product aic 1000 1, 89.9 % of the words), of others 7.0 (union, "
        "75.0 %), in 54.0 s\n" in printed.err
    )
    assert "chosen, bic: `cepts`: sum, BIC, scale 1000, NULL 0.03\n" in printed.err
    assert printed.out.startswith("## Table 1: English-French, 37 trial sentences, without NULL\n")
    assert "| **yes** |" in (tmp_path / "cepts-dev.md").read_text()


def test_what_is_there_is_not_run_again_unless_asked(
    tmp_path: Path, measured: Measured, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ("--corpora", "ro-en", "--recipes", "cepts,goutte-2004")
    once = [("ro-en", "cepts"), ("ro-en", "goutte-2004")]
    run_script(tmp_path, *chosen)
    assert "no choice yet: it needs all corpora and recipes\n" in capsys.readouterr().err
    run_script(tmp_path, *chosen)
    assert measured.runs == once
    run_script(tmp_path, *chosen, "--again")
    assert measured.runs == once * 2
    run_script(tmp_path, "--report", "--again")
    assert measured.runs == once * 2


def test_another_recipe_or_a_new_row_is_run(tmp_path: Path) -> None:
    made = make_results(tmp_path / "x.json", DEV)
    assert made.has(DEV, OURS, "ro-en")
    record = made.record(DEV, OURS, "ro-en")
    assert record is not None
    removed = record["rows"].pop(Row("sum", "aic", 1000.0, 0.1).key)
    assert not made.has(DEV, OURS, "ro-en")
    record["rows"][Row("sum", "aic", 1000.0, 0.1).key] = removed
    assert made.has(DEV, OURS, "ro-en")
    record["signature"] = record["signature"].replace("doubt:5.0", "doubt:7.0")
    assert not made.has(DEV, OURS, "ro-en")


def test_what_is_begun_is_gone_on_with_unless_all_is_asked_for(tmp_path: Path, measured: Measured) -> None:
    made = make_results(tmp_path / "cepts.json", DEV)
    record = made.record(DEV, OURS, "ro-en")
    assert record is not None
    del record["rows"][Row("sum", "aic", 1000.0, 0.1).key]
    made.add(record)
    run_script(tmp_path, "--corpora", "ro-en", "--recipes", "cepts")
    run_script(tmp_path, "--corpora", "ro-en", "--recipes", "cepts", "--again")
    assert measured.known == [record, None]


def test_test_is_refused_before_dev_has_chosen(tmp_path: Path, measured: Measured) -> None:
    with pytest.raises(
        SystemExit, match=r"cepts\.json has no choice that was made on dev: run with --part dev first"
    ):
        run_script(tmp_path, "--part", "test")
    run_script(tmp_path)
    run_script(tmp_path, "--part", "test")
    assert measured.runs == EVERYTHING * 2
    # a choice of one size is none for another
    with pytest.raises(
        SystemExit, match=r"run with --part dev --pairs 300 first, on all corpora and recipes"
    ):
        run_script(tmp_path, "--part", "test", "--pairs", "300")
    assert measured.runs == EVERYTHING * 2
    run_script(tmp_path, "--part", "test", "--pairs", "300", "--report")  # which looks at nothing new
    assert {path.name for path in tmp_path.glob("*.md")} == {"cepts-dev.md", "cepts.md", "cepts-300.md"}


def test_the_choice_is_that_of_the_lowest_mean(tmp_path: Path) -> None:
    made = make_results(tmp_path / "x.json", DEV)
    found = choices(made, Sheet("test"))
    assert {kind: one.run for kind, one in found.items()} == dict.fromkeys(
        ("aic", "bic", "confident"), "cepts"
    )
    assert (found["aic"].row, found["bic"].row) == (COVERING["aic"], COVERING["bic"])
    assert (found["confident"].row, found["confident"].min_confidence) == (CURVE, 0.85)
    # 8 and 8 against 1 and 14, then 1 and 16; what covers only one corpus is out
    rival = Row("counts", "aic", 100.0)
    for other, wins in ((14.0, True), (16.0, False)):
        for corpus, aer in zip(CORPORA, (1.0, other), strict=True):
            record = made.record(DEV, BY_NAME["goutte-2004"], corpus)
            assert record is not None
            record["rows"][rival.key] = make_figures(aer, 90.0)
        again = choose_on_dev(made, DEV)
        assert again is not None
        assert (again["chosen"]["aic"]["measure"] == "counts") == wins
        assert again["chosen"]["bic"] == found["bic"].to_dict()


def test_what_covers_too_little_is_not_chosen(tmp_path: Path) -> None:
    made = make_results(tmp_path / "x.json", DEV)
    for run in RUNS:
        record = made.record(DEV, run, "ro-en")
        assert record is not None
        for row in run.rows:
            if row.criterion == "bic":
                record["rows"][row.key] = make_figures(1.0, 89.99)
    again = choose_on_dev(made, DEV)
    assert again is not None
    assert again["chosen"]["bic"] is None
    made.records[made.place_of(again)] = again
    assert set(choices(made, DEV)) == {"aic", "confident"}
    check_choice(made, Sheet("test"))  # it was tried: that is enough


def test_equal_candidates_the_first(tmp_path: Path) -> None:
    made = make_results(tmp_path / "x.json", DEV)
    for corpus in CORPORA:
        record = made.record(DEV, OURS, corpus)
        assert record is not None
        for points in record["curves"].values():
            points[AT] = make_figures(5.0)
            points[AT + 1] = make_figures(5.0)
    again = choose_on_dev(made, DEV)
    assert again is not None
    first = next(row for row in OURS.rows if row.has_curve)
    assert again["chosen"]["confident"] == {"run": "cepts", **first._asdict(), "min_confidence": 0.85}


def test_the_choice_survives_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    made = make_results(path, DEV)
    record = made.choice(DEV)
    assert record is not None
    made.add(record)
    fresh = Results(path)
    assert fresh.choice(Sheet("test")) == record
    assert choices(fresh, DEV) == choices(made, DEV)
    assert fresh.place_of(record) == ("dev", "all", CHOICE, EVERY_CORPUS)


def test_speed_alone(tmp_path: Path, measured: Measured) -> None:
    run_script(tmp_path, "--speed", "--part", "test")
    assert measured.runs == []
    known = Results(tmp_path / "cepts.json")
    assert list(known.records) == [("train", 50_000, "speed", "en-fr-hansards")]
    assert known.at(speed_place(None)) == make_speed()
    assert "(2,500 pairs a second)" in (tmp_path / "cepts.md").read_text()


def test_sizes_do_not_mix(tmp_path: Path) -> None:
    known = Results(tmp_path / "x.json")
    fill(known, Sheet("dev", 300), tuple(CORPORA))
    assert choose_on_dev(known, DEV) is None
    chosen = choose_on_dev(known, Sheet("dev", 300))
    assert chosen is not None
    assert chosen["pairs"] == 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipes", "cepts,slow"], "no recipe slow; there are goutte-2004, cepts, fast"),
        (["--corpora", "zh-en"], "no corpus zh-en; there are en-fr-hansards, ro-en"),
        (["--pairs", "0"], "0: expected a number from 1"),
        (["--part", "train"], "invalid choice: 'train'"),
    ],
)
def test_options_that_cannot_be(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refusal(command.parse, arguments, capsys)


def test_without_options() -> None:
    options = command.parse([])
    assert (options.part, options.threads, options.pairs, options.models) == ("dev", 2, None, None)
    assert options.corpora == tuple(CORPORA)
    assert options.recipes == tuple(BY_NAME)
    assert options.output == SCRIPT.parent / "results"


def test_it_works_from_any_directory(tmp_path: Path) -> None:
    done = report_from(tmp_path, SCRIPT)
    assert done.stderr.splitlines()[-1] == "wrote out/cepts-dev.md"
    assert done.stdout.startswith("## Table 1")
    assert "No run is finished." in (tmp_path / "out" / "cepts-dev.md").read_text()


FIND_THE_PACKAGE = """
import sys
sys.path.insert(0, {folder!r})
import cepts
import cepts.combine
from cepts import Aligner
import paper_tables
print(cepts.__file__)
"""


def test_the_script_does_not_stand_in_for_the_package(tmp_path: Path) -> None:
    text = FIND_THE_PACKAGE.format(folder=str(SCRIPT.parent))
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == cepts.__file__
    assert Path(cepts.__file__).name == "__init__.py"


def test_without_the_package_python_says_so(tmp_path: Path) -> None:
    # -S: without site-packages, where the package would be
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    asked = [sys.executable, "-S", SCRIPT, "--help"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False, env=alone)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'cepts'"
