"""What is served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from cepts._version import __version__
from cepts.web.schemas import Info, failures

if TYPE_CHECKING:
    from cepts.web.limits import Limits
    from cepts.web.service import Service


def router(service: Service, limits: Limits) -> APIRouter:
    """Serve a description of everything else."""
    routes = APIRouter(prefix="/api", tags=["info"])

    @routes.get("/info", response_model=Info, responses=failures(403))
    async def info() -> Response:
        """Say what is served, and how much may be asked for at a time."""
        return JSONResponse(described(service, limits))

    return routes


def described(service: Service, limits: Limits) -> dict[str, Any]:
    """Answer what is asked of /api/info."""
    return {
        "version": __version__,
        "model": _model(service),
        "names": _names(service),
        "similar": None
        if service.similar is None
        else {"name": service.similar_name, "nearest": service.nearest is not None},
        "corpus": None if service.corpus is None else service.corpus.info(),
        "limits": {name: getattr(limits, name) for name in ("pairs", "words", "characters", "body_bytes")},
        "token_needed": service.token is not None,
    }


def _model(service: Service) -> dict[str, Any]:
    recipe = service.recipe
    return {
        "name": service.name,
        "method": recipe.method,
        "pairs": service.aligner._pairs,
        "combine": service.called(None),
        "combiners": service.combiners,
        "threshold": service.threshold,
        "calibrated": service.posterior_recipe.calibration is not None,
        "tokenized": service.aligner.text.tokenize,
    }


def _names(service: Service) -> dict[str, Any] | None:
    if service.names is None:
        return None
    alphabets = [getattr(service.names, f"{side}_alphabet", None) for side in ("source", "target")]
    source, target = (None if one is None else len(one.letters) for one in alphabets)
    return {"name": service.names_name, "source_letters": source, "target_letters": target}
