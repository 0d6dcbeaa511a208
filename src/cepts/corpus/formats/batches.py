"""What all readers of files with both languages have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from cepts.corpus.encoding import LONE_SURROGATE
from cepts.errors import InputError, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cepts.corpus.encoding import Errors
    from cepts.corpus.files import Block

PAIRS_AT_ONCE = 1 << 13
ONE_SIDE = "with one side only"


class Batch(NamedTuple):
    """Some pairs: the segments of both sides as UTF-8, their units, and the text that they were cut from."""

    sources: list[bytes]
    targets: list[bytes]
    units: list[int]
    origin: Block | None = None


class Reader(ABC):
    """Reads the pairs of a file once, from its beginning to its end."""

    xml: ClassVar[bool] = False  # segments are the inside of XML elements
    markup: ClassVar[bool] = False  # HTML and placeholders go, unless the user says otherwise
    keys: ClassVar[bool] = False  # and so do the keys of menu items

    def __init__(self, name: str, errors: Errors) -> None:
        self.name = name
        self.errors = errors
        self.left_out: Counter[str] = Counter()
        self.languages: tuple[str, str] | None = None
        self.unit = 0  # the number of units so far

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """Yield the pairs, some at a time; memory stays bounded."""

    def encoded(self, text: str, place: str) -> bytes:
        """Return a string as UTF-8; halves of characters are refused, or replaced."""
        try:
            return text.encode()
        except UnicodeEncodeError:
            if self.errors == "replace":
                return LONE_SURROGATE.sub("\ufffd", text).encode()
            raise InputError(
                f"{self.name}, {place}: half of a character (a lone surrogate); repair it, or read the file with"
                f" {said('errors', 'replace')}"
            ) from None


class Gathered:
    """Pairs that wait to become a batch."""

    def __init__(self) -> None:
        self._sources: list[bytes] = []
        self._targets: list[bytes] = []
        self._units: list[int] = []

    def __len__(self) -> int:
        """Count the pairs that wait."""
        return len(self._units)

    def add(self, source: bytes, target: bytes, unit: int) -> None:
        """Take a pair."""
        self._sources.append(source)
        self._targets.append(target)
        self._units.append(unit)

    def extend(self, sources: Iterable[bytes], targets: Iterable[bytes], units: Iterable[int]) -> None:
        """Take many pairs."""
        self._sources.extend(sources)
        self._targets.extend(targets)
        self._units.extend(units)

    def take(self, origin: Block | None = None) -> Batch:
        """Return what has waited."""
        batch = Batch(self._sources, self._targets, self._units, origin)
        self._sources, self._targets, self._units = [], [], []
        return batch
