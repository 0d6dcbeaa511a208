"""Curves as an SVG picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.views.curves import BOTTOM, COLOURS, HEIGHT, LABEL, LEFT, RIGHT, TOP, WIDTH, Scale, draw_curves

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.floats(-1e9, 1e9)
CURVES = st.dictionaries(
    st.text("kab <&>=", min_size=1, max_size=5),
    st.lists(NUMBERS, min_size=1, max_size=9),
    min_size=1,
    max_size=8,
)


def drawn(curves: dict[str, list[float]], **labels: str) -> ET.Element:
    return ET.fromstring(draw_curves(curves, **labels))


def texts(picture: ET.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def points(picture: ET.Element) -> list[list[tuple[float, float]]]:
    """Return the places of each curve of more than one number."""
    lines = [element.attrib["points"].split() for element in picture.iter(f"{SVG}polyline")]
    return [[(float(x), float(y)) for x, y in (place.split(",") for place in line)] for line in lines]


@given(CURVES)
def test_every_number_has_a_place_inside_of_the_axes(curves: dict[str, list[float]]) -> None:
    picture = drawn(curves)
    lines = points(picture)
    assert [len(line) for line in lines] == [len(curve) for curve in curves.values() if len(curve) > 1]
    assert len(list(picture.iter(f"{SVG}circle"))) == sum(len(curve) == 1 for curve in curves.values())
    assert all(
        LEFT <= x <= WIDTH - RIGHT + 0.1 and TOP - 0.1 <= y <= HEIGHT - BOTTOM + 0.1
        for line in lines
        for x, y in line
    )


@given(CURVES)
def test_names_stand_apart(curves: dict[str, list[float]]) -> None:
    marks = [
        element for element in drawn(curves).iter(f"{SVG}text") if element.attrib["text-anchor"] == "start"
    ]
    assert sorted(element.text or "" for element in marks) == sorted(curves)
    heights = sorted(float(element.attrib["y"]) for element in marks)
    assert all(after - before >= LABEL - 0.11 for before, after in pairwise(heights))


def test_places_worked_out_by_hand() -> None:
    (line,) = points(drawn({"k = 4": [10.0, 0.0, 5.0]}))
    # the axis goes from -0.4 to 10.4: places from the bottom are 0.4 / 10.8 and so on of the height between margins
    low, high = (
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * 0.4 / 10.8,
        TOP + (HEIGHT - BOTTOM - TOP) * 0.4 / 10.8,
    )
    middle = (LEFT + WIDTH - RIGHT) / 2
    expected = [(LEFT, high), (middle, low), (WIDTH - RIGHT, (low + high) / 2)]
    assert [number for place in line for number in place] == pytest.approx(
        [number for place in expected for number in place], abs=0.06
    )


def test_labels_are_there_and_safe() -> None:
    found = texts(drawn({"a<b": [1, 2]}, title="t & u", across="<x>", up="y"))
    assert {"a<b", "t & u", "<x>", "y"} <= {*found}


def test_colours_differ() -> None:
    picture = draw_curves({str(k): [k, k + 1] for k in range(len(COLOURS))})
    assert len({*re.findall('stroke="(#[0-9a-f]+)" stroke-width', picture)}) == len(COLOURS)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_are_few_and_inside(low: float, length: float) -> None:
    ticks = Scale(low, low + length, 0, 1).ticks()
    assert 1 <= len(ticks) <= 7
    assert all(low - 1e-6 * length <= tick <= low + length * (1 + 1e-6) for tick in ticks)


@pytest.mark.parametrize("curves", [{}, {"a": []}, {"a": [1.0, float("nan")]}, {"a": [float("inf")]}])
def test_what_cannot_be_drawn_is_refused(curves: dict[str, list[float]]) -> None:
    with pytest.raises(InputError, match="curves need at least one number, and no infinite ones"):
        draw_curves(curves)
