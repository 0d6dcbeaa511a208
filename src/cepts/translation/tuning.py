"""Weights of a log-linear model under which its best translations of a dev set have a high BLEU.

Lists of the best translations and weights take turns, and lists of all rounds are pooled. How weights are found from a
pool: by `mira`, batch MIRA (Cherry and Foster, 2012), which moves them until hoped-for translations win against feared
ones by as much as their BLEU differs; or by `pro` (Hopkins and May, 2011), which learns to tell the better of two drawn
translations. Whatever they find, what is returned is the best that was decoded, so never worse than the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.errors import OptionError
from cepts.phrases.tuning import climb
from cepts.translation.bleu import COLUMNS, REFERENCE, bleu, smoothed_bleu

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
PATIENCE = 3  # rounds that may pass without a better BLEU


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
    if rounds < 1:
        raise OptionError(f"rounds {rounds}: expected a number from 1")
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
        weights = scaled(TUNERS[tuner](pool, weights, free, chance), first, free)
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


def pool_bleu(pool: Sequence[Listed], weights: Weights) -> float:
    """Return the BLEU of what weights would choose from a pool."""
    chosen = [one.statistics[int(np.argmax(one.features @ weights))] for one in pool]
    return float(bleu(np.sum(chosen, axis=0)))


def mira(pool: list[Listed], first: Weights, free: NDArray[np.bool_], chance: np.random.Generator) -> Weights:
    """Return the mean weights of the epoch that does best on the pool."""
    told = [one for one in pool if len(one.targets) > 1]
    weights, total, steps = first.copy(), np.zeros_like(first), 0
    best, highest = first, pool_bleu(told, first) if told else 0.0
    document = np.ones(COLUMNS)
    for _ in range(EPOCHS if told else 0):
        for number in chance.permutation(len(told)):
            one = told[number]
            hope, fear, gains = _hope_and_fear(one, weights, document)
            difference = np.where(free, one.features[hope] - one.features[fear], 0.0)
            loss = gains[hope] - gains[fear] - float(difference @ weights)
            size = float(difference @ difference)
            if loss > 0.0 and size > 0.0:
                weights = weights + min(LARGEST_STEP, loss / size) * difference
            document = DECAY * document + one.statistics[hope]
            total, steps = total + weights, steps + 1
        mean = np.where(free, total / steps, first)
        reached = pool_bleu(told, mean)
        if reached > highest:
            best, highest = mean, reached
    return best


def _hope_and_fear(
    one: Listed, weights: Weights, document: NDArray[np.float64]
) -> tuple[int, int, NDArray[np.float64]]:
    """Return the translations with the best sum and difference of score and gain, and what each would gain."""
    together = document + one.statistics
    gains = bleu(together) / 100.0 * together[:, REFERENCE]
    scores = one.features @ weights
    return int(np.argmax(scores + gains)), int(np.argmax(scores - gains)), gains


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
