"""What every system that writes names in another script can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cepts.errors import InputError, OptionError
from cepts.names.alphabet import composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cepts.characters import Candidate

Pairs = list[tuple[str, str]]


class Judge(Protocol):
    """Judges how well names go with others."""

    def affinities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.floating]:
        """Return how well each source goes with the target of the same number."""
        ...


class System(Judge, Protocol):
    """Writes names in another script, too."""

    def transcribe(self, names: Iterable[str], n_best: int = 5) -> list[list[Candidate]]:
        """Return the best ways to write each name, best first."""
        ...


def checked_pairs(pairs: Iterable[tuple[str, str]], what: str) -> Pairs:
    """Return pairs in normal form C, without those that have an empty side; refuse to go on with none."""
    found = [(composed(source), composed(target)) for source, target in pairs]
    found = [pair for pair in found if pair[0] and pair[1]]
    if not found:
        raise InputError(f"no pair of names to {what}: expected pairs of two strings that are not empty")
    return found


def check_equal(sources: Sequence[str], targets: Sequence[str]) -> None:
    """Refuse two lists of names that cannot be paired."""
    if len(sources) != len(targets):
        raise OptionError(f"{len(sources)} sources but {len(targets)} targets, expected as many")
