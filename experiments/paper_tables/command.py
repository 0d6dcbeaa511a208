"""The command line of an experiment: what all of them can be asked for."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cepts.errors import CeptsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Results = TypeVar("Results")
Sheet = TypeVar("Sheet")

RESULTS = Path(__file__).resolve().parents[1] / "results"
ROW_CHOICES = (("table", "tables"), ("corpus", "corpora"), ("row", "rows"))


def parser_of(text: str | None) -> argparse.ArgumentParser:
    """Start a command line whose help begins with the first line of a script's docstring."""
    return argparse.ArgumentParser(description=(text or "").partition("\n")[0])


def add_setting(parser: argparse.ArgumentParser, pairs: str) -> None:
    """Add what is scored, how much text there is, and where results go; `pairs` is the help of --pairs."""
    add_part(parser)
    parser.add_argument("--pairs", type=positive, help=pairs)
    add_threads(parser)
    add_output(parser)


def add_part(parser: argparse.ArgumentParser, scored: str = "what is scored") -> None:
    """Add the part that is scored."""
    parser.add_argument("--part", choices=("dev", "test"), default="dev", help=f"{scored} (default: dev)")


def add_threads(parser: argparse.ArgumentParser, default: int = 2) -> None:
    """Add the number of threads."""
    parser.add_argument("--threads", type=positive, default=default, help="default: %(default)s")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add where results go."""
    parser.add_argument(
        "--output", type=Path, default=RESULTS, help="a folder (default: experiments/results)"
    )


def add_rows(parser: argparse.ArgumentParser, known: Iterable[Iterable[str]]) -> None:
    """Add which tables, corpora and rows are run; see `choose_rows`."""
    for (_, option), names in zip(ROW_CHOICES, known, strict=True):
        add_choice(parser, f"--{option}", names)


def choose_rows(
    parser: argparse.ArgumentParser, options: argparse.Namespace, known: Iterable[Iterable[str]]
) -> None:
    """Put the names of tables, corpora and rows in the place of their texts, or end with a word on an unknown one."""
    for (kind, option), names in zip(ROW_CHOICES, known, strict=True):
        choose(parser, options, kind, option, names)


def add_choice(parser: argparse.ArgumentParser, option: str, known: Iterable[str]) -> None:
    """Add an option that takes some of the known names; see `choose`."""
    parser.add_argument(option, help=f"names joined by commas: {', '.join(known)} (default: all)")


def choose(
    parser: argparse.ArgumentParser, options: argparse.Namespace, kind: str, option: str, known: Iterable[str]
) -> None:
    """Put the names that an option asks for in the place of its text, or end with a word on the unknown one."""
    try:
        setattr(options, option, chosen(kind, getattr(options, option), tuple(known)))
    except ValueError as error:
        parser.error(str(error))


def add_resuming(parser: argparse.ArgumentParser) -> None:
    """Add what becomes of runs that are there."""
    parser.add_argument("--again", action="store_true", help="run also what is there already")
    parser.add_argument("--report", action="store_true", help="run nothing, only write the report")


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


def stem_of(name: str, part: str, *others: object) -> str:
    """Name the files of a sheet; only what is reported, the test part at full size, has the bare name.

    >>> stem_of("regularised-small", "test", None), stem_of("regularised-small", "dev", 300)
    ('regularised-small', 'regularised-small-dev-300')
    """
    parts = [None if part == "test" else part, *others]
    return "-".join([name, *(str(one) for one in parts if one is not None)])


def run_and_report(
    results: Callable[[Path], Results],
    name: str,
    sheet: Sheet,
    options: argparse.Namespace,
    run_missing: Callable[[Results, Sheet, argparse.Namespace], None],
    write_report: Callable[[Results, Sheet, Path], list[Path]],
    tables: Callable[[Results, Sheet], str] | None = None,
) -> None:
    """Run what is missing in the results of a name, write the report, and print tables if there are any to print.

    A known error ends it in one line.
    """
    try:
        known = results(options.output / f"{name}.json")
        if not options.report:
            run_missing(known, sheet, options)
        for path in write_report(known, sheet, options.output):
            say(f"wrote {path}")
    except CeptsError as error:
        raise SystemExit(str(error)) from None
    if tables:
        print(tables(known, sheet))


def say(text: str) -> None:
    """Tell whoever waits."""
    print(text, file=sys.stderr, flush=True)
