"""Which two of the languages of a file are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.errors import InputError, listed, said

if TYPE_CHECKING:
    from collections.abc import Sequence


class Choice(NamedTuple):
    """Which versions of a unit are its two sides (none, if one is missing), and how many others say the same again."""

    sides: tuple[int, int] | None
    repeated: int = 0


class Languages:
    """Chooses the two sides of each unit, by the codes of its languages.

    A code stands for itself, whatever its capitals, and for every code that begins with it: `en` for `EN-gb`, and the
    other way round, as long as only one language of the unit is meant. A side that was not asked for by the user
    is what the first unit with two languages has; any third language later is an error then. `first` is the
    code of the language that is the source if nobody says anything else, as the header of a TMX file has it.

    >>> languages = Languages("memory.tmx", None, "fr")
    >>> languages.choose(("fr-FR", "en-US")).sides, languages.found
    ((1, 0), ('en-US', 'fr-FR'))
    """

    def __init__(self, name: str, source: str | None, target: str | None, first: str | None = None) -> None:
        self._name = name
        self._given = (source, target)
        self._wanted: list[str | None] = [None if code is None else normal(code) for code in (source, target)]
        self.first = first
        self.known: dict[tuple[str, ...], Choice] = {}  # what was chosen before
        self._seen: dict[str, str] = {}  # codes as they were first written, by normal form
        self.found: tuple[str, str] | None = None

    def choose(self, codes: tuple[str, ...], place: str = "") -> Choice:
        """Choose among the versions of a unit that have these codes; `place` says where, in messages."""
        known = self.known.get(codes)
        if known is None:
            for code in codes:
                self._seen.setdefault(normal(code), code)
            known = self.known[codes] = self._choose([normal(code) for code in codes], place)
            if known.sides and self.found is None:
                self.found = codes[known.sides[0]], codes[known.sides[1]]
        return known

    def nothing(self) -> InputError:
        """Word that no unit has both languages."""
        wanted = [code for code in self._given if code is not None]
        return InputError(
            f"{self._name}: no unit has {' and '.join(wanted) or 'two languages'}; languages found:"
            f" {listed(self._seen.values())}; {_cure() if len(self._seen) > 1 else 'give a file with two languages'}"
        )

    def _choose(self, codes: list[str], place: str) -> Choice:
        """Find both sides, and learn what nobody has asked for."""
        if None in self._wanted and len(set(codes)) > 1:
            self._learn(list(dict.fromkeys(codes)), place)
        if None in self._wanted:
            return Choice(None)
        source, target = (self._find(codes, side, place) for side in (0, 1))
        if None in self._given:
            self._check_others([code for k, code in enumerate(codes) if k not in source + target], place)
        if not source or not target:
            return Choice(None)
        return Choice((source[0], target[0]), len(source) + len(target) - 2)

    def _find(self, codes: Sequence[str], side: int, place: str) -> list[int]:
        """Return the versions in the language of a side: those of exactly its code, else of its relatives."""
        wanted, other = self._wanted[side], self._wanted[1 - side]
        assert wanted is not None
        if wanted in codes:
            return [k for k, code in enumerate(codes) if code == wanted]
        found = [k for k, code in enumerate(codes) if related(code, wanted) and code != other]
        if len({codes[k] for k in found}) > 1:
            meant = " and ".join(self._seen[codes[k]] for k in found)
            option = said("source_language" if side == 0 else "target_language", wanted)
            raise InputError(f"{self._name}{place}: {option} may mean {meant} here; name one of them")
        return found

    def _learn(self, codes: list[str], place: str) -> None:
        """Take what was not asked for from the languages of a unit."""
        missing = [side for side in (0, 1) if self._wanted[side] is None]
        taken = [self._find(codes, side, place) for side in (0, 1) if self._wanted[side] is not None]
        left = [code for k, code in enumerate(codes) if all(k not in found for found in taken)]
        if len(left) > len(missing):
            raise self._too_many(place)
        if len(left) < len(missing) or not all(taken):
            return
        if len(missing) == 2 and self.first is not None and related(left[1], normal(self.first)):
            left.reverse()
        short = [code.partition("-")[0] for code in left]
        others = [code for code in self._wanted if code is not None]
        if len({*short, *(code.partition("-")[0] for code in others)}) == 2:
            left = short  # so that en-US and en-GB are one language, where nobody wants both
        for side, code in zip(missing, left, strict=True):
            self._wanted[side] = code

    def _check_others(self, codes: list[str], place: str) -> None:
        """Refuse a third language where the user has not chosen two."""
        if not all(any(related(code, str(wanted)) for wanted in self._wanted) for code in codes):
            raise self._too_many(place)

    def _too_many(self, place: str) -> InputError:
        return InputError(
            f"{self._name}{place}: languages {listed(self._seen.values())} in one file; {_cure()}"
        )


def _cure() -> str:
    return f"choose two with {said('source_language')} and {said('target_language')}"


def normal(code: str) -> str:
    """Return a code in small letters, with hyphens.

    >>> normal("zh_Hant_TW")
    'zh-hant-tw'
    """
    return code.strip().replace("_", "-").lower()


def related(one: str, other: str) -> bool:
    """Tell whether one of two codes is the other, or the beginning of the other.

    >>> related("en", "en-gb"), related("en-gb", "en-us"), related("en", "enm")
    (True, False, False)
    """
    short, long = sorted((one, other), key=len)
    return long == short or long.startswith(f"{short}-")
