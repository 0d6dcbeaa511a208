"""What is in a drawing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
MOVED = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")

Points = list[tuple[float, float]]


def texts(picture: ET.Element) -> list[str]:
    """Return all text."""
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def place(element: ET.Element) -> tuple[float, float]:
    """Return where text stands."""
    return float(element.attrib["x"]), float(element.attrib["y"])


def lines(picture: ET.Element) -> list[Points]:
    """Return the places of each line of more than one point, without the samples of a legend."""
    found = [one for one in picture.iter(f"{SVG}polyline") if one.get("class") != "sample"]
    return [
        [(float(x), float(y)) for x, y in (point.split(",") for point in one.attrib["points"].split())]
        for one in found
    ]


def marks(picture: ET.Element) -> Points:
    """Return the places of all marks, those of a legend included."""
    found = [one for one in picture.iter(f"{SVG}path") if one.get("class") == "mark"]
    moved = [MOVED.match(one.attrib["transform"]) for one in found]
    return [(float(one[1]), float(one[2])) for one in moved if one is not None]


def boxes(picture: ET.Element) -> list[tuple[float, float, float, float]]:
    """Return x, y, width and height of each box, without the samples of a legend."""
    found = [one for one in picture.iter(f"{SVG}rect") if one.get("class") == "box"]
    keys = ("x", "y", "width", "height")
    return [tuple(float(one.attrib[key]) for key in keys) for one in found]  # type: ignore[misc]


def size(picture: ET.Element) -> tuple[float, float]:
    """Return the width and the height of a drawing."""
    return float(picture.attrib["width"]), float(picture.attrib["height"])
