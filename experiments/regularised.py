"""Regularised mono-word and bi-word models: tables 2 and 3 of schoenemann-2011 on our data.

    python experiments/regularised.py --table small --part test --threads 2

Every row is trained in both directions and scored by weighted F (alpha 0.1) and AER. Finished runs are kept in
`experiments/results/regularised-small.json`, and a restarted script goes on behind them; `--together` trains both
directions of a run in one walk over the text, to the same figures in two thirds of the time. At the end the
report (Markdown) and its plots (SVG, needs the extra `experiments`) are written beside it. `--report` does only that.

Choices are made on dev; test is for the figures that are reported.
"""

from __future__ import annotations

from argparse import SUPPRESS
from typing import TYPE_CHECKING

from paper_tables.command import (
    add_choice,
    add_resuming,
    add_setting,
    choose,
    parser_of,
    positive,
    run_and_report,
    say,
)
from schoenemann_2011.report import write_report
from schoenemann_2011.results import Results, Sheet, weighted_f
from schoenemann_2011.rows import COLUMNS, CORPORA, PLACES, TABLES, runs_of

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from paper_tables.store import Record
    from schoenemann_2011.rows import Column, Run


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, then write the report."""
    options = parse(arguments)
    sheet = Sheet(options.table, options.part, options.pairs, options.iterations)
    run_and_report(Results, f"regularised-{options.table}", sheet, options, run_missing, write_report)


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Read the command line."""
    parser = parser_of(__doc__)
    parser.add_argument(
        "--table", choices=TABLES, default="small", help="small: the paper's table 3; large: table 2"
    )
    add_setting(parser, "training pairs of every corpus, for a quick look")
    add_choice(parser, "--corpora", CORPORA)
    add_choice(parser, "--rows", PLACES)
    parser.add_argument(
        "--together",
        action="store_true",
        help="both directions at once; each is charged half of the time",
    )
    parser.add_argument("--iterations", type=positive, help=SUPPRESS)  # of each stage: for tests
    add_resuming(parser)
    options = parser.parse_args(arguments)
    choose(parser, options, "corpus", "corpora", CORPORA)
    choose(parser, options, "row", "rows", (row for row in TABLES[options.table].rows if row in PLACES))
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run corpus after corpus what is not there yet, and keep each run as it finishes."""
    for corpus in options.corpora:
        columns = [column for column in COLUMNS if column.corpus == corpus]
        todo = [
            (run, column)
            for run in runs_of(options.rows)
            for column in columns
            if corpus in run.corpora
            if options.again or not results.has(sheet, run, column)
        ]
        if todo:
            run_corpus(results, sheet, corpus, grouped(todo, options.together), options.threads)


def grouped(todo: list[tuple[Run, Column]], together: bool) -> list[tuple[Run, list[Column]]]:
    """Put what is trained at once together: nothing, or both directions of a run, forward first."""
    groups: list[tuple[Run, list[Column]]] = []
    for run, column in todo:
        if together and groups and groups[-1][0] == run:
            groups[-1][1].append(column)
            groups[-1][1].sort(key=lambda one: one.direction)
        else:
            groups.append((run, [column]))
    return groups


def run_corpus(
    results: Results, sheet: Sheet, corpus: str, todo: list[tuple[Run, list[Column]]], threads: int
) -> None:
    """Run some runs on one corpus."""
    from schoenemann_2011.training import (
        read_text,
        train_run,
    )  # compiled kernels: not for --help and --report

    say(f"{corpus}: {sum(len(columns) for _, columns in todo)} runs to do")
    text = read_text(sheet, corpus, threads)
    for run, columns in todo:
        for record, column in zip(train_run(sheet, run, columns, text, threads), columns, strict=True):
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


if __name__ == "__main__":
    main()
