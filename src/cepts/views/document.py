"""Aligned pairs as one HTML file: page, drawings and data in one, for any browser, without a network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from importlib.resources import files
from itertools import islice
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from cepts.checking import checked
from cepts.errors import OptionError, worded
from cepts.views.comparing import check_range
from cepts.views.svg import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cepts.links import Link
    from cepts.views.pairs import AlignedPair

BLOCK = 200  # pairs of a block of JSON: what a page parses to show one of them
MOST_PAIRS = 250_000  # a page of some 150 MB: browsers still open it
THOUSAND = 1000  # confidences are kept in thousandths
PART = re.compile(r"\{([a-z-]+)\}")
MODULE_WORDS = re.compile(r"^export |^import .*\n", re.MULTILINE)


class Measure(NamedTuple):
    """Something that says how good a pair is: its key, what people call it, and which end is bad."""

    key: str
    name: str
    worst: str
    unit: str = ""


MEASURES = (
    Measure("error", "AER", "high", "%"),
    Measure("score", "score", "low"),
    Measure("confidence", "mean confidence", "low", "%"),
    Measure("unlinked", "words without link", "high", "%"),
)


@checked
def write_html(pairs: Iterable[AlignedPair], stream: TextIO, title: str = "alignments") -> None:
    """Write a page for a whole corpus: a list to search, filter and order, and drawings of the pair that is chosen."""
    before, behind = _page(visible(title))
    stream.write(before)
    index: dict[str, Any] = {"block": BLOCK, "confidences": False, "lines": [], "lengths": []}
    index["values"] = {measure.key: [] for measure in MEASURES}
    for block in _blocks(pairs):
        if len(index["lines"]) + len(block) > MOST_PAIRS:
            raise OptionError(f"more than {MOST_PAIRS} pairs for one page; {_fewer()}")
        _write_json(stream, 'class="block"', [_described(pair) for pair in block])
        for pair in block:
            _add(index, pair)
    if not index["lines"]:
        raise OptionError(f"no pairs for a page; {_fewer()}")
    _write_json(stream, 'id="index"', _with_measures(index))
    stream.write(behind)


def _fewer() -> str:
    return worded("choose some with --lines", "choose some")


def _blocks(pairs: Iterable[AlignedPair]) -> Iterator[list[AlignedPair]]:
    walk = iter(pairs)
    while block := list(islice(walk, BLOCK)):
        yield block


def _described(pair: AlignedPair) -> list[Any]:
    """Return what is drawn of a pair: words, links, gold links, note."""
    check_range(pair.links, f"line {pair.line}: link", pair.source, pair.target)
    check_range(pair.gold or (), f"line {pair.line}: gold link", pair.source, pair.target)
    words = [[visible(word) for word in side] for side in (pair.source, pair.target)]
    return [*words, _flat(pair.links), None if pair.gold is None else _flat(pair.gold), pair.note]


def _flat(links: Sequence[Link]) -> list[int]:
    """Return source, target and thousandths of each link; possible ones count below zero.

    >>> from cepts.links import Link
    >>> _flat([Link(2, 3, 0.5), Link(4, 5, 1.0, sure=False)])
    [2, 3, 500, 4, 5, -1001]
    """
    flat: list[int] = []
    for source, target, confidence, sure in links:
        share = round(THOUSAND * min(max(confidence, 0.0), 1.0))
        flat += (source, target, share if sure else -1 - share)
    return flat


def _add(index: dict[str, Any], pair: AlignedPair) -> None:
    """Take in what the list of a page knows of a pair."""
    words = len(pair.source) + len(pair.target)
    linked = len({link.source for link in pair.links}) + len({link.target for link in pair.links})
    confidences = [link.confidence for link in pair.links]
    index["lines"].append(pair.line)
    index["lengths"].append(words)
    index["confidences"] |= any(confidence != 1 for confidence in confidences)
    values = {
        "error": pair.error,
        "score": pair.score,
        "confidence": fmean(confidences) if confidences else None,
        "unlinked": 1 - linked / words if words else None,
    }
    for key, value in values.items():
        index["values"][key].append(None if value is None else round(value, 4))


def _with_measures(index: dict[str, Any]) -> dict[str, Any]:
    """Keep the measures that are known of any pair, the most telling first."""
    known = {key for key, values in index["values"].items() if any(value is not None for value in values)}
    known -= set() if index["confidences"] else {"confidence"}
    known |= {"unlinked"}
    measures = [measure._asdict() for measure in MEASURES if measure.key in known]
    return index | {"measures": measures, "values": {key: index["values"][key] for key in known}}


def _write_json(stream: TextIO, attributes: str, content: object) -> None:
    """Write data that no parser of HTML can take for anything else: it has no `<`."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    stream.write(f'<script type="application/json" {attributes}>{text}</script>\n')


def _page(title: str) -> tuple[str, str]:
    """Return the page before and behind the data; style and script are in it, and the policy allows these alone."""
    style = _static("draw.css") + _static("document.css")
    script = f'(() => {{\n"use strict";\n{_classic("draw.js")}{_classic("document.js")}}})();\n'
    parts = {
        "script-hash": _hash(script),
        "style-hash": _hash(style),
        "title": escape(title),
        "style": style,
        "script": script,
    }
    before, behind = (
        PART.sub(lambda match: parts[match[1]], part) for part in _static("document.html").split("{data}")
    )
    return before, behind


def _static(name: str) -> str:
    return files("cepts.views").joinpath("static", name).read_text(encoding="utf-8")


def _classic(name: str) -> str:
    """Return a module as part of a plain script: browsers load no modules from files."""
    return MODULE_WORDS.sub("", _static(name))


def _hash(text: str) -> str:
    """Name a script or style as a content security policy does."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
