"""How well a model does on data that it did not learn from, as one number from 0 to 1: for choosing an epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cepts.characters.model import Candidate
    from cepts.characters.options import Mode

RANKED = 1000  # names at most that are ranked against all targets of dev


class Scores(Protocol):
    """What a model must be able to do."""

    def affinities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float32]:
        """Score pairs."""

    def rank(self, names: Sequence[str], candidates: Sequence[str], n_best: int) -> list[list[Candidate]]:
        """Rank candidates."""

    def transcribe(self, names: Sequence[str], n_best: int) -> list[list[Candidate]]:
        """Generate candidates."""


def score_on(model: Scores, rows: list[tuple[str, ...]], mode: Mode) -> float:
    """Return the mean of 1 / rank of a true target among five (generate) or all (rank), or how many orders are right.

    For groups, each string's next member is ordered against the member of the next group.
    """
    if mode in ("generate", "rank"):
        return _reciprocal_rank(model, rows, mode)
    triples = _orders_of_groups(rows) if mode == "classify" else [row[:3] for row in rows]
    if not triples:
        return 0.0
    sources, better, worse = (list(column) for column in zip(*triples, strict=True))
    return float(np.mean(model.affinities(sources, better) > model.affinities(sources, worse)))


def _reciprocal_rank(model: Scores, rows: list[tuple[str, ...]], mode: Mode) -> float:
    truth: dict[str, set[str]] = {}
    for source, target in rows:
        truth.setdefault(source, set()).add(target)
    names = list(truth)[:RANKED]
    if mode == "generate":
        lists = model.transcribe(names, 5)
    else:
        candidates = list(dict.fromkeys(target for _, target in rows))
        lists = model.rank(names, candidates, len(candidates))
    return float(np.mean([_reciprocal(found, truth[name]) for name, found in zip(names, lists, strict=True)]))


def _reciprocal(found: list[Candidate], true: set[str]) -> float:
    return next((1 / rank for rank, candidate in enumerate(found, 1) if candidate.text in true), 0.0)


def _orders_of_groups(groups: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    large = [group for group in groups if len(group) > 1]
    return [
        (string, group[(at + 1) % len(group)], other[at % len(other)])
        for group, other in zip(large, large[1:] + large[:1], strict=True)
        for at, string in enumerate(group)
        if string not in other
    ]
