"""How confidences are kept in records: for each bin its links, the sum of their confidences, how many are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.evaluation.reliability import Bin, reliability
from cepts.evaluation.reliability import calibration_error as error_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.links import Links
    from paper_tables.store import Record

DIGITS = 4


def kept_bins(links: Links, gold: Links) -> list[list[float]]:
    """Return the bins of links as lists, for JSON."""
    return [[one.links, round(one.confidence, DIGITS), one.right] for one in reliability(links, gold)]


def bins_of(record: Record) -> list[Bin]:
    """Read the bins of a record."""
    return [Bin(*one) for one in record["reliability"]]


def pooled(records: Sequence[Record]) -> Record:
    """Put the bins of several records together.

    >>> pooled([{"reliability": [[3, 0.25, 0], [1, 0.75, 1]]}, {"reliability": [[1, 0.25, 1], [1, 0.5, 1]]}])
    {'reliability': [[4, 0.5, 1], [2, 1.25, 2]]}
    """
    bins = zip(*(record["reliability"] for record in records), strict=True)
    return {"reliability": [[sum(part) for part in zip(*same, strict=True)] for same in bins]}


def calibration_error(record: Record) -> float:
    """Return the expected calibration error of a record.

    >>> round(calibration_error({"reliability": [[3, 0.3, 0], [1, 0.9, 1]]}), 6)
    0.1
    """
    return error_of(bins_of(record))
