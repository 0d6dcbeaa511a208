"""Align two files with thot (the package sil-thot), both directions. Usage: SOURCE TARGET FOLDER hmm|ibm4 PAIRS.

IBM-1 and HMM, then, for ibm4, IBM-3 and IBM-4, five iterations each, every model begun from the one before. The first
PAIRS are aligned. What a model has made stands in a folder of its name: the HMM's also where it is on the way to IBM-4.
The two directions have nothing to do with each other, and are trained side by side, each in a process of its own.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import sys
import time
from itertools import islice
from pathlib import Path

from thot import alignment

ITERATIONS = 5
STAGES = {
    "hmm": [alignment.Ibm1AlignmentModel, alignment.HmmAlignmentModel],
    "ibm4": [alignment.Ibm3AlignmentModel, alignment.Ibm4AlignmentModel],
}
MEGABYTE = 1024**2 if sys.platform == "darwin" else 1024  # in the units of ru_maxrss

START = time.perf_counter()

Pair = tuple[list[str], list[str]]


def main(source: Path, target: Path, folder: Path, last: str, count: int) -> None:
    """Train both directions beside each other, and write links and costs of each model."""
    names = list(STAGES)[: list(STAGES).index(last) + 1]
    for name in names:
        (folder / name).mkdir(exist_ok=True)
    pairs = first_pairs(source, target, count)
    back = [(right, left) for left, right in pairs]
    fork = multiprocessing.get_context("fork")
    directions = [
        fork.Process(target=train_direction, args=("forward", source, target, folder, names, pairs)),
        fork.Process(target=train_direction, args=("reverse", target, source, folder, names, back)),
    ]
    for direction in directions:
        direction.start()
    for direction in directions:
        direction.join()
    if any(direction.exitcode for direction in directions):
        sys.exit("a direction was not trained")
    for name in names:
        join_costs(folder / name)


def train_direction(
    direction: str, source: Path, target: Path, folder: Path, names: list[str], pairs: list[Pair]
) -> None:
    """Train one direction, model after model, and write the links and the costs of each."""
    model = begun(source, target)
    passed = {"cpu": 0.0, "wall": 0.0}  # aligning by models that are only on the way
    for name in names:
        model = trained(model, STAGES[name])
        before = clock()
        write_links(folder / name / f"{direction}.links", model, pairs, direction == "reverse")
        after = clock()
        own = {
            "training": before["cpu"] - passed["cpu"],
            "aligning": after["cpu"] - before["cpu"],
            "wall": after["wall"] - passed["wall"],
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE,
        }
        (folder / name / f"{direction}.json").write_text(json.dumps(own))
        passed = {kind: passed[kind] + after[kind] - before[kind] for kind in passed}


def join_costs(folder: Path) -> None:
    """Put together what both directions of a model have cost; their memory is added up, as both are needed."""
    both = [json.loads((folder / f"{direction}.json").read_text()) for direction in ("forward", "reverse")]
    stages = {stage: sum(one[stage] for one in both) for stage in ("training", "aligning")}
    costs = {
        "cpu_seconds": sum(stages.values()),
        "wall_seconds": max(one["wall"] for one in both),
        "peak_mb": sum(one["peak_mb"] for one in both),
    }
    (folder / "costs.json").write_text(json.dumps(costs))
    (folder / "stages.json").write_text(json.dumps(stages))


def clock() -> dict[str, float]:
    """The seconds of this process so far."""
    return {"cpu": time.process_time(), "wall": time.perf_counter() - START}


def begun(source: Path, target: Path) -> alignment.AlignmentModel:
    """Give the text to the first model."""
    model = alignment.Ibm1AlignmentModel()
    model.read_sentence_pairs(str(source), str(target))
    return model


def trained(model: alignment.AlignmentModel, stages: list[type]) -> alignment.AlignmentModel:
    """Go on from a model through some stages."""
    for stage in stages:
        model = model if isinstance(model, stage) else stage(model)
        model.start_training()
        for _ in range(ITERATIONS):
            model.train()
        model.end_training()
    return model


def first_pairs(source: Path, target: Path, count: int) -> list[Pair]:
    """Read the words of the first pairs."""
    with (
        source.open(encoding="utf-8", newline="\n") as left,
        target.open(encoding="utf-8", newline="\n") as right,
    ):
        lines = islice(zip(left, right, strict=True), count)
        return [(one.split(), other.split()) for one, other in lines]


def write_links(path: Path, model: alignment.AlignmentModel, pairs: list[Pair], turned: bool) -> None:
    """Write the links of one direction, always source-target."""
    with path.open("w") as stream:
        for left, right in pairs:
            links = best_links(model, left, right)
            stream.write(" ".join(f"{j}-{i}" if turned else f"{i}-{j}" for i, j in links) + "\n")


def best_links(
    model: alignment.AlignmentModel, source: list[str], target: list[str]
) -> list[tuple[int, int]]:
    """Return the (source, target) positions of the best alignment."""
    _, matrix = model.get_best_alignment(source, target)
    rows, columns = matrix.to_numpy().nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), sys.argv[4], int(sys.argv[5]))
