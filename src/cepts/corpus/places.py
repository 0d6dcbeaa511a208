"""Where the characters of a text stood before something was taken out of it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    Span = tuple[int, int]


class Places:
    """Collects a text, piece by piece, and where each piece stood in the original.

    A piece that is as long as its original is the original; any other one stands for the whole of it.

    >>> places = Places()
    >>> for piece in (("AT", 0, 2), ("&", 2, 7), ("T", 7, 8)):
    ...     places.add(*piece)
    >>> places.text, places.original([(0, 2), (0, 4), (2, 3)])
    ('AT&T', [(0, 2), (0, 8), (2, 7)])
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._begins: list[int] = []  # where each piece begins in the text
        self._originals: list[Span] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def add(self, piece: str, first: int, end: int) -> None:
        """Add a piece that stands for the characters from `first` to `end` of the original."""
        if piece:
            self._pieces.append(piece)
            self._begins.append(self._length)
            self._originals.append((first, end))
            self._length += len(piece)

    def original(self, spans: Iterable[Span]) -> list[Span]:
        """Return where stretches of the text, none of them empty, stood in the original."""
        return [(self._place(first)[0], self._place(end - 1)[1]) for first, end in spans]

    def _place(self, character: int) -> Span:
        """Return where one character stood."""
        number = bisect_right(self._begins, character) - 1
        first, end = self._originals[number]
        length = len(self._pieces[number])
        if end - first != length:
            return first, end
        within = first + character - self._begins[number]
        return within, within + 1
