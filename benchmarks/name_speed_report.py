"""The report of `name_speed.py`: goals, other costs, and how good matches are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fertility_report import judged
from paper_tables.markdown import joined, markdown, section
from signature import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = dict[str, Any]  # a cost with its goal, or matches with their precision and recall


def report(result: Row) -> str:
    """Write the report."""
    about = (
        "CPU seconds on one thread, compiled before. Names are Arabic and English. The model that matches was trained"
        " to rank, on ar-en-google, and calibrated on its dev part. A match is right if any of the data has the pair."
    )
    return joined(
        [
            "# Names: how fast",
            about,
            section("Does it hold?", goals(result["rows"])),
            section("Besides", costs(result["rows"])),
            section("How good matches are", qualities(result["quality"])),
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
        if row["goal"]
    ]
    return markdown(
        ["goal", "reached", "ours"], [[one.text, f"**{one.verdict}**", one.ours] for one in claims]
    )


def amount(value: float, unit: str) -> str:
    """Write a number and its unit.

    >>> amount(1234.5, "a second"), amount(12.34, "CPU s")
    ('1,234 a second', '12.3 CPU s')
    """
    return f"{value:,.1f} {unit}" if value < 1000 else f"{value:,.0f} {unit}"


def costs(rows: Sequence[Row]) -> str:
    """Write what has no goal."""
    lines = [[row["what"], amount(row["value"], row["unit"])] for row in rows if not row["goal"]]
    return markdown(["what", "cost"], lines)


def qualities(rows: Sequence[Row]) -> str:
    """Write how many matches are right."""
    heads = ["matches of names that were not trained on", "promised", "precision", "recall", "matches"]
    lines = [
        [
            row["what"],
            f"{row['promised'] or '-'}",
            *(f"{row[name]:.3f}" for name in ("precision", "recall")),
            f"{row['matches']:,}",
        ]
        for row in rows
    ]
    return markdown(heads, lines)
