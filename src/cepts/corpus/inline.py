"""The text of a segment that is XML: inline elements out, entities read.

Elements that mark a stretch of text (`g`, `hi`, `pc`, `mrk`, ...) go, and so do the codes of a beginning or an end
(`bpt`, `ept`, `it`, with what is inside of them): a word around them stays one word. What stands for something by
itself (`ph`, `x`, `ut`) separates words, as a space does.
"""

from __future__ import annotations

import re
from html import unescape

from cepts.corpus.places import Places

CODES = frozenset(("bpt", "ept", "ph", "it", "ut"))  # their content is no text
STANDING = frozenset(("ph", "x", "ut"))

# What is never closed, as in no well-formed element, goes on to the end: it must not be looked for again and again.
PIECE = re.compile(
    r"""
      <!--.*?(?:-->|\Z)
    | <!\[CDATA\[ (?P<data>.*?) (?:\]\]>|\Z)
    | <\?.*?(?:\?>|\Z)
    | <(?P<close>/?)(?P<name>[^\s/<>]++) (?: [^<>"'/]++ | "[^"<]*+" | '[^'<]*+' | /(?!>) )*+ (?P<empty>/?)>
    | &[^;&<]*+;
    """,
    re.VERBOSE | re.DOTALL,
)


FLAT_CODE = re.compile(
    r"""<(bpt|ept|it)(?:\s[^<>"'/]*+(?:(?:"[^"<>]*+"|'[^'<>]*+')[^<>"'/]*+)*+)?>[^<]*+</\1>""", re.DOTALL
)
ENTITIES = (
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", '"'),
    ("&apos;", "'"),
    ("&amp;", "&"),
)  # the last must be last


def text_without_elements(segment: str) -> str:
    """Return the same text in less time, where there are but usual elements and entities.

    >>> text_without_elements("Tom &amp; <bpt i='1'>&lt;b></bpt>Jer<ept i='1'>&lt;/b></ept>ry")
    'Tom & Jerry'
    """
    text = FLAT_CODE.sub("", segment) if "<" in segment else segment
    if "<" in text or "&#" in text:
        return without_elements(segment).text
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return text


def without_elements(segment: str) -> Places:
    """Return the text of the inside of a well-formed element, and where it stood.

    >>> without_elements("Tom &amp; <bpt i='1'>&lt;b></bpt>Jer<ept i='1'>&lt;/b></ept>ry<x id='2'/>!").text
    'Tom & Jerry !'
    """
    places = Places()
    position = 0
    code, depth = "", 0  # the code that we are in, and how many of its name are open
    for match in PIECE.finditer(segment):
        name = (match["name"] or "").rpartition(":")[2]
        if depth:
            depth += 0 if name != code or match["empty"] else -1 if match["close"] else 1
        else:
            places.add(segment[position : match.start()], position, match.start())
            _add_what_is_meant(places, match, name)
            if name in CODES and not match["close"] and not match["empty"]:
                code, depth = name, 1
        position = match.end()
    if not depth:
        places.add(segment[position:], position, len(segment))
    return places


def _add_what_is_meant(places: Places, match: re.Match[str], name: str) -> None:
    """Add what an entity or a section of characters stands for, and a space for what stands by itself."""
    if match["data"] is not None:
        places.add(match["data"], *match.span("data"))
    elif match[0][0] == "&":
        places.add(_character(match[0]), *match.span())
    elif name in STANDING and not match["close"]:
        places.add(" ", *match.span())


def _character(reference: str) -> str:
    """Return what an entity stands for; HTML would read some numbers in its own way.

    >>> _character("&#xe9;"), _character("&#233;"), _character("&amp;"), _character("&unknown;")
    ('é', 'é', '&', '&unknown;')
    """
    if reference[1] != "#":
        return unescape(reference)
    number = int(reference[3:-1], 16) if reference[2] == "x" else int(reference[2:-1])
    return chr(number)
