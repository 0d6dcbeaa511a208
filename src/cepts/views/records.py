"""What plots are made of, read from files: curves of training, and rows of measured systems."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.checking import checked
from cepts.corpus.files import read_bytes, shown
from cepts.errors import InputError
from cepts.views.scales import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.corpus.files import FilePath

FIELDS = (
    "stage",
    "direction",
    "words",
    "objectives",
)  # of a `TrainingCurve`, whose module takes long to load
TIMINGS = "what `cepts align --timings FILE` writes"
LOSSES = ["k", "iteration", "loss"]  # the header of what `cepts similar curve` writes
REPORT = "rows of systems, as experiments/accuracy.py and benchmarks/aligners.py write"
PERCENT = 100.0


@checked
class Curve(NamedTuple):
    """The numbers of a stage of training, from its start on; `name` tells curves of one stage apart."""

    stage: str
    name: str
    measure: str
    values: list[float]


@checked
class Measured(NamedTuple):
    """A system on so many training pairs of a corpus: its AER in percent, and what it used."""

    corpus: str
    part: str
    pairs: int
    system: str
    aer: float
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float


def names_of_files(paths: Sequence[FilePath]) -> list[str]:
    """Return short names for files: without folder and ending, unless two of them were the same.

    >>> names_of_files(["runs/best.json", "fast.json"]), names_of_files(["a/x.json", "b/x.json"])
    (['best', 'fast'], ['a/x.json', 'b/x.json'])
    """
    short = [PurePath(path).name.partition(".")[0] or shown(path) for path in paths]
    return short if len({*short}) == len(short) else [shown(path) for path in paths]


@checked
def read_training(path: FilePath) -> list[Curve]:
    """Read the curves of a training: what `cepts align --timings` or `cepts similar curve` wrote."""
    name, text = _read(path)
    if text.split("\n", 1)[0].strip().split("\t") == LOSSES:
        return _read_losses(text, name)
    told = _parsed(text, name, f"{TIMINGS}, or the lines of `cepts similar curve`")
    curves = told.get("training") if isinstance(told, dict) else None
    if not isinstance(curves, list):
        raise InputError(f"{name} has no training curves: expected {TIMINGS}")
    found = [_objectives(one, f"{name}, curve {number}") for number, one in enumerate(curves, 1)]
    if not any(curve.values for curve in found):
        raise InputError(
            f"{name} has no training curves: nothing was trained; run `cepts align --timings FILE` without --model"
        )
    return [curve for curve in found if curve.values]


def _objectives(told: Any, where: str) -> Curve:
    """Check a curve that was read."""
    if not isinstance(told, dict) or any(key not in told for key in FIELDS):
        raise InputError(f"{where}: expected an object with {', '.join(FIELDS)}")
    if not isinstance(told["objectives"], list):
        raise InputError(f"{where}: objectives are no list; expected {TIMINGS}")
    objectives = [_number(value, "an objective", where) for value in told["objectives"]]
    words = int(_number(told["words"], "words", where))
    if words < 1:
        raise InputError(f"{where}: words is {words}, expected a number from 1")
    return _per_word(str(told["stage"]), str(told["direction"]), words, objectives)


@checked
def curves_of(training: Iterable[tuple[str, str, int, list[float]]]) -> list[Curve]:
    """Return an aligner's curves for drawing: objectives for each word, which compare texts of any size.

    A curve is (stage, direction, words, objectives).
    """
    return [_per_word(*one) for one in training if one[-1]]


def _per_word(stage: str, direction: str, words: int, objectives: list[float]) -> Curve:
    name = "" if direction == "both" else direction
    return Curve(stage, name, "objective per word", [value / words for value in objectives])


def _read_losses(text: str, name: str) -> list[Curve]:
    """Read lines of k TAB iteration TAB loss, under their header."""
    losses: dict[str, list[float]] = {}
    for number, line in enumerate(text.splitlines()[1:], 2):
        fields, where = line.split("\t"), f"{name}, line {number}"
        try:
            k, iteration, loss = int(fields[0]), int(fields[1]), float(fields[2])
        except (ValueError, IndexError):
            raise InputError(f"{where}: got {line[:60]!r}, expected k TAB iteration TAB loss") from None
        falling = losses.setdefault(f"k = {k}", [])
        if iteration != len(falling):
            raise InputError(f"{where}: iteration {iteration} of k = {k}, expected {len(falling)}")
        falling.append(_number(loss, "the loss", where))
    if not losses:
        raise InputError(f"{name} has no training curves: there is nothing below the header")
    return [Curve("factorisation", k, "loss", values) for k, values in losses.items()]


@checked
def read_measured(path: FilePath) -> list[Measured]:
    """Read rows of systems: a list that experiments/accuracy.py keeps, or a run of benchmarks/aligners.py."""
    name, text = _read(path)
    told = _parsed(text, name, REPORT)
    if isinstance(told, dict):
        return _benchmark(told, name)
    if not isinstance(told, list) or not told:
        raise InputError(f"{name} has no rows: expected {REPORT}")
    return [measured(row, f"{name}, row {number}") for number, row in enumerate(told, 1)]


def measured(record: Any, where: str) -> Measured:
    """Read a row of experiments/accuracy.py."""
    try:
        text, scores = record["text"], record["scores"][record["combined"]]
        pairs = _number(text["pairs"], "pairs", where) - _number(text["scored"], "scored", where)
        place, aer = (str(record["corpus"]), str(record["part"])), scores[0]
        return _row(place, pairs, str(record["system"]), _number(aer, "AER", where), record, where)
    except (KeyError, IndexError, TypeError):
        raise InputError(f"{where} is of another kind; expected {REPORT}") from None


def _benchmark(told: dict[str, Any], name: str) -> list[Measured]:
    """Read a run of benchmarks/aligners.py; of the ways to combine directions, the one with the lowest AER counts."""
    best: dict[str, Measured] = {}
    try:
        corpus = told["corpus"]
        place = (str(corpus["name"]), str(corpus["part"]))
        pairs = _number(corpus["pairs"], "pairs", name) - _number(corpus["scored"], "scored", name)
        for number, row in enumerate(told["rows"], 1):
            where, system = f"{name}, row {number}", str(row["system"])
            one = _row(place, pairs, system, PERCENT * _number(row["aer"], "aer", where), row, where)
            best[system] = min(one, best.get(system, one), key=lambda each: each.aer)
    except (KeyError, TypeError):
        raise InputError(f"{name} is of another kind; expected {REPORT}") from None
    if not best:
        raise InputError(f"{name} has no rows: expected {REPORT}")
    return [*best.values()]


def _row(
    place: tuple[str, str], pairs: float, system: str, aer: float, used: dict[str, Any], where: str
) -> Measured:
    if pairs < 1:
        raise InputError(f"{where}: {pairs:g} training pairs (pairs less those scored), expected some")
    costs = {key: _number(used[key], key, where) for key in ("cpu_seconds", "wall_seconds", "peak_mb")}
    for what, number in {"AER": aer, **costs}.items():
        if number < 0:
            raise InputError(f"{where}: {what} is {number:g}, expected a number from 0")
    return Measured(*place, int(pairs), system, aer, *costs.values())


def _number(value: Any, what: str, where: str) -> float:
    """Return a number that can be drawn."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if not plain or not abs(value) <= LARGEST:
        raise InputError(f"{where}: {what} is {repr(value)[:40]}, expected a number")
    return float(value)


def _read(path: FilePath) -> tuple[str, str]:
    """Return what messages call a file, and its text."""
    name = shown(path)
    data = b"".join(read_bytes(path))
    if not data.strip():
        raise InputError(f"{name} is empty: there is nothing to draw")
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is no text: invalid UTF-8") from None


def _parsed(text: str, name: str, expected: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON ({error}); expected {expected}") from None
