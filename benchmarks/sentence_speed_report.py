"""The report of `sentence_speed.py`: goals, and other costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fertility_report import judged
from paper_tables.markdown import joined, markdown, section
from signature import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = dict[str, Any]  # a cost or a ratio, with its goal

BETAS = {0.0: "KL", 1.0: "squared error"}
ABOUT = (
    "English-Spanish Tatoeba. An iteration updates all sentences and all features of both languages once, k = 16; its "
    "time is the difference of a run of 12 iterations and one of 2, by ten, the least of three of each. "
    "scikit-learn's multiplicative NMF factorises each language by itself, on the same matrices, in the same run. Peak "
    "memory is that of a fresh process. Everything else was compiled before."
)


def report(result: Row) -> str:
    """Write the report."""
    return joined(
        [
            "# Sentences: how fast",
            ABOUT,
            section("Does it hold?", goals(result["rows"])),
            section("Besides", costs(result["rows"])),
            section("How it was made", one_line(result["signature"])),
        ]
    )


def goals(rows: Sequence[Row]) -> str:
    """Write what was reached of what was asked for."""
    claims = [
        judged(
            f"{row['what']}: {amount(row['goal'], row['unit'])}",
            row["met"],
            amount(row["value"], row["unit"]),
        )
        for row in rows
        if row["goal"] is not None
    ]
    lines = [[one.text, f"**{one.verdict}**", one.ours] for one in claims]
    return markdown(["goal", "reached", "ours"], lines) if lines else ""


def amount(value: float, unit: str) -> str:
    """Write a number and its unit.

    >>> amount(1234.5, "MB"), amount(12.34, "CPU s"), amount(0.1234, "s on two threads")
    ('1,234 MB', '12.3 CPU s', '0.123 s on two threads')
    """
    digits = 0 if value >= 1000 else 1 if value >= 10 else 3
    return f"{value:,.{digits}f} {unit}"


def costs(rows: Sequence[Row]) -> str:
    """Write what has no goal."""
    lines = [[row["what"], amount(row["value"], row["unit"])] for row in rows if row["goal"] is None]
    return markdown(["what", "cost"], lines) if lines else ""
