"""Two rows on the same sentences: how much better one is, and whether that may be chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from huerta.rows import OWN
from paper_tables.comparing import better

if TYPE_CHECKING:
    from cepts.evaluation import Comparison
    from paper_tables.store import Record

BASELINES = ("length-ratio", "letter-ratio", "alignment-score")

# The rows that are compared: the first is expected to be better.
PAIRS = {
    "judge": (
        ("perceptron", "lvq"),
        ("perceptron", "dimension"),
        ("everything", "perceptron"),
        ("everything", "tag-classifier"),
        ("everything", "less-literal"),
        ("stacked", "everything"),
        ("stacked", "tag-classifier"),
    ),
    OWN: (
        ("perceptron", "lvq"),
        ("perceptron", "dimension"),
        ("perceptron", "model-of-words"),
        ("perceptron", "model-of-tags"),
        ("words", "perceptron"),
        ("tag-classifier", "perceptron"),
    ),
    "retrieval": (
        ("factors-16", "printed-16"),
        ("factors-128", "factors-16"),
        ("lexicon", "tfidf"),
        ("lexicon", "factors-128"),
        ("both", "factors-128"),
        ("both", "lexicon"),
        ("both-usual", "factors-128-usual"),
        ("both-usual", "lexicon-usual"),
        ("both-usual", "both"),
    ),
    "cleaning": (
        *(("filter", baseline) for baseline in BASELINES),
        ("filter", "similarity"),
        ("filter-models", "filter"),
    ),
}


def compare(table: str, one: Record, other: Record, share: int | None = None) -> dict[str, Comparison]:
    """Compare two records sentence by sentence; areas, of one share of bad pairs, by blocks of these."""
    if table in ("judge", OWN):
        return {"accuracy": better(np.array(one["right"]), np.array(other["right"]))}
    if table == "retrieval":
        ranks = [np.array(record["ranks"]) for record in (one, other)]
        return {
            "accuracy": better(ranks[0] == 1, ranks[1] == 1),
            "mrr": better(1 / ranks[0], 1 / ranks[1]),
        }
    blocks = [record["blocks"][str(share)] for record in (one, other)]
    return {kind: better(np.array(blocks[0][kind]), np.array(blocks[1][kind])) for kind in blocks[0]}
