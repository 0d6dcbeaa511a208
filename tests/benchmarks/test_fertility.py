import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import fertility
from cepts import Aligner, evaluate, read_bitext, read_links
from corpora import Corpus, build_corpus
from fertility_report import COLUMNS, HANSARDS, HMM, IBM4, ROMANIAN, THOT, TOGETHER, claims, report, table
from measure import Measurement
from systems import Run, Settings, System
from tests.benchmarks.made import MADE

AERS = {"forward": 0.2, "reverse": 0.21, "union": 0.22, "intersection": 0.1, "grow-diag": 0.14}


def make_rows(system: str, cpu_seconds: float, **changes: float) -> list[dict[str, Any]]:
    aers = {**AERS, "grow-diag-final-and": 0.15} | {
        name.replace("_", "-"): aer for name, aer in changes.items()
    }
    return [
        {
            "system": system,
            "symmetrisation": column,
            "aer": aers[column],
            "cpu_seconds": cpu_seconds,
            "peak_mb": 300.4,
        }
        for column in COLUMNS
    ]


def make_result(name: str, *rows: list[dict[str, Any]]) -> dict[str, Any]:
    corpus = {"name": name, "part": "test", "pairs": 50_447, "scored": 447}
    return {"corpus": corpus, "signature": MADE, "rows": [row for some in rows for row in some]}


def verdicts(*results: dict[str, Any], full: bool = True) -> list[str]:
    return [claim.verdict for claim in claims(results, full)]


def hansards(
    ours: float = 0.1, chain: float = 0.1, seconds: float = 78.0, thot: float = 300.0
) -> dict[str, Any]:
    return make_result(
        HANSARDS,
        make_rows(HMM, 5.0, intersection=chain),
        make_rows(IBM4, seconds, intersection=ours),
        make_rows(TOGETHER, 50.0),
        make_rows(THOT, thot),
    )


def test_table() -> None:
    lines = table(hansards(ours=0.0987), full=True).splitlines()
    assert len(lines) == 7
    assert lines[0] == (
        "|  | CPU s | thot = 1 | MGIZA = 1 | peak MB | forward | reverse | union | intersection | grow-diag"
        " | grow-diag-final-and |"
    )
    # 78 / 300 and 78 / 156
    assert lines[3] == (
        "| IBM-4, independent | 78.0 | 0.26 | 0.50 | 300 | 20.00 | 21.00 | 22.00 | 9.87 | 14.00 | 15.00 |"
    )
    assert lines[6] == "| MGIZA, elsewhere | 156 | - | 1.00 | - | - | - | - | 10.3 | 13.5 | 14.2 |"


def test_without_thot_and_on_other_pairs_there_is_nothing_to_divide_by() -> None:
    quick = table(make_result(HANSARDS, make_rows(HMM, 5.0)), full=False)
    assert "MGIZA" not in quick
    assert quick.splitlines()[2].startswith("| HMM, independent | 5.0 | - | 300 | 20.00 |")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # at most 10.0, no worse than the HMM, half of MGIZA's 156 s, a third of thot's; then agreement's seconds
        ({}, ["yes", "yes", "yes", "yes", "yes", "yes"]),
        ({"ours": 0.1001, "chain": 0.11}, ["no", "yes", "yes", "yes", "yes", "yes"]),
        ({"chain": 0.0999}, ["yes", "no", "yes", "yes", "yes", "yes"]),
        ({"seconds": 78.1}, ["yes", "yes", "no", "yes", "yes", "yes"]),
        ({"thot": 160.0}, ["yes", "yes", "yes", "no", "yes", "yes"]),  # 78 s and 50 s: a third is 53.3 s
        ({"thot": 140.0}, ["yes", "yes", "yes", "no", "yes", "no"]),
    ],
)
def test_one_figure_decides(changes: dict[str, float], expected: list[str]) -> None:
    assert verdicts(hansards(**changes)) == expected


@pytest.mark.parametrize(("aer", "verdict"), [(0.297, "yes"), (0.2971, "no")])
def test_the_best_heuristic_of_romanian(aer: float, verdict: str) -> None:
    worse = {
        "union": 0.4,
        "intersection": 0.4,
        "grow_diag": 0.4,
    }  # and directions, which are no heuristics, better
    rows = [make_rows(system, 9.0, grow_diag_final_and=aer, **worse) for system in (HMM, IBM4, TOGETHER)]
    result = make_result(ROMANIAN, *rows)
    assert verdicts(result) == [verdict, verdict]
    assert claims([result], full=True)[0].ours == f"{100 * aer:.2f}, grow-diag-final-and"
    assert verdicts(result, full=False) == []


def test_report() -> None:
    text = report(
        [hansards(), make_result(ROMANIAN, *(make_rows(one, 9.0) for one in (HMM, IBM4, TOGETHER)))], True
    )
    assert text.count("**yes**") == 8
    assert "## en-fr-hansards, 50,447 pairs, scored on test (447 pairs)\n" in text
    assert "MGIZA's figures were measured elsewhere" in text
    assert "cepts 9.9 | options: none" in text
    assert "MGIZA" not in report([hansards()], False)


def settings(tmp_path: Path) -> Settings:
    corpus = Corpus("xx-yy", "dev", tmp_path / "source", tmp_path / "target", "0-0\n", 1, 1, 1, 1)
    return Settings(corpus, tmp_path, 1, "")


@pytest.mark.parametrize(("compiles", "runs"), [(True, 2), (False, 1)])
def test_a_run_that_compiles_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiles: bool, runs: int
) -> None:
    scripts = []

    def run_peer(script: str, *_: object) -> Measurement:
        scripts.append(script)
        if compiles:
            (tmp_path / f"{len(scripts)}.nbc").touch()
        return Measurement(len(scripts), 0.0, 0.0)

    monkeypatch.setenv("CEPTS_CACHE", str(tmp_path))
    monkeypatch.setattr(fertility, "run_peer", run_peer)
    assert fertility.run_ours(settings(tmp_path), "{}").cpu_seconds == runs
    assert scripts == ["run_cepts.py"] * runs


def test_without_thot_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    used = Measurement(1.0, 1.0, 1.0)
    monkeypatch.setattr(fertility, "run_ours", lambda *_: used)
    monkeypatch.setattr(fertility, "directed", lambda *_: Run(used, {}))
    absent = System("thot-ibm4", "no-such-package", lambda _: Run(used, {}))
    monkeypatch.setitem(fertility.SYSTEMS, "thot-ibm4", absent)
    assert [name for name, _ in fertility.runs(settings(tmp_path), with_thot=True)] == [HMM, IBM4, TOGETHER]
    assert capsys.readouterr().err == "thot's IBM-4: not installed (no-such-package)\n"


def test_options(capsys: pytest.CaptureFixture[str]) -> None:
    options = fertility.parse([])
    assert (options.part, options.pairs, options.corpora) == ("dev", None, (HANSARDS, ROMANIAN))
    assert options.thot == (HANSARDS,)
    assert fertility.parse(["--thot", "none"]).thot == ()
    assert fertility.parse(["--thot", "ro-en,en-fr-hansards"]).thot == (ROMANIAN, HANSARDS)
    with pytest.raises(SystemExit):
        fertility.parse(["--thot", "xx-yy"])
    assert "no corpus xx-yy; there are en-fr-hansards, ro-en" in capsys.readouterr().err


@pytest.mark.usefixtures("data_folder")
def test_all_of_it_on_a_little_text(tmp_path: Path) -> None:
    chosen = ["--corpora", HANSARDS, "--pairs", "20"]
    fertility.main([*chosen, "--output", str(tmp_path / "out")])
    (result,) = json.loads((tmp_path / "out" / "fertility-dev-20-en-fr-hansards.json").read_text())
    installed = [THOT] if fertility.SYSTEMS["thot-ibm4"].is_installed else []
    found = {(row["system"], row["symmetrisation"]): row for row in result["rows"]}
    assert list(found) == [(one, column) for one in (HMM, IBM4, TOGETHER, *installed) for column in COLUMNS]
    assert all(0 < row["stages"]["training"] < row["cpu_seconds"] for row in found.values())
    assert found[TOGETHER, "intersection"]["links"] < found[TOGETHER, "union"]["links"]
    corpus = build_corpus(HANSARDS, "dev", 20, tmp_path)
    assert result["corpus"]["pairs"] == corpus.pairs == 57
    for system, way in ((HMM, "forward"), (IBM4, "reverse")):
        options = fertility.OURS[system] | {"direction": way}
        assert found[system, way]["aer"] == pytest.approx(aer_of_aligner(corpus, **options))
    options = fertility.OURS[TOGETHER] | {"combine": "grow-diag"}
    assert found[TOGETHER, "grow-diag"]["aer"] == pytest.approx(aer_of_aligner(corpus, **options))


def aer_of_aligner(corpus: Corpus, **options: str) -> float:
    """The same figure as a user would have it."""
    bitext = read_bitext(corpus.source, corpus.target)
    gold = read_links(StringIO(corpus.gold), corpus.scored)
    return evaluate(Aligner(**options).fit(bitext).align(bitext).head(corpus.scored), gold).aer
