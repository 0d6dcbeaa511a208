"""The marks of links: what is right, wrong and missed has a shape and a colour; what is doubtful is small and pale."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.views.comparing import ALLOWED, MISSED, NOT_TAKEN, RIGHT, WRONG, kinds_of
from cepts.views.svg import Drawing, label_at, safe_text, text_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cepts.views.pairs import AlignedPair

BLUE, RED, GOLD_SURE, GOLD_POSSIBLE = (
    "#0072b2",
    "#c8401a",
    "#cfe3f5",
    "#f2f7fc",
)  # apart for all eyes, and in grey
BLACK, GREY = "#111111", "#8a8a8a"
DASHES = 'stroke-dasharray="3 2"'
SURE_LINK, POSSIBLE_LINK = "link", "possible link"
STROKES = {  # of lines: colour, width, dashes
    SURE_LINK: (BLUE, 2.0, ""),
    POSSIBLE_LINK: (BLUE, 2.0, "5 4"),
    RIGHT: (BLACK, 2.0, ""),
    ALLOWED: (BLACK, 2.0, "5 4"),
    WRONG: (RED, 2.6, "9 3 2 3"),
    MISSED: (RED, 2.0, "2 4"),
    NOT_TAKEN: (GREY, 1.4, "2 4"),
}
LEGEND = {
    SURE_LINK: "link (the paler, the more doubtful)",
    POSSIBLE_LINK: "possible link",
    RIGHT: "right",
    ALLOWED: "right, possible in gold",
    WRONG: "wrong",
    MISSED: "missed",
    NOT_TAKEN: "possible in gold, not taken",
}
LEGEND_SIZE, LEGEND_LINE, LEGEND_MARK, LEGEND_STROKE = 12, 24, 18, 30


class Mark(NamedTuple):
    """What is drawn for one cell: its place, what it is, how confident, and the words that it is about."""

    source: int
    target: int
    kind: str
    confidence: float
    label: str


def marks_of(pair: AlignedPair) -> Iterator[Mark]:
    """Yield the marks of a pair, each cell once, in the order of its words."""
    found = {link[:2]: link for link in pair.links}
    if pair.gold is None:
        kinds = {place: SURE_LINK if link.sure else POSSIBLE_LINK for place, link in found.items()}
    else:
        kinds = kinds_of(pair.links, pair.gold)
    for place in sorted(kinds):
        link = found.get(place)
        confidence = 1.0 if link is None else min(max(link.confidence, 0.0), 1.0)
        words = f"{pair.source[place[0]]} – {pair.target[place[1]]}"
        share = "" if link is None else f", {100 * confidence:.0f} %"
        yield Mark(*place, kinds[place], confidence, f"{words}: {kinds[place]}{share}")


def drawn_mark(x: float, y: float, cell: float, kind: str, confidence: float, label: str = "") -> str:
    """Draw a mark around a place; a label is shown where the mouse rests on it."""
    title = f"<title>{safe_text(label)}</title>" if label else ""
    return f"<g>{title}{_gold_square(x, y, cell, kind)}{_found(x, y, cell, kind, confidence)}</g>"


def _gold_square(x: float, y: float, cell: float, kind: str) -> str:
    """Draw what gold has there: a square, dashed where it is possible, without anything inside where it is missed."""
    if kind in (RIGHT, ALLOWED, MISSED, NOT_TAKEN):
        sure, missed = kind in (RIGHT, MISSED), kind == MISSED
        fill, line = GOLD_SURE if sure else GOLD_POSSIBLE, RED if missed else BLUE
        return _square(
            x, y, cell - 4, f'fill="{fill}" stroke="{line}" stroke-width="{2 if missed else 1.2}"', not sure
        )
    return ""


def _found(x: float, y: float, cell: float, kind: str, confidence: float) -> str:
    """Draw what was found there."""
    shade = f'opacity="{0.35 + 0.65 * confidence:.2f}"'
    if kind in (RIGHT, ALLOWED):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{cell * (0.14 + 0.16 * confidence):.1f}" fill="{BLACK}" {shade}/>'
    if kind == WRONG:
        reach = cell * (0.16 + 0.16 * confidence)
        strokes = f"M{x - reach:.1f},{y - reach:.1f} L{x + reach:.1f},{y + reach:.1f}"
        strokes += f" M{x - reach:.1f},{y + reach:.1f} L{x + reach:.1f},{y - reach:.1f}"
        return f'<path d="{strokes}" stroke="{RED}" stroke-width="3" {shade}/>'
    side = cell * (0.35 + 0.45 * confidence)
    if kind == SURE_LINK:
        return _square(x, y, side, f'fill="{BLUE}" {shade}', False)
    if kind == POSSIBLE_LINK:
        return _square(x, y, side, f'fill="white" stroke="{BLUE}" stroke-width="1.5" {shade}', True)
    return ""


def drawn_line(
    begin: tuple[float, float], end: tuple[float, float], kind: str, confidence: float, label: str = ""
) -> str:
    """Draw a line between two words; a label is shown where the mouse rests on it."""
    colour, width, dashes = STROKES[kind]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    title = f"<title>{safe_text(label)}</title>" if label else ""
    return (
        f'<path d="M{begin[0]:.1f},{begin[1]:.1f} L{end[0]:.1f},{end[1]:.1f}" stroke="{colour}"'
        f' stroke-width="{width:g}" opacity="{0.25 + 0.75 * confidence:.2f}"{dashed}>{title}</path>'
    )


def _square(x: float, y: float, side: float, paint: str, dashed: bool) -> str:
    dashes = f" {DASHES}" if dashed else ""
    half = side / 2
    return f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{side:.1f}" height="{side:.1f}" {paint}{dashes}/>'


def legend(kinds: Iterable[str], width: float, marks: bool = True, lines: bool = True) -> Drawing:
    """Explain the marks and lines that occur, in rows of at most `width` where one fits."""
    present, parts = set(kinds), []
    room = LEGEND_MARK * marks + (LEGEND_STROKE + 6) * lines
    x, y, reached = 0.0, LEGEND_LINE / 2, 0.0
    for kind, text in LEGEND.items():
        if kind in present:
            needed = room + 8 + text_width(text, LEGEND_SIZE) + 14
            if x and x + needed > width:
                x, y = 0.0, y + LEGEND_LINE
            if marks:
                parts.append(drawn_mark(x + LEGEND_MARK / 2, y, LEGEND_MARK, kind, 1.0))
            if lines:
                parts.append(drawn_line((x + room - LEGEND_STROKE, y), (x + room, y), kind, 1.0))
            parts.append(label_at(x + room + 6, y + 4, text, LEGEND_SIZE))
            x += needed
            reached = max(reached, x)
    return Drawing(reached, y + LEGEND_LINE / 2 if parts else 0.0, parts)
