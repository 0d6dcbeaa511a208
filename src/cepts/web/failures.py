"""Whatever goes wrong is told as {"error": ...}, with the status of whose fault it is."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from cepts.errors import CeptsError

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

LONGEST_MESSAGE = 500
SAID_BETTER = {
    "There was an error parsing the body": "the body is no JSON that can be read",
    "Input should be a valid dictionary or object to extract fields from": (
        "expected a JSON object, sent as Content-Type: application/json"
    ),
}
OURS = "a failure of ours: please report it, with what was asked"
logger = logging.getLogger("cepts.web")


def handle_failures(app: FastAPI) -> None:
    """Answer all exceptions in one form."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(CeptsError, _not_usable)
    app.add_exception_handler(Exception, _failed)


def failure(
    status: int, message: str, field: str | None = None, headers: dict[str, str] | None = None
) -> JSONResponse:
    """Make the answer of something that went wrong; text that came with the request is shown, but cut."""
    readable = message.encode("utf-8", "replace").decode()
    told: dict[str, Any] = {"error": readable[:LONGEST_MESSAGE]}
    if field:
        told["field"] = field.encode("utf-8", "replace").decode()[:LONGEST_MESSAGE]
    return JSONResponse(told, status, headers)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    said = SAID_BETTER.get(str(error.detail), str(error.detail))
    if said == HTTPStatus(error.status_code).phrase:  # of the router, which says no more
        said = f"{said.lower()}: {request.method} {request.url.path}"
    return failure(error.status_code, said, headers=dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    """Say what is wrong with the first of the values that are."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(step) for step in first["loc"] if step != "body")
    if first["type"] == "json_invalid":
        reason = (first.get("ctx") or {}).get("error", "it cannot be read")
        return failure(400, f"the body is no JSON: {reason}")
    message = SAID_BETTER.get(first["msg"], str(first["msg"]).removeprefix("Value error, "))
    message = message[:1].lower() + message[1:]
    return failure(422, f"{place or 'body'}: {message}", place or None)


async def _not_usable(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    return failure(422, " ".join(str(error).split()))


async def _failed(request: Request, error: Exception) -> JSONResponse:
    logger.error("%s %s", request.method, request.url.path, exc_info=error)
    return failure(500, OURS)
