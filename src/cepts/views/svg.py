"""Words, marks and lines as SVG: everything that comes from text is made safe here."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import NamedTuple

from cepts.views.cells import BIDI_CONTROLS, printable

FAMILIES = "'DejaVu Sans', 'Noto Sans', 'Liberation Sans', Arial, Helvetica, sans-serif"
CHINESE = (
    "'Noto Sans CJK SC', 'Noto Sans SC', 'Microsoft YaHei', 'PingFang SC', 'WenQuanYi Zen Hei', sans-serif"
)
EAST_ASIAN = {"CJK": CHINESE, "HIRAGANA": CHINESE, "KATAKANA": CHINESE, "HANGUL": CHINESE}
WELL_KNOWN = ("LATIN", "GREEK", "CYRILLIC")  # any family has them

LONGEST = 40  # cells of a word; what is longer is cut
NARROW, BROAD = frozenset("iljtfrI.,;:!'|()[]/ -"), frozenset("mwMWOQGDHNU@%—…")
ISOLATE, POP = "\u2068", "\u2069"  # what is between them takes its own direction, and no neighbour's
INK, FAINT = "#1a1a1a", "#d5d5d5"


class Drawing(NamedTuple):
    """Parts of an SVG document, and the room that they take."""

    width: float
    height: float
    parts: list[str]


def visible(text: str) -> str:
    """Replace what is no character to look at, and leave out what would turn a line round.

    >>> visible("a\\0b"), visible("a\\u202eb"), visible("\\uffff")
    ('a�b', 'ab', '�')
    """
    if text.isprintable():  # nearly always, and found out at once
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if _is_no_text(character) else character
        for character in text.translate(BIDI_CONTROLS)
    )


def _is_no_text(character: str) -> bool:
    """Tell controls, ends of lines, halves of characters, and what XML cannot hold."""
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or ord(character) & 0xFFFE == 0xFFFE


def safe_word(word: str) -> str:
    """Make a word fit to be drawn, but not yet escaped: visible, and not too long.

    >>> safe_word("\\u202e"), len(safe_word("x" * 99))
    ('�', 40)
    """
    shown = printable(visible(word), LONGEST)
    return shown if shown.strip() else "\N{REPLACEMENT CHARACTER}"


def safe_text(text: str) -> str:
    """Make any text safe for an attribute or an element, and escape it."""
    return escape(visible(text))


def is_right_to_left(text: str) -> bool:
    """Tell whether the first letter of a text is of a script that is written from right to left.

    >>> is_right_to_left("(שלום)"), is_right_to_left("2 chats")
    (True, False)
    """
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def text_width(text: str, size: float) -> float:
    """Estimate how wide a text is drawn, rather more than less: there is no font to ask."""
    return size * sum(map(_character_width, text))


def _character_width(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in NARROW:
        return 0.42
    return 0.9 if character in BROAD else 0.72 if character.isupper() else 0.64


def word_at(
    x: float, y: float, word: str, anchor: str = "start", size: float = 13, turn: int = 0, ink: str = INK
) -> str:
    """Draw a word; `turn` is in degrees."""
    shown = safe_word(word)
    place = f'transform="translate({x:.1f} {y:.1f}) rotate({turn})"' if turn else f'x="{x:.1f}" y="{y:.1f}"'
    runs = _runs(shown)
    font = _font(runs[0][0]) if len(runs) == 1 else ""
    drawn = escape(shown) if len(runs) == 1 else "".join(_span(*run) for run in runs)
    turned = f"{ISOLATE}{drawn}{POP}" if any(map(is_right_to_left, shown)) else drawn
    return f'<text {place} text-anchor="{anchor}" font-size="{size:g}" fill="{ink}"{font}>{turned}</text>'


def _runs(word: str) -> list[tuple[str | None, str]]:
    """Cut a word where it needs other fonts: not every renderer looks into a second one for what the first lacks.

    >>> [part for _, part in _runs("(我)a")]
    ['(', '我', ')a']
    """
    runs: list[tuple[str | None, str]] = []
    for character in word:
        family = _family(character)
        if runs and (family == runs[-1][0] or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")):
            runs[-1] = (runs[-1][0], runs[-1][1] + character)
        else:
            runs.append((family, character))
    return runs


def _family(character: str) -> str | None:
    """Name fonts for the script of a letter, where the usual ones may lack it."""
    script = unicodedata.name(character, "").split(" ")[0].split("-")[0]
    if not character.isalpha() or script in WELL_KNOWN or not script:
        return None
    return EAST_ASIAN.get(script, f"'Noto Sans {script.title()}', {FAMILIES}")


def _font(family: str | None) -> str:
    return "" if family is None else f' font-family="{escape(family)}"'


def _span(family: str | None, text: str) -> str:
    return f"<tspan{_font(family)}>{escape(text)}</tspan>"


def label_at(x: float, y: float, text: str, size: float = 12, weight: str = "normal", ink: str = INK) -> str:
    """Draw a text of our own, or one that may have words of the corpus in it."""
    style = f'font-size="{size:g}" font-weight="{weight}" fill="{ink}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{safe_text(text)}</text>'


def moved(drawing: Drawing, x: float, y: float) -> str:
    """Put a drawing somewhere else."""
    return f'<g transform="translate({x:.1f} {y:.1f})">\n' + "\n".join(drawing.parts) + "\n</g>"


def document(drawing: Drawing, title: str) -> str:
    """Make an SVG document of a drawing."""
    width, height = round(drawing.width), round(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{escape(FAMILIES)}" role="img">\n<title>{safe_text(title)}</title>\n'
        '<rect width="100%" height="100%" fill="white"/>\n'
    )
    return head + "\n".join(drawing.parts) + "\n</svg>\n"
