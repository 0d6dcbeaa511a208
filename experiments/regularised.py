"""Regularised mono-word and bi-word models: tables 2 and 3 of schoenemann-2011 on our data.

    python experiments/regularised.py --table small --part test --threads 2

Every row is trained in both directions and scored by weighted F (alpha 0.1) and AER. Finished runs are kept in
`experiments/results/regularised-small.json`, and a restarted script goes on behind them; at the end the report
(Markdown) and its plots (SVG, needs the extra `experiments`) are written beside it. `--report` does only that.

Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cepts.errors import CeptsError
from schoenemann_2011.report import write_report
from schoenemann_2011.results import Results, Sheet, weighted_f
from schoenemann_2011.rows import COLUMNS, CORPORA, PLACES, TABLES, runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schoenemann_2011.results import Record
    from schoenemann_2011.rows import Column, Run

RESULTS = Path(__file__).resolve().parent / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, then write the report."""
    options = parse(arguments)
    sheet = Sheet(options.table, options.part, options.pairs, options.iterations)
    try:
        results = Results(options.output / f"regularised-{options.table}.json")
        if not options.report:
            run_missing(results, sheet, options)
        for path in write_report(results, sheet, options.output):
            say(f"wrote {path}")
    except CeptsError as error:
        raise SystemExit(str(error)) from None


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--table", choices=TABLES, default="small", help="small: the paper's table 3; large: table 2"
    )
    parser.add_argument(
        "--part", choices=("dev", "test"), default="dev", help="what is scored (default: dev)"
    )
    parser.add_argument("--corpora", help=f"names joined by commas: {', '.join(CORPORA)} (default: all)")
    parser.add_argument("--rows", help=f"names joined by commas: {', '.join(PLACES)} (default: all)")
    parser.add_argument("--pairs", type=positive, help="training pairs of every corpus, for a quick look")
    parser.add_argument("--iterations", type=positive, help=argparse.SUPPRESS)  # of each stage: for tests
    parser.add_argument("--threads", type=positive, default=2, help="default: 2")
    parser.add_argument(
        "--output", type=Path, default=RESULTS, help="a folder (default: experiments/results)"
    )
    parser.add_argument("--again", action="store_true", help="run also what is there already")
    parser.add_argument("--report", action="store_true", help="run nothing, only write the report")
    options = parser.parse_args(arguments)
    rows = tuple(row for row in TABLES[options.table].rows if row in PLACES)
    try:
        options.corpora = chosen("corpus", options.corpora, CORPORA)
        options.rows = chosen("row", options.rows, rows)
    except ValueError as error:
        parser.error(str(error))
    return options


def positive(text: str) -> int:
    """Read a number from 1."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 1")
    return int(text)


def chosen(kind: str, text: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """Read names joined by commas; without any, all that are known.

    >>> chosen("row", "b,a", ("a", "b", "c"))
    ('b', 'a')
    """
    names = known if text is None else tuple(text.split(","))
    for name in names:
        if name not in known:
            raise ValueError(f"no {kind} {name}; there are {', '.join(known)}")
    return names


def run_missing(results: Results, sheet: Sheet, options: argparse.Namespace) -> None:
    """Run corpus after corpus what is not there yet, and keep each run as it finishes."""
    for corpus in options.corpora:
        columns = [column for column in COLUMNS if column.corpus == corpus]
        todo = [
            (run, column)
            for run in runs_of(options.rows)
            for column in columns
            if options.again or not results.has(sheet, run, column)
        ]
        if todo:
            run_corpus(results, sheet, corpus, todo, options.threads)


def run_corpus(
    results: Results, sheet: Sheet, corpus: str, todo: list[tuple[Run, Column]], threads: int
) -> None:
    """Run some runs on one corpus."""
    from schoenemann_2011.training import (
        read_text,
        train_run,
    )  # compiled kernels: not for --help and --report

    say(f"{corpus}: {len(todo)} runs to do")
    text = read_text(sheet, corpus, threads)
    for run, column in todo:
        record = train_run(sheet, run, column, text, threads)
        results.add(record)
        say(one_line(record, column))


def one_line(record: Record, column: Column) -> str:
    """Say what came out of a run."""
    stages = [
        f"{stage['model']} F {weighted_f(stage):.1f} objective {stage['objective']:.0f} "
        f"in {stage['wall_seconds']:.1f} s"
        for stage in record["stages"]
        if stage is not None
    ]
    return f"{column.corpus} {column.name} {record['run']}: {', '.join(stages)}"


def say(text: str) -> None:
    """Tell whoever waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
