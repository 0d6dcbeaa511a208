"""Where numbers are drawn: linear and logarithmic scales, and the round numbers beside them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOM = 0.04  # of an axis is left free on both sides of the numbers
ALIKE = 1e-9  # of their size: numbers that differ by less are drawn as one
LARGEST = 1e100  # beyond, and below one divided by it, nothing is drawn
DECIMALS = 10
SURE = 3  # so many steps are short enough that a multiple is inside
FACTORS = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))  # of powers of ten, for ticks of a logarithmic scale


class Scale(NamedTuple):
    """How numbers from `low` to `high` become places from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a number is drawn."""
        low, high, at = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return self.begin + (at - low) / (high - low) * (self.end - self.begin)

    def ticks(self, most: int = 6, whole: bool = False) -> list[float]:
        """Return at most so many round numbers inside; `whole` ones, if only these mean something.

        >>> Scale(0, 97, 0, 1).ticks()
        [0.0, 20.0, 40.0, 60.0, 80.0]
        >>> Scale(800, 60_000, 0, 1, log=True).ticks(most=4)
        [1000.0, 3000.0, 10000.0, 30000.0]
        """
        if self.log:
            for factors in FACTORS:
                found = self._powers(factors)
                if 2 <= len(found) <= most:
                    return found
            if len(found) > most:
                return found[:: -(-len(found) // most)]
        return self._even(most, whole)

    def _even(self, most: int, whole: bool) -> list[float]:
        """Return multiples of a round number."""
        step = round_step((self.high - self.low) / most)
        step = max(step, 1.0) if whole else step
        while True:
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            if first > last and most < SURE:
                return self._even(SURE, whole)[:most]
            if last - first < most:
                return [number * step for number in range(first, last + 1)]
            step = round_step(step * 1.5)

    def _powers(self, factors: tuple[float, ...]) -> list[float]:
        """Return powers of ten, times the factors, inside."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        numbers = (factor * 10.0**power for power in powers for factor in factors)
        return [number for number in numbers if self.low <= number <= self.high]


def round_step(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the least that is not smaller.

    >>> round_step(19.4), round_step(0.3)
    (20.0, 0.5)
    """
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= step * (1 - 1e-9))


def widened(numbers: Iterable[float], log: bool = False) -> tuple[float, float]:
    """Return the ends of an axis for these numbers: some room on both sides, also where all are the same.

    >>> widened([0.0, 100.0]), widened([3.0]), widened([10.0], log=True)
    ((-4.0, 104.0), (1.5, 4.5), (5.0, 20.0))
    """
    known = [*numbers]
    low, high = min(known), max(known)
    if log:
        share = (high / low) ** ROOM if high / low > 1 + ALIKE else 2.0
        return low / share, high * share
    large = max(abs(low), abs(high))
    room = ROOM * (high - low) if high - low > ALIKE * large else 0.5 * large or 0.5
    return low - room, high + room


def tick_texts(ticks: list[float]) -> list[str]:
    """Write ticks with as many decimals as they need, and no more.

    >>> tick_texts([0.0, 0.25, 0.5]), tick_texts([1000.0, 3000.0]), tick_texts([0.01, 1.0, 100.0])
    (['0.00', '0.25', '0.50'], ['1,000', '3,000'], ['0.01', '1', '100'])
    """
    gaps = {round(b - a, DECIMALS + 2) for a, b in pairwise(ticks)}
    if len(gaps) > 1 or max(map(abs, ticks), default=0.0) >= 1e12:  # a logarithmic scale, or very large
        return [number_text(tick) for tick in ticks]
    decimals = next((d for d in range(DECIMALS) if all(_has(tick, d) for tick in ticks)), None)
    return [number_text(tick) if decimals is None else f"{tick + 0.0:,.{decimals}f}" for tick in ticks]


def _has(number: float, decimals: int) -> bool:
    return math.isclose(number, round(number, decimals), rel_tol=1e-9, abs_tol=1e-12)


def number_text(number: float, digits: int = 6) -> str:
    """Write a number for people.

    >>> [number_text(number) for number in (1234567.0, 0.5, 2e-7, 3e15)]
    ['1,234,567', '0.5', '2e-07', '3e+15']
    """
    if abs(number) >= 1e12 or 0 < abs(number) < 1e-4:
        return f"{number:.{digits}g}"
    if abs(number) >= 10**digits:
        return f"{number:,.0f}"
    short = f"{number:,.{DECIMALS}g}" if number == round(number) else f"{number:.{digits}g}"
    return short if "e" not in short else f"{number:,.0f}"
