"""What is kept of a row: its place and settings, what made it, what it cost, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paper_tables.setting import made_with

if TYPE_CHECKING:
    from collections.abc import Iterable

    from paper_tables.meter import Moment
    from paper_tables.store import Record

DIGITS = 5


def record_of(place: Record, signature: str, threads: int, spent: Moment, figures: dict[str, Any]) -> Record:
    """Put together what is kept of a row."""
    return {
        **place,
        "signature": signature,
        **made_with(threads),
        "wall_seconds": round(spent.wall, 2),
        "cpu_seconds": round(spent.cpu, 2),
        **figures,
    }


def rounded(numbers: Iterable[float]) -> list[float]:
    """Return an estimate and its interval with no more digits than are read.

    >>> rounded([0.1234567, 1])
    [0.12346, 1.0]
    """
    return [round(float(number), DIGITS) for number in numbers]
