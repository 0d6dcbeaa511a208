"""The page, and the service behind it: an ASGI application that any server can run.

>>> import cepts
>>> from cepts.web import Service, create_app
>>> app = create_app(Service(cepts.Aligner("fast").fit(cepts.sample_bitext())))
>>> app.title
'Cepts'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cepts.web.app import create_app
    from cepts.web.limits import Limits
    from cepts.web.opening import Places, open_service
    from cepts.web.service import Service
    from cepts.web.serving import open_port, serve

# Looked up when first used: FastAPI and uvicorn are an extra, and take their time to be imported.
_HOMES = {
    "Limits": "limits",
    "Places": "opening",
    "Service": "service",
    "create_app": "app",
    "open_port": "serving",
    "open_service": "opening",
    "serve": "serving",
}

__all__ = ["Limits", "Places", "Service", "create_app", "open_port", "open_service", "serve"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from cepts.checking import no_attribute

        raise no_attribute("cepts.web", name, __all__)
    value = getattr(import_module(f"cepts.web.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
