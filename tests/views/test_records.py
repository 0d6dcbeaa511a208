"""What plots read: timings, losses, rows of systems."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cepts.errors import InputError
from cepts.views.records import Curve, Measured, names_of_files, read_measured, read_training

if TYPE_CHECKING:
    from pathlib import Path

CURVE = {"stage": "ibm1", "direction": "both", "words": 10, "objectives": [70.0, 40.0]}
RECORD: dict[str, Any] = {
    "part": "test",
    "corpus": "de-en",
    "system": "best",
    "text": {"pairs": 1100, "scored": 100},
    "combined": "own",
    "scores": {"own": [25.5, 80.0, 70.0]},
    "cpu_seconds": 2,
    "wall_seconds": 3.0,
    "peak_mb": 99.5,
}
COSTS = {"cpu_seconds": 2, "wall_seconds": 3.0, "peak_mb": 99.5}
BENCHMARK: dict[str, Any] = {
    "corpus": {"name": "de-en", "part": "dev", "pairs": 1100, "scored": 100},
    "rows": [
        {"system": "fast_align", "symmetrisation": "union", "aer": 0.3, **COSTS},
        {"system": "fast_align", "symmetrisation": "grow-diag", "aer": 0.25, **COSTS},
        {"system": "cepts", "symmetrisation": "own", "aer": 0.125, **COSTS},
    ],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.json"


def put(path: Path, told: Any) -> Path:
    path.write_text(told if isinstance(told, str) else json.dumps(told), encoding="utf-8")
    return path


def test_objectives_are_read_for_each_word(path: Path) -> None:
    empty = {**CURVE, "stage": "hmm", "objectives": []}
    reverse = {**CURVE, "stage": "hmm-pgd", "direction": "reverse", "words": 5}
    told = {"pairs": 3, "training": [CURVE, empty, reverse]}
    assert read_training(put(path, told)) == [
        Curve("ibm1", "", "objective per word", [7.0, 4.0]),
        Curve("hmm-pgd", "reverse", "objective per word", [14.0, 8.0]),
    ]


def test_losses_of_a_factorisation_are_read(path: Path) -> None:
    lines = "k\titeration\tloss\n4\t0\t9.5\n4\t1\t8.5\n16\t0\t7\n"
    assert read_training(put(path, lines)) == [
        Curve("factorisation", "k = 4", "loss", [9.5, 8.5]),
        Curve("factorisation", "k = 16", "loss", [7.0]),
    ]


def test_rows_of_both_kinds_are_read(path: Path) -> None:
    assert read_measured(put(path, [RECORD])) == [
        Measured("de-en", "test", 1000, "best", 25.5, 2.0, 3.0, 99.5)
    ]
    assert read_measured(put(path, BENCHMARK)) == [  # the better of two ways to combine counts
        Measured("de-en", "dev", 1000, "fast_align", 25.0, 2.0, 3.0, 99.5),
        Measured("de-en", "dev", 1000, "cepts", 12.5, 2.0, 3.0, 99.5),
    ]


def test_names_of_files_are_short_as_long_as_they_differ() -> None:
    assert names_of_files(["a/x.tar.gz", "-"]) == ["x", "-"]
    assert names_of_files(["x.json", "x.tsv"]) == ["x.json", "x.tsv"]
    assert names_of_files([".json"]) == [".json"]


TIMINGS = "expected what `cepts align --timings FILE` writes"
KIND = "expected rows of systems, as experiments/accuracy.py and benchmarks/aligners.py write"


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("", " is empty: there is nothing to draw"),
        (" \n", " is empty: there is nothing to draw"),
        ("0-0 1-1", rf" is no JSON \(.*\); {TIMINGS}, or the lines of `cepts similar curve`"),
        ("[" * 100_000, r" is no JSON \("),
        ([], f" has no training curves: {TIMINGS}"),
        ({"seconds": {}}, f" has no training curves: {TIMINGS}"),
        ({"training": 3}, f" has no training curves: {TIMINGS}"),
        (
            {"training": []},
            " has no training curves: nothing was trained; run `cepts align --timings FILE` without",
        ),
        ({"training": [{**CURVE, "objectives": []}]}, " has no training curves: nothing was trained"),
        ({"training": [CURVE, 3]}, ", curve 2: expected an object with stage, direction, words, objectives"),
        ({"training": [{**CURVE, "objectives": 3}]}, f", curve 1: objectives are no list; {TIMINGS}"),
        (
            {"training": [{**CURVE, "objectives": [1, "x"]}]},
            ", curve 1: an objective is 'x', expected a number",
        ),
        (
            {"training": [{**CURVE, "objectives": [float("nan")]}]},
            ", curve 1: an objective is nan, expected a n",
        ),
        (
            {"training": [{**CURVE, "objectives": [True]}]},
            ", curve 1: an objective is True, expected a number",
        ),
        ({"training": [{**CURVE, "objectives": [10**400]}]}, ", curve 1: an objective is 10000000"),
        ({"training": [{**CURVE, "words": 0}]}, ", curve 1: words is 0, expected a number from 1"),
        ("k\titeration\tloss\n", " has no training curves: there is nothing below the header"),
        ("k\titeration\tloss\n4\t0\n", r", line 2: got '4\\t0', expected k TAB iteration TAB loss"),
        ("k\titeration\tloss\n4\t0\tinf\n", ", line 2: the loss is inf, expected a number"),
        ("k\titeration\tloss\n4\t1\t3\n", ", line 2: iteration 1 of k = 4, expected 0"),
    ],
)
def test_training_that_cannot_be_read(path: Path, told: Any, message: str) -> None:
    with pytest.raises(InputError, match=rf"file\.json{message}"):
        read_training(put(path, told))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("", " is empty: there is nothing to draw"),
        ("k\titeration\tloss\n", rf" is no JSON \(.*\); {KIND}"),
        ([], f" has no rows: {KIND}"),
        (3, f" has no rows: {KIND}"),
        ({"training": [CURVE]}, f" is of another kind; {KIND}"),
        ({**BENCHMARK, "rows": []}, f" has no rows: {KIND}"),
        ({**BENCHMARK, "rows": [3]}, f" is of another kind; {KIND}"),
        (
            {**BENCHMARK, "rows": [{**BENCHMARK["rows"][0], "aer": None}]},
            ", row 1: aer is None, expected a number",
        ),
        ([RECORD, 3], f", row 2 is of another kind; {KIND}"),
        ([{**RECORD, "combined": "other"}], f", row 1 is of another kind; {KIND}"),
        ([{**RECORD, "scores": {"own": []}}], f", row 1 is of another kind; {KIND}"),
        ([{**RECORD, "scores": {"own": [float("nan")]}}], ", row 1: AER is nan, expected a number"),
        ([{**RECORD, "cpu_seconds": float("inf")}], ", row 1: cpu_seconds is inf, expected a number"),
        ([{**RECORD, "cpu_seconds": -1}], ", row 1: cpu_seconds is -1, expected a number from 0"),
        (
            [{**RECORD, "text": {"pairs": 100, "scored": 100}}],
            r", row 1: 0 training pairs \(pairs less those scored\), expected some",
        ),
    ],
)
def test_rows_that_cannot_be_read(path: Path, told: Any, message: str) -> None:
    with pytest.raises(InputError, match=rf"file\.json{message}"):
        read_measured(put(path, told))


@pytest.mark.parametrize("read", [read_training, read_measured])
def test_what_is_no_text_is_refused(path: Path, read: Any) -> None:
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InputError, match=r"file\.json is no text: invalid UTF-8"):
        read(path)
    with pytest.raises(InputError, match="nowhere: no such file"):
        read("nowhere")
