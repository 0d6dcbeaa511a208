"""What readers of XML with both languages have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from cepts.corpus.formats.batches import Gathered, Reader
from cepts.corpus.formats.xml import XmlStream, as_utf8
from cepts.corpus.languages import Languages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cepts.corpus.encoding import Errors


class XmlReader(Reader):
    """Follows a parser through the elements of a document, and gathers pairs on the way."""

    xml: ClassVar[bool] = True
    markup: ClassVar[bool] = True

    def __init__(
        self,
        pieces: Iterable[bytes],
        name: str,
        errors: Errors,
        source_language: str | None,
        target_language: str | None,
    ) -> None:
        super().__init__(name, errors)
        self._pieces = as_utf8(pieces, name, errors)
        self._chooser = Languages(name, source_language, target_language)
        self._stream = XmlStream(name, self._start, self._end)
        self._gathered = Gathered()
        self._pairs = 0
        self._prepare()

    @abstractmethod
    def _prepare(self) -> None:
        """Begin with nothing open."""

    @abstractmethod
    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Follow the parser into an element."""

    @abstractmethod
    def _end(self, name: str) -> None:
        """Follow the parser out of an element."""
