"""The command line of `experiments/names.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from freitag_2007.report import tables, write_report
from freitag_2007.results import Results, Sheet
from freitag_2007.rows import CORPORA, FOLDED, NAMES, TABLES, rows_of
from paper_tables.command import (
    add_output,
    add_part,
    add_resuming,
    add_rows,
    add_threads,
    choose_rows,
    parser_of,
    run_and_report,
    say,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from freitag_2007.rows import Row
    from paper_tables.store import Record

NAME = "names"
KNOWN = (TABLES, CORPORA, NAMES)


def main(arguments: Sequence[str] | None = None, about: str | None = None) -> None:
    """Run what is missing, write the report, and print the tables."""
    options = parse(arguments, about)
    sheet = Sheet(options.part, options.quick)
    run_and_report(Results, NAME, sheet, options, run_missing, write_report, tables)


def parse(arguments: Sequence[str] | None, about: str | None = None) -> Namespace:
    """Read the command line."""
    parser = parser_of(about)
    add_rows(parser, KNOWN)
    add_part(parser, "the names that are scored")
    parser.add_argument("--quick", action="store_true", help="little data, to see that everything works")
    add_threads(parser)
    parser.add_argument("--phonetisaurus", type=Path, help="the program (default: as installed)")
    add_output(parser)
    add_resuming(parser)
    options = parser.parse_args(arguments)
    choose_rows(parser, options, KNOWN)
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run what is not there yet, and keep each row as it finishes."""

    def todo(table: str, corpus: str | None = None) -> list[Row]:
        wanted = table in options.tables
        rows = [row for row in rows_of(table) if wanted and row.name in options.rows]
        where = [(row, corpus or row.corpora[0]) for row in rows if corpus is None or corpus in row.corpora]
        return [row for row, place in where if options.again or not results.has(sheet, row, place)]

    folded = {table: todo(table) for table in FOLDED}
    named = {
        corpus: [row for table in TABLES if table not in FOLDED for row in todo(table, corpus)]
        for corpus in options.corpora
    }
    for record in run_rows(sheet, folded, named, options):
        if "skipped" not in record:
            results.add(record)
        say(one_line(record))


def run_rows(
    sheet: Sheet, folded: dict[str, list[Row]], named: dict[str, list[Row]], options: Namespace
) -> Iterator[Record]:
    """Run rows: the folded tables first, then corpus after corpus."""
    from freitag_2007 import measuring  # compiled kernels: not for --help and --report
    from freitag_2007.phonetisaurus import find_program

    program = find_program(options.phonetisaurus)
    if folded["consonants"]:
        yield from measuring.measure_consonants(sheet, folded["consonants"], options.threads)
    if folded["rhymes"]:
        yield from measuring.measure_rhymes(sheet, folded["rhymes"], options.threads)
    for corpus, rows in named.items():
        if rows:
            yield from measuring.measure_names(sheet, corpus, rows, options.threads, program)


SHOWN = ("agreeing", "accuracy", "precision", "mrr", "1-best", "5-best", "character_errors")


def one_line(record: Record) -> str:
    """Say what came out of a row."""
    found = [f"{name} {record[name][0]:.3f}" for name in SHOWN if name in record]
    said = record.get("skipped") or ", ".join(found) or "done"
    return (
        f"{record['table']} {record['corpus']} {record['row']}: {said}, in {record['cpu_seconds']:.1f} CPU s"
    )
