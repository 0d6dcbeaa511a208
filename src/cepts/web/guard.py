"""What every request passes: who may ask, how much may be sent, and what every answer says about itself."""

from __future__ import annotations

import asyncio
import hmac
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from cepts.web.failures import failure
from cepts.web.inflating import CLOSE, PACKED, PLAIN, inflated
from cepts.web.limits import RETRY, TOO_MANY, sent_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cepts.web.limits import Limits, Workers

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
        self,
        app: ASGIApp,
        limits: Limits,
        token: str | None,
        hosts: Collection[str] | None,
        workers: Workers | None = None,
    ) -> None:
        self.app = app
        self.workers = workers
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
        refused = self._refusal(scope["method"], scope["scheme"], headers)
        if refused is not None:
            await refused(scope, receive, send_marked)
            return
        receive = self.limited(receive)
        if headers.get(b"content-encoding", b"").lower() in PACKED:
            receive = inflated(receive, self.limits.body_bytes, self._too_large)
        await self.app(scope, self.counted(receive), send_marked)

    def _refusal(self, method: str, scheme: str, headers: dict[bytes, bytes]) -> Response | None:
        """Say why a request is not even looked at."""
        host = headers.get(b"host", b"").lower()
        if self.hosts is not None and host not in self.hosts:
            return failure(
                403,
                f"not served under the name {host.decode('latin-1')!r}: use the address that `cepts serve` shows",
            )
        if method not in READING and is_foreign(scheme, headers):
            return failure(403, "pages of other sites may not ask here")
        if method in WRITING and not self._knows_token(headers.get(b"authorization", b"")):
            said = "writing needs the token that `cepts serve` shows: Authorization: Bearer TOKEN"
            return failure(401, said, headers={"WWW-Authenticate": "Bearer"})
        length = headers.get(b"content-length", b"0")
        if len(length) > 18 or (length.isdigit() and int(length) > self.limits.body_bytes):
            return failure(413, self._too_large.detail)
        return self._not_taken(method, headers.get(b"content-encoding", b"").lower())

    def _not_taken(self, method: str, encoding: bytes) -> Response | None:
        """Say why a body is not even read."""
        if method not in READING and encoding not in (*PLAIN, *PACKED):
            shown = encoding.decode("latin-1")
            said = f"a body in Content-Encoding {shown!r}: send it as it is, or in gzip"
            return failure(415, said, headers={"Accept-Encoding": "gzip"})
        if method == "POST" and self.workers is not None and self.workers.busy:  # all of them are computed
            return failure(429, TOO_MANY, headers=RETRY)
        return None

    def _knows_token(self, given: bytes) -> bool:
        """Compare what is given with the token, in a time that tells nothing of it."""
        return self.token is None or hmac.compare_digest(given, self.token)

    @property
    def _too_large(self) -> HTTPException:
        said = f"the body is larger than {self.limits.body_bytes:,} bytes: send less at a time"
        return HTTPException(413, said, CLOSE)

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
                raise HTTPException(408, "the body took too long to arrive", CLOSE) from None
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                ended = not message.get("more_body", False)
                if taken > self.limits.body_bytes:
                    raise self._too_large
            return message

        return receive_some

    def counted(self, receive: Receive) -> Receive:
        """Tell those who compute how much was sent: more takes longer."""
        sent = 0

        async def receive_some() -> Message:
            nonlocal sent
            message = await receive()
            sent += len(message.get("body", b""))
            sent_bytes.set(sent)
            return message

        return receive_some


def is_foreign(scheme: str, headers: Mapping[bytes, bytes]) -> bool:
    """Tell whether a page of another site asks: browsers say so, newer ones in one word, all by its origin.

    A proxy, which asks us by another name, says by which it was asked itself: no page can without our leave.

    >>> is_foreign("http", {b"host": b"localhost:80", b"origin": b"http://evil.example"})
    True
    >>> is_foreign("http", {b"host": b"localhost:80"}), is_foreign("http", {b"sec-fetch-site": b"same-origin"})
    (False, False)
    """
    site, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
    if site is not None or origin is None:
        return site in (b"cross-site", b"same-site")
    schemes = (scheme.encode(), headers.get(b"x-forwarded-proto", b""))
    hosts = (headers.get(b"host", b""), headers.get(b"x-forwarded-host", b""))
    own = {f"{one}://{other}".lower() for one in map(text_of, schemes) for other in map(text_of, hosts)}
    return text_of(origin).lower() not in own


def text_of(value: bytes) -> str:
    """Read the value of a header."""
    return value.decode("latin-1")
