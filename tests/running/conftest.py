"""Two workers for the tests of a module: as threads, or as processes, which can be killed."""

import pytest

from tests.running.clusters import workers


@pytest.fixture(scope="module")
def threads():
    with workers() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def processes():
    with workers(processes=True, limit=3.0) as cluster:
        yield cluster
