"""The accuracy experiment: what is run, kept, run again and refused; how a system is measured."""

import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import systems as runners
from accuracy_report import command, measuring, report, variants
from accuracy_report.results import Results
from accuracy_report.rows import CORPORA, PEERS, SYSTEMS, is_run, sizes_of
from accuracy_report.variants import Variant
from cepts.aligning.recipes import RECIPES, Recipe
from cepts.links import Links
from measure import CommandFailedError, Measurement
from systems import Run, Settings, System
from tests.experiments.accuracy_records import DEV, TEST, make_record
from tests.experiments.asking import refusal, report_from

SCRIPT = Path(command.__file__).resolve().parents[1] / "accuracy.py"
TINY = ("--corpora", "xx-yy")
NO_SPELLING = Variant("no spelling", {"same_spelling": 0.0})


@pytest.fixture(autouse=True)
def best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "best", Recipe(method="best"))


class Fakes:
    """Takes the place of all systems: writes down what is run, and gives links made up here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs: list[tuple[str, int]] = []  # what was run on how many pairs
        self.options: list[dict[str, Any]] = []
        self.patience = 1000
        for name in PEERS:
            monkeypatch.setitem(runners.SYSTEMS, name, System(name, "cepts", self.runner(name)))
        monkeypatch.setattr(runners, "run_recipe", self.run_recipe)
        monkeypatch.setattr(report, "write_plots", lambda *_: {})

    def runner(self, name: str) -> Any:
        return lambda settings: self.run(name, settings)

    def run_recipe(self, settings: Settings, options: dict[str, Any]) -> Run:
        self.options.append(options)
        return self.run(options["method"], settings)

    def run(self, name: str, settings: Settings) -> Run:
        if len(self.runs) == self.patience:
            raise KeyboardInterrupt
        self.runs.append((name, settings.corpus.pairs))
        assert settings.folder.is_dir()
        assert list(settings.folder.iterdir()) == []
        own = Links.from_pairs([[(0, 0, 0.75), (1, 0, 0.25)], [(0, 0, 0.95)]])
        other = Links.from_pairs([[(0, 0)], [(0, 0)]])
        links = {"own": own} if name in RECIPES else {"union": own, "intersection": other}
        run = Run(Measurement(2.5, 3.456, 99.99), links, {"training": 1.0})
        return replace(run, passed={"thot-hmm": run}) if name == "thot-ibm4" else run


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """All systems are made up, and there is a corpus of two scored pairs and some for training."""
    folder = tmp_path / "data" / "words" / "xx-yy"
    folder.mkdir(parents=True)
    for name, text in (("src", "A b\nC\n"), ("tgt", "x y\nz\n"), ("gold", "0-0 1?1\n0-0\n")):
        (folder / f"dev.{name}").write_text(text)
    for side in ("src", "tgt"):
        with lzma.open(folder / f"train.{side}.xz", "wt") as file:
            file.write("A\n" * 1200)
    monkeypatch.setenv("CEPTS_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(CORPORA, "xx-yy", 1200)
    return Fakes(monkeypatch)


def run_script(folder: Path, *arguments: str) -> None:
    command.main(["--output", str(folder / "out"), *arguments])


def results_in(folder: Path) -> Results:
    return Results(folder / "out" / "accuracy.json")


def test_which_system_is_run_on_how_much() -> None:
    assert sizes_of("de-en") == ("1k", "5k", "20k", "50k", "all")
    assert sizes_of("ro-en") == ("1k", "5k", "20k", "all")  # 43,048 pairs are less than 50,000
    assert [size for size in sizes_of("de-en") if is_run("thot-hmm", "de-en", size)] == [
        "1k",
        "5k",
        "20k",
        "50k",
    ]
    assert is_run("thot-ibm4", "ro-en", "all")
    assert not is_run("eflomal", "ro-en", "50k")
    assert is_run("eflomal", "de-en", "all")


def test_an_interrupted_script_goes_on(
    tmp_path: Path, fakes: Fakes, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.patience = 4
    with pytest.raises(KeyboardInterrupt):
        run_script(tmp_path, *TINY)
    fakes.patience = 1000
    run_script(tmp_path, *TINY)
    started = [system for system in SYSTEMS if system != "thot-hmm"]  # which is on the way to thot-ibm4
    assert fakes.runs == [(system, 1002) for system in started] + [(system, 1202) for system in started]
    assert len(results_in(tmp_path).of_sheet(DEV)) == 2 * len(SYSTEMS)
    printed = capsys.readouterr()
    assert "dev xx-yy 1k eflomal: AER 0.00 (intersection), 2.5 CPU s, 100 MB\n" in printed.err
    assert "| eflomal | **0.0** | **0.0** |\n" in printed.out
    assert "| xx-yy | -inf (eflomal) | -inf (eflomal) | -inf |\n" in printed.out  # nothing is below 0


def test_a_changed_recipe_is_run_again_and_peers_stay(
    tmp_path: Path, fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_script(tmp_path, *TINY, "--sizes", "1k")
    fakes.runs.clear()
    run_script(tmp_path, *TINY, "--sizes", "1k")
    assert fakes.runs == []
    monkeypatch.setitem(RECIPES, "best", Recipe(method="best", doubt=7.0))
    monkeypatch.setitem(runners.SYSTEMS, "eflomal", System("eflomal", "numpy", fakes.runner("eflomal")))
    run_script(tmp_path, *TINY, "--sizes", "1k")
    assert fakes.runs == [("best", 1002)]
    run_script(tmp_path, *TINY, "--sizes", "1k", "--systems", "eflomal,bidirectional", "--again")
    assert fakes.runs[1:] == [("eflomal", 1002), ("bidirectional", 1002)]
    run_script(tmp_path, *TINY, "--report", "--again")
    assert len(fakes.runs) == 3


def test_ours_and_peers_have_a_file_each(tmp_path: Path, fakes: Fakes) -> None:
    run_script(tmp_path, *TINY, "--sizes", "all", "--systems", "fast")
    assert not (tmp_path / "out" / "accuracy-peers.json").exists()
    before = (tmp_path / "out" / "accuracy.json").read_bytes()
    run_script(tmp_path, *TINY, "--sizes", "all", "--systems", "eflomal")
    assert (tmp_path / "out" / "accuracy.json").read_bytes() == before
    assert fakes.runs == [("fast", 1202), ("eflomal", 1202)]


def test_the_ablation_runs_best_and_its_variants(
    tmp_path: Path, fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variants, "VARIANTS", (NO_SPELLING,))
    run_script(tmp_path, *TINY, "--ablation")
    assert fakes.options == [{"method": "best"}, {"method": "best", "same_spelling": 0.0}]
    assert fakes.runs == [("best", 1002)] * 2  # of the ablation's sizes the corpus has one
    made = results_in(tmp_path).record(DEV, "xx-yy", "1k", "best: no spelling")
    assert made is not None
    assert "|same_spelling:0.0|" in made["signature"]
    assert "| no spelling | 1 | 20.00 | 20.00 | +0.00" in (tmp_path / "out" / "accuracy-dev.md").read_text()
    monkeypatch.setattr(variants, "VARIANTS", (Variant("no spelling", {"same_spelling": 0.5}),))
    run_script(tmp_path, *TINY, "--ablation", "--sizes", "1k,all")
    assert fakes.options[2:] == [
        {"method": "best", "same_spelling": 0.5},  # another variant than the one that is there
        {"method": "best"},
        {"method": "best", "same_spelling": 0.5},
    ]


def test_what_is_absent_or_fails_is_said_and_passed_over(
    tmp_path: Path, fakes: Fakes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Settings) -> Run:
        raise CommandFailedError("out of memory")

    absent = System("thot-hmm", "no-such-package", fail)
    monkeypatch.setitem(runners.SYSTEMS, "thot-hmm", absent)
    monkeypatch.setitem(runners.SYSTEMS, "eflomal", System("eflomal", "cepts", fail))
    run_script(tmp_path, *TINY, "--sizes", "all", "--systems", "thot-hmm,eflomal,fast_align")
    said = capsys.readouterr().err
    assert "thot-hmm: not installed (no-such-package)\n" in said
    assert "xx-yy all eflomal: failed: out of memory\n" in said
    assert fakes.runs == [("fast_align", 1202)]


@pytest.mark.usefixtures("fakes")
def test_what_is_kept_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = iter([(0.123, 9.0, 9.0), (1.5, 9.0, 9.0), (2.0, 9.0, 9.0), (2.0, 9.0, 9.0)])
    monkeypatch.setattr(measuring.os, "getloadavg", lambda: next(loads))
    run_script(tmp_path, *TINY, "--sizes", "all", "--systems", "fast,eflomal", "--threads", "2")
    ours, peer = results_in(tmp_path).of_sheet(DEV)
    # three links, one of them not in the gold; both sure ones found: 1 - (2 + 2) / (3 + 2)
    assert ours["scores"] == {"own": [20.0, 66.667, 100.0]}
    assert ours["counts"] == [[2, 1], [1, 1], [2, 1], [1, 1], [1, 1]]
    # the wrong one has 0.25; the bins of 0.75 and 0.95 have a right one each
    assert [one for one in ours["reliability"] if one[0]] == [[1, 0.25, 0], [1, 0.75, 1], [1, 0.95, 1]]
    assert ours["signature"] == RECIPES["fast"].signature
    assert (ours["load"], ours["threads"], ours["stages"]) == ([0.12, 1.5], 2, {"training": 1.0})
    assert ours["text"] == {"scored": 2, "pairs": 1202, "source_words": 1203, "target_words": 1203}
    assert (peer["combined"], peer["scores"]["intersection"]) == ("intersection", [0.0, 100.0, 100.0])
    assert peer["scores"]["union"] == [20.0, 66.667, 100.0]
    assert "reliability" not in peer
    assert peer["signature"].startswith("cepts:")
    assert (peer["wall_seconds"], peer["peak_mb"]) == (3.46, 100.0)


def test_parts_are_kept_apart(tmp_path: Path) -> None:
    results = Results(tmp_path / "accuracy.json")
    results.add(make_record(TEST, "de-en", "1k", "fast", [1, 2]))
    assert results.has(TEST, "de-en", "1k", "fast")
    assert not results.has(DEV, "de-en", "1k", "fast")
    assert not results.has(TEST, "de-en", "5k", "fast")


def test_options(capsys: pytest.CaptureFixture[str]) -> None:
    options = command.parse([])
    assert (options.part, options.threads, options.systems) == ("dev", 1, SYSTEMS)
    assert options.sizes == ("1k", "5k", "20k", "50k", "all")
    assert command.parse(["--ablation"]).sizes == ("1k", "20k")
    for arguments, message in (
        (["--sizes", "3k"], "no size 3k; there are 1k, 5k, 20k, 50k, all\n"),
        (["--corpora", "xx"], "no corpus xx; there are en-fr-hansards, de-en, "),
        (["--systems", "giza"], "no system giza; there are best, fast, eflomal, "),
        (["--ablation", "--systems", "fast"], "--ablation has its own systems: drop --systems\n"),
    ):
        assert message in refusal(command.parse, arguments, capsys)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "accuracy-peers.json").write_text('[{"x": 1}]')
    with pytest.raises(SystemExit, match=r"accuracy-peers\.json holds no results of this experiment"):
        run_script(tmp_path, "--report")


def test_it_works_from_anywhere(tmp_path: Path) -> None:
    report_from(tmp_path, SCRIPT)
    assert "No row is finished." in (tmp_path / "out" / "accuracy-dev.md").read_text()
