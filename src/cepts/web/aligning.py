"""Links of pairs that are sent: as JSON, or line by line."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from cepts.corpus import split_pairs
from cepts.links import write_links
from cepts.web.explaining import explained
from cepts.web.numbers import number, rounded
from cepts.web.schemas import (
    COMPUTED,
    NO_NUL,
    AlignAnswer,
    AlignQuestion,
    CombinerName,
    ExplainAnswer,
    Pair,
    Probability,
)
from cepts.web.words import encoded

if TYPE_CHECKING:
    from cepts.links import Links
    from cepts.web.limits import Limits, Workers
    from cepts.web.service import Service

LINES = {"schema": {"type": "string", "pattern": NO_NUL}, "example": "le chat noir ||| the black cat\n"}
# an empty body has no lines, and neither has its answer
TEXT_BODY = {"requestBody": {"required": False, "content": {"text/plain": LINES}}}
TEXT_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A line of links for each pair.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}


def router(service: Service, limits: Limits, workers: Workers) -> APIRouter:
    """Serve links, and what the model thinks of a pair."""
    routes = APIRouter(prefix="/api", tags=["align"])

    @routes.post("/align", response_model=AlignAnswer, responses=COMPUTED)
    async def align(question: AlignQuestion) -> Response:
        """Link the words of sentence pairs."""
        return await workers.answer(aligned, service, limits, question)

    @routes.post(
        "/align/text", response_class=Response, responses={**COMPUTED, **TEXT_ANSWER}, openapi_extra=TEXT_BODY
    )
    async def align_text(
        request: Request,
        combine: CombinerName | None = None,
        min_confidence: Annotated[Probability | None, Query()] = None,
        scores: bool = False,
    ) -> Response:
        """Link the words of lines of `source ||| target`, or of source TAB target; answer with lines of links."""
        body = await request.body()
        written = await workers.run(aligned_lines, service, limits, body, combine, min_confidence, scores)
        return Response(written, media_type="text/plain; charset=utf-8")

    @routes.post("/explain", response_model=ExplainAnswer, responses=COMPUTED)
    async def explain(pair: Pair) -> Response:
        """Show probabilities of all links of one pair, and what each way to combine makes of them."""
        return await workers.answer(explained, service, limits, pair.source, pair.target)

    return routes


def aligned(service: Service, limits: Limits, question: AlignQuestion) -> dict[str, Any]:
    """Answer what is asked of /api/align."""
    recipe = service.recipe_for(question.combine, question.min_confidence)
    pairs = [(pair.source, pair.target) for pair in question.pairs]
    bitext, source_words, target_words = encoded(pairs, service.aligner.text, limits)
    links = service.aligner.align(bitext, recipe=recipe)
    results = [
        {"source_words": source, "target_words": target, "links": rows, "score": score}
        for source, target, rows, score in zip(
            source_words, target_words, link_rows(links), scores_of(links), strict=True
        )
    ]
    return {"combine": service.called(question.combine), "results": results}


def aligned_lines(
    service: Service,
    limits: Limits,
    body: bytes,
    combine: str | None,
    min_confidence: float | None,
    scores: bool,
) -> bytes:
    """Answer what is asked of /api/align/text, as `cepts align --model` would."""
    recipe = service.recipe_for(combine, min_confidence)
    pairs = list(split_pairs(io.BytesIO(body), "the body"))
    bitext = encoded(pairs, service.aligner.text, limits).bitext
    links = service.aligner.align(bitext, recipe=recipe)
    stream = io.StringIO()
    write_links(links, stream, "pharaoh-scores" if scores else "pharaoh")
    return stream.getvalue().encode()


def link_rows(links: Links) -> list[list[tuple[int, int, float]]]:
    """Return (source, target, confidence) of the links of each pair."""
    rows = list(
        zip(links.source.tolist(), links.target.tolist(), rounded(links.confidence).tolist(), strict=True)
    )
    offsets = links.offsets.tolist()
    return [rows[first:end] for first, end in pairwise(offsets)]


def scores_of(links: Links) -> list[float | None]:
    """Return the scores of pairs; None where there is no number."""
    return [None] * len(links) if links.scores is None else [number(score) for score in links.scores.tolist()]
