"""The command line of `experiments/accuracy.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from accuracy_report.readme import quote
from accuracy_report.report import summary, write_report
from accuracy_report.results import Results, Sheet
from accuracy_report.rows import (
    ABLATION_SIZES,
    BEST,
    CORPORA,
    KNOWN,
    SIZES,
    SYSTEMS,
    is_run,
    variant_systems,
    without_passed,
)
from accuracy_report.scoring import aer_of
from paper_tables.command import (
    add_choice,
    add_output,
    add_part,
    add_resuming,
    add_threads,
    choose,
    parser_of,
    run_and_report,
    say,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from paper_tables.store import Record

NAME = "accuracy"


def main(arguments: Sequence[str] | None = None, about: str | None = None) -> None:
    """Run what is missing, write the report, and print its summary."""
    options = parse(arguments, about)
    sheet = Sheet(options.part)
    run_and_report(Results, NAME, sheet, options, run_missing, write_report, summary)
    if options.readme:
        quote(Results(options.output / f"{NAME}.json"), sheet)


def parse(arguments: Sequence[str] | None, about: str | None = None) -> Namespace:
    """Read the command line."""
    parser = parser_of(about)
    add_part(parser)
    add_choice(parser, "--corpora", CORPORA)
    add_choice(parser, "--sizes", SIZES)
    parser.add_argument(
        "--systems", help=f"names joined by commas: {', '.join(KNOWN)} (default: {','.join(SYSTEMS)})"
    )
    parser.add_argument(
        "--ablation", action="store_true", help="run best and its variants, on 1k and 20k pairs unless told"
    )
    parser.add_argument("--readme", action="store_true", help="put the README's quotation in its place, too")
    add_threads(parser, 1)
    add_output(parser)
    add_resuming(parser)
    options = parser.parse_args(arguments)
    if options.ablation and options.systems:
        parser.error("--ablation has its own systems: drop --systems")
    if options.ablation:
        options.sizes = options.sizes or ",".join(ABLATION_SIZES)
    options.systems = options.systems or ",".join(SYSTEMS)
    choose(parser, options, "corpus", "corpora", CORPORA)
    choose(parser, options, "size", "sizes", SIZES)
    choose(parser, options, "system", "systems", KNOWN)
    if options.ablation:
        options.systems = (BEST, *variant_systems())
    return options


def run_missing(results: Results, sheet: Sheet, options: Namespace) -> None:
    """Run what is not there yet, the smallest sizes first, and keep each row as it finishes."""
    for size in options.sizes:
        for corpus in options.corpora:
            todo = [
                system
                for system in options.systems
                if is_run(system, corpus, size)
                if options.again or not results.has(sheet, corpus, size, system)
            ]
            if todo:
                run_corpus(results, sheet, corpus, size, without_passed(todo), options.threads)


def run_corpus(results: Results, sheet: Sheet, name: str, size: str, todo: list[str], threads: int) -> None:
    """Run some systems on so much of a corpus; one that is absent or fails is said and passed over."""
    from accuracy_report.measuring import measure_system, system_of  # compiled kernels: not for --help
    from corpora import build_corpus
    from measure import CommandFailedError

    with tempfile.TemporaryDirectory(prefix="cepts-experiment-") as folder:
        corpus = build_corpus(name, sheet.part, SIZES[size], Path(folder))
        for system in todo:
            if not system_of(system).is_installed:
                say(f"{system}: not installed ({system_of(system).package})")
                continue
            try:
                records = measure_system(sheet, corpus, size, system, threads)
            except CommandFailedError as error:
                say(f"{name} {size} {system}: failed: {error}")
                continue
            for record in records:
                results.add(record)
                say(one_line(record))


def one_line(record: Record) -> str:
    """Say what came out of a run."""
    return (
        f"{record['part']} {record['corpus']} {record['size']} {record['system']}: AER {aer_of(record):.2f} "
        f"({record['combined']}), {record['cpu_seconds']:.1f} CPU s, {record['peak_mb']:.0f} MB"
    )
