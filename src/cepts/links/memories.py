"""TMX and XLIFF: the pairs as a translation memory or as units, with the links as properties.

Written where the standards have a place for what a tool wants to say of its own:

- TMX 1.4: `<prop type="x-cepts-links">` in each `<tu>`;
- XLIFF 2.0: the metadata module, `<mda:meta type="links">` in a group of category `cepts` of each `<unit>`.

Both hold the links as Pharaoh with probabilities, and where words begin and end: `first-end` in characters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TextIO
from xml.sax.saxutils import escape, quoteattr

from cepts._version import __version__
from cepts.errors import InputError, OptionError, said
from cepts.links.pharaoh import format_pharaoh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cepts.links.links import Links
    from cepts.links.text import Text

LANGUAGES = ("x-source", "x-target")
LANGUAGE = re.compile("[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*")
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
KEYS = ("links", "score", "source-spans", "target-spans")


class _Frame(NamedTuple):
    """What a format puts around pairs and properties."""

    head: Callable[[str, str], str]
    foot: str
    pair: Callable[[int, str, list[str], tuple[str, str]], str]
    property: Callable[[str, str], str]


def write_tmx(
    links: Links, stream: TextIO, text: Text, languages: tuple[str | None, str | None] = (None, None)
) -> None:
    """Write a TMX 1.4 file with a `<tu>` for each pair."""
    _write(links, stream, text, languages, TMX)


def write_xliff(
    links: Links, stream: TextIO, text: Text, languages: tuple[str | None, str | None] = (None, None)
) -> None:
    """Write an XLIFF 2.0 file with a `<unit>` for each pair."""
    _write(links, stream, text, languages, XLIFF)


def _write(
    links: Links, stream: TextIO, text: Text, languages: tuple[str | None, str | None], frame: _Frame
) -> None:
    """Write all pairs within their frame."""
    named = [name or default for name, default in zip(languages, LANGUAGES, strict=True)]
    for name in named:
        if not LANGUAGE.fullmatch(name):
            raise OptionError(f"{name!r} is not the code of a language, expected something like fr or pt-BR")
    _check(text)
    stream.write(frame.head(*(quoteattr(name) for name in named)))
    for k in range(len(links)):
        properties = "".join([frame.property(key, value) for key, value in _properties(links, text, k)])
        sides = [_content(side.lines[k]) for side in text]
        stream.write(frame.pair(k + 1, properties, sides, (quoteattr(named[0]), quoteattr(named[1]))))
    stream.write(frame.foot)


def _check(text: Text) -> None:
    """Refuse characters that no XML file may hold, before anything is written."""
    for name, side in zip(("source", "target"), text, strict=True):
        for number, line in enumerate(side.lines, 1):
            if match := NOT_XML.search(line):
                raise InputError(
                    f"{name} text, line {number}: character U+{ord(match[0]):04X} cannot be written in XML; remove it,"
                    f" or use {said('format', 'jsonl')}"
                )


def _properties(links: Links, text: Text, k: int) -> Iterator[tuple[str, str]]:
    """Yield what is said of a pair, under its names."""
    score = float("nan") if links.scores is None else float(links.scores[k])
    values = (
        format_pharaoh(links[k], float("nan")),
        "" if score != score else f"{score:.4f}",
        *(" ".join([f"{first}-{end}" for first, end in side.spans(k)]) for side in text),
    )
    return ((key, value) for key, value in zip(KEYS, values, strict=True) if value or key == "links")


def _content(line: str) -> str:
    """Write a line so that every character comes back."""
    return escape(line, {"\r": "&#13;"})


TMX = _Frame(
    lambda source, _: (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n<header creationtool="cepts"'
        f' creationtoolversion="{__version__}" segtype="sentence" o-tmf="cepts" adminlang="en"'
        f' srclang={source} datatype="plaintext"/>\n<body>\n'
    ),
    "</body>\n</tmx>\n",
    lambda number, properties, sides, languages: (
        f'<tu tuid="{number}">\n{properties}'
        + "".join(
            [
                f"<tuv xml:lang={language}><seg>{side}</seg></tuv>\n"
                for side, language in zip(sides, languages, strict=True)
            ]
        )
        + "</tu>\n"
    ),
    lambda key, value: f'<prop type="x-cepts-{key}">{value}</prop>\n',
)
XLIFF = _Frame(
    lambda source, target: (
        '<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0"'
        ' xmlns:mda="urn:oasis:names:tc:xliff:metadata:2.0" version="2.0"'
        f' srcLang={source} trgLang={target}>\n<file id="f1">\n'
    ),
    "</file>\n</xliff>\n",
    lambda number, properties, sides, _: (
        f'<unit id="{number}" xml:space="preserve">\n<mda:metadata><mda:metaGroup category="cepts">\n{properties}'
        f"</mda:metaGroup></mda:metadata>\n<segment><source>{sides[0]}</source><target>{sides[1]}</target></segment>\n"
        "</unit>\n"
    ),
    lambda key, value: f'<mda:meta type="{key}">{value}</mda:meta>\n',
)
