"""Links out of the TMX and XLIFF files that Cepts wrote, by way of expat, which fetches nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

import numpy as np

from cepts.errors import InputError
from cepts.links.fields import shorten
from cepts.links.pharaoh import pharaoh_rows
from cepts.links.rows import refuse
from cepts.links.text import Span, Text, TextSide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cepts.links.rows import Complain, Rows

UNITS = {"tu", "unit"}
TEXTS = {"seg": None, "source": 0, "target": 1}
PROPERTIES = {"prop", "mda:meta"}


class _Unit:
    """What one pair has: the number of its line, its texts, its properties."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.texts = list[str]()
        self.properties = dict[str, str]()


class _Reader:
    """Collects units while expat walks through a file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.units = list[_Unit]()
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._add
        self.parser.EntityDeclHandler = self._refuse_entities
        self._collected: list[str] | None = None
        self._key = ""

    def read(self, text: str) -> None:
        """Walk through the text of a file."""
        try:
            self.parser.Parse(text.encode(), True)
        except expat.ExpatError as error:
            raise InputError(
                f"{self.name}, line {error.lineno}: not well-formed XML ({expat.ErrorString(error.code)});"
                " is the file cut off?"
            ) from None

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in UNITS:
            self.units.append(_Unit(self.parser.CurrentLineNumber))
        elif self.units and (tag in TEXTS or tag in PROPERTIES):
            self._collected = []
            self._key = attributes.get("type", "").removeprefix("x-cepts-")

    def _end(self, tag: str) -> None:
        if self._collected is None or not (tag in TEXTS or tag in PROPERTIES):
            return
        text = "".join(self._collected)
        if tag in TEXTS:
            self.units[-1].texts.append(text)
        else:
            self.units[-1].properties[self._key] = text
        self._collected = None

    def _add(self, text: str) -> None:
        if self._collected is not None:
            self._collected.append(text)

    def _refuse_entities(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise InputError(
            f"{self.name}, line {line}: the file declares entities, which are not read; remove them"
        )


def memory_rows(lines: Sequence[str], name: str, complain: Complain = refuse) -> tuple[Rows, Text]:
    """Parse what `write_tmx` or `write_xliff` wrote: a pair for each unit, in the order of the file."""
    reader = _Reader(name)
    reader.read("\n".join(lines))
    units = reader.units
    if not any("links" in unit.properties for unit in units):
        raise InputError(f"{name}: no links in it, expected the properties that `cepts convert` writes")
    numbers = np.array([unit.line for unit in units], np.int64)

    def complain_of(pair: int, error: InputError) -> None:
        line = int(numbers[pair - 1])
        complain(line, InputError(f"{name}, line {line}: {str(error).partition(': ')[2]}"))

    rows = pharaoh_rows([_line(unit.properties) for unit in units], "links", complain_of)
    return rows._replace(line=numbers[rows.pair]), Text(*(_side(units, side, name) for side in (0, 1)))


def _line(properties: dict[str, str]) -> str:
    """Write links and score as a Pharaoh file has them."""
    return properties.get("links", "") + (f"\t{properties['score']}" if "score" in properties else "")


def _side(units: list[_Unit], side: int, name: str) -> TextSide:
    """Return one side of the text, and where its words are."""
    spans = list[Span]()
    offsets = [0]
    for unit in units:
        if len(unit.texts) != 2:
            raise InputError(
                f"{name}, line {unit.line}: {len(unit.texts)} texts in a unit, expected source and target"
            )
        spans += _spans(unit, side, name)
        offsets.append(len(spans))
    flat = np.array(spans, np.int32).reshape(-1, 2)
    return TextSide([unit.texts[side] for unit in units], flat, np.array(offsets, np.int64))


def _spans(unit: _Unit, side: int, name: str) -> list[Span]:
    """Return where the words of a text are."""
    key, length = f"{('source', 'target')[side]}-spans", len(unit.texts[side])
    spans = []
    for token in unit.properties.get(key, "").split():
        first, _, end = token.partition("-")
        right = first.isascii() and first.isdigit() and end.isascii() and end.isdigit() and len(token) < 30
        if not right or not int(first) <= int(end) <= length:
            raise InputError(
                f"{name}, line {unit.line}: {key} has {shorten(token)!r}, expected first-end within {length} characters"
            )
        spans.append((int(first), int(end)))
    return spans
