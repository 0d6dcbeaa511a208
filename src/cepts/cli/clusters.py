"""The cluster that a command works on, if it is told to."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cepts.cli.options import refuse
from cepts.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.running.cluster import Cluster


@contextmanager
def opened_cluster(options: dict[str, Any]) -> Iterator[Cluster | None]:
    """Reach the cluster of the options or start it, and leave it in the end; None if there is none.

    While workers of this machine wait for the client, it may use as many threads as there are workers.
    """
    if options["dask"] is None:
        refuse(("task_timeout",), options, "needs --dask; add that, or drop it")
        yield None
        return
    from cepts.running.cluster import LIMIT, Cluster

    limit = LIMIT if options["task_timeout"] is None else options["task_timeout"]
    with Cluster.open(options["dask"], limit) as cluster:
        if options["dask"].startswith("local:"):
            options["threads"] = max(options["threads"], cluster.slots)
        note(f"{len(cluster.workers())} workers at {cluster.address}", options["quiet"])
        yield cluster
