"""Small clusters for tests: of threads, which are there at once, or of processes, which can be killed."""

from contextlib import contextmanager

from distributed import Client, LocalCluster

from cepts.running.cluster import Cluster
from cepts.running.connecting import be_quiet


@contextmanager
def workers(count=2, processes=False, limit=60.0):
    be_quiet()
    with (
        LocalCluster(
            n_workers=count, threads_per_worker=1, processes=processes, dashboard_address=":0"
        ) as local,
        Client(local) as client,
    ):
        yield Cluster(client, limit)
