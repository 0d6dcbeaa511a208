"""From folders to a running server."""

from __future__ import annotations

import ipaddress
import socket
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from cepts.aligning import Aligner
from cepts.errors import OptionError
from cepts.web.app import create_app
from cepts.web.limits import Limits
from cepts.web.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable


def open_service(model: str, *, threads: int = 1) -> Service:
    """Open what is to be served, and warm it up, so that the first request is as fast as all others."""
    service = Service(Aligner.load(model, threads=1), name=Path(model).resolve().name)
    warm(service)
    return service


def warm(service: Service) -> None:
    """Do once what is slow only once: compile, map files into memory, make tables of words."""
    for combine in service.combiners or [None]:
        service.aligner_for(combine).align(("a b", "c d"))


def serve(service: Service, host: str, port: int, limits: Limits, say: Callable[[str], None]) -> None:
    """Serve until stopped; `say` is told the address when the port is open."""
    with closing(open_port(host, port)) as listener:
        address, taken = listener.getsockname()[:2]
        app = create_app(service, limits, hosts=names_of(address, taken))
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=5
        )
        say(f"serving on http://{bracketed(address)}:{taken}/")
        uvicorn.Server(config).run(sockets=[listener])


def open_port(host: str, port: int) -> socket.socket:
    """Take a port, or say in one line why that cannot be."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, number)
    except (OSError, UnicodeError, OverflowError) as error:
        raise OptionError(f"--host {host}: {error}; give a name or an address of this machine") from None
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise OptionError(
            f"cannot serve on {host}:{port}: {str(reason).lower()}; give another --port, or 0 for a free one"
        ) from None
    return listener


def is_loopback(address: str) -> bool:
    """Whether an address is reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def names_of(address: str, port: int) -> list[str] | None:
    """Return the names under which a loopback address may be asked for, None for others."""
    if not is_loopback(address):
        return None
    hosts = {"localhost", "127.0.0.1", "[::1]", bracketed(address)}
    return [*(f"{host}:{port}" for host in hosts), *(hosts if port == 80 else ())]


def bracketed(address: str) -> str:
    """Write an address as URLs do.

    >>> bracketed("::1"), bracketed("127.0.0.1")
    ('[::1]', '127.0.0.1')
    """
    return f"[{address}]" if ":" in address else address
