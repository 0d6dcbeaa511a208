"""Whether confidences mean what they say: links by confidence, and how many of them are right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.evaluation.counting import count

if TYPE_CHECKING:
    from cepts.links import Links
    from paper_tables.store import Record

BINS = 10


class Bin(NamedTuple):
    """The links of one tenth of confidences: how many, their mean confidence, the share that is right."""

    links: int
    confidence: float
    right: float


def reliability(links: Links, gold: Links) -> list[list[float]]:
    """Return for each bin the links, the sum of their confidences, and how many are right: sure or possible.

    >>> from cepts.links import Links
    >>> made, gold = Links.from_pairs([[(0, 0, 0.25), (1, 1, 1.0)]]), Links.from_pairs([[(0, 0)]])
    >>> [one for one in reliability(made, gold) if one[0]]
    [[1, 0.25, 1], [1, 1.0, 0]]
    """
    bins = np.minimum((links.confidence * BINS).astype(np.int64), BINS - 1)
    return [_bin(links.select(bins == number), gold) for number in range(BINS)]


def _bin(links: Links, gold: Links) -> list[float]:
    confidence = float(links.confidence.sum(dtype=np.float64))
    return [len(links.source), round(confidence, 4), int(count(links, gold).links_in_possible.sum())]


def bins_of(record: Record) -> list[Bin]:
    """Read the bins of a record that have links."""
    return [
        Bin(links, confidence / links, right / links)
        for links, confidence, right in record["reliability"]
        if links
    ]


def calibration_error(record: Record) -> float:
    """Return how far, on average over links, the share that is right is from the confidence of a bin.

    >>> round(calibration_error({"reliability": [[3, 0.3, 0], [1, 0.9, 1]]}), 6)
    0.1
    """
    bins = bins_of(record)
    gaps = sum(one.links * abs(one.right - one.confidence) for one in bins)
    return gaps / max(sum(one.links for one in bins), 1)
