"""Translation units of TMX as nearly all are written, found by a regular expression.

Handing every tag to Python takes most of the time of a streaming XML parser. Here a unit costs one match: `tu` with
properties and notes, and in it so many `tuv`, each with a `seg` of text and flat codes. The expression is strict: what
it takes is well-formed, and whatever it does not take is left to the parser.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

MOST_VERSIONS = 40  # languages in a unit; Python's expressions would allow for more

ATTRIBUTES = rb"""(?:\s++[\w:.-]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+\s*+"""


def _element(name: bytes, content: bytes, empty: bytes = b"") -> bytes:
    return rb"<" + name + ATTRIBUTES + rb"(?:" + empty + rb">" + content + rb"</" + name + rb"\s*+>)"


INFORMATION = (
    rb"(?:\s*+(?:" + _element(b"prop", rb"[^<]*+") + rb"|" + _element(b"note", rb"[^<]*+") + rb"))*+"
)
CODES = rb"|".join(
    _element(name, rb"[^<]*+", empty=rb"/>|") for name in (b"bpt", b"ept", b"ph", b"it", b"ut")
)
SEGMENT = rb"<seg>([^<]*+(?:(?:" + CODES + rb")[^<]*+)*+)</seg>"
USUAL_ATTRIBUTES = rb"""(?: xml:lang="[^"<]*+")?+""" + ATTRIBUTES
VERSION = rb"\s*+<tuv(" + USUAL_ATTRIBUTES + rb")>" + INFORMATION + rb"\s*+" + SEGMENT + rb"\s*+</tuv>"

# Numbers that are characters of XML beyond doubt: no controls, no surrogates (D800 to DFFF), none above 10FFFF.
DECIMAL = rb"#(?:9|10|13|3[2-9]|[4-9][0-9]|[1-9][0-9]{2,3}|[1-4][0-9]{4}|12[0-9]{4})"
HEXADECIMAL = (
    rb"#x(?:[9ADad]|[2-9A-Fa-f][0-9A-Fa-f]|[1-9A-Fa-f][0-9A-Fa-f]{2}|"
    rb"[1-9A-Ca-c][0-9A-Fa-f]{3}|1[0-9A-Fa-f]{4})"
)
BAD_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|" + DECIMAL + rb"|" + HEXADECIMAL + rb");)")
LANGUAGE = re.compile(rb"""\s(?:xml:)?lang\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")


@cache
def unit_pattern(versions: int) -> re.Pattern[bytes]:
    """Return the expression for a unit with so many versions: the attributes and the segment of each.

    >>> unit = b'<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu>'
    >>> unit_pattern(2).match(unit).groups()
    (b' xml:lang="en"', b'a', b' xml:lang="fr"', b'b')
    """
    return re.compile(rb"\s*+<tu" + ATTRIBUTES + rb">" + INFORMATION + versions * VERSION + rb"\s*+</tu>")


def safe_end(text: bytes) -> int:
    """Return up to where a text has no reference that is not plain, or 0 if it has controls that XML has not.

    >>> safe_end(b"a &amp; b &c; d"), safe_end(b"a\\x01b")
    (10, 0)
    """
    view = np.frombuffer(text, np.uint8)
    controls = np.count_nonzero(view < 32)
    for allowed in (10, 13, 9):
        controls -= np.count_nonzero(view == allowed) if controls else 0
    if controls:
        return 0
    bad = BAD_REFERENCE.search(text)
    return len(text) if bad is None else bad.start()


def language(attributes: bytes) -> str | None:
    """Return the language that the attributes of a `tuv` say.

    >>> language(b' creationid="x" xml:lang="en-GB"')
    'en-GB'
    """
    found = LANGUAGE.search(attributes)
    return None if found is None else (found[1] or found[2] or b"").decode("utf-8", "replace")
