"""Charts as SVG, written by hand: panels in rows and columns, and what the lines in them are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import InputError
from cepts.views.looks import looks_of
from cepts.views.strokes import box, clean, curve, patterns, text, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cepts.views.looks import Look
    from cepts.views.panels import Panel
    from cepts.views.strokes import Place

EDGE = 14  # around everything
TITLE, TITLE_SIZE = 28, 15
ROW = 20  # of a legend
SAMPLE = 34  # the width of a line in a legend
BETWEEN = 22  # names of a legend
ABOVE = 24  # a panel, for its title
BELOW = 26  # a panel, for its numbers
LABEL = 20  # more, where its axis is named
APART = 24  # panels stand
COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}  # of so many panels; of more
MOST_COLUMNS = 4
FONT = 'font-family="Helvetica, Arial, DejaVu Sans, sans-serif"'


class Size(NamedTuple):
    """How large something is."""

    width: float
    height: float


def draw_chart(panels: Sequence[Panel], title: str = "", columns: int | None = None) -> str:
    """Draw panels as one SVG document; what has the same name looks the same in all of them.

    >>> from cepts.views.panels import Axis, Line, Panel
    >>> line = Line("best", ((1000.0, 24.5), (5000.0, 20.1)))
    >>> chart = draw_chart([Panel("de-en", Axis("pairs", log=True), Axis("AER, %"), (line,))])
    >>> chart.startswith("<svg"), ">de-en</text>" in chart
    (True, True)
    """
    if not panels:
        raise InputError("there is nothing to draw; expected at least one panel")
    for panel in panels:
        panel.check()
    looks = looks_of(name for panel in panels for name in panel.names)
    columns = columns or COLUMNS.get(len(panels), MOST_COLUMNS)
    shown = {} if all(panel.up.names for panel in panels) else looks
    if len(panels) == 1 and len(shown) > 1:
        return _beside(panels[0], title, looks)
    return _above(_rows(panels, columns), title, looks, shown)


def _rows(panels: Sequence[Panel], columns: int) -> list[Sequence[Panel]]:
    return [panels[first : first + columns] for first in range(0, len(panels), columns)]


def _beside(panel: Panel, title: str, looks: Mapping[str, Look]) -> str:
    """Draw one panel, with the name of each line beside its end."""
    head = _head(title)
    corner = (EDGE + panel.left_margin(), head + ABOVE + panel.height)
    _, up = panel.scales(corner)
    ends = {line.name: up.place(line.points[-1][1]) for line in panel.lines if line.points}
    others = {name: corner[1] - panel.height for name in looks if name not in ends}
    heights = spread(ends | others, corner[1] - panel.height, corner[1])
    x = corner[0] + panel.width + 12
    parts = [part for name, y in heights.items() for part in _entry((x, y), name, looks[name], [panel])]
    width = x + max(_entry_width(name, [panel]) for name in looks) + EDGE
    height = max(corner[1] + BELOW + LABEL, max(heights.values()) + ROW) + EDGE - 6
    return _document(Size(width, height), title, looks, [*panel.draw(corner, looks), *parts])


def _above(
    rows: Sequence[Sequence[Panel]], title: str, looks: Mapping[str, Look], shown: Mapping[str, Look]
) -> str:
    """Draw rows of panels, with the names of all lines above them."""
    every = [panel for row in rows for panel in row]
    left = max(panel.left_margin() for panel in every)
    width = 2 * EDGE + max(sum(left + panel.width + APART for panel in row) for row in rows) - APART + 10
    legend, y = _legend(shown, every, width, _head(title))
    parts = []
    for number, row in enumerate(rows):
        above = ABOVE if any(panel.title for panel in row) else APART / 2
        corners = _corners(row, left, y + max(panel.height for panel in row) + above)
        below = rows[number + 1] if number + 1 < len(rows) else ()
        for k, (panel, corner) in enumerate(zip(row, corners, strict=True)):
            labels = (_is_last(panel, k, below), k == 0 or panel.up.label != row[k - 1].up.label)
            parts += panel.draw(corner, looks, labels)
        named = any(_is_last(panel, k, below) for k, panel in enumerate(row))
        y = corners[0][1] + BELOW + (LABEL if named else 0)
    return _document(Size(width, y + EDGE - 6), title, looks, [*legend, *parts])


def _corners(row: Sequence[Panel], left: float, y: float) -> list[Place]:
    """Return where the axes of each panel of a row meet."""
    corners, x = [], float(EDGE)
    for panel in row:
        corners.append((x + left, y))
        x += left + panel.width + APART
    return corners


def _is_last(panel: Panel, column: int, below: Sequence[Panel]) -> bool:
    """Tell whether no panel below has the same axis."""
    return column >= len(below) or below[column].across.label != panel.across.label


def _head(title: str) -> float:
    return EDGE + (TITLE if title else 0)


def _legend(
    shown: Mapping[str, Look], panels: Sequence[Panel], width: float, top: float
) -> tuple[list[str], float]:
    """Write names from left to right, in as many rows as they need; returns where what follows begins."""
    if not any(shown):
        return [], top
    x, y, parts = float(EDGE), top + 8, []
    for name, look in shown.items():
        wide = _entry_width(name, panels)
        if x > EDGE and x + wide > width - EDGE:
            x, y = EDGE, y + ROW
        parts += _entry((x, y), name, look, panels)
        x += wide + BETWEEN
    return parts, y + ROW


def _entry(place: Place, name: str, look: Look, panels: Iterable[Panel]) -> list[str]:
    """Draw how a series looks, and write its name."""
    (x, y), parts = place, []
    lines, boxes = _kinds(name, panels)
    if lines:
        places = [(x, y), (x + SAMPLE / 2, y), (x + SAMPLE, y)]
        line, *marks = curve(places, look)
        parts += [line.replace("<polyline", '<polyline class="sample"'), marks[1]]
        x += SAMPLE + 6
    if boxes:
        parts.append(box((x, y - 6), (x + 16, y + 6), look).replace('class="box"', 'class="sample"'))
        x += 22
    return [*parts, text((x, y + 4), clean(name))]


def _entry_width(name: str, panels: Iterable[Panel]) -> float:
    lines, boxes = _kinds(name, panels)
    return (SAMPLE + 6 if lines else 0) + (22 if boxes else 0) + width_of(clean(name))


def _kinds(name: str, panels: Iterable[Panel]) -> tuple[bool, bool]:
    """Tell whether a series has lines, and boxes."""
    known = [*panels]
    lines = any(line.name == name for panel in known for line in panel.lines)
    return lines, any(boxes.name == name for panel in known for boxes in panel.boxes)


def spread(heights: Mapping[str, float], top: float, bottom: float) -> dict[str, float]:
    """Move names down until none stands on another, then up as far as the last is below the axis.

    >>> spread({"a": 10.0, "b": 12.0}, 0.0, 100.0)
    {'a': 10.0, 'b': 30.0}
    >>> spread({"a": 98.0, "b": 99.0}, 0.0, 100.0)
    {'a': 80.0, 'b': 100.0}
    """
    order = sorted(heights, key=lambda name: heights[name])
    places: list[float] = []
    for name in order:
        places.append(max(heights[name], places[-1] + ROW if places else top))
    limit = max(bottom, top + ROW * (len(order) - 1))
    for number in reversed(range(len(places))):
        places[number] = min(places[number], limit)
        limit = places[number] - ROW
    return dict(zip(order, places, strict=True))


def _document(size: Size, title: str, looks: Mapping[str, Look], drawn: Iterable[str]) -> str:
    width, height = round(size.width), round(size.height)
    words = clean(title, max(1, int(width / width_of("0", TITLE_SIZE))))
    parts = [*filter(None, drawn)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}',
        f' width="{width}" height="{height}">',
        '<rect width="100%" height="100%" fill="white"/>',
        *_defined(looks, parts),
        text((width / 2, EDGE + 14), words, "middle", size=TITLE_SIZE) if title else "",
        *parts,
        "</svg>\n",
    ]
    return "\n".join(filter(None, lines))


def _defined(looks: Mapping[str, Look], parts: Sequence[str]) -> list[str]:
    """Define the patterns that are used."""
    used = [look for look in looks.values() if any(f"#pattern{look.number})" in part for part in parts)]
    return ["<defs>", *patterns(used), "</defs>"] if any(look.pattern for look in used) else []
