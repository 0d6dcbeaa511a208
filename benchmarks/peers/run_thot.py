"""Align two files with thot (the package sil-thot), both directions. Usage: SOURCE TARGET FOLDER hmm|ibm4 PAIRS.

IBM-1 and HMM, then, for ibm4, IBM-3 and IBM-4, five iterations each, every model begun from the one before. The first
PAIRS are aligned. What a model has made stands in a folder of its name: the HMM's also where it is on the way to IBM-4.
"""

from __future__ import annotations

import json
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
    """Train model after model to the last, and write links and costs of each."""
    pairs, models = first_pairs(source, target, count), [begun(source, target), begun(target, source)]
    aligning = {"cpu": 0.0, "wall": 0.0}  # of the models that are only on the way
    for name, stages in STAGES.items():
        models = [trained(model, stages) for model in models]
        before = clock()
        write_links(folder / name, models, pairs)
        after = clock()
        costs = {
            "cpu_seconds": after["cpu"] - aligning["cpu"],
            "wall_seconds": after["wall"] - aligning["wall"],
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE,
        }
        own = {"training": before["cpu"] - aligning["cpu"], "aligning": after["cpu"] - before["cpu"]}
        (folder / name / "costs.json").write_text(json.dumps(costs))
        (folder / name / "stages.json").write_text(json.dumps(own))
        aligning = {kind: aligning[kind] + after[kind] - before[kind] for kind in aligning}
        if name == last:
            return


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


def write_links(folder: Path, models: list[alignment.AlignmentModel], pairs: list[Pair]) -> None:
    """Write `forward.links` and `reverse.links`, both source-target."""
    forward, reverse = models
    folder.mkdir(exist_ok=True)
    with (folder / "forward.links").open("w") as one, (folder / "reverse.links").open("w") as two:
        for left, right in pairs:
            one.write(" ".join(f"{i}-{j}" for i, j in best_links(forward, left, right)) + "\n")
            two.write(" ".join(f"{i}-{j}" for j, i in best_links(reverse, right, left)) + "\n")


def best_links(
    model: alignment.AlignmentModel, source: list[str], target: list[str]
) -> list[tuple[int, int]]:
    """Return the (source, target) positions of the best alignment."""
    _, matrix = model.get_best_alignment(source, target)
    rows, columns = matrix.to_numpy().nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), sys.argv[4], int(sys.argv[5]))
