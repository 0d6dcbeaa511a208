"""The command line of `experiments/cepts.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goutte_2004.choosing import check_choice, choices, choose_on_dev
from goutte_2004.report import tables, write_report
from goutte_2004.results import Results, Sheet
from goutte_2004.rows import BY_NAME, CORPORA
from paper_tables.command import (
    add_choice,
    add_resuming,
    add_setting,
    choose,
    parser_of,
    run_and_report,
    say,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from goutte_2004.rows import Run
    from paper_tables.store import Record

NAME = "cepts"


def main(arguments: Sequence[str] | None = None, about: str | None = None) -> None:
    """Run what is missing, write the report, and print the tables."""
    options = parse(arguments, about)
    sheet = Sheet(options.part, options.pairs)
    run_and_report(Results, NAME, sheet, options, run_missing, write_report, tables)


def parse(arguments: Sequence[str] | None, about: str | None = None) -> Namespace:
    """Read the command line."""
    parser = parser_of(about)
    add_setting(parser, "training pairs of every corpus, for a quick look (default: all)")
    add_choice(parser, "--corpora", CORPORA)
    add_choice(parser, "--recipes", BY_NAME)
    parser.add_argument(
        "--models", type=Path, help="a folder that keeps trained models for the next run (default: none)"
    )
    parser.add_argument(
        "--speed", action="store_true", help="measure the speed of the factorisation, and nothing else"
    )
    add_resuming(parser)
    options = parser.parse_args(arguments)
    choose(parser, options, "corpus", "corpora", CORPORA)
    choose(parser, options, "recipe", "recipes", BY_NAME)
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run corpus after corpus what is not there yet, keep each run as it finishes, and choose where that is due."""
    if options.speed:
        from goutte_2004.speed import measure_speed  # compiled kernels: not for --help and --report

        results.add(measure_speed(sheet.pairs))
        return
    check_choice(results, sheet)
    for corpus in options.corpora:
        runs = [BY_NAME[name] for name in options.recipes]
        todo = [run for run in runs if options.again or not results.has(sheet, run, corpus)]
        if todo:
            run_corpus(results, sheet, corpus, todo, options)
    if sheet.part == "dev":
        keep_choice(results, sheet)


def run_corpus(results: Results, sheet: Sheet, name: str, todo: list[Run], options: Namespace) -> None:
    """Run some models on one corpus."""
    from goutte_2004.measuring import measure_run
    from paper_tables.setting import read_corpus

    say(f"{name}: {len(todo)} runs to do")
    corpus = read_corpus(name, sheet.part, sheet.training_pairs(name))
    for run in todo:
        known = None if options.again else results.begun(sheet, run, name)
        record = measure_run(sheet, run, name, corpus, options.threads, options.models, known)
        results.add(record)
        say(one_line(record))


def keep_choice(results: Results, sheet: Sheet) -> None:
    """Keep what dev chooses, once all of it is there."""
    record = choose_on_dev(results, sheet)
    if record is None:
        say("no choice yet: it needs all corpora and recipes")
        return
    results.add(record)
    for kind, choice in choices(results, sheet).items():
        say(f"chosen, {kind}: {choice.label}")


def one_line(record: Record) -> str:
    """Say what came out of a run."""
    key = min(record["rows"], key=lambda key: record["rows"][key]["plain"][-1])
    rule = min(record["rules"], key=lambda rule: record["rules"][rule]["plain"][-1])
    best, other = record["rows"][key], record["rules"][rule]
    return (
        f"{record['corpus']} {record['run']}: lowest AER of cepts {best['plain'][-1]:.1f} ({key}, "
        f"{best['aligned']:.1f} % of the words), of others {other['plain'][-1]:.1f} ({rule}, "
        f"{other['aligned']:.1f} %), in {record['wall_seconds']:.1f} s"
    )
