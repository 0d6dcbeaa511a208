"""Inline markup: lines of text with `<b>...</b>`, carried to their translations."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cepts.checking import checked
from cepts.corpus.files import shown
from cepts.corpus.readers import read_lines
from cepts.errors import InputError
from cepts.phrases.projection import MAX_GAP, ROOT, Span, best_links, project_spans
from cepts.phrases.projection_lines import split_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import FilePath
    from cepts.links import Link
    from cepts.phrases.projection_lines import Line

TAG = re.compile(r"<(/?)([^\W\d_][\w:.-]*+)((?:\s[^<>]*?)?)(/?)>")


class Element(NamedTuple):
    """A pair of tags around words `begin` to `end`, or an empty tag before word `begin`; `parent` as in `Span`."""

    name: str
    attributes: str
    begin: int
    end: int
    parent: int = ROOT
    empty: bool = False


class MarkedLine(NamedTuple):
    """A line without its tags, and what these were, in the order of opening tags."""

    line: Line
    elements: list[Element]


class ProjectedMarkup(NamedTuple):
    """A line with the tags that arrive; how many pairs of tags there were, arrived, and were torn apart."""

    text: str
    known: int
    arrived: int
    torn: int


@checked
def read_markup(path: FilePath, errors: Errors = "strict", tokenize: bool = False) -> list[MarkedLine]:
    """Read lines with inline tags; each tag must be closed on its line."""
    return parse_marked(read_lines(path, errors), shown(path), tokenize)


def parse_marked(lines: Sequence[str], name: str, tokenize: bool = False) -> list[MarkedLine]:
    """Parse the lines of a file that messages call `name`."""
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(parse_markup(line, tokenize))
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from error
    return found


@checked
def parse_markup(text: str, tokenize: bool = False) -> MarkedLine:
    """Take the tags out of a line. Words that a pair of tags has only a part of count as within.

    >>> marked = parse_markup("a <b>red</b> house<br/>")
    >>> marked.line.text, [element[:4] for element in marked.elements]
    ('a red house', [('b', '', 1, 2), ('br', '', 3, 3)])
    """
    plain, opened = list[str](), list[int]()
    places: list[tuple[re.Match[str], int, int, int]] = []  # tag, first character, end, parent
    last = length = 0
    for tag in TAG.finditer(text):
        plain.append(text[last : tag.start()])
        length += len(plain[-1])
        last = tag.end()
        if tag[4]:
            places.append((tag, length, -1, opened[-1] if opened else ROOT))
        elif not tag[1]:
            places.append((tag, length, 0, opened[-1] if opened else ROOT))
            opened.append(len(places) - 1)
        else:
            _check_closing(tag[2], places[opened[-1]][0][2] if opened else None)
            number = opened.pop()
            places[number] = (*places[number][:2], length, places[number][3])
    if opened:
        raise InputError(
            f"<{places[opened[-1]][0][2]}> is never closed, expected </{places[opened[-1]][0][2]}> on its line"
        )
    line = split_line("".join([*plain, text[last:]]), tokenize)
    starts, stops = ([span[side] for span in line.spans] for side in (0, 1))
    return MarkedLine(line, [_element(starts, stops, *place) for place in places])


def _check_closing(name: str, opened: str | None) -> None:
    """Refuse a closing tag that closes nothing, or not what was opened last."""
    if opened is None:
        raise InputError(f"</{name}> closes nothing, expected <{name}> before it")
    if opened != name:
        raise InputError(
            f"</{name}> while <{opened}> is open, expected </{opened}>; close what was opened last"
        )


def _element(
    starts: list[int], stops: list[int], tag: re.Match[str], begin: int, end: int, parent: int
) -> Element:
    """Put characters into words, which have these places; an end before 0 means an empty tag."""
    first = bisect_right(stops, begin)
    if end < 0:
        return Element(tag[2], tag[3].rstrip(), first, first, parent, empty=True)
    return Element(tag[2], tag[3].rstrip(), first, max(first, bisect_left(starts, end)), parent)


@checked
def project_markup(
    elements: Sequence[Element],
    target: Line,
    links: Iterable[Link],
    max_gap: int = MAX_GAP,
    confidence: bool = False,
) -> ProjectedMarkup:
    """Put tags around the words of a translation; with `confidence`, each pair says its own.

    An empty tag goes before the word that the first linked word behind it speaks for, or to the end of the line.

    >>> from cepts.links import Link
    >>> marked = parse_markup("a <b>red</b> house")
    >>> links = [Link(0, 0), Link(1, 2), Link(2, 1)]
    >>> project_markup(marked.elements, split_line("une maison rouge"), links).text
    'une maison <b>rouge</b>'
    """
    best = best_links(links, len(target.spans))
    pairs = [element for element in elements if not element.empty]
    placed = project_spans(_spans(elements), best, max_gap)
    linked = sorted((link.source, -link.confidence, word) for word, link in enumerate(best) if link)
    inserted: list[tuple[int, int, int, str]] = []  # place, closing first, depth, tag
    for number, (element, where) in enumerate(zip(elements, placed, strict=True)):
        if element.empty and linked:
            inserted.append(
                (_empty_place(element, linked, target), 1, number, f"<{element.name}{element.attributes}/>")
            )
        elif where:
            said = f' confidence="{where.confidence:.2f}"' if confidence else ""
            begin, end = target.spans[where.begin][0], target.spans[where.end - 1][1]
            inserted.append((begin, 1, number, f"<{element.name}{element.attributes}{said}>"))
            inserted.append((end, 0, -number, f"</{element.name}>"))
    arrived = [where for where in placed if where]
    text = _with_tags(target.text, sorted(inserted))
    return ProjectedMarkup(text, len(pairs), len(arrived), sum(where.torn for where in arrived))


def _spans(elements: Sequence[Element]) -> list[Span]:
    """Return the spans of elements, with none for empty tags, which take no words."""
    return [Span(element.begin, element.end, element.parent) for element in elements]


def _empty_place(element: Element, linked: list[tuple[int, float, int]], target: Line) -> int:
    """Return the character before which an empty tag goes, from the words' sources, confidences, and the words."""
    behind = bisect_left(linked, element.begin, key=lambda word: word[0])
    return target.spans[linked[behind][2]][0] if behind < len(linked) else len(target.text)


def _with_tags(text: str, inserted: list[tuple[int, int, int, str]]) -> str:
    """Write tags into a text, in their order."""
    parts, last = list[str](), 0
    for place, _, _, tag in inserted:
        parts += [text[last:place], tag]
        last = place
    return "".join([*parts, text[last:]])
