"""Align two files with fast_align (the package systran-align), as `fast_align -d -o -v` in both directions.

Usage: SOURCE TARGET FOLDER. The module writes the trained tables and prints the trained tension on stdout or
stderr, which the caller keeps; its own aligner gives one symmetrised set of links (`own.links`), made with an
untrained tension. The links of each direction are read off the tables by fast_align_tables.py, afterwards.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import systran_align

EVERYTHING = -10_000.0  # no beam: the default keeps one entry of twenty and costs about a point of AER


def write_joint(source: Path, target: Path, joint: Path) -> None:
    """Write `source ||| target` lines."""
    with source.open(encoding="utf-8") as left, target.open(encoding="utf-8") as right:
        lines = (f"{one.rstrip()} ||| {two.rstrip()}\n" for one, two in zip(left, right, strict=True))
        joint.write_text("".join(lines), encoding="utf-8")


def train(source: Path, target: Path, folder: Path) -> None:
    """Train both directions and write their tables."""
    write_joint(source, target, folder / "joint")
    systran_align.generate_alignment_probabilities(
        input_path=str(folder / "joint"),
        forward_probs_path=str(folder / "forward.table"),
        backward_probs_path=str(folder / "reverse.table"),
        iterations=5,
        favor_diagonal=True,
        optimize_tension=True,
        variational_bayes=True,
        beam_threshold=EVERYTHING,
        verbose=True,
    )


def align(source: Path, target: Path, folder: Path) -> None:
    """Align all pairs with the module's own aligner."""
    aligner = systran_align.Aligner(str(folder / "forward.table"), str(folder / "reverse.table"))
    sides = [[line.split() for line in file.read_text("utf-8").split("\n")[:-1]] for file in (source, target)]
    with (folder / "own.links").open("w") as output:
        for result in aligner.align_batch(*sides):
            output.write(" ".join(f"{i}-{j}" for i, j in result["alignments"]) + "\n")


def main(source: Path, target: Path, folder: Path) -> None:
    """Train and align, and note the CPU seconds of both."""
    start = time.process_time()
    train(source, target, folder)
    trained = time.process_time()
    align(source, target, folder)
    stages = {"training": trained - start, "aligning": time.process_time() - trained}
    (folder / "stages.json").write_text(json.dumps(stages))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
