"""From SVG to PNG."""

from __future__ import annotations

import re
from functools import cache
from math import sqrt

from cepts.checking import checked
from cepts.errors import OptionError, PackageError, worded

SHARPNESS = 2.0  # pixels for each unit of the drawing: sharp on today's screens and in print
MOST_PIXELS = 64_000_000  # a quarter of a gigabyte while it is drawn
SIZE = re.compile(r'<svg [^<>]*?width="([0-9.]+)" height="([0-9.]+)"')
FAMILIES = (  # what the computers of this world have, the most complete first
    "DejaVu Sans",
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Helvetica",
    "Segoe UI",
    "FreeSans",
    "Open Sans",
    "Roboto",
    "Ubuntu",
    "Cantarell",
    "Lato",
    "Verdana",
    "Tahoma",
    "Nimbus Sans",
    "Bitstream Vera Sans",
    "Noto Sans CJK SC",
    "Droid Sans",
    "WenQuanYi Zen Hei",
    "DejaVu Serif",
    "Liberation Serif",
    "Times New Roman",
)
NO_FAMILY = "no family has this name"


@checked
def to_png(svg: str, zoom: float = SHARPNESS) -> bytes:
    """Draw an SVG document as a PNG picture, with the fonts of this computer.

    `zoom` is the number of pixels for each unit; a large picture gets fewer, one that is still too large is refused.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise PackageError("PNG needs the extra `png`: pip install 'cepts[png]', or write SVG") from None
    family = _family() if "<text" in svg else None
    try:
        return bytes(
            svg_to_bytes(
                svg_string=svg, zoom=_fitting(svg, zoom), font_family=family, sans_serif_family=family
            )
        )
    except ValueError as error:
        raise OptionError(f"cannot draw this picture as PNG: {error}; write SVG") from None


def _fitting(svg: str, zoom: float) -> float:
    """Return the zoom that keeps a picture within bounds, from 1 on."""
    size = SIZE.search(svg)
    if size is None:
        return zoom
    width, height = float(size[1]), float(size[2])
    if width * height > MOST_PIXELS:
        raise OptionError(
            f"a PNG of {width:.0f} x {height:.0f} pixels is too large; draw fewer pairs"
            f"{worded(' (--lines)', '')}, or write SVG"
        )
    return min(zoom, max(1.0, sqrt(MOST_PIXELS / max(width * height, 1.0))))


@cache
def _family() -> str | None:
    """Find a family that is there: without one, text would be left out without a word.

    A family that is not there is drawn as one without a name would be: by another font, or not at all.
    """
    without = _probe(NO_FAMILY)
    for family in FAMILIES:
        if _probe(family) != without:
            return family
    if without == _probe(NO_FAMILY, ""):
        raise OptionError(
            "PNG needs a font, and none was found on this computer: install one, such as DejaVu Sans, or write SVG"
        )
    return None


def _probe(family: str, text: str = "Ag") -> bytes:
    """Draw two letters in a family."""
    from resvg_py import svg_to_bytes

    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24" font-family="sans-serif">'
        f'<text x="2" y="18" font-size="16">{text}</text></svg>'
    )
    return bytes(svg_to_bytes(svg_string=svg, font_family=family, sans_serif_family=family))
