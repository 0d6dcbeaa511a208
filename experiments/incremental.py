"""Is a text that is added to a model worth what it is in one training? AER on the development parts, and CPU seconds.

    python experiments/incremental.py
    python experiments/incremental.py --corpora de-en --old 40000 --new 10000

Models are trained on the first OLD training pairs (old), on these and then the next NEW (added: `Aligner.updated`), the
same in four steps (in steps), and on all of them at once (all); each then aligns the development part, which none has
seen. Rows are added to a JSON file as they finish, and skipped when they are there; the Markdown beside it is made from
it. Test parts are not read.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))  # the corpora are read as the benchmarks read them

from cepts import Aligner, evaluate  # noqa: E402
from paper_tables.kept_rows import Row, fenced, read_rows, write_rows  # noqa: E402
from paper_tables.setting import read_corpus  # noqa: E402
from report import align_columns  # noqa: E402

if TYPE_CHECKING:
    from cepts import Bitext, Links

CORPORA = ("de-en", "en-fr-hansards", "en-hu", "ro-en", "zh-en")
STEPS = 4
WAYS = ("old", "added", "in steps", "all")


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=CORPORA)
    parser.add_argument("--old", type=int, default=10_000, help="pairs to begin with (default: %(default)s)")
    parser.add_argument("--new", type=int, default=10_000, help="pairs that are added (default: %(default)s)")
    parser.add_argument("--method", default="best", help="default: %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "experiments" / "results")
    options = parser.parse_args(arguments)
    path = options.output / "incremental.json"
    rows = read_rows(path)
    for name in options.corpora:
        key = {"corpus": name, "old": options.old, "new": options.new, "method": options.method}
        if any(key.items() <= row.items() for row in rows):
            continue
        bitext, gold, _ = read_corpus(name, "dev", options.old + options.new)
        rows.append(key | measured(bitext, gold, options))
        store(path, rows)
        print(rows[-1], flush=True)
    store(path, rows)


def measured(bitext: Bitext, gold: Links, options: argparse.Namespace) -> Row:
    """Train in all ways; return AER and CPU seconds of each, without those of what it begins with."""
    scored, begin, end = len(gold), len(gold) + options.old, len(bitext)
    dev = bitext.part(0, scored)
    aer, seconds = {}, {}

    def keep(way: str, start: float, aligner: Aligner) -> Aligner:
        seconds[way] = round(time.process_time() - start, 2)
        aer[way] = round(100 * evaluate(aligner.align(dev), gold, resamples=1).aer, 2)
        return aligner

    start = time.process_time()
    old = keep("old", start, Aligner(options.method).fit(bitext.part(scored, begin)))
    old.updated(bitext.part(0, 0))  # what it keeps of its text is made once, as it would be saved
    start = time.process_time()
    keep("added", start, old.updated(bitext.part(begin, end)))
    start, more = time.process_time(), old
    for step in range(STEPS):
        cuts = [begin + (end - begin) * (step + k) // STEPS for k in (0, 1)]
        more = more.updated(bitext.part(*cuts))
    keep("in steps", start, more)
    start = time.process_time()
    keep("all", start, Aligner(options.method).fit(bitext.part(scored, end)))
    return {"aer": aer, "seconds": seconds}


def store(path: Path, rows: list[Row]) -> None:
    """Write the rows and the table."""
    write_rows(
        path,
        rows,
        "# Text that is added to a model, development parts",
        fenced(table(rows)),
        "AER in percent / CPU seconds of a model of the old pairs, of that model with the new ones added, with the new"
        f" ones added in {STEPS} steps, and of one training on all. The development part is new text to all of them.",
    )


def table(rows: list[Row]) -> str:
    """Draw a line for each row, and the mean."""
    lines = [
        [
            row["corpus"],
            row["method"],
            f"{row['old']}",
            f"{row['new']}",
            *(f"{row['aer'][way]:.2f}/{row['seconds'][way]:.1f}" for way in WAYS),
        ]
        for row in rows
    ]
    means = [
        f"{sum(row['aer'][way] for row in rows) / len(rows):.2f}"
        f"/{sum(row['seconds'][way] for row in rows) / len(rows):.1f}"
        for way in WAYS
    ]
    return align_columns(
        [["corpus", "method", "pairs", "new", *WAYS], *lines, ["mean", "", "", "", *means]], left=2
    )


if __name__ == "__main__":
    main()
