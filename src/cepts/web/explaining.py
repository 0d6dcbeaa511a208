"""What a model thinks of one pair: probabilities of all links, and what each way to combine makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.web.numbers import number, rounded
from cepts.web.words import encoded

if TYPE_CHECKING:
    from cepts.corpus import Bitext
    from cepts.web.limits import Limits
    from cepts.web.service import Service

TABLES = ("forward", "reverse", "confidence", "source_null", "target_null")


def explained(service: Service, limits: Limits, source: str, target: str) -> dict[str, Any]:
    """Answer what is asked of /api/explain."""
    sentences = encoded([(source, target)], service.aligner.text, limits)
    (posterior,) = service.aligner.posteriors(sentences.bitext, recipe=service.posterior_recipe)
    answer: dict[str, Any] = {
        "source_words": sentences.source_words[0],
        "target_words": sentences.target_words[0],
        "score": number(posterior.score),
        "threshold": service.threshold,
    }
    for name in TABLES:
        answer[name] = rounded(np.clip(getattr(posterior, name), 0, 1)).tolist()
    return answer | _combined(service, sentences.bitext)


def _combined(service: Service, bitext: Bitext) -> dict[str, Any]:
    """Combine the directions in every way that the model allows; keep what is found out beside links."""
    combined: dict[str, list[tuple[int, int]]] = {}
    noted: dict[str, Any] = {"cepts": None, "certified": None}
    for combine in service.combiners or (None,):
        found = service.aligner.align(bitext, recipe=service.recipe_for(combine))
        places = zip(found.source.tolist(), found.target.tolist(), strict=True)
        combined[service.called(combine)] = list(places)
        if found.cepts is not None:
            noted["cepts"] = {"source": found.cepts.source.tolist(), "target": found.cepts.target.tolist()}
        if found.dual is not None:
            noted["certified"] = bool(found.dual.certified[0])
    return {"combined": combined, **noted}
