"""How Cepts grows: CPU seconds, peak memory and nanoseconds per cell and iteration at several sizes.

    python benchmarks/scaling.py --corpus de-en --pairs 25000,100000,400000

If time is linear in cells, the nanoseconds of a stage are the same in every row. At `--threads-at` pairs one
thread is compared with two in wall time, which means something on an idle machine only.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora import Corpus, build_corpus
from measure import Measurement, measure
from report import align_columns
from signature import one_line, signature

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = dict[str, Any]
GOAL = 1.15


def main(arguments: list[str] | None = None) -> None:
    """Align each size, print the table, write JSON."""
    options = parse(arguments)
    sizes = [int(size) for size in options.pairs.split(",")]
    run_once(options, min(sizes), threads=1)  # compiles what is not compiled yet
    rows = [run_once(options, size, threads=1) for size in sizes]
    threads = (
        [run_once(options, options.threads_at, threads) for threads in (1, 2)] if options.threads_at else []
    )
    made = signature(options.cepts_options, 1)
    print(f"{options.corpus}, one thread; ns: wall nanoseconds per cell and iteration", table(rows), sep="\n")
    print(linearity(rows))
    if threads:
        print(speedup(threads))
    print(one_line(made))
    if options.output:
        result = {"corpus": options.corpus, "signature": made, "rows": rows, "threads": threads}
        result["per_cell"] = per_cell(rows)
        Path(options.output).write_text(json.dumps(result, indent=1) + "\n")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", default="de-en", help="a folder of $CEPTS_DATA/words")
    parser.add_argument("--pairs", default="25000,100000,400000", help="numbers of training pairs")
    parser.add_argument(
        "--threads-at", type=int, default=100_000, help="pairs for one or two threads; 0: skip"
    )
    parser.add_argument("--cepts-options", default="--method fast", help="options for cepts align")
    parser.add_argument("--output", help="write the figures as JSON to this file")
    return parser.parse_args(arguments)


def run_once(options: argparse.Namespace, pairs: int, threads: int) -> Row:
    """Align the first pairs of the corpus and return what that took."""
    print(f"aligning {pairs} pairs, threads: {threads}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as name:
        folder = Path(name)
        corpus = build_corpus(options.corpus, "dev", pairs, folder)
        command = [sys.executable, "-m", "cepts", "align", corpus.source, corpus.target]
        command += ["--threads", str(threads), "--output", folder / "links", "--timings", folder / "timings"]
        used = measure([*command, *shlex.split(options.cepts_options)])
        return row_of(corpus, threads, used, json.loads((folder / "timings").read_text()))


def row_of(corpus: Corpus, threads: int, used: Measurement, timings: dict[str, Any]) -> Row:
    """Put the sizes, the costs and the nanoseconds by stage in one row."""
    return {
        "pairs": corpus.pairs,
        "threads": threads,
        "cells": timings["cells"],
        "cpu_seconds": used.cpu_seconds,
        "wall_seconds": used.wall_seconds,
        "peak_mb": used.peak_mb,
        "seconds": timings["seconds"],
        "nanoseconds": nanoseconds(timings),
    }


def nanoseconds(timings: dict[str, Any]) -> dict[str, float]:
    """Return the nanoseconds per cell and iteration of each stage that iterates.

    >>> nanoseconds({"cells": 1000, "iterations": {"hmm": 5}, "seconds": {"read": 0.5, "hmm": 0.0005}})
    {'hmm': 100.0}
    """
    steps = {stage: count * timings["cells"] for stage, count in timings["iterations"].items() if count}
    return {stage: round(1e9 * timings["seconds"][stage] / count, 2) for stage, count in steps.items()}


def table(rows: Sequence[Row]) -> str:
    """Draw one line for each size."""
    stages = list(rows[0]["nanoseconds"])
    heads = ["pairs", "cells", "CPU s", "wall s", "reading %", "RSS MB", *(f"{stage} ns" for stage in stages)]
    lines = [
        [
            str(row["pairs"]),
            str(row["cells"]),
            f"{row['cpu_seconds']:.1f}",
            f"{row['wall_seconds']:.1f}",
            f"{100 * row['seconds']['read'] / row['wall_seconds']:.1f}",
            f"{row['peak_mb']:.0f}",
            *(f"{row['nanoseconds'][stage]:.1f}" for stage in stages),
        ]
        for row in rows
    ]
    return align_columns([heads, *lines], left=0)


def per_cell(rows: Sequence[Row]) -> float:
    """Return the time of a cell at the largest size, that at the smallest being 1; starting and reading do not count.

    >>> small, large = {"cells": 10, "seconds": {"read": 5, "hmm": 1}}, {"cells": 20, "seconds": {"read": 9, "hmm": 4}}
    >>> per_cell([large, small])
    2.0
    """
    sizes = sorted(rows, key=lambda row: row["cells"])
    spent = [sum(row["seconds"].values()) - row["seconds"]["read"] for row in sizes]
    return float(spent[-1] / sizes[-1]["cells"] / (spent[0] / sizes[0]["cells"]))


def linearity(rows: Sequence[Row]) -> str:
    """Say how much more a cell takes in the largest text than in the smallest."""
    times = f"{per_cell(rows):.2f} times as long in the largest text as in the smallest"
    return f"a cell takes {times} (goal: at most {GOAL})"


def speedup(rows: Sequence[Row]) -> str:
    """Compare one thread with two."""
    one, two = (row["wall_seconds"] for row in rows)
    times = f"{one:.1f} s with one thread, {two:.1f} s with two"
    return f"{rows[0]['pairs']} pairs: {times}, {one / two:.2f} times as fast"


if __name__ == "__main__":
    main()
