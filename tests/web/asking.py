"""Ask a service within this process, as a program would over HTTP."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from httpx import ASGITransport, AsyncClient, Response

from cepts.web.app import create_app
from cepts.web.limits import USUAL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fastapi import FastAPI

    from cepts.web.limits import Limits
    from cepts.web.service import Service

JSON = {"content-type": "application/json"}
PAIR = {"source": "le chat noir .", "target": "the black cat ."}


class Asking:
    """A client that checks what every answer must be like."""

    def __init__(self, app: FastAPI, runner: asyncio.Runner) -> None:
        self.runner = runner
        # what fails within the service is answered, as a server would
        transport = ASGITransport(app, raise_app_exceptions=False)
        self.client = AsyncClient(transport=transport, base_url="http://service")

    @classmethod
    @contextmanager
    def of(
        cls, service: Service, limits: Limits = USUAL, hosts: Collection[str] | None = None
    ) -> Iterator[Asking]:
        """Serve for a while."""
        app = create_app(service, limits, hosts=hosts)
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            runner.run(stack.enter_async_context(app.router.lifespan_context(app)))
            try:
                yield cls(app, runner)
            finally:
                runner.run(stack.aclose())

    def request(self, method: str, path: str, **more: Any) -> Response:
        """Ask, and wait for the answer."""
        return self.runner.run(self.client.request(method, path, **more))

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        """Get something, as JSON."""
        return content_of(self.request("GET", path, **more), status)

    def post(self, path: str, content: Any, status: int = 200, **more: Any) -> Any:
        """Send JSON, which may be wrong where it is given as text or bytes; return the answer's."""
        body = content if isinstance(content, str | bytes) else json.dumps(content)
        headers = JSON | more.pop("headers", {})
        return content_of(self.request("POST", path, content=body, headers=headers, **more), status)

    def refused(self, path: str, content: Any, status: int = 422, **more: Any) -> str:
        """Send what must be refused; return why."""
        answer = self.post(path, content, status, **more)
        assert set(answer) <= {"error", "field"}
        return str(answer["error"])


def content_of(response: Response, status: int) -> Any:
    """Check an answer and return its JSON."""
    assert response.status_code == status, response.text
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-type"] == "application/json"
    return response.json()
