"""Names in the other script: transcribed, ranked, and why two of them go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, HTTPException, Response

from cepts.characters import EditModel
from cepts.errors import InputError, OptionError
from cepts.web.numbers import number
from cepts.web.schemas import (
    COMPUTED,
    NameEdits,
    NamePair,
    RankAnswer,
    RankQuestion,
    TranscribeAnswer,
    TranscribeQuestion,
    failures,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cepts.characters import Candidate
    from cepts.names.opening import NameSystem
    from cepts.web.limits import Limits, Workers
    from cepts.web.service import Service

NO_NAMES = "no model of names is served: start with --names MODEL"
NO_EDITS = "this model of names knows no edits: only one of `cepts names train` explains"
NOT_WRITING = "this model of names compares names, and cannot write any: train one with --mode generate"
CANDIDATES = 5
ANSWERS = COMPUTED | failures(404)


def router(service: Service, limits: Limits, workers: Workers) -> APIRouter:
    """Serve a model of names, or say that there is none."""
    routes = APIRouter(prefix="/api/names", tags=["names"])

    @routes.post("/transcribe", response_model=TranscribeAnswer, responses=ANSWERS)
    async def transcribe(question: TranscribeQuestion) -> Response:
        """Write names in the other script."""
        return await workers.answer(transcribed, system(), limits, question)

    @routes.post("/rank", response_model=RankAnswer, responses=ANSWERS)
    async def rank(question: RankQuestion) -> Response:
        """Order candidates by how well they go with a name, best first."""
        return await workers.answer(ranked, system(), limits, question)

    @routes.post("/explain", response_model=NameEdits, responses=ANSWERS)
    async def explain(question: NamePair) -> Response:
        """Show the edits that make one name of the other, and what speaks for each."""
        return await workers.answer(explained, system(), limits, question)

    def system() -> NameSystem:
        if service.names is None:
            raise HTTPException(404, NO_NAMES)
        return service.names

    return routes


def transcribed(system: NameSystem, limits: Limits, question: TranscribeQuestion) -> dict[str, Any]:
    """Answer what is asked of /api/names/transcribe."""
    if isinstance(system, EditModel) and not system.options.is_transduction:
        raise OptionError(NOT_WRITING)
    _check(question.names, limits.pairs, "names", limits)
    n_best = CANDIDATES if question.n is None else question.n
    found = system.transcribe(question.names, n_best)
    return {
        "results": [
            {"name": name, "candidates": _candidates(some)}
            for name, some in zip(question.names, found, strict=True)
        ]
    }


def ranked(system: NameSystem, limits: Limits, question: RankQuestion) -> dict[str, Any]:
    """Answer what is asked of /api/names/rank."""
    _check([question.name], 1, "name", limits)
    _check(question.candidates, limits.pairs, "candidates", limits)
    different = list(dict.fromkeys(question.candidates))
    found = system.rank([question.name], different, len(different)) if different else [[]]
    return {"name": question.name, "candidates": _candidates(found[0])}


def explained(system: NameSystem, limits: Limits, question: NamePair) -> dict[str, Any]:
    """Answer what is asked of /api/names/explain."""
    if not isinstance(system, EditModel):
        raise OptionError(NO_EDITS)
    for name in ("source", "target"):
        _check([getattr(question, name)], 1, name, limits)
    edits = [
        {"source": edit.source, "target": edit.target, "weight": number(edit.score)}
        for edit in system.explain(question.source, question.target)
    ]
    score = system.affinity(question.source, question.target)
    return {"source": question.source, "target": question.target, "score": number(score), "edits": edits}


def _check(names: Sequence[str], most: int, field: str, limits: Limits) -> None:
    """Refuse what is more than the limits allow."""
    if len(names) > most:
        raise InputError(f"{len(names):,} {field}, expected at most {most:,}: send fewer at a time")
    longest = max(map(len, names), default=0)
    if longest > limits.name_characters:
        raise InputError(
            f"{field}: a name of {longest:,} characters, expected at most {limits.name_characters:,}"
        )


def _candidates(found: Iterable[Candidate]) -> list[dict[str, Any]]:
    return [{"text": candidate.text, "score": number(candidate.score)} for candidate in found]
