"""Names scored: how high the right target stands in a list or among candidates, and how far off the best one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.evaluation import edit_distance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cepts.characters import Candidate
    from freitag_2007.material import Names

    Judging = Callable[[Sequence[str], Sequence[str]], NDArray[np.floating[Any]]]

LISTED = 5  # candidates of a name, as in table 7
PAIRS = 1 << 18  # that are judged at once


class Answers(NamedTuple):
    """For each name the rank of the right target (0: none), with one reference and with all, and two counts of letters.

    `errors` is how many letters the best candidate is off, `letters` how many the target has.
    """

    one: list[int]
    every: list[int]
    errors: list[int]
    letters: list[int]


def score_lists(lists: Sequence[Sequence[Candidate]], names: Names) -> Answers:
    """Score lists of candidates, best first."""
    answers = Answers([], [], [], [])
    for (source, target), found in zip(names.scored, lists, strict=True):
        texts = [candidate.text for candidate in found[:LISTED]]
        answers.one.append(rank_in(texts, [target]))
        answers.every.append(rank_in(texts, names.references[source]))
        answers.errors.append(edit_distance(texts[0] if texts else "", target))
        answers.letters.append(len(target))
    return answers


def rank_in(texts: Sequence[str], right: Sequence[str]) -> int:
    """Return the rank of the first text that is right, from 1; 0 if none is.

    >>> rank_in(["ana", "anna"], ["anna"]), rank_in([], ["anna"])
    (2, 0)
    """
    return next((rank for rank, text in enumerate(texts, 1) if text in right), 0)


def score_ranking(judge: Judging, names: Names) -> Answers:
    """Rank all targets for each name; an equal score stands before the right one."""
    targets = list(dict.fromkeys(target for _, target in names.scored))
    place = {target: number for number, target in enumerate(targets)}
    answers = Answers([], [], [], [])
    at_once = max(PAIRS // len(targets), 1)
    for begin in range(0, len(names.scored), at_once):
        some = names.scored[begin : begin + at_once]
        sources = [source for source, _ in some for _ in targets]
        scores = np.asarray(judge(sources, targets * len(some))).reshape(len(some), -1)
        for (source, target), row in zip(some, scores, strict=True):
            acceptable = [place[text] for text in {target, *names.references[source]} if text in place]
            answers.one.append(rank_among(row, [place[target]]))
            answers.every.append(rank_among(row, acceptable))
    return answers


def rank_among(scores: NDArray[np.floating[Any]], right: list[int]) -> int:
    """Return the rank of the best right place: one more than how many others score no less.

    >>> rank_among(np.array([3.0, 5.0, 5.0]), [1]), rank_among(np.array([3.0, 5.0, 5.0]), [1, 2])
    (2, 1)
    """
    others = np.delete(scores, right)
    return 1 + int((others >= scores[right].max()).sum())
