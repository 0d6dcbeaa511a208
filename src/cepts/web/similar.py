"""Sentences: how probably two of them translate each other, and which of a corpus are nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, HTTPException, Response

from cepts.web.numbers import number
from cepts.web.schemas import (
    COMPUTED,
    NearestAnswer,
    NearestQuestion,
    SimilarAnswer,
    SimilarQuestion,
    failures,
)
from cepts.web.words import check_lines, encoded

if TYPE_CHECKING:
    from cepts.quality import Similarity
    from cepts.web.limits import Limits, Workers
    from cepts.web.nearest import Nearest
    from cepts.web.service import Service

NO_MODEL = "no model of sentences is served: start with --similar MODEL"
NO_CORPUS = "no corpus is served: start with --source, --target"
SENTENCES = 10
ANSWERS = COMPUTED | failures(404)


def router(service: Service, limits: Limits, workers: Workers) -> APIRouter:
    """Serve a model of sentences, or say that there is none."""
    routes = APIRouter(prefix="/api/similar", tags=["similar"])

    @routes.post("/score", response_model=SimilarAnswer, responses=ANSWERS)
    async def score(question: SimilarQuestion) -> Response:
        """Say of pairs how probably they translate each other."""
        if service.similar is None:
            raise HTTPException(404, NO_MODEL)
        return await workers.answer(scored, service.similar, limits, question)

    @routes.post("/nearest", response_model=NearestAnswer, responses=ANSWERS)
    async def nearest(question: NearestQuestion) -> Response:
        """Find the sentences of the corpus, on the other side, that are nearest to a text."""
        if service.similar is None or service.nearest is None:
            raise HTTPException(404, NO_MODEL if service.similar is None else NO_CORPUS)
        return await workers.answer(near, service.nearest, limits, question)

    return routes


def scored(model: Similarity, limits: Limits, question: SimilarQuestion) -> dict[str, Any]:
    """Answer what is asked of /api/similar/score."""
    pairs = [(pair.source, pair.target) for pair in question.pairs]
    scores = model.score(encoded(pairs, model.text, limits).bitext).tolist()
    return {"results": [{"score": number(score)} for score in scores]}


def near(nearest: Nearest, limits: Limits, question: NearestQuestion) -> dict[str, Any]:
    """Answer what is asked of /api/similar/nearest."""
    check_lines([question.text], limits, "text")
    found = nearest(question.text, question.side, SENTENCES if question.n is None else question.n)
    return {
        "results": [{"line": place + 1, "text": text, "score": number(score)} for place, text, score in found]
    }
