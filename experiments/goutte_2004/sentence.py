"""The sentence of the paper's figures 5 and 6: what both directions count, and what the counts are factorised into."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.combine.association import association
from cepts.combine.cepts import factors
from cepts.combine.shapes import Shapes
from goutte_2004.rows import PAPERS

if TYPE_CHECKING:
    from cepts import Aligner, Bitext, Links
    from cepts.combine import Associations, CeptsOptions
    from goutte_2004.measuring import Trained

ENGLISH = "they need toys and entertainment ."
FRENCH = "les enfants ont besoin de jouets et de loisirs ."
NUMBER = 1023  # of the shared task's trial set
N_BEST = 100


def find_sentence(head: Bitext) -> int | None:
    """Return where the pair is among the scored ones, if it is."""
    for k in range(len(head)):
        if " ".join(head.source.sentence(k)) == ENGLISH and " ".join(head.target.sentence(k)) == FRENCH:
            return k
    return None


def sentence_of(trained: Trained, gold: Links, search: str) -> dict[str, Any] | None:
    """Return all that the pictures show, with numbers as lists; None if the pair is not there.

    Counts have NULL in row and column 0. Shares are [word][cept], with NULL as the last column. Criteria are those of
    1, 2, .. cepts.
    """
    place = find_sentence(trained.text())
    if place is None:
        return None
    pair = trained.text().part(place, place + 1)
    aligner = trained.aligner(
        combine="cepts", association="counts", n_best=N_BEST, scale=PAPERS.scales[0], search=search
    )
    matrices = count_links(aligner, pair)
    made = factors(matrices, 0, aligner.recipe.cepts)
    sides = ((made.source, made.source_null), (made.target, made.target_null))
    source, target = (shares(joint * made.probabilities, null) for joint, null in sides)
    return {
        "source": pair.source.sentence(0),
        "target": pair.target.sentence(0),
        "gold": [[link.source, link.target, link.sure] for link in gold[place]],
        "counts": np.round(matrices[0].astype(float), 1).tolist(),
        "source_shares": source.round(4).tolist(),
        "target_shares": target.round(4).tolist(),
        "noise": round(made.noise, 6),
        "criteria": criteria_of(matrices, aligner.recipe.cepts),
        "links": [[link.source, link.target] for link in aligner.align(pair)[0]],
    }


def criteria_of(matrices: Associations, options: CeptsOptions) -> list[dict[str, float]]:
    """Return, for every number of cepts, the log likelihood, AIC and BIC of the first matrix, and P(c = 0)."""
    source, target = (int(side[1] - side[0]) for side in matrices.shapes)
    size = float(matrices[0].sum())
    found = []
    for cepts in range(1, min(source, target) + 1):
        made = factors(matrices, 0, options._replace(cepts=cepts))
        parameters = cepts * (
            source + target - 1
        )  # section 4.1, without what all numbers of cepts have in common
        found.append(
            {
                "likelihood": round(made.log_likelihood, 3),
                "aic": round(made.log_likelihood - parameters, 3),
                "bic": round(made.log_likelihood - parameters * log(size) / 2, 3),
                "noise": round(made.noise, 6),
            }
        )
    return found


def count_links(aligner: Aligner, pair: Bitext) -> Associations:
    """Count the links of both directions' lists of best alignments."""
    lists = [aligner.best_lists(pair, N_BEST, way) for way in ("forward", "reverse")]
    shapes = Shapes(pair.source.offsets, pair.target.offsets)
    return association("counts", shapes, *lists, n_best=N_BEST)


def shares(joint: np.ndarray, null: np.ndarray) -> np.ndarray:
    """Return, for each word, how likely each cept and NULL (last) are.

    >>> shares(np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([1.0, 0.0])).tolist()
    [[0.75, 0.0, 0.25], [0.5, 0.5, 0.0]]
    """
    whole = np.column_stack([joint, null])
    total = whole.sum(axis=1, keepdims=True)
    return np.divide(whole, total, out=np.zeros(whole.shape), where=total > 0)
