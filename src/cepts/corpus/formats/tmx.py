"""TMX: translation memories, versions 1.1 to 1.4."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cepts.corpus.files import Block, newlines
from cepts.corpus.formats.batches import ONE_SIDE, Batch
from cepts.corpus.formats.ordinary import MOST_VERSIONS, language, safe_end, unit_pattern
from cepts.corpus.formats.xml_reader import XmlReader
from cepts.errors import EmptyTextError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cepts.corpus.languages import Choice

UNIT_END = b"</tu>"
REPEATED = "further versions in the same language"
LONGEST_WAIT = 1 << 23  # bytes without the end of a unit that may wait for it


class TmxReader(XmlReader):
    """Reads translation units; ordinary ones by a regular expression, all others by an XML parser."""

    def _prepare(self) -> None:
        """Begin with nothing open."""
        self._versions: list[tuple[str | None, bytes]] = []  # of the unit that is open
        self._language: str | None = None
        self._usual = 2  # versions in a unit
        self._lines = 0  # before the piece that is being read

    def batches(self) -> Iterator[Batch]:
        """Yield the pairs of a piece of the file at a time."""
        rest = b""
        for piece in self._pieces:
            text = rest + piece
            position = self._read(text)
            rest = text[position:]
            yield self._batch(text[:position])
        self._stream.feed(rest, lambda: self._lines)
        self._stream.finish()
        yield self._batch(rest)
        if not self.unit:
            raise EmptyTextError(f"no sentence pairs: {self.name} has no translation unit")
        if not self._pairs:
            raise self._chooser.nothing()

    def _batch(self, text: bytes) -> Batch:
        """Return the pairs of a stretch of the file."""
        origin = Block(text, newlines(text), self._lines)
        self._lines += origin.lines
        self._pairs += len(self._gathered)
        self.languages = self._chooser.found
        return self._gathered.take(origin)

    def _read(self, text: bytes) -> int:
        """Read all units that are complete, and return where they end."""
        position, safe = 0, safe_end(text)
        while True:
            if self._between_units and safe > position:
                position = self._read_ordinary(text, position, safe)
            end = text.find(UNIT_END, position)
            if end < 0 and len(text) - position < LONGEST_WAIT:
                return position
            end = len(text) if end < 0 else end + len(UNIT_END)
            self._stream.feed(text[position:end], partial(self._lines_until, text, position))
            position = end

    def _lines_until(self, text: bytes, position: int) -> int:
        """Count the lines of the file up to a place in the piece that is being read."""
        return self._lines + newlines(text, 0, position)

    @property
    def _between_units(self) -> bool:
        """Whether all that was fed ended with the end of a unit, so that whole units can be skipped."""
        return self._stream.depth == 2 and self._stream.event == self._stream.fed - len(UNIT_END)

    def _read_ordinary(self, text: bytes, position: int, end: int) -> int:
        """Read ordinary units from `position` on, as long as there are any before `end`; return where they end."""
        rows = []
        first, match = position, unit_pattern(self._usual).match
        while found := match(text, position, end):
            rows.append(found.groups())
            position = found.end()
        if rows:
            self._take_ordinary(rows, partial(self._line_of_unit, text, first))
        return position

    def _line_of_unit(self, text: bytes, position: int, k: int) -> int:
        """Return the last line of the unit that is k behind the one at `position`; found once more, for a message."""
        for _ in range(k + 1):
            found = unit_pattern(self._usual).match(text, position)
            assert found is not None
            position = found.end()
        return self._lines_until(text, position) + 1

    def _take_ordinary(self, rows: list[tuple[bytes, ...]], line: Callable[[int], int]) -> None:
        """Take many units, attributes and segment of each version; all at once if they are alike."""
        columns = list(zip(*rows, strict=True))
        if all(column.count(column[0]) == len(rows) for column in columns[::2]):
            choice = self._choose([language(column[0]) for column in columns[::2]], partial(line, 0))
            sides = () if choice.sides is None or choice.repeated else choice.sides
            if sides and self._take_all([columns[2 * side + 1] for side in sides]):
                return
        choices: dict[tuple[bytes, ...], Choice] = {}
        for k, row in enumerate(rows):
            attributes = row[::2]
            if attributes not in choices:
                choices[attributes] = self._choose([language(one) for one in attributes], partial(line, k))
            self._take(choices[attributes], row[1::2])

    def _take_all(self, sides: list[tuple[bytes, ...]]) -> bool:
        """Take many units whose sides are known, if none of them is empty."""
        full = all(all(map(bytes.strip, side)) for side in sides)
        if full:
            first, self.unit = self.unit + 1, self.unit + len(sides[0])
            self._gathered.extend(sides[0], sides[1], range(first, self.unit + 1))
        return full

    def _choose(self, codes: list[str | None], line: Callable[[], int]) -> Choice:
        """Choose the two sides of a unit by its languages; `line` tells where it is, if that must be said."""
        if None in codes or "" in codes:
            raise InputError(f"{self.name}, line {line()}: a tuv without a language; add xml:lang")
        known = tuple(map(str, codes))
        return self._chooser.known.get(known) or self._chooser.choose(known, f", line {line()}")

    def _take(self, choice: Choice, segments: Sequence[bytes]) -> None:
        """Take the two sides of a unit, or count that it has not got them."""
        self.unit += 1
        if choice.repeated:
            self.left_out[REPEATED] += choice.repeated
        if choice.sides is not None:
            source, target = segments[choice.sides[0]], segments[choice.sides[1]]
            if source.strip() and target.strip():
                self._gathered.add(source, target, self.unit)
                return
        self.left_out[ONE_SIDE] += 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Follow the parser into an element."""
        if name == "seg":
            self._stream.begin_text()
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang")
        elif name == "tu":
            self._versions = []
        elif name == "header":
            self._chooser.first = attributes.get("srclang")

    def _end(self, name: str) -> None:
        """Follow the parser out of an element."""
        if name == "seg":
            self._versions.append((self._language, self._stream.end_text()))
            self._language = None
        elif name == "tu":
            if 0 < len(self._versions) <= MOST_VERSIONS:
                self._usual = len(self._versions)
            choice = self._choose([code for code, _ in self._versions], lambda: self._stream.line)
            self._take(choice, [segment for _, segment in self._versions])
