"""`create_app`: the page and its API, as an ASGI application."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import APIRouter, FastAPI, HTTPException
from fastapi.middleware.gzip import GZipMiddleware

from cepts._version import __version__
from cepts.checking import checked
from cepts.web import aligning, names, pages, similar
from cepts.web.failures import handle_failures
from cepts.web.guard import Guard
from cepts.web.info import router as info_router
from cepts.web.limits import USUAL, Workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from cepts.web.limits import Limits
    from cepts.web.service import Service

DESCRIPTION = "Links between the words of sentences that translate each other, and what belongs to them."
NO_CORPUS = "no corpus is served: start with --source, --target"
PACKED_FROM = 20_000  # bytes; for smaller answers it is not worth the while
ANY = ["GET", "POST", "PUT", "DELETE"]


@checked
def create_app(
    service: Service,
    limits: Limits = USUAL,
    *,
    hosts: Collection[str] | None = None,
) -> FastAPI:
    """Make the application that serves a page and its API.

    `hosts`: the names, with the port, under which it may be asked; None for any.
    """
    workers = Workers(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:  # noqa: ARG001
        try:
            yield
        finally:
            workers.close()

    app = FastAPI(
        title="Cepts",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    handle_failures(app)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_FROM, compresslevel=1)
    app.add_middleware(Guard, limits=limits, token=service.token, hosts=hosts, workers=workers)
    app.include_router(info_router(service, limits))
    app.include_router(aligning.router(service, limits, workers))
    app.include_router(names.router(service, limits, workers))
    app.include_router(similar.router(service, limits, workers))
    app.include_router(_corpus_router(service))
    app.include_router(pages.router())
    return app


def _corpus_router(service: Service) -> APIRouter:
    """Serve the corpus, or say that there is none."""
    if service.corpus is not None:
        from cepts.web import corpus_routes

        return corpus_routes.router(service)
    routes = APIRouter(prefix="/api", include_in_schema=False)

    @routes.api_route("/corpus", methods=ANY)
    @routes.api_route("/corpus/{rest:path}", methods=ANY)
    @routes.api_route("/export", methods=ANY)
    async def nothing(rest: str = "") -> None:  # noqa: ARG001
        raise HTTPException(404, NO_CORPUS)

    return routes
