"""One panel of a chart: axes, and what is drawn between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import InputError
from cepts.views.scales import LARGEST, Scale, tick_texts, widened
from cepts.views.strokes import GREY, INK, PALE, Place, box, clean, curve, straight, text, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cepts.views.looks import Look

USUAL = (230.0, 170.0)  # the size of one panel of several
TICK_ROOM = 28  # units of height for each tick
MOST_ACROSS = 11  # numbers below an axis, if they have room
BETWEEN = 8  # two of them at least
GAP = 6  # between an axis and its numbers


class Line(NamedTuple):
    """A named line through points (across, up); one point is drawn as a mark alone."""

    name: str
    points: tuple[Place, ...]


class Boxes(NamedTuple):
    """Named boxes, each (across, up) of one corner and of the opposite one."""

    name: str
    corners: tuple[tuple[Place, Place], ...]


class Note(NamedTuple):
    """A few words at the right of a point."""

    point: Place
    words: str


@dataclass(frozen=True)
class Axis:
    """What an axis shows. Without `ends`, all numbers and some room. `names` stand at 0, 1, ... instead of numbers."""

    label: str = ""
    log: bool = False
    ends: tuple[float, float] | None = None
    whole: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Panel:
    """Lines and boxes between two axes, so many units wide and high (`size`)."""

    title: str
    across: Axis
    up: Axis
    lines: tuple[Line, ...] = ()
    boxes: tuple[Boxes, ...] = ()
    notes: tuple[Note, ...] = ()
    diagonal: bool = False
    size: tuple[float, float] = USUAL

    @property
    def width(self) -> float:
        """How wide it is, from axis to end."""
        return self.size[0]

    @property
    def height(self) -> float:
        """How high it is."""
        return self.size[1]

    @property
    def names(self) -> list[str]:
        """The names of all that is drawn."""
        return [*(line.name for line in self.lines), *(boxes.name for boxes in self.boxes)]

    def points(self) -> Iterator[tuple[str, Place]]:
        """Give every point that must have a place, with the name of its series."""
        for line in self.lines:
            yield from ((line.name, point) for point in line.points)
        for boxes in self.boxes:
            yield from ((boxes.name, corner) for corners in boxes.corners for corner in corners)

    def check(self) -> None:
        """Refuse what has no place on the axes."""
        if not any(True for _ in self.points()):
            raise InputError(f"{self._shown}there is nothing to draw; expected at least one number")
        for name, point in self.points():
            for number, axis in zip(point, (self.across, self.up), strict=True):
                if not math.isfinite(number) or abs(number) > LARGEST:
                    raise InputError(f"{self._shown}{name}: {number:g} cannot be drawn; expected a number")
                if axis.log and number < 1 / LARGEST:
                    raise InputError(
                        f"{self._shown}{name}: {number:g} has no place on a logarithmic axis ({axis.label});"
                        " expected numbers above 0"
                    )

    @property
    def _shown(self) -> str:
        return f"{self.title}: " if self.title else ""

    def left_margin(self) -> float:
        """How much room the numbers and the name of the upward axis take."""
        _, up = self.scales((0.0, self.height))
        widest = max((width_of(words) for _, words in _ticks(self.up, up, self._up_most)), default=0.0)
        return widest + GAP + (20 if self.up.label else 4)

    def scales(self, corner: Place) -> tuple[Scale, Scale]:
        """Return the scales of a panel whose axes meet at this corner."""
        points = [point for _, point in self.points()]
        across, up = (
            axis.ends or widened((point[k] for point in points), axis.log)
            for k, axis in enumerate((self.across, self.up))
        )
        x, y = corner
        return Scale(*across, x, x + self.width, self.across.log), Scale(*up, y, y - self.height, self.up.log)

    @property
    def _up_most(self) -> int:
        return max(2, int(self.height / TICK_ROOM))

    def draw(
        self, corner: Place, looks: Mapping[str, Look], labels: tuple[bool, bool] = (True, True)
    ) -> list[str]:
        """Draw it with its axes meeting at a corner; `labels` says which of the axes' labels are written."""
        across, up = self.scales(corner)
        return [
            text(
                (corner[0] + self.width / 2, corner[1] - self.height - 9),
                clean(self.title),
                "middle",
                bold=True,
            )
            if self.title
            else "",
            *self._grid(across, up),
            *self._labels(corner, labels),
            *self._contents(across, up, looks),
        ]

    def _grid(self, across: Scale, up: Scale) -> list[str]:
        """Draw numbers, pale lines across, and the axes."""
        parts = []
        for tick, words in _ticks(self.up, up, self._up_most):
            y = up.place(tick)
            if not self.up.names:
                parts.append(straight((across.begin, y), (across.end, y), PALE))
            parts.append(text((across.begin - GAP, y + 4), words, "end"))
        for tick, words in _fitting_ticks(self.across, across):
            x = across.place(tick)
            parts.append(straight((x, up.begin), (x, up.begin + 4), GREY))
            parts.append(text((x, up.begin + 17), words, "middle"))
        if self.diagonal:
            low, high = max(across.low, up.low), min(across.high, up.high)
            ends = [(across.place(value), up.place(value)) for value in (low, high)]
            parts.append(straight(ends[0], ends[1], GREY, 1.2, "1 3"))
        corner = (across.begin, up.begin)
        parts += [
            straight(corner, (across.begin, up.end), INK),
            straight(corner, (across.end, up.begin), INK),
        ]
        return parts

    def _labels(self, corner: Place, labels: tuple[bool, bool]) -> list[str]:
        x, y = corner
        parts = []
        if labels[0] and self.across.label:
            parts.append(text((x + self.width / 2, y + 36), self.across.label, "middle"))
        if labels[1] and self.up.label:
            place = (x - self.left_margin() + 12, y - self.height / 2)
            parts.append(text(place, self.up.label, "middle", turned=True))
        return parts

    def _contents(self, across: Scale, up: Scale, looks: Mapping[str, Look]) -> list[str]:
        """Draw boxes, then lines, the first one last, so that it lies on top."""

        def place(point: Place) -> Place:
            return across.place(point[0]), up.place(point[1])

        parts = [
            box(place(one), place(other), looks[boxes.name])
            for boxes in self.boxes
            for one, other in boxes.corners
        ]
        for line in reversed(self.lines):
            parts += curve([place(point) for point in line.points], looks[line.name])
        for point, words in self.notes:
            x, y = place(point)
            parts.append(text((x + 5, y + 4), words))
        return parts


def _ticks(axis: Axis, scale: Scale, most: int) -> list[tuple[float, str]]:
    """Return where something is written beside an axis, and what."""
    if axis.names:
        return [(float(number), clean(name)) for number, name in enumerate(axis.names)]
    ticks = scale.ticks(most, axis.whole)
    return [*zip(ticks, tick_texts(ticks), strict=True)]


def _fitting_ticks(axis: Axis, scale: Scale) -> list[tuple[float, str]]:
    """Return as many numbers below an axis as can stand side by side."""
    for most in range(MOST_ACROSS, 1, -1):
        ticks = _ticks(axis, scale, most)
        spans = [(scale.place(tick), width_of(words) / 2) for tick, words in ticks]
        if all(
            x + half + BETWEEN <= next_x - next_half for (x, half), (next_x, next_half) in pairwise(spans)
        ):
            return ticks
    return _ticks(axis, scale, 2)[:1]
