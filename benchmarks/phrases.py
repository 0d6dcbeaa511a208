"""What `cepts phrases` costs: CPU seconds and peak memory at several sizes of text and of memory.

    python benchmarks/phrases.py --corpus en-fr-hansards --pairs 25000,100000 --memory 32M,256M

Links are made by `cepts align` and not measured. Memory is bounded if, in the rows of one `--memory`, it stays the same
however large the text is; what it is beyond that is Python, the compiled loops and the vocabulary.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora import build_corpus
from measure import Measurement, measure
from report import align_columns
from signature import one_line, signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpora import Corpus

Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Write the tables of each size, print what that took, write JSON."""
    options = parse(arguments)
    sizes = [int(size) for size in options.pairs.split(",")]
    list(rows_of_size(options, 100))  # compiles what is not compiled yet
    rows = [row for size in sizes for row in rows_of_size(options, size)]
    made = signature(f"{options.align_options} | {options.phrases_options}", 1)
    print(f"{options.corpus}, table to {options.name}", table(rows), one_line(made), sep="\n")
    if options.output:
        result = {"corpus": options.corpus, "signature": made, "rows": rows}
        Path(options.output).write_text(json.dumps(result, indent=1) + "\n")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", default="en-fr-hansards", help="a folder of $CEPTS_DATA/words")
    parser.add_argument("--pairs", default="25000,100000", help="numbers of training pairs")
    parser.add_argument("--memory", default="32M,256M", help="sizes for cepts phrases --memory")
    parser.add_argument("--name", default="table", help="the table's name; table.gz: compressed")
    parser.add_argument("--align-options", default="--combine grow-diag-final-and", help="for cepts align")
    parser.add_argument("--phrases-options", default="--max-length 7", help="for cepts phrases")
    parser.add_argument("--output", help="write the figures as JSON to this file")
    return parser.parse_args(arguments)


def rows_of_size(options: argparse.Namespace, pairs: int) -> Iterator[Row]:
    """Align the first pairs of the corpus, and write their table with each size of memory."""
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as name:
        folder = Path(name)
        corpus = build_corpus(options.corpus, "dev", pairs, folder)
        texts = [corpus.source, corpus.target]
        print(f"aligning {pairs} pairs", file=sys.stderr, flush=True)
        cepts = [sys.executable, "-m", "cepts"]
        measure([*cepts, "align", *texts, "--output", folder / "links", *shlex.split(options.align_options)])
        for memory in options.memory.split(","):
            print(f"phrases of {pairs} pairs in {memory}", file=sys.stderr, flush=True)
            output = folder / options.name
            command = [*cepts, "phrases", *texts, folder / "links", "--output", output, "--memory", memory]
            command += shlex.split(options.phrases_options)
            yield row_of(corpus, memory, measure(command), output)


def row_of(corpus: Corpus, memory: str, used: Measurement, output: Path) -> Row:
    """Put the sizes and the costs in one row."""
    return {
        "pairs": corpus.pairs,
        "memory": memory,
        "table_mb": output.stat().st_size / 1e6,
        "cpu_seconds": used.cpu_seconds,
        "wall_seconds": used.wall_seconds,
        "peak_mb": used.peak_mb,
    }


def table(rows: Sequence[Row]) -> str:
    """Draw one line for each run."""
    heads = ["pairs", "--memory", "table MB", "CPU s", "wall s", "RSS MB"]
    lines = [
        [
            str(row["pairs"]),
            row["memory"],
            f"{row['table_mb']:.1f}",
            f"{row['cpu_seconds']:.1f}",
            f"{row['wall_seconds']:.1f}",
            f"{row['peak_mb']:.0f}",
        ]
        for row in rows
    ]
    return align_columns([heads, *lines], left=0)


if __name__ == "__main__":
    main()
