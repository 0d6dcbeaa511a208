"""XLIFF: files on their way through translation, versions 1.2 and 2.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.corpus.formats.batches import PAIRS_AT_ONCE, Batch
from cepts.corpus.formats.xml_reader import XmlReader
from cepts.errors import EmptyTextError

if TYPE_CHECKING:
    from collections.abc import Iterator


UNTRANSLATED = "untranslated"
UNTOUCHED = frozenset(
    ("new", "needs-translation", "initial")
)  # states of a target that nobody has written yet
SKIPPED = frozenset(("alt-trans", "ignorable", "matches", "glossary", "note", "notes", "metadata"))
SEGMENT = "seg"


class XliffReader(XmlReader):
    """Reads `trans-unit` elements of version 1.2, and the segments in them, and `segment` elements of 2.x."""

    def _prepare(self) -> None:
        """Begin with nothing open."""
        self._sides: tuple[int, int] | None = (0, 1)  # which of source and target is which, None: not wanted
        self._skipping = 0  # the depth of what is skipped
        self._texts: dict[str, bytes] = {}  # of the unit that is open: source, seg-source, target
        self._parts: dict[str, dict[str, bytes]] = {}  # and their segments, by number
        self._reading = ""  # source, seg-source or target
        self._marks: list[str | None] = []  # the segments that are open, None for other marks
        self._state = ""

    def batches(self) -> Iterator[Batch]:
        """Yield the pairs, some at a time."""
        for piece in self._pieces:
            self._stream.feed(piece)
            if len(self._gathered) >= PAIRS_AT_ONCE:
                yield self._batch()
        self._stream.finish()
        yield self._batch()
        if not self.unit:
            raise EmptyTextError(f"no sentence pairs: {self.name} has no translation unit")
        if not self._pairs and not self.left_out:
            raise self._chooser.nothing()

    def _batch(self) -> Batch:
        self._pairs += len(self._gathered)
        return self._gathered.take()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Follow the parser into an element."""
        name = name.rpartition(":")[2]
        if self._skipping:
            return
        if name == "mrk" and self._reading:
            self._start_mark(attributes)
        elif self._reading:
            return
        elif name in SKIPPED:
            self._skipping = self._stream.depth
        elif name in ("source", "seg-source", "target"):
            self._reading = name
            self._stream.begin_text()
            self._state = attributes.get("state", self._state) if name == "target" else self._state
        elif name in ("trans-unit", "segment"):
            self._texts, self._parts, self._state = {}, {}, attributes.get("state", "")
        elif name == "xliff":
            self._learn(attributes.get("srcLang"), attributes.get("trgLang"))
        elif name == "file":
            self._learn(attributes.get("source-language"), attributes.get("target-language"))

    def _start_mark(self, attributes: dict[str, str]) -> None:
        """Begin a mark; it may be a segment."""
        wanted = attributes.get("mtype") == SEGMENT and "mid" in attributes
        self._marks.append(attributes["mid"] if wanted else None)
        if wanted:
            self._stream.begin_text()

    def _end(self, name: str) -> None:
        """Follow the parser out of an element."""
        name = name.rpartition(":")[2]
        if self._skipping:
            self._skipping = 0 if self._stream.depth < self._skipping else self._skipping
        elif name == "mrk" and self._marks:
            number = self._marks.pop()
            if number is not None:
                self._parts.setdefault(self._reading, {})[number] = self._stream.end_text()
        elif name == self._reading and not self._marks:
            self._texts[name] = self._stream.end_text()
            self._reading = ""
        elif name in ("trans-unit", "segment") and not self._reading:
            self._take()

    def _learn(self, source: str | None, target: str | None) -> None:
        """Take the languages of a file within the document, and see whether they are wanted."""
        if source is None and target is None:  # of a file in version 2: the document says it
            return
        if source is None or target is None:  # the elements say which is which
            self._sides = (0, 1)
            return
        choice = self._chooser.choose((source, target), f", line {self._stream.line}")
        self._sides, self.languages = choice.sides, self._chooser.found

    def _take(self) -> None:
        """Take the pairs of a unit, or count that it has none."""
        self.unit += 1
        if self._sides is None:
            return
        for source, target in self._segments():
            if self._state in UNTOUCHED or not target.strip() or not source.strip():
                self.left_out[UNTRANSLATED] += 1
            else:
                sides = (source, target)
                self._gathered.add(sides[self._sides[0]], sides[self._sides[1]], self.unit)

    def _segments(self) -> list[tuple[bytes, bytes]]:
        """Return the segments of a unit: those that are marked on both sides, or the unit as a whole."""
        sources, targets = self._parts.get("seg-source", {}), self._parts.get("target", {})
        if sources and targets:
            return [(text, targets.get(number, b"")) for number, text in sources.items()]
        return [(self._texts.get("source", b""), self._texts.get("target", b""))]
