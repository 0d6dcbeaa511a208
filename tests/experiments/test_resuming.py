"""The command line, and runs that are kept, skipped, replaced."""

import json
from pathlib import Path
from typing import Any

import pytest

import regularised
from cepts.errors import InputError
from schoenemann_2011 import plots, training
from schoenemann_2011.results import Results, Sheet
from schoenemann_2011.rows import COLUMNS, CORPORA, RUNS, TABLES, Column, Run
from tests.experiments.asking import refusal, report_from
from tests.experiments.records import make_record, make_stage

SHEET = Sheet("small", "dev")
STORED = Path(regularised.__file__).parent / "results"


class Trained:
    """Takes the place of training: writes down what is run, and can be interrupted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[tuple[str, str]] = []
        self.texts: list[tuple[str, str, int | None]] = []
        self.patience = 1000
        monkeypatch.setattr(training, "train_run", self.train_run)
        monkeypatch.setattr(training, "read_text", self.read_text)
        monkeypatch.setattr(plots, "write_plots", lambda *_: {})

    def read_text(self, sheet: Sheet, corpus: str, _: int) -> str:
        self.texts.append((corpus, sheet.part, sheet.training_pairs(corpus)))
        return corpus

    def train_run(
        self, sheet: Sheet, run: Run, columns: list[Column], text: str, _: int
    ) -> list[dict[str, Any]]:
        (column,) = columns
        assert text == column.corpus
        if len(self.runs) == self.patience:
            raise KeyboardInterrupt
        self.runs.append((run.name, column.name))
        stages = [None if row is None else make_stage(60.0, 1000.0) for row in run.rows]
        return [make_record(sheet, run, column, stages)]


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> Trained:
    return Trained(monkeypatch)


def run_script(folder: Path, *arguments: str) -> None:
    regularised.main(["--output", str(folder), *arguments])


def test_an_interrupted_script_goes_on(tmp_path: Path, trained: Trained) -> None:
    trained.patience = 37
    with pytest.raises(KeyboardInterrupt):
        run_script(tmp_path)
    assert len(Results(tmp_path / "regularised-small.json").records) == 37
    trained.patience = 1000
    run_script(tmp_path)
    everything = [
        (run.name, column.name) for run in RUNS for column in COLUMNS if column.corpus in run.corpora
    ]
    assert sorted(trained.runs) == sorted(everything)
    # 34 runs a corpus at most: the second one was read twice, the first not again
    assert [name for name, *_ in trained.texts] == [*CORPORA[:2], *CORPORA[1:]]
    assert (tmp_path / "regularised-small-dev.md").exists()


def test_what_is_there_is_not_run_again_unless_asked(tmp_path: Path, trained: Trained) -> None:
    chosen = ("--corpora", "de-en", "--rows", "hmm-em,ibm1-em,hmm-em-reg")
    run_script(tmp_path, *chosen)
    assert len(trained.runs) == 4  # two runs, two directions: one run fills both rows of EM
    run_script(tmp_path, *chosen)
    assert len(trained.runs) == 4
    run_script(tmp_path, *chosen, "--again")
    assert len(trained.runs) == 8
    assert len(Results(tmp_path / "regularised-small.json").records) == 4


@pytest.mark.parametrize("other", [["--part", "test"], ["--pairs", "300"], ["--iterations", "2"]])
def test_sheets_do_not_mix(tmp_path: Path, trained: Trained, other: list[str]) -> None:
    chosen = ("--corpora", "en-es", "--rows", "hmm-em")
    run_script(tmp_path, *chosen)
    run_script(tmp_path, *chosen, *other)
    assert len(trained.runs) == 4
    records = json.loads((tmp_path / "regularised-small.json").read_text())
    assert len(records) == 4
    assert len({path.name for path in tmp_path.glob("*.md")}) == 2


def test_sizes(tmp_path: Path, trained: Trained) -> None:
    run_script(tmp_path, "--rows", "hmm-em")
    run_script(tmp_path, "--rows", "hmm-em", "--table", "large", "--part", "test")
    assert trained.texts == [
        ("en-es", "dev", 15_000),
        ("de-en", "dev", 15_000),
        ("en-fr-hansards", "dev", 25_000),
        *((corpus, "test", None) for corpus in CORPORA),
    ]
    assert json.loads((tmp_path / "regularised-large.json").read_text())[0]["pairs"] == "all"


def test_another_recipe_is_run_and_takes_the_place(tmp_path: Path, trained: Trained) -> None:
    chosen = ("--corpora", "en-es", "--rows", "hmm-em")
    run_script(tmp_path, *chosen)
    results = Results(tmp_path / "regularised-small.json")
    old = results.record(SHEET, RUNS[0], COLUMNS[0])
    assert old is not None
    results.add(old | {"signature": "of another day"})
    assert not results.has(SHEET, RUNS[0], COLUMNS[0])
    run_script(tmp_path, *chosen)
    assert trained.runs[2:] == [("mono-em", "Es|En")]
    assert Results(results.path).record(SHEET, RUNS[0], COLUMNS[0]) == old


def test_the_stored_table_is_that_of_todays_recipes() -> None:
    results, sheet = Results(STORED / "regularised-small.json"), Sheet("small", "test")
    missing = [
        (run.name, column.name)
        for run in RUNS
        for column in COLUMNS
        if column.corpus in run.corpora and not results.has(sheet, run, column)
    ]
    assert missing == []


def test_two_scripts_may_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "regularised-small.json"
    one, two = Results(path), Results(path)
    stages = [make_stage(50.0, 1.0), make_stage(60.0, 1.0)]
    one.add(make_record(SHEET, RUNS[0], COLUMNS[0], stages))
    two.add(make_record(SHEET, RUNS[0], COLUMNS[1], stages))
    assert len(Results(path).records) == 2
    assert len(path.read_text().splitlines()) == 4  # a bracket, a line for each, a bracket
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("text", ["[{", "[1]", '[{"part": "dev"}]', "{}x"])
def test_a_file_of_something_else(tmp_path: Path, text: str) -> None:
    path = tmp_path / "regularised-small.json"
    path.write_text(text)
    with pytest.raises(
        InputError, match=r"regularised-small\.json holds no results of this experiment: .*; move it"
    ):
        Results(path)
    with pytest.raises(SystemExit, match="holds no results of this experiment"):
        run_script(tmp_path, "--report")
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rows", "hmm-em,hmm"], "no row hmm; there are ibm1-em, ibm1-em-reg,"),
        (["--rows", "ibm5"], "no row ibm5; there are"),
        (["--table", "large", "--rows", "bi1-em"], "no row bi1-em; there are"),
        (["--corpora", "zh-en"], "no corpus zh-en; there are en-es, de-en, en-fr-hansards"),
        (["--pairs", "0"], "0: expected a number from 1"),
        (["--threads", "two"], "two: expected a number from 1"),
        (["--table", "medium"], "invalid choice: 'medium'"),
    ],
)
def test_options_that_cannot_be(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refusal(regularised.parse, arguments, capsys)


def test_without_options() -> None:
    options = regularised.parse([])
    assert (options.table, options.part, options.threads, options.pairs) == ("small", "dev", 2, None)
    assert options.corpora == CORPORA
    assert options.rows == TABLES["small"].rows
    assert options.output == STORED


def test_it_works_from_any_directory(tmp_path: Path) -> None:
    done = report_from(tmp_path, Path(regularised.__file__).resolve())
    assert done.stderr.splitlines()[-1] == "wrote out/regularised-small-dev.md"
    assert "No run is finished." in (tmp_path / "out" / "regularised-small-dev.md").read_text()
