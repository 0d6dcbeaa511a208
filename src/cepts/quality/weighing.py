"""How much each kind of evidence counts: weights that find the right partner among many, then log odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.quality.overlap import BlockOverlaps
from cepts.quality.retrieval import Weights
from cepts.sentences.logistic import fit_logistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.quality.overlap import LexicalOverlap
    from cepts.quality.retrieval import Vectors

    Floats = NDArray[np.float64]

USUAL = Weights(-9.0, 4.0, 2.0)  # where there is too little text to learn them
FEWEST = 20  # pairs to learn from
ROUNDS = 20  # of Newton's method
RIDGE = 1e-3  # for each pair: keeps weights small where every pair is found for sure
LONGEST_STEP = 2.0


def learned_weights(bitext: Bitext, overlap: LexicalOverlap, vectors: Vectors) -> Weights:
    """Learn weights from pairs that neither kind of evidence has seen before.

    First, those for which the right target is most probable among all targets, and the right source among all sources;
    evidence that would count against a pair is left out. Then the log odds of a pair against each source's most
    tempting other target.
    """
    if len(bitext) < FEWEST:
        return USUAL
    table = _evidence(bitext, overlap, vectors)
    rivals = _rivals(bitext)
    slopes = _slopes(table, rivals)
    scores = np.where(rivals, table @ slopes, -np.inf)
    right = np.diagonal(scores)
    wrong = np.where(np.eye(len(right), dtype=bool), -np.inf, scores).max(axis=1)
    wrong = wrong[np.isfinite(wrong)]
    is_pair = np.arange(len(right) + len(wrong)) < len(right)
    share = np.where(is_pair, 1 / len(right), 1 / max(len(wrong), 1))
    model = fit_logistic(np.append(right, wrong)[:, None], is_pair, share)
    scale = float(model.weights[0] / model.spread[0])
    if scale <= 0:  # nothing was learned
        return USUAL
    return Weights(float(model.bias - scale * model.middle[0]), *(scale * slopes).tolist())


def _evidence(bitext: Bitext, overlap: LexicalOverlap, vectors: Vectors) -> Floats:
    """Return the overlap and the product of factors of each source with each target: [sources, targets, 2]."""
    overlaps = BlockOverlaps.of(overlap, bitext.source, bitext.target).block(0, len(bitext))
    return np.stack([overlaps, vectors.sources @ vectors.targets.T], axis=2).astype(np.float64)


def _rivals(bitext: Bitext) -> NDArray[np.bool_]:
    """Tell which targets compete for a source: its own, and all of pairs that share no sentence with its pair."""
    rivals = np.ones((len(bitext), len(bitext)), np.bool_)
    for side in (bitext.source, bitext.target):
        numbers = dict[bytes, int]()
        words = [side.ids[side.offsets[k] : side.offsets[k + 1]].tobytes() for k in range(len(side))]
        same = np.array([numbers.setdefault(one, len(numbers)) for one in words])
        rivals &= same[:, None] != same
    np.fill_diagonal(rivals, True)
    return rivals


def _slopes(table: Floats, rivals: NDArray[np.bool_]) -> Floats:
    """Return the weights of both kinds of evidence, none negative."""
    for columns in ([0, 1], [0], [1]):
        slopes = np.zeros(2)
        slopes[columns] = _most_probable(table[..., columns], rivals)
        if (slopes[columns] > 0).all():
            return slopes
    return np.array(USUAL[1:])


def _most_probable(table: Floats, rivals: NDArray[np.bool_]) -> Floats:
    """Return the weights for which the diagonal is most probable in its rows and in its columns."""
    weights, count = np.zeros(table.shape[2]), len(table)
    right = table[np.arange(count), np.arange(count)].sum(axis=0)
    for _ in range(ROUNDS):
        scores = np.where(rivals, table @ weights, -np.inf)
        slope, curvature = 2 * right - RIDGE * count * weights, RIDGE * count * np.eye(len(weights))
        for axis in (1, 0):
            shares = np.exp(scores - scores.max(axis=axis, keepdims=True))
            shares /= shares.sum(axis=axis, keepdims=True)
            means = np.einsum("ij,ijf->" + "ji"[axis] + "f", shares, table)
            slope -= means.sum(axis=0)
            curvature += np.einsum("ij,ijf,ijg->fg", shares, table, table, optimize=True) - means.T @ means
        step = np.linalg.solve(curvature, slope)
        weights += step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-12))
    return weights
