"""How long Cepts takes before and around the work: `--help`, 100 pairs, and the first run ever.

python benchmarks/startup.py
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import build_corpus
from measure import Measurement, measure
from report import align_columns
from signature import one_line, signature

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORED = 37  # the dev part of en-fr-hansards
PAIRS = 100


def main(arguments: list[str] | None = None) -> None:
    """Measure the three starts, print the table, write JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--repeats", type=int, default=5, help="runs of each; the shortest counts (default: 5)"
    )
    parser.add_argument("--output", help="write the figures as JSON to this file")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        results = measure_all(Path(folder), options.repeats)
    made = signature("", 1)
    print(table(results), one_line(made), sep="\n")
    if options.output:
        rows = {name: vars(used) for name, used in results.items()}
        Path(options.output).write_text(json.dumps({"signature": made, "rows": rows}, indent=1) + "\n")


def measure_all(folder: Path, repeats: int) -> dict[str, Measurement]:
    """Measure help, the first run with an empty kernel cache, and then the same run with a warm one."""
    corpus = build_corpus("en-fr-hansards", "dev", PAIRS - SCORED, folder)
    align = [
        sys.executable,
        "-m",
        "cepts",
        "align",
        corpus.source,
        corpus.target,
        "--method",
        "fast",
        "--output",
        folder / "links",
    ]
    own_cache = {"CEPTS_CACHE": str(folder / "cache")}
    first = measure(align, own_cache)
    return {
        "cepts --help": shortest(
            [measure([sys.executable, "-m", "cepts", "--help"]) for _ in range(repeats)]
        ),
        f"{PAIRS} pairs, warm kernel cache": shortest([measure(align, own_cache) for _ in range(repeats)]),
        f"{PAIRS} pairs, first run ever": first,
    }


def shortest(measurements: Sequence[Measurement]) -> Measurement:
    """Return the run of the fewest wall seconds."""
    return min(measurements, key=lambda measurement: measurement.wall_seconds)


def table(results: dict[str, Measurement]) -> str:
    """Draw one line for each start."""
    lines = [
        [name, f"{used.wall_seconds:.2f}", f"{used.cpu_seconds:.2f}", f"{used.peak_mb:.0f}"]
        for name, used in results.items()
    ]
    return align_columns([["start", "wall s", "CPU s", "RSS MB"], *lines], left=1)


if __name__ == "__main__":
    main()
