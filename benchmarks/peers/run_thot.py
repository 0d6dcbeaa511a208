"""Align two files with thot (the package sil-thot), both directions. Usage: SOURCE TARGET FOLDER hmm|ibm4.

IBM-1, HMM and, for ibm4, IBM-3 and IBM-4, five iterations each, every model begun from the one before.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from thot import alignment

ITERATIONS = 5
STAGES = {
    "hmm": [alignment.Ibm1AlignmentModel, alignment.HmmAlignmentModel],
    "ibm4": [
        alignment.Ibm1AlignmentModel,
        alignment.HmmAlignmentModel,
        alignment.Ibm3AlignmentModel,
        alignment.Ibm4AlignmentModel,
    ],
}


def train(source: Path, target: Path, stages: list[type]) -> alignment.AlignmentModel:
    """Train a chain of models on two files and return the last."""
    model = stages[0]()
    model.read_sentence_pairs(str(source), str(target))
    for number, stage in enumerate(stages):
        model = stage(model) if number else model
        model.start_training()
        for _ in range(ITERATIONS):
            model.train()
        model.end_training()
    return model


def best_links(
    model: alignment.AlignmentModel, source: list[str], target: list[str]
) -> list[tuple[int, int]]:
    """Return the (source, target) positions of the best alignment."""
    _, matrix = model.get_best_alignment(source, target)
    rows, columns = matrix.to_numpy().nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def main(source: Path, target: Path, folder: Path, name: str) -> None:
    """Write `forward.links` and `reverse.links`, both source-target, and the CPU seconds of the stages."""
    start = time.process_time()
    forward = train(source, target, STAGES[name])
    reverse = train(target, source, STAGES[name])
    trained = time.process_time()
    sides = [[line.split() for line in file.read_text("utf-8").split("\n")[:-1]] for file in (source, target)]
    with (folder / "forward.links").open("w") as one, (folder / "reverse.links").open("w") as two:
        for left, right in zip(*sides, strict=True):
            one.write(" ".join(f"{i}-{j}" for i, j in best_links(forward, left, right)) + "\n")
            two.write(" ".join(f"{i}-{j}" for j, i in best_links(reverse, right, left)) + "\n")
    stages = {"training": trained - start, "aligning": time.process_time() - trained}
    (folder / "stages.json").write_text(json.dumps(stages))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), sys.argv[4])
