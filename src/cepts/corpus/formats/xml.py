"""XML that flows by: safe, with the raw text of the elements that are wanted.

The parser is expat, of Python's standard library. It loads nothing, and a document that declares entities, as bombs do
that grow when they are read, is refused. It only tells where elements begin and end; their text is cut out of the file
as it stands there, so that the places of words can be given in it.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from cepts.corpus.files import newlines
from cepts.errors import InputError, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cepts.corpus.encoding import Errors

DECLARED = re.compile(rb"""\A\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before that of UTF-16, which is how it begins
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0?\0", "utf-16-le"),
    (b"\0<\0?", "utf-16-be"),
)
WIDE = re.compile(r"utf-?(16|32)|ucs-?[24]", re.IGNORECASE)
START_TAG = re.compile(rb"""<(?:[^>"'/]++|"[^"]*+"|'[^']*+'|/(?!>))*+(/?)>""")
TRUNCATED = frozenset(("no element found", "unclosed token", "unclosed CDATA section", "partial character"))


def encoding_of(head: bytes, name: str) -> str:
    """Return the encoding of a document: that of its byte order mark, or the one that it declares, or UTF-8.

    >>> encoding_of(b'<?xml version="1.0" encoding="ISO-8859-1"?>', "x"), encoding_of(b"<tmx>", "x")
    ('iso8859-1', 'utf-8')
    """
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding
    declared = DECLARED.match(head)
    if declared is None or WIDE.match(
        declared[1].decode()
    ):  # it could be read byte by byte: it is not what it says
        return "utf-8"
    try:
        return codecs.lookup(declared[1].decode()).name
    except LookupError:
        raise InputError(
            f"{name}, line 1: declares the encoding {declared[1].decode()}, which is unknown; convert it to UTF-8"
        ) from None


def as_utf8(pieces: Iterable[bytes], name: str, errors: Errors) -> Iterator[bytes]:
    """Yield a document as UTF-8, without a byte order mark."""
    encoding: str | None = None
    lines = 0
    decoder: codecs.IncrementalDecoder | None = None
    for piece in pieces:
        if encoding is None:
            encoding = encoding_of(piece, name)
            if encoding != "utf-8" or errors == "replace":
                decoder = codecs.getincrementaldecoder(encoding)(errors)
            piece = piece.removeprefix(codecs.BOM_UTF8)
        if decoder is None:
            yield piece
            continue
        try:
            text = decoder.decode(piece)
        except UnicodeError as error:
            at = f"after line {lines + 1}" if lines else "near the beginning"
            raise InputError(
                f"{name}: not {encoding}, as it says, {at} ({error}); convert it to UTF-8"
            ) from None
        lines += text.count("\n")
        yield text.encode("utf-8", "replace")


class XmlStream:
    """A document that is fed piece by piece; `start(name, attributes)` and `end(name)` are called on the way."""

    def __init__(
        self, name: str, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None]
    ) -> None:
        self.name = name
        self.depth = 0
        self.fed = 0
        self.event = 0  # where the last tag began, in bytes that were fed
        self._fed_lines = [0, 0]  # before and behind the last piece
        self._lines_before: Callable[[], int] | None = None  # that piece
        self._wanted: list[int] = []  # where the texts begin that are wanted, the outermost first
        self._buffer = b""
        self._base = 0  # where the buffer begins
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.EntityDeclHandler = self._refuse_entity
        self._start, self._end = start, end
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end

    @property
    def line(self) -> int:
        """The line of what is being read."""
        return self._parser.CurrentLineNumber + self._skipped_lines

    @property
    def _skipped_lines(self) -> int:
        """The lines that somebody else has read."""
        return 0 if self._lines_before is None else self._lines_before() - self._fed_lines[0]

    def feed(self, piece: bytes, lines_before: Callable[[], int] | None = None) -> None:
        """Read on; `lines_before` tells how many lines were before this piece, where not all are fed."""
        self._lines_before = lines_before
        kept = min([self.event, *self._wanted])
        self._buffer = self._buffer[kept - self._base :] + piece
        self._base = kept
        self.fed += len(piece)
        if lines_before is not None:
            self._fed_lines = [self._fed_lines[1], self._fed_lines[1] + newlines(piece)]
        self._parse(piece, final=False)

    def finish(self) -> None:
        """Come to the end, where nothing may be open."""
        self._parse(b"", final=True)

    def begin_text(self) -> None:
        """Begin, in `start`, to keep what is inside of the element."""
        tag = START_TAG.match(self._buffer, self.event - self._base)
        assert tag is not None
        self._wanted.append(self._base + tag.end())

    def end_text(self) -> bytes:
        """Return, in `end`, what was inside of the element that was last begun, as it stands in the file."""
        first = self._wanted.pop()
        return self._buffer[first - self._base : max(first, self.event) - self._base]

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        self.event = self._parser.CurrentByteIndex
        self.depth += 1
        self._start(name, attributes)

    def _on_end(self, name: str) -> None:
        self.event = self._parser.CurrentByteIndex
        self.depth -= 1
        self._end(name)

    def _parse(self, piece: bytes, final: bool) -> None:
        try:
            self._parser.Parse(piece, final)
        except expat.ExpatError as error:
            raise self._explained(
                expat.ErrorString(error.code) or "", error.lineno + self._skipped_lines
            ) from None

    def _explained(self, message: str, line: int) -> InputError:
        if message in TRUNCATED:
            return InputError(f"{self.name}, line {line}: the XML ends too early ({message}); fetch it again")
        try:
            self._buffer.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data":
                byte = self._buffer[error.start]
                return InputError(
                    f"{self.name}, line {line}: invalid UTF-8, byte 0x{byte:02x}; convert the file to UTF-8, or say in"
                    f" its first line which encoding it has, or read it with {said('errors', 'replace')}"
                )
        return InputError(f"{self.name}, line {line}: not well-formed XML ({message}); repair the file")

    def _refuse_entity(self, entity: str, *_: object) -> None:
        raise InputError(
            f"{self.name}, line {self.line}: declares the entity {entity}, which could be a trap; remove the"
            " declaration"
        )
