"""Reach the workers of a cluster: somebody's scheduler, or processes of this machine; refuse those that do not fit."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cepts._version import __version__
from cepts.errors import ClusterError, PackageError, said, worded
from cepts.running.cluster import CONNECTING, check_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client

VERSION = "__import__('cepts').__version__"
Closing = "list[Callable[[], Any]]"


def connected(place: str) -> tuple[Client, list[Callable[[], Any]]]:
    """Return a client of the scheduler at an address, or of workers that are started here, and how to leave it."""
    check_place(place)
    need_distributed()
    kind, _, number = place.partition(":")
    return _started(int(number)) if kind == "local" else _reached(place)


def need_distributed() -> None:
    """Say how to install what a cluster needs."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise PackageError(
            f"{worded('--dask', 'a cluster')} needs dask.distributed: pip install 'cepts[dask]'"
        ) from None


def _started(count: int) -> tuple[Client, list[Callable[[], Any]]]:
    """Start so many processes of one thread each: what they share is the machine, not a lock."""
    import dask
    from distributed import Client, LocalCluster

    be_quiet()
    with dask.config.set({"distributed.worker.profile.enabled": False}):  # nobody looks at what it samples
        cluster = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
    client = Client(cluster, direct_to_workers=True)
    return client, [client.close, cluster.close]


def _reached(place: str) -> tuple[Client, list[Callable[[], Any]]]:
    """Reach a scheduler; workers that can be reached too are spoken to without it."""
    from distributed import Client

    be_quiet()
    try:
        client = Client(place, timeout=CONNECTING)
    except (OSError, TimeoutError, ValueError):
        raise ClusterError(
            f"{said('place', place, '--dask')}: no scheduler answered within {CONNECTING:g} s; is it running,"
            " and the address right?"
        ) from None
    client.direct_to_workers = _is_near(client)
    return client, [client.close]


def _is_near(client: Client) -> bool:
    """Tell whether a worker can be reached from here."""
    address = next(iter(client.scheduler_info(n_workers=1)["workers"]), None)
    parts = urlsplit(address or "")
    with suppress(OSError), socket.create_connection((parts.hostname, parts.port), 3.0):
        return True
    return False


def be_quiet() -> None:
    """Leave it to us to say what has happened to workers."""
    need_distributed()  # which sets up its loggers when it is loaded
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def check_workers(workers: list[str], client: Client) -> None:
    """Refuse workers without Cepts, or with another version of it."""
    if not workers:
        raise ClusterError(f"{client.scheduler.address} has no workers; start some")
    found = client.run(eval, VERSION, workers=workers, on_error="return")
    for address, version in found.items():
        if isinstance(version, BaseException):
            raise ClusterError(f"the worker {address} cannot load Cepts {__version__}: {version}")
        if version != __version__:
            raise ClusterError(
                f"the worker {address} has Cepts {version}, this is {__version__}: install one version everywhere"
            )
