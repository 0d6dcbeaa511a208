"""`MarkedAlphabet`: the characters of one side's names as ids, between marks of begin and end."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

BEGIN, END = 0, 1  # marks: phrases know by them where a name begins and ends
MARKS = 2


def composed(name: str) -> str:
    """Return a name in Unicode's normal form C: one character for a letter with its mark, where there is one."""
    return unicodedata.normalize("NFC", name)


def is_copied(character: str) -> bool:
    """Tell whether a character that was never seen is kept as it is: no letter, and no mark on one.

    >>> is_copied("-"), is_copied("7"), is_copied("ж")
    (True, True, False)
    """
    return unicodedata.category(character)[0] not in "LM"


@dataclass(frozen=True)
class MarkedAlphabet:
    """Characters in order; ids 0 and 1 are the marks, the first character has id 2.

    >>> MarkedAlphabet.of(["ana"]).encode("nab", {})
    [0, 3, 2, 4, 1]
    """

    characters: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[str]) -> MarkedAlphabet:
        """Return the characters of names, by first appearance."""
        return cls(tuple(dict.fromkeys(character for name in names for character in name)))

    def __len__(self) -> int:
        """Count the ids."""
        return len(self.characters) + MARKS

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {character: number for number, character in enumerate(self.characters, MARKS)}

    def id_of(self, character: str, others: dict[str, int]) -> int:
        """Return the id of a character; one that is not of the alphabet gets the next free id, and enters `others`."""
        found = self._ids.get(character)
        return others.setdefault(character, len(self) + len(others)) if found is None else found

    def encode(self, name: str, others: dict[str, int]) -> list[int]:
        """Return the ids of a name, between the marks."""
        return [BEGIN, *(self.id_of(character, others) for character in name), END]

    def copies(self, name: str, others: dict[str, int]) -> list[int]:
        """Return what each character of a name of the other side, and its marks, would be copied as, or -1.

        Copied is what this side has too, and what is no letter.
        """
        ids = [
            self.id_of(character, others) if character in self._ids or is_copied(character) else -1
            for character in name
        ]
        return [BEGIN, *ids, END]

    def decode(self, ids: NDArray[np.int32], others: dict[str, int]) -> str:
        """Return the name of ids; marks are left out."""
        extra = list(others)
        limit = len(self)
        letters = [
            self.characters[number - MARKS] if number < limit else extra[number - limit]
            for number in ids.tolist()
            if number >= MARKS
        ]
        return "".join(letters)

    def array(self) -> NDArray[np.int32]:
        """Return the characters' code points, to be saved."""
        return np.array([ord(character) for character in self.characters], np.int32)

    @classmethod
    def from_array(cls, codes: NDArray[np.integer]) -> MarkedAlphabet:
        """Return the alphabet of saved code points; what cannot be one raises ValueError."""
        if codes.ndim != 1 or codes.dtype != np.int32 or len(np.unique(codes)) != len(codes):
            raise ValueError("its alphabet is none")
        return cls(tuple(chr(code) for code in codes.tolist()))
