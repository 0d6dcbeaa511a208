"""PNG: a picture of the right size, with words in it, or a sentence that says why not."""

import builtins
import functools
import struct

import pytest

from cepts.errors import OptionError
from cepts.views import draw_svg, raster, to_png
from tests.views.pairs import PLAIN

resvg = pytest.importorskip("resvg_py", reason="the extra png is not installed")

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}"><rect width="9" height="9"/></svg>'


@pytest.fixture(autouse=True)
def fresh_search(monkeypatch):
    """Look for fonts anew in each test."""
    monkeypatch.setattr(raster, "_family", functools.cache(raster._family.__wrapped__))


def size(png):
    """Read width and height out of a PNG's header."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


def test_a_picture_has_two_pixels_for_each_unit():
    assert size(to_png(SQUARE.format(30, 20))) == (60, 40)
    assert size(to_png(SQUARE.format(30, 20), zoom=1)) == (30, 20)


def test_words_are_drawn():
    with_words, without = (to_png(draw_svg([pair])) for pair in (PLAIN, PLAIN._replace(source=[" "] * 3)))
    assert len(with_words) > len(without)


def test_a_family_is_found_that_the_renderer_would_not_take_by_itself(monkeypatch):
    """With these fonts alone, plain `sans-serif` is drawn as nothing: the renderer knows Arial and Times only."""
    fonts = pytest.importorskip("pathlib").Path("/usr/share/fonts/truetype/dejavu")
    if not fonts.is_dir():
        pytest.skip("DejaVu Sans is not installed")
    alone = functools.partial(resvg.svg_to_bytes, skip_system_fonts=True, font_dirs=[str(fonts)])
    svg = SQUARE.format(60, 20).replace("<rect", '<text y="15" font-family="sans-serif">words</text><rect')
    monkeypatch.setattr(resvg, "svg_to_bytes", alone)
    assert alone(svg_string=svg) == alone(svg_string=svg.replace("words", ""))
    assert to_png(svg, 1) != bytes(alone(svg_string=svg))


def test_a_computer_without_fonts_is_told(monkeypatch):
    nothing = functools.partial(resvg.svg_to_bytes, skip_system_fonts=True)
    monkeypatch.setattr(resvg, "svg_to_bytes", nothing)
    message = r"^PNG needs a font, and none was found on this computer: install one, such as DejaVu Sans, or write SVG$"
    with pytest.raises(OptionError, match=message):
        to_png(draw_svg([PLAIN]))
    assert size(to_png(SQUARE.format(3, 2))) == (6, 4)  # no words, no fonts needed


def test_a_large_picture_gets_fewer_pixels_and_a_huge_one_none(monkeypatch):
    monkeypatch.setattr(raster, "MOST_PIXELS", 10_000)
    assert size(to_png(SQUARE.format(80, 80))) == (100, 100)
    message = r"^a PNG of 200 x 80 pixels is too large; draw fewer pairs, or write SVG$"
    with pytest.raises(OptionError, match=message):
        to_png(SQUARE.format(200, 80))


def test_what_is_no_picture_is_refused():
    with pytest.raises(OptionError, match=r"^cannot draw this picture as PNG: .*; write SVG$"):
        to_png("<svg")


def test_the_missing_extra_is_named(monkeypatch):
    real = builtins.__import__

    def missing(name, *rest):
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(
        OptionError, match=r"^PNG needs the extra `png`: pip install 'cepts\[png\]', or write SVG$"
    ):
        to_png(SQUARE.format(3, 2))
