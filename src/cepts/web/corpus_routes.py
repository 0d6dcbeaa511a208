"""A corpus over HTTP: look for pairs, look at one, correct it, take everything home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Response
from fastapi.responses import JSONResponse, StreamingResponse

from cepts.errors import OutputError
from cepts.web.browsing import Wanted
from cepts.web.corpus import Corpus, told
from cepts.web.corpus_schemas import (
    Conflict,
    CorpusAnswer,
    CorpusQuestion,
    CorrectionQuestion,
    ExportQuestion,
    PairAnswer,
    SavedAnswer,
    TakeBackQuestion,
    TakenBackAnswer,
)
from cepts.web.corrections import ConflictError, NotCorrectedError
from cepts.web.exporting import TYPES, exported, file_name, media_type
from cepts.web.failures import failure
from cepts.web.schemas import Failure, failures

if TYPE_CHECKING:
    from collections.abc import Callable

    from cepts.web.corrections import Correction
    from cepts.web.service import Service

CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": Conflict, "description": "Somebody else has changed it meanwhile."}
}
FULL: dict[int | str, dict[str, Any]] = {
    507: {"model": Failure, "description": "The disk cannot be written: nothing was saved."}
}
WRITTEN: dict[int | str, dict[str, Any]] = failures(400, 401, 403, 404, 408, 413, 415, 422) | CONFLICT | FULL
KINDS = ("text/plain", *sorted({kind.partition(";")[0] for kind in TYPES.values()} - {"text/plain"}))
FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file.", "content": {kind: {"schema": {"type": "string"}} for kind in KINDS}}
}


def router(service: Service) -> APIRouter:
    """Serve the corpus of a service that has one."""
    corpus = service.corpus
    assert isinstance(corpus, Corpus)
    routes = APIRouter(prefix="/api", tags=["corpus"])
    _add_reading(routes, corpus)
    _add_writing(routes, corpus)
    return routes


def _add_reading(routes: APIRouter, corpus: Corpus) -> None:
    """Add what changes nothing. Plain functions, so that they run beside the event loop."""

    @routes.get("/corpus", response_model=CorpusAnswer, responses=failures(403, 422))
    def find(question: Annotated[CorpusQuestion, Query()]) -> Response:
        """List pairs that are wanted, some at a time."""
        wanted = Wanted(**question.model_dump(include=set(Wanted._fields)))
        found = corpus.find(question.order, wanted, question.offset, question.limit)
        return JSONResponse(
            {
                "pairs": len(corpus),
                "matching": found.matching,
                "offset": question.offset,
                "items": found.items,
            }
        )

    @routes.get("/corpus/{line}", response_model=PairAnswer, responses=failures(403, 404, 422))
    def pair(line: int) -> Response:
        """Show everything about one pair."""
        check_line(corpus, line)
        return JSONResponse(corpus.pair(line))

    @routes.get("/export", response_class=Response, responses=failures(403, 422) | FILE)
    def export(question: Annotated[ExportQuestion, Query()]) -> Response:
        """Write links to a file: gold, or what `cepts align --known-links` reads."""
        name = file_name(question.what, question.format)
        return StreamingResponse(
            exported(corpus, question.what, question.format),
            media_type=media_type(question.format),
            headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
        )


def _add_writing(routes: APIRouter, corpus: Corpus) -> None:
    """Add what changes corrections."""

    @routes.put("/corpus/{line}/correction", response_model=SavedAnswer, responses=WRITTEN)
    def correct(line: int, question: CorrectionQuestion) -> Response:
        """Save the links of a pair as they should be."""
        check_line(corpus, line)
        links = [(i, j, kind == "S") for i, j, kind in question.links]
        return changed(
            lambda: corpus.corrections.put(line, links, question.version, question.by),
            lambda saved: {"line": line, "version": saved.version, "saved": saved.saved},
        )

    @routes.delete("/corpus/{line}/correction", response_model=TakenBackAnswer, responses=WRITTEN)
    def take_back(line: int, question: Annotated[TakeBackQuestion, Query()]) -> Response:
        """Take a correction back: the pair is uncorrected then."""
        check_line(corpus, line)
        return changed(
            lambda: corpus.corrections.delete(line, question.version),
            lambda saved: {"line": line, "version": saved.version},
        )

    def changed(
        change: Callable[[], Correction], answer: Callable[[Correction], dict[str, Any]]
    ) -> JSONResponse:
        if not corpus.corrections.writable:
            return failure(403, "corrections cannot be saved here: start with --corrections FILE")
        try:
            return JSONResponse(answer(change()))
        except ConflictError as error:
            current = None if error.current is None else told(error.current)
            return JSONResponse({"error": str(error), "current": current, "version": error.version}, 409)
        except NotCorrectedError as error:
            return failure(404, str(error))
        except OutputError as error:  # the disk is full, or gone: nothing that a client could do better
            return failure(507, f"{error}; nothing was saved")


def check_line(corpus: Corpus, line: int) -> None:
    """Refuse the number of a line that is not there."""
    if not 1 <= line <= len(corpus):
        raise HTTPException(404, f"there is no line {str(line)[:20]}: lines go from 1 to {len(corpus)}")
