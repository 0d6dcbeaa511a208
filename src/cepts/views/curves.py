"""Curves as an SVG picture, written by hand: a few lines of text, and no library to draw with."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 90, 130, 44, 56  # margins; names of curves stand at the right
TICKS = 5  # about so many on each axis
LABEL = 15  # between the names of curves
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # for all eyes


class Scale(NamedTuple):
    """How numbers from `low` to `high` become places from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float

    def place(self, value: float) -> float:
        """Return where a number is drawn."""
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Return round numbers inside.

        >>> Scale(0, 97, 0, 1).ticks()
        [0.0, 20.0, 40.0, 60.0, 80.0]
        """
        step = _round_step((self.high - self.low) / TICKS)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def draw_curves(
    curves: Mapping[str, Sequence[float]], title: str = "", across: str = "iteration", up: str = "loss"
) -> str:
    """Draw named curves of numbers, the first of each at 0, as an SVG document."""
    numbers = [number for curve in curves.values() for number in curve]
    if not numbers or not all(map(math.isfinite, numbers)):
        raise InputError("curves need at least one number, and no infinite ones")
    longest = max(len(curve) for curve in curves.values())
    horizontal = Scale(0, max(longest - 1, 1), LEFT, WIDTH - RIGHT)
    vertical = Scale(*_widened(min(numbers), max(numbers)), HEIGHT - BOTTOM, TOP)
    parts = [
        _text(WIDTH / 2, 24, title, "middle", size=15),
        *_axes(horizontal, vertical, across, up),
        *_lines(curves, horizontal, vertical),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def _lines(curves: Mapping[str, Sequence[float]], horizontal: Scale, vertical: Scale) -> list[str]:
    """Draw each curve, with its name where it ends."""
    parts = []
    filled = {name: curve for name, curve in curves.items() if len(curve)}
    heights = _apart({name: vertical.place(curve[-1]) for name, curve in filled.items()})
    for number, (name, curve) in enumerate(filled.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [f"{horizontal.place(k):.1f},{vertical.place(value):.1f}" for k, value in enumerate(curve)]
        parts.append(
            f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
            if len(places) > 1
            else _dot(places[0], colour)
        )
        parts.append(_text(WIDTH - RIGHT + 8, heights[name] + 4, name, "start", colour))
    return parts


def _axes(horizontal: Scale, vertical: Scale, across: str, up: str) -> list[str]:
    """Draw ticks with their numbers, thin lines across, and what the axes are."""
    parts = []
    for tick in vertical.ticks():
        y = vertical.place(tick)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{tick:.6g}", "end"))
    for tick in horizontal.ticks():
        if tick == int(tick):
            parts.append(_text(horizontal.place(tick), HEIGHT - BOTTOM + 18, f"{tick:.6g}", "middle"))
    corner = f"M{LEFT},{TOP} V{HEIGHT - BOTTOM} H{WIDTH - RIGHT}"
    parts.append(f'<path d="{corner}" fill="none" stroke="#555555"/>')
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, across, "middle"))
    parts.append(_text(LEFT, TOP - 10, up, "middle"))
    return parts


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#333333", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
        f"{escape(text)}</text>"
    )


def _dot(place: str, colour: str) -> str:
    x, y = place.split(",")
    return f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>'


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """Move names down until none stands on another, then all up if the last is below the axis."""
    moved: dict[str, float] = {}
    last = -math.inf
    for name in sorted(heights, key=lambda name: heights[name]):
        moved[name] = last = max(heights[name], last + LABEL)
    beyond = max(0.0, last - (HEIGHT - BOTTOM))
    return {name: height - beyond for name, height in moved.items()}


def _widened(low: float, high: float) -> tuple[float, float]:
    """Leave some room below and above, also where all numbers are the same."""
    room = 0.04 * (high - low) or 0.5 * abs(high) or 0.5
    return low - room, high + room


def _round_step(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the least that is not smaller.

    >>> _round_step(19.4), _round_step(0.3)
    (20.0, 0.5)
    """
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= step * (1 - 1e-9))
