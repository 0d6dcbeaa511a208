import doctest
import json
import struct
import sys
from pathlib import Path

import pytest

import aligners
import corpora
import report
import scaling
import startup
import systems
from cepts.links import Links
from corpora import Corpus
from measure import CommandFailedError, Measurement
from peers.fast_align_tables import Table, best_links, read_table, read_tensions
from systems import Run, Settings, System


@pytest.mark.parametrize("module", [corpora, report, scaling])
def test_examples_in_docstrings(module) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def run_of(cpu_seconds: float, links: list[tuple[int, int]], **stages: float) -> Run:
    return Run(Measurement(cpu_seconds, cpu_seconds, 100.0), {"own": Links.from_pairs([links])}, stages)


def test_rows_ratios_and_table() -> None:
    gold = Links.from_pairs([[(0, 0), (1, 1), (2, 2, 1.0, False)]])
    # cepts: 2 of 2 links sure: AER 0 would leave no ratio, so one link is wrong: 1 - (1 + 1) / (2 + 2) = 0.5
    rows = report.rows_of("cepts", run_of(8.0, [(0, 0), (1, 0)]), gold)
    # peer: three links, none sure, one possible: 1 - (0 + 1) / (3 + 2) = 0.8
    rows += report.rows_of("peer", run_of(20.0, [(2, 2), (2, 0), (2, 1)], training=16.0), gold)
    rows = report.with_ratios(rows)
    assert rows[1]["ratio_to_cepts"] == pytest.approx(
        {"aer": 1.6, "cpu_seconds": 2.5, "wall_seconds": 2.5, "peak_mb": 1.0}
    )
    assert report.table(rows).splitlines() == [
        "system  symmetrisation            AER     P     R  links          CPU s         wall s       RSS MB",
        "cepts   own                     50.00  50.0  50.0      2           8.00           8.00          100",
        "peer    own             80.00 (1.60x)  33.3   0.0      3  20.00 (2.50x)  20.00 (2.50x)  100 (1.00x)",
    ]
    assert report.stage_lines(rows) == ["peer: training 16.00 CPU s (2.00x)"]


def test_without_cepts_there_are_no_ratios() -> None:
    gold = Links.from_pairs([[(0, 0)]])
    rows = report.with_ratios(report.rows_of("peer", run_of(2.0, [(0, 0)]), gold))
    assert set(rows[0]["ratio_to_cepts"].values()) == {None}
    assert "x)" not in report.table(rows)


def settings(tmp_path: Path) -> Settings:
    corpus = Corpus("xx-yy", "dev", tmp_path / "source", tmp_path / "target", "0-0\n", 1, 1, 1, 1)
    return Settings(corpus, tmp_path, 1, "")


def test_a_peer_that_is_absent_or_fails_is_said_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Settings) -> Run:
        raise CommandFailedError("out of memory")

    monkeypatch.setitem(aligners.SYSTEMS, "absent", System("absent", "no-such-package", fail))
    monkeypatch.setitem(aligners.SYSTEMS, "broken", System("broken", "cepts", fail))
    good = System("good", "cepts", lambda _: run_of(1.0, [(0, 0)]))
    monkeypatch.setitem(aligners.SYSTEMS, "good", good)
    rows = aligners.run_all(["absent", "broken", "good"], settings(tmp_path), repeats=1)
    assert [(row["system"], row["aer"]) for row in rows] == [("good", 0.0)]
    said = capsys.readouterr().err
    assert "absent: not installed (no-such-package)\n" in said
    assert "broken: failed: out of memory\n" in said


def test_the_run_of_least_cpu_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([3.0, 1.0, 2.0])
    system = System("some", "cepts", lambda _: run_of(next(seconds), []))
    monkeypatch.setitem(aligners.SYSTEMS, "some", system)
    assert aligners.best_run("some", settings(tmp_path), 3).used.cpu_seconds == 1.0


def test_an_unknown_system(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        aligners.parse(["--systems", "giza"])
    assert "no system giza; there are cepts, fast_align," in capsys.readouterr().err


@pytest.mark.parametrize(("compiles", "runs"), [(True, 2), (False, 1)])
def test_a_run_that_compiles_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiles: bool, runs: int
) -> None:
    commands = []

    def measured(command: list[object]) -> Measurement:
        if compiles:
            (tmp_path / "cache" / "kernel.nbc").touch()
        (tmp_path / "cepts.links").write_text("0-0\n")
        commands.append(command)
        return Measurement(len(commands), 0.0, 0.0)

    (tmp_path / "cache").mkdir()
    monkeypatch.setenv("CEPTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(systems, "measure", measured)
    assert systems.run_cepts(settings(tmp_path)).used.cpu_seconds == runs


def test_speedup() -> None:
    rows = [{"pairs": 10, "wall_seconds": 9.0}, {"pairs": 10, "wall_seconds": 5.0}]
    assert scaling.speedup(rows) == "10 pairs: 9.0 s with one thread, 5.0 s with two, 1.80 times as fast"


def test_scaling_table() -> None:
    timings = {"cells": 10**6, "iterations": {"ibm1": 5}, "seconds": {"read": 1.0, "ibm1": 0.05}}
    corpus = Corpus("xx-yy", "dev", Path(), Path(), "", 1, 400, 1, 1)
    row = scaling.row_of(corpus, 1, Measurement(2.0, 1.5, 300.4), json.loads(json.dumps(timings)))
    assert scaling.table([row]).splitlines() == [
        "pairs    cells  CPU s  wall s  reading %  RSS MB  ibm1 ns",
        "  400  1000000    2.0     1.5       66.7     300     10.0",
    ]


def test_startup_table() -> None:
    runs = [Measurement(1.0, 2.0, 30.0), Measurement(2.0, 1.0, 40.0)]
    table = startup.table({"cepts --help": startup.shortest(runs)})
    assert table.splitlines() == [
        "start         wall s  CPU s  RSS MB",
        "cepts --help    1.00   2.00      40",
    ]


def test_startup_table_of_kernels() -> None:
    costs = {
        "cepts.words.a": {"cpu_seconds": 0.5, "llvm_seconds": 0.25},
        "cepts.words.b": {"cpu_seconds": 1.0, "llvm_seconds": 0.5},
    }
    assert startup.kernel_table(costs).splitlines() == [
        "kernel, compiled  CPU s  in LLVM",
        "words.b            1.00     0.50",
        "words.a            0.50     0.25",
        "all                1.50     0.75",
    ]


def test_startup_compiles_with_an_empty_cache() -> None:
    costs = startup.cost_of_kernels("evaluate")
    assert list(costs) == ["cepts.phrases.extraction_kernels.find_boxes"]
    assert costs["cepts.phrases.extraction_kernels.find_boxes"]["cpu_seconds"] > 0


def test_startup_stops_a_service_that_is_ready() -> None:
    code = "import sys, time; print('serving on', file=sys.stderr, flush=True); time.sleep(600)"
    startup.run_until_ready([sys.executable, "-c", code])
    with pytest.raises(SystemExit, match="before it was ready"):
        startup.run_until_ready([sys.executable, "-c", "pass"])


class TestFastAlignTables:
    def test_read(self, tmp_path: Path) -> None:
        words = b"<eps>\0|||\0chien\0dog\0"
        row = struct.pack("<ii", 3, 2) + struct.pack("<if", 4, 0.5) + struct.pack("<if", 3, 0.25)
        (tmp_path / "table").write_bytes(struct.pack("<ii", 2, 4) + words + struct.pack("<i", 5) + row)
        table = read_table(tmp_path / "table", 4.0)
        assert table.ids == {"<eps>": 1, "|||": 2, "chien": 3, "dog": 4}
        assert table.rows == {3: {4: 0.5, 3: 0.25}}

    def test_tensions(self) -> None:
        log = "".join(
            f"ITERATION 1\n x\nITERATION 2\n  final tension: 4.5\nITERATION 3\n  final tension: {last}\n"
            for last in ("5.13333", "7e+00")
        )
        assert read_tensions(log) == [5.13333, 7.0]

    def test_links(self) -> None:
        """Two given words, one generated: the diagonal outweighs up to a factor of exp(4 / 2).

        Position 1 of 1 lies on given position 2 of 2: h = 1, against exp(-4 |1/2 - 1|) = 0.1353.
        """
        ids = {"<eps>": 1, "a": 3, "b": 4, "x": 5}

        def links(p_a: float, p_b: float, p_null: float) -> list[tuple[int, int]]:
            return best_links(Table(ids, {1: {5: p_null}, 3: {5: p_a}, 4: {5: p_b}}, 4.0), ["a", "b"], ["x"])

        assert links(0.7, 0.1, 0.0) == [(1, 0)]
        assert links(0.8, 0.1, 0.0) == [(0, 0)]
        # h(2) (1 - 0.08) / (1 + 0.1353) = 0.8103; NULL wins when 0.08 p_null > 0.1 * 0.8103
        assert links(0.0, 0.1, 0.99) == [(1, 0)]
        assert links(0.0, 0.09, 0.99) == []  # 0.0729 against 0.0792

    def test_an_unseen_word_goes_along_the_diagonal(self) -> None:
        assert best_links(Table({}, {}, 4.0), ["a", "b"], ["x", "y"]) == [(0, 0), (1, 1)]
