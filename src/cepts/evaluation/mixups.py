"""`notice_mixups`: links that are right but counted from the wrong number, or turned round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.checking import checked
from cepts.evaluation.counting import check_lengths, count
from cepts.links.mixups import READINGS

if TYPE_CHECKING:
    from cepts.links.links import Links

SMALLEST_GAIN = 0.15  # in AER, below what a better model brings but above what chance does
SMALLEST_SHARE = 0.3  # of the AER that must go
SMALLEST_TAIL = 0.1  # of the sentences, at the end, that the gold must have left out


@checked
def notice_mixups(links: Links, gold: Links) -> list[str]:
    """Return a sentence for each sign that links and gold are not written in the same way.

    >>> from cepts.links import Links
    >>> gold = Links.from_pairs([[(0, 0), (1, 2), (2, 1)]])
    >>> notice_mixups(Links.from_pairs([[(1, 1), (2, 3), (3, 2)]]), gold)
    ['links look 1-based: shifted down by one the AER would be 0.000 instead of 1.000']
    """
    check_lengths(links, gold)
    if len(links.source) == 0 or len(gold.source) == 0:
        return []
    return [*_notice_reading(links, gold), *_notice_tail(links, gold)]


def _notice_reading(links: Links, gold: Links) -> list[str]:
    """Say which other way of reading the links makes far fewer errors."""
    given = _aer(links, gold, 0)
    readings = {True: links.swapped(), False: links}
    rates = {reading: _aer(readings[reading[0]], gold, reading[1]) for reading in READINGS}
    best = min(rates, key=lambda reading: rates[reading])
    gain = given - rates[best]
    smallest = 0.0 if best == (False, _evident_shift(links, gold)) else SMALLEST_GAIN
    if gain > smallest and gain > SMALLEST_SHARE * given:
        return [f"{READINGS[best]} the AER would be {rates[best]:.3f} instead of {given:.3f}"]
    return []


def _aer(links: Links, gold: Links, shift: int) -> float:
    """Return the error rate of links moved by `shift` on both sides."""
    return float(count(links, gold, shift).total().aer()[0])


def _evident_shift(links: Links, gold: Links) -> int:
    """Return -1 if only the gold ever links a first word, 1 if only the links do, 0 if neither is so.

    In monotone text, links that are off by one still hit much of the gold, but first words tell.
    """
    used = [bool(np.any((side.source == 0) | (side.target == 0))) for side in (links, gold)]
    return used[0] - used[1]


def _notice_tail(links: Links, gold: Links) -> list[str]:
    """Say if the gold ends long before the links: a NAACL file does not say how many sentences it is for."""
    last = int(np.flatnonzero(np.diff(gold.offsets))[-1]) + 1
    if len(gold) - last <= SMALLEST_TAIL * len(gold) or links.offsets[last] == links.offsets[-1]:
        return []
    cure = f"if it ends there, cut the links (head -n {last})"
    return [f"gold has no link after sentence {last} of {len(gold)}: {cure}"]
