"""A server that listens, answers, and stops when it is told to."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import sys
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError, said
from cepts.web.app import create_app
from cepts.web.limits import USUAL

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator

    from cepts.web.limits import Limits
    from cepts.web.service import Service

ANYWHERE = ("0.0.0.0", "::")
WAITING = 2048  # connections that are not accepted yet
GRACE = 5  # seconds that requests have to end when the server stops
SWITCH = 0.0005  # seconds that a thread may compute in Python while the event loop wants to go on
PATIENCE = 20.0  # seconds that a client has to begin a request, once it is connected


@checked
def serve(
    service: Service,
    listener: socket.socket,
    limits: Limits = USUAL,
    say: Callable[[str], None] = lambda text: None,  # noqa: ARG005
) -> None:
    """Serve until stopped by Ctrl-C or SIGTERM; `say` is told the address first, and the token that writers need."""
    with closing(listener), closed(service), attentive():
        address, port = listener.getsockname()[:2]
        if not is_loopback(address) and service.token is None:
            service = replace(service, token=secrets.token_urlsafe(24))
            say(f"writing needs this token: {service.token}")
        app = create_app(service, limits, hosts=names_of(address, port))
        listener.listen(WAITING)
        say(f"serving on http://{bracketed(reachable(address))}:{port}/")
        # uvicorn ends what is asked for, then sends itself the signal that has stopped it
        with suppress(KeyboardInterrupt):
            uvicorn.Server(configured(app)).run(sockets=[listener])


@contextmanager
def closed(service: Service) -> Iterator[None]:
    """Let go of the corpus at the end, whose corrections nobody else may write meanwhile."""
    try:
        yield
    finally:
        if service.corpus is not None:
            service.corpus.close()


@contextmanager
def attentive() -> Iterator[None]:
    """Let the event loop go on sooner than Python does by itself, after 5 ms at each of its many small steps."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def configured(app: Any) -> uvicorn.Config:
    """Say how uvicorn is to run."""
    return uvicorn.Config(
        app,
        http=Impatient,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
    )


class Impatient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP over a connection that is closed if no request begins on it for too long."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to look at the clock."""
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._look, None)

    def _look(self, seen: object) -> None:
        """Close the connection if nothing has been asked since the last look, and nothing is being answered."""
        if self.transport is None or self.transport.is_closing():
            return
        answering = self.cycle is not None and not self.cycle.response_complete
        if self.cycle is seen and not answering:
            self.transport.close()
        else:
            self.loop.call_later(PATIENCE, self._look, self.cycle)


@checked
def open_port(host: str, port: int) -> socket.socket:
    """Take a port, 0 for a free one, or say in one line why that cannot be; nobody can connect to it yet."""
    bounds.PORT.check("port", port)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, number, _, address = found[0]
        listener = socket.socket(family, kind, number)
    except (OSError, UnicodeError) as error:
        raise OptionError(
            f"{said('host', host)}: {_reason(error)}; give a name or an address of this machine"
        ) from None
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise OptionError(
            f"cannot serve on {host}:{port}: {_reason(error)}; give another {said('port')}, or 0 for a free one"
        ) from None
    return listener


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).lower()


def is_loopback(address: str) -> bool:
    """Whether an address is reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def names_of(address: str, port: int) -> list[str] | None:
    """Return the names under which a loopback address may be asked for, None for any of another.

    >>> sorted(names_of("127.0.0.1", 8765))
    ['127.0.0.1:8765', '[::1]:8765', 'localhost:8765']
    """
    if not is_loopback(address):
        return None
    hosts = {"localhost", "127.0.0.1", "[::1]", bracketed(address)}
    return [*(f"{host}:{port}" for host in hosts), *(hosts if port == 80 else ())]


def reachable(address: str) -> str:
    """Return an address that can be asked, where all of a machine's are listened to."""
    return "localhost" if address in ANYWHERE else address


def bracketed(address: str) -> str:
    """Write an address as URLs do.

    >>> bracketed("::1"), bracketed("127.0.0.1")
    ('[::1]', '127.0.0.1')
    """
    return f"[{address}]" if ":" in address else address
