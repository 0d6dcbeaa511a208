"""What every system that writes names in another script can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from cepts import bounds
from cepts.characters import Candidate
from cepts.errors import InputError, OptionError
from cepts.names.alphabet import composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

Pairs = list[tuple[str, str]]


class Judge(Protocol):
    """Judges how well names go with others."""

    def affinities(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.floating]:
        """Return how well each source goes with the target of the same number."""
        ...


class System(Judge, Protocol):
    """Writes names in another script, too."""

    def transcribe(self, names: Iterable[str], n_best: int = 5, *, threads: int = 1) -> list[list[Candidate]]:
        """Return the best ways to write each name, best first."""
        ...


def ranked(
    judge: Judge, names: Iterable[str], candidates: Sequence[str], n_best: int, threads: int
) -> list[list[Candidate]]:
    """Return for each name the candidates that go best with it, best first; equals in the order of the list."""
    check_n_best(n_best)
    texts = [composed(text) for text in candidates]
    lists = []
    for name in names:
        scores = judge.affinities([composed(name)] * len(texts), texts, threads=threads)
        lists.append(best_of(texts, scores, n_best))
    return lists


def best_of(texts: Sequence[str], scores: NDArray[np.floating], n_best: int) -> list[Candidate]:
    """Return the candidates of highest score, best first."""
    order = np.argsort(-scores, kind="stable")[:n_best].tolist()
    return [Candidate(texts[place], float(scores[place])) for place in order]


def check_n_best(n_best: int) -> None:
    """Refuse lists that would be empty, or endless."""
    bounds.CANDIDATES.check("n_best", n_best)


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
