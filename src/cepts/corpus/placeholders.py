"""What is no language within a text: HTML tags and entities, placeholders, marks of keys.

| taken out | such as | in its place |
|---|---|---|
| HTML tags of lines and blocks, comments | `<br>`, `<p>`, `<img ...>`, `<!-- -->` | a space |
| other HTML tags | `<b>`, `</a>` | nothing: the word goes on |
| HTML entities | `&nbsp;`, `&#233;` | their character; a space, if it is unknown |
| printf's directives, not behind a digit, without a space in them | `%s`, `%1$d`, `%-5.2f`, `%(name)s` | a space |
| other placeholders | `{}`, `{0}`, `{name!r:>10}`, `{{name}}`, `${name}`, `%{name}`, `%1` | a space |
| a doubled percent sign | `%%` | `%` |
| the key of a menu item, where asked for | `&File`, `E&xit`, `_File`, `(&F)` | nothing |
"""

from __future__ import annotations

import re
from bisect import bisect_right
from html import unescape
from operator import itemgetter

from cepts.corpus.places import Places

BLOCK = re.compile(
    "br|hr|img|p|pre|div|section|article|aside|header|footer|main|nav|form|input|button|select|option|h[1-6]|ul|ol|li"
    "|dl|dt|dd|table|thead|tbody|tfoot|tr|th|td|figure|blockquote|address|iframe|script|style",
    re.IGNORECASE,
)

# A comment may hold some marks of beginnings; with any number, text full of them would be read again from each.
COMMENT = r"(?: <!-- (?: [^<-]++ | -(?!->) | <(?!!--) )*+ ){1,9}+ -->"
ATTRIBUTES = (
    r"""(?: \s++ [\w:.@-]++ (?: \s*+=\s*+ (?: "[^"<>]*+" | '[^'<>]*+' | [^\s"'<>=]++ ) )? )*+ \s*+ /?"""
)
BRACES = r"\{[\w.\[\]-]*+ (?:![rsa])? (?: :[^\s{}]*+ )? \}"
DOUBLE_BRACES = r"\{\{ \s*+[\w.:|-]*+\s*+ \}\}"
# Each alternative begins with a plain character: then the search jumps from one of these characters to the next.
PIECE = re.compile(
    rf"""
      {COMMENT}
    | </?+ (?P<tag>[A-Za-z][\w:-]*+) {ATTRIBUTES} >
    | &(?P<entity> [A-Za-z]\w{{1,30}} | \#\d{{1,7}} | \#[xX][0-9A-Fa-f]{{1,6}} );
    | %(?P<percent>%)
    | %(?<![0-9]%) (?: \(\w++\) | \d+\$ )? [-+\#0']*+ (?:\d++|\*)? (?: \.(?:\d++|\*)? )?
      (?: hh? | ll? | [jztLq] )? [diouxXeEfFgGaAcspn@]
    | %(?<![0-9]%)L?[1-9]\d?(?!\d)
    | %{BRACES} | \${BRACES} | \#{BRACES} | {BRACES}
    | %{DOUBLE_BRACES} | \${DOUBLE_BRACES} | {DOUBLE_BRACES}
    """,
    re.VERBOSE | re.DOTALL,
)
KEY_IN_BRACKETS = r"\s?\([&_]\w\)"
AMPERSAND_KEY = re.compile(rf"{KEY_IN_BRACKETS}|(?<!\w)&(?=\w)|(?<=[^\W\d_])&(?=[^\W\d_])")
UNDERSCORE_KEY = re.compile(rf"{KEY_IN_BRACKETS}|(?<!\w)_(?=[^\W_])")


def without_placeholders(text: str, keys: bool = False) -> Places:
    """Return a text without what is no language, and where what is left stood; `keys` are those of menu items.

    >>> without_placeholders("<b>Delete</b> %(count)d&nbsp;files of {name}?").text
    'Delete  \\xa0files of  ?'
    >>> without_placeholders("E&xit", keys=True).text, without_placeholders("R&D", keys=True).text
    ('Exit', 'R&D')
    """
    places = Places()
    position = 0
    found = [(match.span(), _replacement(match)) for match in PIECE.finditer(text)]
    if keys:
        found = sorted(found + [(span, "") for span in _keys(text, [span for span, _ in found])])
    for (first, end), replacement in found:
        places.add(text[position:first], position, first)
        places.add(replacement, first, end)
        position = end
    places.add(text[position:], position, len(text))
    return places


def text_without_placeholders(text: str) -> str:
    """Return the same text, without keys, in less time.

    >>> text_without_placeholders("Delete %d <b>files</b>")
    'Delete   files'
    """
    return PIECE.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    """Return what stands in the place of a piece."""
    if match["tag"]:
        return " " if BLOCK.fullmatch(match["tag"]) else ""
    if match["entity"]:
        character = unescape(match[0])
        return " " if character == match[0] else character
    return "%" if match["percent"] else " "


def _keys(text: str, taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Find the mark of a key: the only one in the text, outside of what is taken out anyway.

    An ampersand may also stand within a word, before a small letter: `R&D` and `AT&T` stay as they are.
    """
    spans = []
    for mark, pattern in (("&", AMPERSAND_KEY), ("_", UNDERSCORE_KEY)):
        places = [k for k, char in enumerate(text) if char == mark and not _within(k, taken)]
        match = pattern.search(text, max(places[0] - 2, 0)) if len(places) == 1 else None
        if match is None or not match.start() <= places[0] < match.end():
            continue
        within_word = match[0] == "&" and text[places[0] - 1 : places[0]].isalpha()
        if not (within_word and not text[places[0] + 1].islower()):
            spans.append(match.span())
    return spans


def _within(place: int, spans: list[tuple[int, int]]) -> bool:
    """Tell whether a place is in one of some spans, which are in order and do not overlap."""
    number = bisect_right(spans, place, key=itemgetter(0)) - 1
    return number >= 0 and place < spans[number][1]
