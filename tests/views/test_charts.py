"""Charts: every point inside its axes, everything told apart without colours, text safe and apart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.views.charts import ROW, draw_chart, spread
from cepts.views.looks import COLOURS, DASHES, MARKS, MOST, PATTERNS, look, looks_of
from cepts.views.panels import Axis, Boxes, Line, Note, Panel
from cepts.views.strokes import MARKED, width_of
from tests.views.svg import SVG, boxes, lines, marks, place, size, texts

NUMBERS = st.floats(-1e9, 1e9)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20)
NAMES = st.text("kab <&>=\u202e\ufffe\x00語", min_size=1, max_size=60)
SERIES = st.dictionaries(NAMES, POINTS, min_size=1, max_size=6)


def panel(series: dict[str, list[tuple[float, float]]], title: str = "", **more: object) -> Panel:
    drawn = tuple(Line(name, tuple(points)) for name, points in series.items())
    return Panel(title, Axis("across"), Axis("up"), drawn, **more)  # type: ignore[arg-type]


def drawn(*panels: Panel, title: str = "") -> ET.Element:
    return ET.fromstring(draw_chart(panels, title))


@given(SERIES)
def test_every_point_lands_inside_of_the_axes(series: dict[str, list[tuple[float, float]]]) -> None:
    one = panel(series)
    picture = drawn(one)
    corner, end = axes(picture)
    assert end == pytest.approx((corner[0] + one.width, corner[1] - one.height), abs=0.11)
    found = lines(picture)
    assert sorted(map(len, found)) == sorted(len(points) for points in series.values() if len(points) > 1)
    for x, y in (point for line in found for point in line):
        assert corner[0] <= x <= end[0]
        assert end[1] <= y <= corner[1]


@given(
    st.floats(1e-4, 1e6),
    st.floats(1.01, 1e6),
    st.booleans(),
    st.sampled_from([120.0, 230.0, 360.0, 440.0]),
)
def test_numbers_below_an_axis_do_not_touch(low: float, ratio: float, log: bool, width: float) -> None:
    line = Line("a", ((low, 1.0), (low * ratio, 2.0)))
    picture = drawn(Panel("", Axis(log=log), Axis(), (line,), size=(width, 100.0)))
    (_, bottom), _ = axes(picture)
    found = [one for one in picture.iter(f"{SVG}text") if abs(place(one)[1] - bottom - 17) < 0.2]
    spans = sorted((place(one)[0], width_of(one.text or "") / 2) for one in found)
    assert spans
    assert all(x + half < after - next_half for (x, half), (after, next_half) in pairwise(spans))


def test_confidences_have_tenths_below_a_wide_axis() -> None:
    ends = (0.0, 1.0)
    one = Panel("", Axis(ends=ends), Axis(ends=ends), (Line("a", ((0.5, 0.5),)),), size=(360.0, 360.0))
    assert {"0.0", "0.1", "0.9", "1.0"} <= {*texts(drawn(one))}


def axes(picture: ET.Element) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the axes meet, and the opposite corner."""
    up, across = [one for one in picture.iter(f"{SVG}line") if one.get("stroke") == "#222222"]
    corner = float(up.attrib["x1"]), float(up.attrib["y1"])
    return corner, (float(across.attrib["x2"]), float(up.attrib["y2"]))


@given(SERIES, NAMES)
def test_text_is_safe_and_inside_of_the_picture(
    series: dict[str, list[tuple[float, float]]], title: str
) -> None:
    picture = drawn(panel(series, title), panel(series), title=title)
    width, height = size(picture)
    for element in picture.iter(f"{SVG}text"):
        x, y = place(element)
        assert 0 <= x <= width
        assert 0 <= y <= height
        assert len(element.text or "") <= 40 or element.text == title
        assert "\u202e" not in (element.text or "")


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 300), min_size=1, max_size=30))
def test_names_stand_apart(heights: dict[str, float]) -> None:
    places = spread(heights, 0.0, 300.0)
    assert places.keys() == heights.keys()
    order = [*places.values()]
    assert all(after - before >= ROW - 1e-6 for before, after in pairwise(order))
    assert order[0] >= -1e-6
    assert order[-1] <= max(300.0, ROW * (len(order) - 1)) + 1e-6


def test_places_worked_out_by_hand() -> None:
    one = panel({"k = 4": [(0.0, 10.0), (1.0, 0.0), (2.0, 5.0)]})
    picture = drawn(one)
    (x, y), (right, top) = axes(picture)
    # 4 % of the range are left free on each side: the axes go from -0.08 to 2.08 and from -0.4 to 10.4
    width, height = right - x, y - top
    expected = [
        (x + width * 0.08 / 2.16, top + height * 0.4 / 10.8),
        (x + width / 2, y - height * 0.4 / 10.8),
        (x + width * 2.08 / 2.16, (y + top) / 2),
    ]
    (line,) = lines(picture)
    assert [number for point in line for number in point] == pytest.approx(
        [number for point in expected for number in point], abs=0.11
    )


def test_a_small_chart_as_it_is() -> None:
    chart = draw_chart([panel({"a<b": [(0.0, 0.0), (1.0, 1.0)]}, "t & u")])
    assert chart.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ')
    assert chart.endswith("</svg>\n")
    assert ">a&lt;b</text>" in chart
    assert 'font-weight="bold">t &amp; u</text>' in chart
    assert re.search(r'<polyline points="[\d.]+,[\d.]+ [\d.]+,[\d.]+" fill="none" stroke="#0072b2"', chart)
    assert "<defs>" not in chart
    assert draw_chart([panel({"a<b": [(0.0, 0.0), (1.0, 1.0)]}, "t & u")]) == chart


def test_any_two_looks_differ_without_colour() -> None:
    looks = [look(number) for number in range(MOST)]
    assert len({(one.dash, one.mark, one.filled) for one in looks}) == MOST
    assert len({one.dash for one in looks[: len(DASHES)]}) == len(DASHES)
    assert len({(one.mark, one.filled) for one in looks[: len(MARKS)]}) == len(MARKS)
    assert len({one.pattern for one in looks[: len(PATTERNS)]}) == len(PATTERNS)
    assert len({one.colour for one in looks[: len(COLOURS)]}) == len(COLOURS)
    for one, other in combinations(looks[:5], 2):
        assert one.dash != other.dash
        assert (one.mark, one.filled) != (other.mark, other.filled)


def test_colours_are_dark_enough_on_white() -> None:
    for colour in COLOURS:
        red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
        assert 0.299 * red + 0.587 * green + 0.114 * blue < 180


def test_a_name_looks_the_same_in_all_panels() -> None:
    one = panel({"a": [(0, 0), (1, 1)], "b": [(0, 1), (1, 0)]})
    other = panel({"b": [(0, 1), (1, 0)]})
    picture = drawn(one, other)
    strokes = [
        (element.attrib["stroke"], element.get("stroke-dasharray"))
        for element in picture.iter(f"{SVG}polyline")
        if element.get("class") != "sample"
    ]
    b, a, again = strokes  # the first line is drawn last: it lies on top
    assert b == again != a
    assert texts(picture).count("a") == texts(picture).count("b") == 1


def test_one_point_is_a_mark_and_long_lines_have_few() -> None:
    assert lines(drawn(panel({"a": [(3.0, 4.0)]}))) == []
    assert len(marks(drawn(panel({"": [(3.0, 4.0)]})))) == 1
    picture = drawn(panel({"": [(float(k), 1.0) for k in range(1000)]}))
    assert len(lines(picture)[0]) == 1000
    assert len(marks(picture)) == MARKED
    found = sorted(marks(picture))
    assert (found[0], found[-1]) == (lines(picture)[0][0], lines(picture)[0][-1])


def test_boxes_reach_from_corner_to_corner_and_have_patterns() -> None:
    names = ("x", "y")
    bars = tuple(Boxes(name, (((0.0, k - 0.3), (5.0 + k, k + 0.3)),)) for k, name in enumerate(names))
    notes = (Note((5.0, 0.0), "5"),)
    one = Panel("", Axis("s", ends=(0, 10)), Axis(names=names, ends=(-0.5, 1.5)), boxes=bars, notes=notes)
    picture = drawn(one)
    corner, (right, top) = axes(picture)
    (x, y, width, height), (_, _, wider, _) = boxes(picture)
    assert (x, width, wider) == pytest.approx((corner[0], one.width / 2, one.width * 0.6), abs=0.11)
    assert height == pytest.approx(one.height * 0.3, abs=0.11)
    assert top < y < corner[1]
    assert texts(picture).count("x") == texts(picture).count("y") == 1  # beside the axis, not in a legend
    assert "5" in texts(picture)
    fills = [
        element.attrib["fill"] for element in picture.iter(f"{SVG}rect") if element.get("class") == "box"
    ]
    assert fills == [COLOURS[0], "url(#pattern1)"]
    assert [one.attrib["id"] for one in picture.iter(f"{SVG}pattern")] == ["pattern1"]
    assert right > x + wider


def test_labels_of_axes_that_panels_share_are_written_once() -> None:
    panels = [panel({"a": [(0, k)]}, str(k)) for k in range(7)]
    found = texts(drawn(*panels))
    assert found.count("up") == 2  # one for each row
    assert found.count("across") == 4  # one for each column


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ([], "there is nothing to draw; expected at least one panel"),
        ([panel({})], "there is nothing to draw; expected at least one number"),
        ([panel({"a": [(0.0, float("nan"))]}, "hmm")], "hmm: a: nan cannot be drawn; expected a number"),
        ([panel({"a": [(float("inf"), 0.0)]})], "a: inf cannot be drawn; expected a number"),
        ([panel({"a": [(0.0, 1e200)]})], r"a: 1e\+200 cannot be drawn"),
        (
            [Panel("de-en", Axis("pairs", log=True), Axis(), (Line("a", ((0.0, 1.0),)),))],
            r"de-en: a: 0 has no place on a logarithmic axis \(pairs\); expected numbers above 0",
        ),
        (
            [panel({str(k): [(0, k)] for k in range(MOST + 1)})],
            "41 lines cannot be told apart: expected at most 40 in one picture; draw fewer",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(panels: list[Panel], message: str) -> None:
    with pytest.raises(InputError, match=message):
        draw_chart(panels)


def test_as_many_looks_as_names() -> None:
    assert [one.number for one in looks_of(["b", "a", "b"]).values()] == [0, 1]
