"""Figures as rows, with their ratios to Cepts, and rows as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.links import Links
    from systems import Run

Row = dict[str, Any]
FIGURES = ("aer", "cpu_seconds", "wall_seconds", "peak_mb")


def rows_of(system: str, run: Run, gold: Links) -> list[Row]:
    """Score each symmetrisation of a run."""
    return [row_of(system, name, run, links, gold) for name, links in run.links.items()]


def row_of(system: str, symmetrisation: str, run: Run, links: Links, gold: Links) -> Row:
    """Put what a system was worth and what it cost in one row; rates are fractions."""
    scores = evaluate(links, gold)
    return {
        "system": system,
        "symmetrisation": symmetrisation,
        "aer": scores.aer,
        "precision": scores.precision,
        "recall": scores.recall,
        "links": scores.links,
        "cpu_seconds": run.used.cpu_seconds,
        "wall_seconds": run.used.wall_seconds,
        "peak_mb": run.used.peak_mb,
        "stages": run.stages,
    }


def with_ratios(rows: Sequence[Row]) -> list[Row]:
    """Add to each row its figures divided by those of Cepts, where Cepts was run."""
    base = next((row for row in rows if row["system"] == "cepts"), None)
    return [row | {"ratio_to_cepts": ratios(row, base)} for row in rows]


def ratios(row: Row, base: Row | None) -> dict[str, float | None]:
    """Divide the figures of a row by those of the base row.

    >>> ratios({"aer": 0.1, "cpu_seconds": 9.0}, {"aer": 0.05, "cpu_seconds": 4.0})
    {'aer': 2.0, 'cpu_seconds': 2.25}
    """
    known = [figure for figure in FIGURES if figure in row]
    return {figure: row[figure] / base[figure] if base and base[figure] else None for figure in known}


def table(rows: Sequence[Row]) -> str:
    """Draw rows with ratios as a plain table, rates in percent."""
    heads = ["system", "symmetrisation", "AER", "P", "R", "links", "CPU s", "wall s", "RSS MB"]
    return align_columns([heads, *(cells(row) for row in rows)])


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    scores = [f"{100 * row['precision']:.1f}", f"{100 * row['recall']:.1f}", str(row["links"])]
    return [
        row["system"],
        row["symmetrisation"],
        with_ratio(row, "aer", f"{100 * row['aer']:.2f}"),
        *scores,
        with_ratio(row, "cpu_seconds", f"{row['cpu_seconds']:.2f}"),
        with_ratio(row, "wall_seconds", f"{row['wall_seconds']:.2f}"),
        with_ratio(row, "peak_mb", f"{row['peak_mb']:.0f}"),
    ]


def with_ratio(row: Row, figure: str, text: str) -> str:
    """Write a figure and, for a peer, its ratio to Cepts."""
    ratio = row["ratio_to_cepts"][figure]
    return text if ratio is None or row["system"] == "cepts" else f"{text} ({ratio:.2f}x)"


def align_columns(lines: Sequence[Sequence[str]], left: int = 2) -> str:
    """Set cells in columns, the first `left` of them flush left, the others flush right.

    >>> print(align_columns([["system", "s"], ["cepts", "8.0"]], left=1))
    system    s
    cepts   8.0
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        [cell.ljust(width) if at < left else cell.rjust(width) for at, (cell, width) in enumerate(row)]
        for row in (list(zip(line, widths, strict=True)) for line in lines)
    )
    return "\n".join("  ".join(row).rstrip() for row in padded)


def stage_lines(rows: Sequence[Row]) -> list[str]:
    """Say how a peer's CPU seconds divide into training and the rest, each with its ratio to Cepts."""
    base = next((row["cpu_seconds"] for row in rows if row["system"] == "cepts"), None)
    stages = {row["system"]: row["stages"] for row in rows if row["stages"]}
    return [
        f"{system}: " + ", ".join(stage_text(name, seconds, base) for name, seconds in parts.items())
        for system, parts in stages.items()
    ]


def stage_text(name: str, seconds: float, base: float | None) -> str:
    """Write one stage.

    >>> stage_text("training", 12.0, 8.0)
    'training 12.00 CPU s (1.50x)'
    """
    return f"{name} {seconds:.2f} CPU s" + (f" ({seconds / base:.2f}x)" if base else "")
