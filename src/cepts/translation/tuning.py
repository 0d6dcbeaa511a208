"""Weights of a log-linear model under which its best translations of a dev set have a high BLEU.

Lists of the best translations and weights take turns, and lists of all rounds are pooled. How weights are found from a
pool: by `mira`, batch MIRA (Cherry and Foster, 2012), which moves them until hoped-for translations win against feared
ones by as much as their BLEU differs; or by `pro` (Hopkins and May, 2011), which learns to tell the better of two drawn
translations. Whatever they find, what is returned is the best that was decoded, so never worse than the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.errors import OptionError
from cepts.phrases.tuning import climb
from cepts.translation.bleu import COLUMNS, bleu, smoothed_bleu
from cepts.translation.mira_kernels import mira_epoch

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    Weights = NDArray[np.float64]
    Optimiser = Callable[[list["Listed"], Weights, NDArray[np.bool_], np.random.Generator], Weights]

EPOCHS = 40  # of MIRA, through the pool
LARGEST_STEP = 0.01
DECAY = 0.999  # of the document that a sentence is judged in
DRAWN, KEPT = 5000, 50  # pairs of translations of a sentence, for PRO
LEAST_DIFFERENCE = 5.0  # of their BLEU
STRENGTH = 1e-4  # of the pull towards nought
PATIENCE = 2  # rounds that may pass without a better BLEU


class Listed(NamedTuple):
    """Translations of one sentence: what they are, features and statistics of BLEU, a row each, the best first."""

    targets: Sequence[Hashable]
    features: NDArray[np.float64]
    statistics: NDArray[np.float64]


class Tuned(NamedTuple):
    """Weights, and the BLEU on dev of each round; the first is that of the start."""

    weights: Weights
    history: list[float]


def tune(
    decode: Callable[[Weights], list[Listed]],
    first: Weights,
    free: NDArray[np.bool_],
    *,
    tuner: str = "mira",
    rounds: int = 10,
    seed: int = 1,
) -> Tuned:
    """Return the best weights found: `decode` lists translations by given weights; those not `free` stay."""
    if tuner not in TUNERS:
        raise OptionError(f"tuner {tuner!r}: expected one of {', '.join(TUNERS)}")
    bounds.TUNING_ROUNDS.check("rounds", rounds)
    chance = np.random.default_rng(seed)
    weights, best, history = first, first, list[float]()
    pool: list[Listed] = []
    for _ in range(rounds + 1):
        lists = decode(weights)
        history.append(top_bleu(lists))
        if history[-1] > max(history[:-1], default=-1.0):
            best = weights
        if len(history) > rounds or len(history) - 1 - int(np.argmax(history)) >= PATIENCE:
            break
        pool = [pooled(*both) for both in zip(pool, lists, strict=True)] if pool else lists
        found = TUNERS[tuner](pool, weights, free, chance)
        if np.array_equal(found, weights):  # lists would be the same again
            break
        weights = scaled(found, first, free)
    return Tuned(best, history)


def top_bleu(lists: Sequence[Listed]) -> float:
    """Return the BLEU of the first translations of all lists."""
    return float(bleu(np.sum([one.statistics[0] for one in lists if len(one.statistics)], axis=0)))


def scaled(weights: Weights, like: Weights, free: NDArray[np.bool_]) -> Weights:
    """Return weights that decide the same, as large as others: beams are cut by differences of scores."""
    size, wanted = np.abs(weights[free]).sum(), np.abs(like[free]).sum()
    found = weights.copy()
    if size > 0:
        found[free] *= wanted / size
    return found


def pooled(known: Listed, new: Listed) -> Listed:
    """Add to a list what it lacks of another of the same sentence."""
    there = set(known.targets)
    rows = [row for row, target in enumerate(new.targets) if target not in there]
    return Listed(
        [*known.targets, *(new.targets[row] for row in rows)],
        np.concatenate((known.features, new.features[rows])),
        np.concatenate((known.statistics, new.statistics[rows])),
    )


def mira(pool: list[Listed], first: Weights, free: NDArray[np.bool_], chance: np.random.Generator) -> Weights:
    """Return the mean weights of the epoch that does best on the pool."""
    told = [one for one in pool if len(one.targets) > 1]
    if not told:
        return first
    joined = Joined.of(told)
    weights, total, document = first.copy(), np.zeros_like(first), np.ones(COLUMNS)
    best, highest = first, joined.bleu(first)
    for epoch in range(1, EPOCHS + 1):
        order = chance.permutation(len(told))
        mira_epoch(order, *joined, free, LARGEST_STEP, DECAY, weights, document, total)
        mean = np.where(free, total / (epoch * len(told)), first)
        reached = joined.bleu(mean)
        if reached > highest:
            best, highest = mean, reached
    return best


class Joined(NamedTuple):
    """Lists one behind the other: the rows of number k are those from `offsets[k]` to `offsets[k + 1]`."""

    offsets: NDArray[np.int64]
    features: NDArray[np.float64]
    statistics: NDArray[np.float64]

    @classmethod
    def of(cls, lists: Sequence[Listed]) -> Joined:
        """Join lists that are not empty."""
        offsets = np.cumsum([0, *(len(one.targets) for one in lists)], dtype=np.int64)
        return cls(
            offsets,
            np.concatenate([one.features for one in lists]),
            np.concatenate([one.statistics for one in lists]),
        )

    def bleu(self, weights: Weights) -> float:
        """Return the BLEU of what weights would choose: the first of the best rows of each list."""
        scores = self.features @ weights
        owners = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        best = np.flatnonzero(scores == np.maximum.reduceat(scores, self.offsets[:-1])[owners])
        _, first = np.unique(owners[best], return_index=True)
        return float(bleu(self.statistics[best[first]].sum(axis=0)))


def pro(pool: list[Listed], first: Weights, free: NDArray[np.bool_], chance: np.random.Generator) -> Weights:
    """Return the weights that best tell the better of two translations of a sentence."""
    rows = [_drawn_differences(one, chance) for one in pool if len(one.targets) > 1]
    differences = np.concatenate([np.empty((0, len(first))), *rows])[:, free]
    if not len(differences):
        return first

    def objective(chosen: Weights) -> tuple[float, Weights]:
        margins = differences @ chosen
        value = -np.logaddexp(0.0, -margins).mean() - STRENGTH * float(chosen @ chosen)
        slope = (1.0 / (1.0 + np.exp(np.minimum(margins, 500.0)))) @ differences / len(differences)
        return float(value), slope - 2.0 * STRENGTH * chosen

    weights = first.copy()
    weights[free] = climb(objective, first[free])
    return weights


def _drawn_differences(one: Listed, chance: np.random.Generator) -> NDArray[np.float64]:
    """Draw pairs of translations, keep those that differ most in BLEU, and return better less worse."""
    judged = smoothed_bleu(one.statistics)
    left, right = chance.integers(len(judged), size=(2, DRAWN))
    apart = judged[left] - judged[right]
    order = np.argsort(-np.abs(apart), kind="stable")[:KEPT]
    order = order[np.abs(apart[order]) >= LEAST_DIFFERENCE]
    signs = np.sign(apart[order])[:, None]
    kept: NDArray[np.float64] = signs * (one.features[left[order]] - one.features[right[order]])
    return kept


TUNERS: dict[str, Optimiser] = {"mira": mira, "pro": pro}
