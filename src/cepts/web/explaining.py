"""What a model thinks of one pair: probabilities of all links, and what each way to combine makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.web.words import encoded

if TYPE_CHECKING:
    from cepts.aligning import Aligner
    from cepts.links import Links
    from cepts.web.limits import Limits
    from cepts.web.service import Service


def explained(service: Service, limits: Limits, source: str, target: str) -> dict[str, Any]:
    """Answer what is asked of /api/explain."""
    from cepts.web.aligning import rounded, scores_of

    bitext, (source_words,), (target_words,) = encoded([(source, target)], service.aligner.text, limits)
    answer: dict[str, Any] = {"source_words": source_words, "target_words": target_words}
    tables = _tables(service, bitext)
    answer["score"], answer["threshold"] = None, service.recipe.threshold
    combined: dict[str, list[tuple[int, int]]] = {}
    answer |= {"cepts": None, "certified": None}
    for combine in service.combiners:
        aligner = service.aligner_for(combine)
        links = aligner.align(bitext)
        combined[combine] = _places(links)
        answer["score"] = answer["score"] or scores_of(links)[0]
        answer |= _noted(aligner, len(source_words), len(target_words))
    answer |= {name: rounded(table).tolist() for name, table in tables.items()}
    return answer | {"combined": combined}


def _places(links: Links) -> list[tuple[int, int]]:
    return list(zip(links.source.tolist(), links.target.tolist(), strict=True))


def _noted(aligner: Aligner, sources: int, targets: int) -> dict[str, Any]:
    """Return what an aligner has found out beside links: cepts, certificates."""
    noted: dict[str, Any] = {}
    if aligner.cepts is not None:
        noted["cepts"] = {
            "source": aligner.cepts.source[:sources].tolist(),
            "target": aligner.cepts.target[:targets].tolist(),
        }
    if aligner.dual is not None:
        noted["certified"] = bool(aligner.dual.certified.all())
    return noted


def _tables(service: Service, bitext: Any) -> dict[str, Any]:
    """Return posteriors of both directions, of NULL, and confidences."""
    from cepts.combine.matrices import Layout
    from cepts.words.model import BOTH

    rows, columns = int(bitext.source.lengths[0]), int(bitext.target.lengths[0])
    shape = (rows, columns)
    tables = {name: np.zeros(shape, np.float32) for name in ("forward", "reverse", "confidence")}
    tables |= {"source_null": np.ones(rows, np.float32), "target_null": np.ones(columns, np.float32)}
    if not bitext.cells:
        return tables
    indexed, model, _ = service.aligner_for()._prepared(bitext, None)
    chunk = indexed.chunks[0]
    blocks = ((block, block.posterior) for block in model.decoded_blocks(chunk, BOTH))
    forward, reverse = Layout.of(chunk).unloaded(blocks)
    tables["forward"], tables["reverse"] = forward.links.reshape(shape), reverse.links.reshape(shape)
    tables["target_null"], tables["source_null"] = forward.null, reverse.null
    tables["confidence"] = tables["forward"] * tables["reverse"]
    return {name: np.clip(table, 0, 1) for name, table in tables.items()}
