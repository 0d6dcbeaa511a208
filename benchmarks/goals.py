"""Costs beside their goals: rows of figures, the report of them, and the files that keep both."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cepts.storage import atomic_writer
from corpora import ROOT
from signature import one_line

sys.path.append(str(ROOT / "experiments"))  # Markdown and command lines are made as there

from paper_tables.command import say
from paper_tables.markdown import joined, markdown, section

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

Row = dict[str, Any]  # a cost, a rate or a ratio, with its goal


def row(
    what: str, value: float, unit: str, at_most: float | None = None, at_least: float | None = None
) -> Row:
    """Make a row, with its goal if there is one, and tell whoever waits."""
    say(f"{what}: {amount(value, unit)}")
    goal = at_most if at_least is None else at_least
    met = None if goal is None else value <= goal if at_least is None else value >= goal
    return {"what": what, "value": value, "unit": unit, "goal": goal, "met": met}


def speed_report(title: str, about: str, result: Row, more: Iterable[str] = (), digits: int = 3) -> str:
    """Write a report of rows: goals, other costs, further sections; `digits` are those of numbers below ten."""
    rows = result["rows"]
    return joined(
        [
            f"# {title}",
            about,
            section("Does it hold?", goals(rows, digits)),
            section("Besides", costs(rows, digits)),
            *more,
            section("How it was made", one_line(result["signature"])),
        ]
    )


def goals(rows: Sequence[Row], digits: int) -> str:
    """Write what was reached of what was asked for."""
    lines = [
        [
            f"{row['what']}: {amount(row['goal'], row['unit'], digits)}",
            "**yes**" if row["met"] else "**no**",
            amount(row["value"], row["unit"], digits),
        ]
        for row in rows
        if row["goal"] is not None
    ]
    return markdown(["goal", "reached", "ours"], lines) if lines else ""


def costs(rows: Sequence[Row], digits: int) -> str:
    """Write what has no goal."""
    lines = [[row["what"], amount(row["value"], row["unit"], digits)] for row in rows if row["goal"] is None]
    return markdown(["what", "cost"], lines) if lines else ""


def amount(value: float, unit: str, digits: int = 3) -> str:
    """Write a number and its unit; `digits` are those of numbers below ten, and counts have none.

    >>> amount(1234.5, "MB"), amount(12.34, "CPU s"), amount(0.1234, "s on two threads"), amount(0, "errors")
    ('1,234 MB', '12.3 CPU s', '0.123 s on two threads', '0 errors')
    """
    shown = 0 if isinstance(value, int) or value >= 1000 else 1 if value >= 10 else digits
    return f"{value:,.{shown}f} {unit}"


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add where results go."""
    parser.add_argument(
        "--output", type=Path, default=ROOT / "benchmarks/results", help="a folder (default: %(default)s)"
    )


def write_results(folder: Path, stem: str, result: object, report: str) -> None:
    """Write figures as JSON, and their report beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, text in ((".json", json.dumps(result, indent=1) + "\n"), (".md", report)):
        path = folder / f"{stem}{suffix}"
        with atomic_writer(path) as file:
            file.write(text)
        say(f"wrote {path}")
