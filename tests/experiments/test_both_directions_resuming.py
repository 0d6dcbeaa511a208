"""The command line of both directions, and runs that are kept, skipped, replaced."""

from pathlib import Path
from typing import Any

import pytest

import both_directions
from denero_2011 import measuring, plots
from denero_2011.results import Results, Sheet
from denero_2011.rows import BY_NAME, CORPORA, PAPER_CORPUS, RELEASED, TUNED, Run
from paper_tables import setting
from tests.experiments.asking import refusal, report_from
from tests.experiments.dual_records import make_record

DEV = [corpus for corpus in CORPORA if corpus != PAPER_CORPUS]
EVERYTHING = [(corpus, name) for corpus in DEV for name in BY_NAME if name != RELEASED.name]


class Measured:
    """Takes the place of measuring: writes down what is run, and can be interrupted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[tuple[str, str]] = []
        self.texts: list[tuple[str, str, int | None]] = []
        self.patience = 1000
        monkeypatch.setattr(measuring, "measure_run", self.measure_run)
        monkeypatch.setattr(setting, "read_corpus", self.read_corpus)
        monkeypatch.setattr(plots, "write_plots", lambda *_: {})

    def read_corpus(self, *asked: Any) -> str:
        self.texts.append(asked)
        return asked[0]

    def measure_run(self, sheet: Sheet, run: Run, name: str, corpus: str, threads: int) -> dict[str, Any]:
        assert (corpus, threads) == (name, 2)
        if len(self.runs) == self.patience:
            raise KeyboardInterrupt
        self.runs.append((name, run.name))
        return make_record(sheet, run, name)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Measured:
    return Measured(monkeypatch)


def run_script(folder: Path, *arguments: str) -> None:
    both_directions.main(["--output", str(folder), *arguments])


def test_an_interrupted_script_goes_on(
    tmp_path: Path, measured: Measured, capsys: pytest.CaptureFixture[str]
) -> None:
    measured.patience = 5
    with pytest.raises(KeyboardInterrupt):
        run_script(tmp_path)
    assert len(Results(tmp_path / "both-directions.json").records) == 5
    measured.patience = 1000
    run_script(tmp_path)
    assert measured.runs == EVERYTHING
    # four runs a corpus: the second one was read twice, the first not again
    assert [name for name, *_ in measured.texts] == ["zh-en", "en-fr-hansards", *DEV[1:]]
    assert "| **yes** |" in (tmp_path / "both-directions-dev.md").read_text()
    said = capsys.readouterr().err
    assert (
        "zh-en bidirectional: intersection agreement 50.0 AER 30.0 phrase F1 52.0, "
        "dual agreement 80.0 AER 25.0 phrase F1 56.0, 60.0 % certified, in 54.0 s\n" in said
    )


def test_what_is_there_is_not_run_again_unless_asked(tmp_path: Path, measured: Measured) -> None:
    chosen = ("--corpora", "ro-en", "--recipes", "denero-2011,bidirectional")
    once = [("ro-en", "denero-2011"), ("ro-en", "bidirectional")]
    run_script(tmp_path, *chosen)
    run_script(tmp_path, *chosen)
    assert measured.runs == once
    run_script(tmp_path, *chosen, "--again")
    assert measured.runs == once * 2
    run_script(tmp_path, "--report", "--again")
    assert measured.runs == once * 2
    assert len(Results(tmp_path / "both-directions.json").records) == 2


def test_parts_and_sizes_do_not_mix(tmp_path: Path, measured: Measured) -> None:
    chosen = ("--recipes", "bidirectional")
    run_script(tmp_path, *chosen)
    run_script(tmp_path, *chosen, "--part", "test")
    run_script(tmp_path, *chosen, "--pairs", "300", "--corpora", "ro-en")
    sizes = [("zh-en", None), ("en-fr-hansards", 50_000), ("ro-en", None), ("de-en", 50_000)]
    assert measured.texts == [
        *((name, "dev", pairs) for name, pairs in sizes),
        ("zh-en-nist", "test", None),
        *((name, "test", pairs) for name, pairs in sizes),
        ("ro-en", "dev", 300),
    ]
    assert len(Results(tmp_path / "both-directions.json").records) == 10
    assert {path.name for path in tmp_path.glob("*.md")} == {
        "both-directions-dev.md",
        "both-directions.md",
        "both-directions-dev-300.md",
    }


@pytest.mark.parametrize(
    "other",
    [
        TUNED.signature.replace(f"alpha:{TUNED.recipe.alpha}|", "alpha:77.0|"),
        TUNED.recipe.signature,  # phrases by the rule of before
    ],
    ids=["recipe", "rule"],
)
def test_another_recipe_or_rule_is_run_and_takes_the_place(
    tmp_path: Path, measured: Measured, other: str
) -> None:
    chosen = ("--corpora", "ro-en", "--recipes", "bidirectional")
    run_script(tmp_path, *chosen)
    path, sheet = tmp_path / "both-directions.json", Sheet("dev")
    old = Results(path).record(sheet, TUNED, "ro-en")
    assert old is not None
    assert old["signature"] != other
    Results(path).add(old | {"signature": other})
    assert not Results(path).has(sheet, TUNED, "ro-en")
    run_script(tmp_path, *chosen)
    assert measured.runs == [("ro-en", "bidirectional")] * 2
    assert Results(path).record(sheet, TUNED, "ro-en") == old


def test_released_links_belong_to_the_papers_sentences(tmp_path: Path, measured: Measured) -> None:
    run_script(tmp_path, "--part", "test", "--recipes", "released")
    assert measured.runs == [(PAPER_CORPUS, "released")]


def test_a_file_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "both-directions.json").write_text('[{"part": "dev"}]')
    with pytest.raises(
        SystemExit, match=r"both-directions\.json holds no results of this experiment: 'pairs'"
    ):
        run_script(tmp_path, "--report")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--recipes", "bidirectional,fast"],
            "no recipe fast; there are bidirectional, denero-2011, denero-2011-mean, best, released",
        ),
        (["--corpora", "zh-en-nist"], "no corpus zh-en-nist; there are zh-en, en-fr-hansards, ro-en, de-en"),
        (
            ["--corpora", "en-es", "--part", "test"],
            "no corpus en-es; there are zh-en-nist, zh-en, en-fr-hansards, ro-en, de-en",
        ),
        (["--pairs", "0"], "0: expected a number from 1"),
        (["--part", "train"], "invalid choice: 'train'"),
    ],
)
def test_options_that_cannot_be(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refusal(both_directions.parse, arguments, capsys)


def test_without_options() -> None:
    options = both_directions.parse([])
    assert (options.part, options.threads, options.pairs) == ("dev", 2, None)
    assert options.corpora == tuple(DEV)
    assert options.recipes == tuple(BY_NAME)
    assert options.output == Path(both_directions.__file__).parent / "results"


def test_it_works_from_any_directory(tmp_path: Path) -> None:
    done = report_from(tmp_path, Path(both_directions.__file__).resolve())
    assert done.stderr.splitlines()[-1] == "wrote out/both-directions-dev.md"
    assert "No run is finished." in (tmp_path / "out" / "both-directions-dev.md").read_text()
