"""The command line of `experiments/sentences.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huerta.report import tables, write_report
from huerta.results import Results, Sheet
from huerta.rows import CORPORA, NAMES, TABLES, rows_of
from paper_tables.command import (
    add_output,
    add_part,
    add_resuming,
    add_rows,
    add_threads,
    choose_rows,
    parser_of,
    positive,
    run_and_report,
    say,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from paper_tables.store import Record

NAME = "sentences"
KNOWN = (TABLES, CORPORA, NAMES)
FEWEST = 300  # training pairs that all rows can be run on: k is up to 256


def main(arguments: Sequence[str] | None = None, about: str | None = None) -> None:
    """Run what is missing, write the report, and print the tables."""
    options = parse(arguments, about)
    sheet = Sheet(options.part, options.size)
    run_and_report(Results, NAME, sheet, options, run_missing, write_report, tables)


def parse(arguments: Sequence[str] | None, about: str | None = None) -> Namespace:
    """Read the command line."""
    parser = parser_of(about)
    add_rows(parser, KNOWN)
    add_part(parser)
    parser.add_argument("--size", type=positive, help="training pairs, to see that everything works")
    add_threads(parser)
    add_output(parser)
    add_resuming(parser)
    options = parser.parse_args(arguments)
    choose_rows(parser, options, KNOWN)
    if options.size is not None and options.size < FEWEST:
        parser.error(f"--size {options.size}: expected a number from {FEWEST}")
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run what is not there yet, table after table, and keep each row as it finishes."""
    from huerta.measuring import MEASURED  # compiled kernels: not for --help and --report

    for table in options.tables:
        todo = [
            (row, corpus)
            for row in rows_of(table)
            for corpus in row.corpora
            if row.name in options.rows and corpus in options.corpora
            if options.again or not results.has(sheet, row, corpus)
        ]
        if todo:
            for record in MEASURED[table](sheet, todo, options.threads):
                results.add(record)
                say(one_line(record))


def one_line(record: Record) -> str:
    """Say what came out of a row."""
    return (
        f"{record['table']} {record['corpus']} {record['row']}: {record['said']}, "
        f"in {record['cpu_seconds']:.1f} CPU s"
    )
