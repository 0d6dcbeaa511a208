"""What a text costs, by its size: a model fitted to runs on this machine, checked by a larger one, extended on paper.

    python benchmarks/cost_model.py --pairs 2500,5000,10000,20000 --check 40000

Each size is read, indexed, and goes through one E step and one M step of each stage and through linking, on one thread,
in CPU seconds. Costs are proportional to words, cells or word pairs (least squares through the origin); the number of
word pairs and of different words are powers of the cells and of the words. The check is a whole `cepts align` of a
larger text, whose cost is predicted from its number of pairs alone. Sizes that have been measured are not measured
again; the figures go into docs/scale.md, between its markers.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cost_report
from cepts import read_bitext
from cepts.aligning import recipe
from cepts.words import Hmm, Ibm1, Jumps, Lexicon, Trainer, index_bitext, link
from cepts.words.families import Families
from corpora import ROOT, build_corpus
from goals import add_output, write_results
from measure import measure
from signature import signature
from tables import fill_readme

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts import Bitext
    from cepts.aligning import Recipe
    from cepts.words import IndexedBitext, WordModel

Row = dict[str, Any]
# What each cost is proportional to.
PROPORTIONS = {
    "read": "words",
    "index": "cells",
    "ibm1_expect": "cells",
    "hmm_expect": "cells",
    "maximise": "entries",
    "families": "entries",
    "likeness": "entries",
    "link": "cells",
}
POWERS = {"entries": "cells", "types": "words"}
SMALL = 100  # pairs of the run that shows what starting takes


def main(arguments: list[str] | None = None) -> None:
    """Measure, fit, check, extend, write."""
    asked = parse(arguments)
    path = asked.output / "cost-model.json"
    known = json.loads(path.read_text()) if path.exists() else {"rows": [], "checks": []}
    rows = with_rows(known["rows"], asked.corpus, [int(size) for size in asked.pairs.split(",")])
    fit = fitted(rows)
    checks = with_checks(known["checks"], asked, fit)
    result = {
        "rows": rows,
        "fit": fit,
        "checks": checks,
        "paper": cost_report.extended(fit),
        "signature": signature("--method fast", 1),
    }
    write_results(asked.output, "cost-model", result, cost_report.report(result))
    if asked.output == ROOT / "benchmarks/results":
        fill_readme("costs", cost_report.figures(result), ROOT / "docs" / "scale.md")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", default="de-en", help="default: %(default)s")
    parser.add_argument("--pairs", default="2500,5000,10000,20000", help="sizes (default: %(default)s)")
    parser.add_argument("--check", type=int, default=40_000, help="pairs to predict; 0: none")
    add_output(parser)
    return parser.parse_args(arguments)


def with_rows(known: list[Row], corpus: str, sizes: list[int]) -> list[Row]:
    """Return the rows of all sizes, measuring those that are missing."""
    found = {(row["corpus"], row["pairs"]): row for row in known}
    for size in sizes:
        if (corpus, size) not in found:
            found[corpus, size] = {"corpus": corpus, "pairs": size} | measured(corpus, size)
            print(found[corpus, size], file=sys.stderr, flush=True)
    return [row for _, row in sorted(found.items()) if row["corpus"] == corpus]


class Clock:
    """CPU seconds by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, name: str, work: Callable[[], Any]) -> Any:
        """Do something, and note how long it takes."""
        begin = time.process_time()
        done = work()
        self.seconds[name] = round(time.process_time() - begin, 4)
        return done


def measured(corpus: str, pairs: int) -> Row:
    """Read, index, go through one iteration of each stage, and link."""
    clock, chosen = Clock(), recipe("fast")
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as folder:
        text = build_corpus(corpus, "dev", pairs, Path(folder))
        read_bitext(text.source, text.target)  # what must be compiled is compiled now
        bitext = clock("read", lambda: read_bitext(text.source, text.target))
    indexed = clock("index", lambda: index_bitext(bitext))
    walk(bitext, indexed, chosen, clock)
    return sizes_of(bitext, indexed) | {"seconds": clock.seconds}


def walk(bitext: Bitext, indexed: IndexedBitext, chosen: Recipe, clock: Clock) -> None:
    """Take the time of E steps, M steps and linking; a second time, since the first compiles."""
    jumps = Jumps.initial(chosen.jump_band, indexed.longest, chosen.null_probability)
    families = clock("likeness", lambda: Families.of(bitext, indexed, "beginnings", 4.0))
    for _ in range(2):
        model: WordModel = Ibm1(Lexicon.uniform(indexed), chosen.null_probability)
        model = step(model, indexed, chosen, "ibm1", clock)
        model = Hmm(model.lexicon, (jumps, jumps), indexed.longest)
        model = step(model, indexed, chosen, "hmm", clock)
        totals = model.new_totals(indexed)
        tied = chosen.training_of("hmm")._replace(families=families)
        clock("families", lambda: model.maximised(totals, tied))  # noqa: B023
        clock("link", lambda: link(model, bitext, indexed, (True, True), chosen.threshold))  # noqa: B023


def step(model: WordModel, indexed: IndexedBitext, chosen: Recipe, stage: str, clock: Clock) -> WordModel:
    """Go through one iteration."""
    trainer, training = Trainer(model, indexed), chosen.training_of(stage)
    totals = clock(f"{stage}_expect", lambda: trainer.expect(training))
    better: WordModel = clock("maximise", lambda: model.maximised(totals, training))
    return better


def sizes_of(bitext: Bitext, indexed: IndexedBitext) -> Row:
    """What costs are proportional to, and what is stored."""
    return {
        "words": len(bitext.source.ids) + len(bitext.target.ids),
        "types": len(bitext.source.words) + len(bitext.target.words),
        "cells": int(bitext.cells),
        "places": sum(len(chunk.cells) for chunk in indexed.chunks),
        "entries": len(indexed.columns),
        "chunk_entries": sum(len(chunk.entries) for chunk in indexed.chunks),
    }


def fitted(rows: list[Row]) -> Row:
    """Fit costs and sizes.

    >>> row = {"pairs": 10, "words": 100, "types": 10, "cells": 1000, "places": 1100, "entries": 100}
    >>> row |= {"chunk_entries": 300, "seconds": dict.fromkeys(PROPORTIONS, 2.0)}
    >>> twice = row | {"words": 200, "types": 20, "cells": 2000, "entries": 200}
    >>> model = fitted([row, twice | {"seconds": dict.fromkeys(PROPORTIONS, 4.0)}])
    >>> model["seconds"]["link"], [round(number, 6) for number in model["entries"]]
    (0.002, [0.1, 1.0])
    """
    seconds = {
        name: proportion([row[size] for row in rows], [row["seconds"][name] for row in rows])
        for name, size in PROPORTIONS.items()
    }
    powers = {
        name: power([row[of] for row in rows], [row[name] for row in rows]) for name, of in POWERS.items()
    }
    last = rows[-1]
    per_pair = {name: last[name] / last["pairs"] for name in ("words", "cells", "places")}
    return {"seconds": seconds, **powers, "per_pair": per_pair}


def proportion(sizes: list[float], costs: list[float]) -> float:
    """The factor between sizes and costs: least squares through the origin."""
    return sum(x * y for x, y in zip(sizes, costs, strict=True)) / sum(x * x for x in sizes)


def power(sizes: list[float], counts: list[float]) -> tuple[float, float]:
    """The factor and the exponent of a power law: a line through logarithms."""
    xs, ys = [math.log(x) for x in sizes], [math.log(y) for y in counts]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    exponent = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / sum(
        (x - mean_x) ** 2 for x in xs
    )
    return math.exp(mean_y - exponent * mean_x), exponent


def with_checks(known: list[Row], asked: argparse.Namespace, fit: Row) -> list[Row]:
    """Run a larger text whole, and compare with what was predicted of it; figures of others stay."""
    runs = {(row["corpus"], row["pairs"]): row["cpu_seconds"] for row in known}
    start = {(row["corpus"]): row["start_seconds"] for row in known}
    if asked.check and (asked.corpus, asked.check) not in runs:
        run_whole(asked.corpus, SMALL)  # compiles what is not compiled yet
        start[asked.corpus] = run_whole(asked.corpus, SMALL)
        runs[asked.corpus, asked.check] = run_whole(asked.corpus, asked.check)
    return [
        {
            "corpus": corpus,
            "pairs": pairs,
            "cpu_seconds": spent,
            "start_seconds": start[corpus],
            "predicted": start[corpus] + cost_report.one_run(fit, pairs),
        }
        for (corpus, pairs), spent in sorted(runs.items())
    ]


def run_whole(corpus: str, pairs: int) -> float:
    """Return the CPU seconds of `cepts align --method fast` on one thread."""
    with tempfile.TemporaryDirectory(prefix="cepts-benchmark-") as name:
        text = build_corpus(corpus, "dev", pairs, Path(name))
        command = [sys.executable, "-m", "cepts", "align", text.source, text.target, "--method", "fast"]
        return measure([*command, "--output", Path(name) / "links"]).cpu_seconds


if __name__ == "__main__":
    main()
