"""Should improbable word pairs be dropped between IBM-1 and the HMM? AER, size and time, on the development parts.

    python experiments/pruning.py --pairs 10000

`--method best`, with `--prune` and without.
Rows are added to a JSON file as they finish, and skipped when they are there; the Markdown beside it is made from it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

from cepts import Aligner  # noqa: E402
from cepts.evaluation import evaluate  # noqa: E402
from paper_tables.kept_rows import Row, fenced, read_rows, write_rows  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from cepts import Bitext, Links

CORPORA = ("de-en", "en-fr-hansards", "en-hu", "ro-en", "zh-en")
THRESHOLDS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3)


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=CORPORA)
    parser.add_argument("--pairs", type=int, default=10_000, help="training pairs (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    path = options.output / "pruning.json"
    rows = read_rows(path)
    for name in options.corpora:
        done = {row["threshold"] for row in rows if (row["corpus"], row["pairs"]) == (name, options.pairs)}
        wanted = [threshold for threshold in THRESHOLDS if threshold not in done]
        if wanted:
            bitext, gold, _ = read_corpus(name, "dev", options.pairs)
            for threshold in wanted:
                rows.append({"corpus": name, "pairs": options.pairs} | one_row(bitext, gold, threshold))
                store(path, rows)
                print(rows[-1], flush=True)
    store(path, rows)


def one_row(bitext: Bitext, gold: Links, threshold: float) -> Row:
    """Train and link with one threshold."""
    aligner = Aligner(prune=threshold)
    begin = time.process_time()
    links = aligner.fit(bitext).align(bitext)
    spent = time.process_time() - begin
    pairs, kept = aligner.word_pairs or (1, 1)
    return {
        "threshold": threshold,
        "aer": round(100 * evaluate(links.head(len(gold)), gold, resamples=1).aer, 2),
        "kept": round(kept / pairs, 4),
        "seconds": round(spent, 2),
    }


def store(path: Path, rows: list[Row]) -> None:
    """Write the rows and the table."""
    write_rows(
        path,
        rows,
        "# Pruning between IBM-1 and the HMM (`--method best`), development parts",
        fenced(table(rows)),
        "AER in percent / pairs kept in percent / CPU seconds of training and linking, by threshold (`--prune`).",
    )


def table(rows: list[Row]) -> str:
    """Draw a line for each corpus and size."""
    lines = []
    for corpus, pairs in sorted({(row["corpus"], row["pairs"]) for row in rows}):
        here = {row["threshold"]: row for row in rows if (row["corpus"], row["pairs"]) == (corpus, pairs)}
        cells = [
            f"{here[t]['aer']:.2f}/{100 * here[t]['kept']:.0f}/{here[t]['seconds']:.0f}" if t in here else "-"
            for t in THRESHOLDS
        ]
        lines.append([corpus, f"{pairs}", *cells])
    return align_columns([["corpus", "pairs", *(f"{t:g}" for t in THRESHOLDS)], *lines], left=1)


if __name__ == "__main__":
    main()
