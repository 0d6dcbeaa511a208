"""`Originals`: the sentences of one side as they were read, in one stretch of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

from cepts.checking import check_position, check_positions, checked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@checked
class Originals(Sequence[str]):
    """Strings that take no more memory than their UTF-8: string k is `text[first[k]:end[k]]`.

    >>> lines = Originals.of(["La maison", "", "bleue"])
    >>> list(lines), list(lines.part(1, 3)), list(lines.picked(np.array([2, 0])))
    (['La maison', '', 'bleue'], ['', 'bleue'], ['bleue', 'La maison'])
    """

    def __init__(self, text: NDArray[np.uint8], first: NDArray[np.int64], end: NDArray[np.int64]) -> None:
        self.text = text
        self.first = first
        self.end = end

    @classmethod
    def of(cls, lines: Iterable[str]) -> Originals:
        """Keep some strings."""
        encoded = [line.encode("utf-8", "surrogatepass") for line in lines]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return cls.cut(np.frombuffer(b"".join(encoded), np.uint8), lengths)

    @classmethod
    def joined(cls, parts: list[Originals]) -> Originals:
        """Put compact ones one behind the other; the list is empty afterwards, so that memory is freed on the way."""
        lengths = np.concatenate([np.empty(0, np.int64), *(part.end - part.first for part in parts)])
        text = np.empty(int(lengths.sum()), np.uint8)
        end = len(text)
        while parts:
            part = parts.pop()
            text[end - len(part.text) : end] = part.text
            end -= len(part.text)
        return cls.cut(text, lengths)

    @classmethod
    def cut(cls, text: NDArray[np.uint8], lengths: NDArray[np.int64]) -> Originals:
        """Cut a text into strings of so many bytes, one behind the other."""
        end = np.cumsum(lengths, dtype=np.int64)
        return cls(text, end - lengths, end)

    def __len__(self) -> int:
        """Count the strings."""
        return len(self.first)

    @overload
    def __getitem__(self, k: int) -> str: ...

    @overload
    def __getitem__(self, k: slice) -> Originals: ...

    def __getitem__(self, k: int | slice) -> str | Originals:
        """Return a string, or some of them."""
        if isinstance(k, slice):
            return Originals(self.text, self.first[k], self.end[k])
        check_position(k, len(self), "line")
        return self.text[self.first[k] : self.end[k]].tobytes().decode("utf-8", "surrogatepass")

    def part(self, first: int, end: int) -> Originals:
        """Return the strings from `first` to `end`."""
        return self[first:end]

    def picked(self, numbers: NDArray[np.int64]) -> Originals:
        """Return the strings with these numbers, in their order."""
        check_positions(numbers, len(self), "line")
        return Originals(self.text, self.first[numbers], self.end[numbers])

    def compact(self) -> Originals:
        """Return the same strings with nothing between them, for saving."""
        return Originals.of(self)
