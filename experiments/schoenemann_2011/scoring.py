"""Links against gold: at corpus level, and as the mean over sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.evaluation import evaluate
from cepts.links import Links

if TYPE_CHECKING:
    from cepts.evaluation import Evaluation

ALPHA = 0.1  # as in the paper


def scores_of(links: Links, gold: Links) -> dict[str, float]:
    """Score links as fractions; sentences without a sure gold link have no recall and are left out of the mean.

    >>> gold = Links.from_pairs([[(0, 0), (1, 1)], [(0, 0)], [(0, 0, 1.0, False)]])
    >>> scores = scores_of(Links.from_pairs([[(0, 0), (1, 1)], [(0, 1)], []]), gold)
    >>> round(scores["aer"], 4), scores["mean_aer"], scores["mean_sentences"]
    (0.3333, 0.5, 2)
    """
    whole = _score(links, gold)
    alone = [
        _score(Links.from_pairs([made]), Links.from_pairs([wanted]))
        for made, wanted in zip(links, gold, strict=True)
        if any(link.sure for link in wanted)
    ]
    count = max(len(alone), 1)
    return {
        "weighted_f": whole.weighted_f,
        "aer": whole.aer,
        "precision": whole.precision,
        "recall": whole.recall,
        "links": whole.links,
        "sentences": whole.sentences,
        "mean_weighted_f": sum(one.weighted_f for one in alone) / count,
        "mean_aer": sum(one.aer for one in alone) / count,
        "mean_sentences": len(alone),
    }


def _score(links: Links, gold: Links) -> Evaluation:
    return evaluate(links, gold, ALPHA, resamples=1)
