"""JSON Lines: an object for each pair, with its text, its words, where these stand, and the links.

{"source": "L'eau", "target": "Water", "source_tokens": ["L'", "eau"], "target_tokens": ["Water"],
 "source_spans": [[0, 2], [2, 5]], "target_spans": [[0, 5]], "links": [[1, 0, 0.97, "S"]], "score": -1.5}
"""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import numpy as np

from cepts.corpus.encoding import WORD
from cepts.errors import InputError
from cepts.links.fields import LARGEST_POSITION, parse_object, shorten
from cepts.links.links import Link
from cepts.links.naacl import SURE
from cepts.links.pharaoh import BLOCK, confidence_steps, confidence_texts
from cepts.links.rows import Collected, Rows, refuse, score_array
from cepts.links.text import Text, TextSide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.links.links import Links
    from cepts.links.rows import Complain
    from cepts.links.text import Span

SIDES = ("source", "target")
ENCODE = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class _Side(NamedTuple):
    """What an object says of a side."""

    line: str
    spans: list[Span]


def jsonl_rows(lines: Sequence[str], name: str, complain: Complain = refuse) -> tuple[Rows, Text | None]:
    """Parse an object on each line; `links` must be there, and the text is taken where all objects have it."""
    collected = Collected()
    scores: dict[int, float] = {}
    sides: list[tuple[_Side | None, _Side | None]] = []
    for number, line in enumerate(lines, 1):
        sides.append((None, None))
        try:
            told = _parse_pair(line)
            sides[-1] = (_parse_side(told, "source"), _parse_side(told, "target"))
            for link in _parse_links(told, sides[-1]):
                collected.add(number, number - 1, link)
            if told.get("score") is not None:
                scores[number - 1] = _parse_score(told["score"])
        except InputError as error:
            complain(number, InputError(f"{name}, line {number}: {error}"))
    return collected.rows(len(lines), score_array(scores, len(lines))), _text(sides)


def _parse_pair(line: str) -> dict[str, Any]:
    """Parse one line."""
    told = parse_object(line, "pair")
    if not isinstance(told.get("links"), list):
        got = "no key" if "links" not in told else f"{shorten(json.dumps(told['links']))} as"
        raise InputError(f'{got} "links", expected a list of [source, target, probability, "S" or "P"]')
    return told


def _parse_side(told: dict[str, Any], side: str) -> _Side | None:
    """Return a side's line and where its words are, None where the object has no text."""
    line, tokens = told.get(side), told.get(f"{side}_tokens")
    if line is None and tokens is None:
        return None
    if tokens is not None and not (isinstance(tokens, list) and all(isinstance(t, str) for t in tokens)):
        raise InputError(f'"{side}_tokens" is not a list of strings')
    if line is None:
        line = " ".join(tokens or [])
    if not isinstance(line, str):
        raise InputError(f'"{side}" is not a string')
    spans = _parse_spans(told, side, line)
    if tokens is not None and [line[first:end] for first, end in spans] != tokens:
        raise InputError(f'"{side}_tokens" are not what "{side}_spans" cut out of "{side}"')
    return _Side(line, spans)


def _parse_spans(told: dict[str, Any], side: str, line: str) -> list[Span]:
    """Return where the words of a line are: as it is said, or between white space."""
    spans = told.get(f"{side}_spans")
    if spans is None:
        return [match.span() for match in WORD.finditer(line)]
    try:
        found = [(first, end) for first, end in spans]
        places = {type(place) for span in found for place in span}
        right = places <= {int} and all(0 <= first <= end <= len(line) for first, end in found)
    except (TypeError, ValueError):  # not a list, or not of two
        right = False
    if not right:
        raise InputError(f'"{side}_spans" must be a list of [first, end] within "{side}"')
    return found


def _parse_links(told: dict[str, Any], sides: tuple[_Side | None, _Side | None]) -> list[Link]:
    """Return the links of an object."""
    found = []
    for link in told["links"]:
        if not (isinstance(link, list) and 2 <= len(link) <= 4):
            raise InputError(
                f'{shorten(json.dumps(link))} is not a link, expected [source, target, probability, "S" or "P"]'
            )
        source, target = (
            _parse_place(place, side, name) for place, side, name in zip(link[:2], sides, SIDES, strict=True)
        )
        found.append(Link(source, target, *_parse_rest(link[2:])))
    return found


def _parse_place(place: Any, side: _Side | None, name: str) -> int:
    """Return a position, checked to be that of a word."""
    most = LARGEST_POSITION if side is None else len(side.spans) - 1
    if type(place) is not int or not 0 <= place <= most:
        words = "" if side is None else f"; the pair has {len(side.spans)} {name} words"
        raise InputError(
            f"{name} position {shorten(json.dumps(place))}, expected a number from 0 to {most}{words}"
        )
    return place


def _parse_rest(rest: list[Any]) -> tuple[float, bool]:
    """Return probability and kind, where a link has them."""
    probability = rest[0] if rest else 1.0
    kind = rest[1] if len(rest) > 1 else "S"
    if type(probability) not in (int, float) or not 0 <= probability <= 1:
        raise InputError(f"probability {shorten(json.dumps(probability))}, expected a number from 0 to 1")
    if not (isinstance(kind, str) and kind in SURE):
        raise InputError(f"kind {shorten(json.dumps(kind))}, expected S (sure) or P (possible)")
    return float(probability), SURE[kind]


def _parse_score(score: Any) -> float:
    """Return a pair's score."""
    if type(score) not in (int, float):
        raise InputError(f"score {shorten(json.dumps(score))} is not a number")
    return float(score)


def _text(sides: list[tuple[_Side | None, _Side | None]]) -> Text | None:
    """Return the text, if it is there for all pairs."""
    left = [side for side, _ in sides if side is not None]
    right = [side for _, side in sides if side is not None]
    if not sides or not len(left) == len(right) == len(sides):
        return None
    return Text(*(_text_side(side) for side in (left, right)))


def _text_side(pairs: list[_Side]) -> TextSide:
    """Return one side of the text."""
    offsets = np.zeros(len(pairs) + 1, np.int64)
    np.cumsum([len(side.spans) for side in pairs], out=offsets[1:])
    spans = np.array([span for side in pairs for span in side.spans], np.int32).reshape(-1, 2)
    return TextSide([side.line for side in pairs], spans, offsets)


def write_jsonl(links: Links, stream: TextIO, text: Text, first: int = 0) -> None:  # noqa: ARG001
    """Write an object for each pair; positions count from 0, spans are characters of the line as it stands."""
    for begin in range(0, len(links), BLOCK):
        end = min(begin + BLOCK, len(links))
        written = _formatted_links(links, int(links.offsets[begin]), int(links.offsets[end]))
        offsets = (links.offsets[begin : end + 1] - links.offsets[begin]).tolist()
        for k in range(begin, end):
            listed = ", ".join(written[offsets[k - begin] : offsets[k - begin + 1]])
            stream.write(f'{_formatted_text(text, k)}, "links": [{listed}]{_format_score(links, k)}}}\n')


def _formatted_links(links: Links, first: int, end: int) -> list[str]:
    """Write the links of some rows."""
    rows = slice(first, end)
    probabilities, kinds = confidence_texts(""), np.array(["P", "S"], object)
    columns = (
        links.source[rows].tolist(),
        links.target[rows].tolist(),
        probabilities[confidence_steps(links.confidence[rows])].tolist(),
        kinds[links.sure[rows].astype(np.int64)].tolist(),
    )
    return [f'[{i}, {j}, {p}, "{kind}"]' for i, j, p, kind in zip(*columns, strict=True)]


def _formatted_text(text: Text, k: int) -> str:
    """Write what an object says of the text, and leave the object open."""
    (source, target), (left, right) = ([side.lines[k] for side in text], [side.spans(k) for side in text])
    told = {
        "source": source,
        "target": target,
        "source_tokens": [source[first:end] for first, end in left],
        "target_tokens": [target[first:end] for first, end in right],
        "source_spans": left,
        "target_spans": right,
    }
    return ENCODE(told)[:-1]


def _format_score(links: Links, k: int) -> str:
    """Write a pair's score, nothing where there is none that JSON could hold."""
    if links.scores is None or not isfinite(links.scores[k]):
        return ""
    return f', "score": {links.scores[k]:.4f}'
