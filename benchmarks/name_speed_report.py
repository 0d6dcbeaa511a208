"""The report of `name_speed.py`: goals, other costs, and how good matches are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goals import speed_report
from paper_tables.markdown import markdown, section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goals import Row

ABOUT = (
    "CPU seconds on one thread, compiled before. Names are Arabic and English. The model that matches was trained"
    " to rank, on ar-en-google, and calibrated on its dev part. A match is right if any of the data has the pair."
)


def report(result: Row) -> str:
    """Write the report."""
    matches = section("How good matches are", qualities(result["quality"]))
    return speed_report("Names: how fast", ABOUT, result, [matches], digits=1)


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
