"""What every request passes: who may ask, how much may be sent, and what every answer says about itself."""

from __future__ import annotations

import asyncio
import hmac
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from cepts.web.failures import failure

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cepts.web.limits import Limits

READING = ("GET", "HEAD", "OPTIONS")
WRITING = ("PUT", "DELETE", "PATCH")
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class Guard:
    """An ASGI application around another.

    `hosts`: what a request may call us, or None for anything. A page elsewhere whose name is made to point to us
    (DNS rebinding) cannot call us by one of these.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, token: str | None, hosts: Collection[str] | None
    ) -> None:
        self.app = app
        self.limits = limits
        self.token = None if token is None else f"Bearer {token}".encode()
        self.hosts = None if hosts is None else {host.lower().encode() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        headers = dict(scope["headers"])
        refused = self._refusal(scope["method"], headers)
        if refused is not None:
            await refused(scope, receive, send_marked)
            return
        await self.app(scope, self.limited(receive), send_marked)

    def _refusal(self, method: str, headers: dict[bytes, bytes]) -> Response | None:
        """Say why a request is not even looked at."""
        host = headers.get(b"host", b"").lower()
        if self.hosts is not None and host not in self.hosts:
            return failure(
                403,
                f"not served under the name {host.decode('latin-1')!r}: use the address that `cepts serve` shows",
            )
        if method not in READING and headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site"):
            return failure(403, "pages of other sites may not ask here")
        if method in WRITING and not self._knows_token(headers.get(b"authorization", b"")):
            said = "writing needs the token that `cepts serve` shows: Authorization: Bearer TOKEN"
            return failure(401, said, headers={"WWW-Authenticate": "Bearer"})
        length = headers.get(b"content-length", b"0")
        if len(length) > 18 or (length.isdigit() and int(length) > self.limits.body_bytes):
            return failure(413, self._too_large)
        return None

    def _knows_token(self, given: bytes) -> bool:
        """Compare what is given with the token, in a time that tells nothing of it."""
        return self.token is None or hmac.compare_digest(given, self.token)

    @property
    def _too_large(self) -> str:
        return f"the body is larger than {self.limits.body_bytes:,} bytes: send less at a time"

    def limited(self, receive: Receive) -> Receive:
        """Count the bytes of a body as they come, and do not wait for them for ever."""
        taken, ended = 0, False
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.body_seconds

        async def receive_some() -> Message:
            nonlocal taken, ended
            if ended:  # what comes now is that the client has left
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, until - loop.time()))
            except TimeoutError:
                raise HTTPException(
                    408, "the body took too long to arrive", {"Connection": "close"}
                ) from None
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                ended = not message.get("more_body", False)
                if taken > self.limits.body_bytes:
                    raise HTTPException(413, self._too_large, {"Connection": "close"})
            return message

        return receive_some
