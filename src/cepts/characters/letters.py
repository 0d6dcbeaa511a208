"""Letters as numbers: strings are normalised to NFC, and a letter that is not in the alphabet is UNKNOWN."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import is_normalized, normalize

import numpy as np

from cepts.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

BITS = 14  # of a letter's number, as in `table_kernels`
BOUNDARY, UNKNOWN = (
    0,
    1,
)  # numbers that are no letters: nothing, or the end of a string, and an unknown letter
FIRST = 2
CODE_POINTS = 0x110000


class Strings(NamedTuple):
    """Strings as numbers of letters; string k is letters[offsets[k] : offsets[k + 1]]."""

    letters: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1


def composed(strings: Iterable[str]) -> list[str]:
    """Return strings in normal form NFC.

    >>> composed(["e\N{COMBINING ACUTE ACCENT}"]) == ["\N{LATIN SMALL LETTER E WITH ACUTE}"]
    True
    """
    strings = list(strings)
    if is_normalized("NFC", "\n".join(strings)):
        return strings
    return [normalize("NFC", string) for string in strings]


def check_lengths(names: Iterable[str], most: int) -> None:
    """Refuse names of more letters than that, as it would take too long to transcribe them."""
    longest = max(map(len, names), default=0)
    if longest > most:
        raise InputError(f"a name of {longest:,} letters is too long to transcribe: at most {most:,}")


class Alphabet:
    """The letters of one side, numbered from 2 on.

    >>> Alphabet("abc").encode(["cab", "x"]).letters.tolist()
    [4, 2, 3, 1]
    """

    def __init__(self, letters: Sequence[str]) -> None:
        if len(letters) + FIRST >= 1 << BITS:
            raise OptionError(
                f"the strings have {len(letters)} different letters;"
                f" at most {(1 << BITS) - FIRST - 1} can be told apart"
            )
        self.letters = tuple(letters)
        self._numbers = np.ones(CODE_POINTS, np.int16)
        self._numbers[[ord(letter) for letter in letters]] = np.arange(FIRST, FIRST + len(letters))

    @classmethod
    def of(cls, strings: Iterable[str]) -> Alphabet:
        """Collect the letters of strings, in the order of their code points."""
        return cls(sorted(set(chain.from_iterable(strings))))

    def __len__(self) -> int:
        """How many numbers there are, those that are no letters included."""
        return len(self.letters) + FIRST

    def encode(self, strings: Sequence[str]) -> Strings:
        """Turn strings, which are in normal form, into numbers."""
        offsets = np.zeros(len(strings) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, strings), np.int64, len(strings)), out=offsets[1:])
        codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), np.uint32)
        return Strings(self._numbers[codes].astype(np.int32), offsets)

    def letter(self, number: int) -> str:
        """Return a letter; nothing and an unknown one are empty."""
        return self.letters[number - FIRST] if number >= FIRST else ""

    def decode(self, numbers: NDArray[np.int32], unknown: Iterable[str] = ()) -> str:
        """Spell numbers out; those of unknown letters are replaced by `unknown`, in their order."""
        copies = iter(unknown)
        return "".join(self.letters[n - FIRST] if n >= FIRST else next(copies, "") for n in numbers.tolist())
