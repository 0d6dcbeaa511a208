"""From SVG to PNG."""

from __future__ import annotations

from cepts.errors import OptionError

SHARPNESS = 2.0  # pixels for each unit of the drawing: sharp on today's screens and in print


def to_png(svg: str, zoom: float = SHARPNESS) -> bytes:
    """Draw an SVG document as a PNG picture, with the fonts of this computer."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise OptionError("PNG needs the extra `png`: pip install 'cepts[png]', or write SVG") from None
    return bytes(svg_to_bytes(svg_string=svg, zoom=zoom))
