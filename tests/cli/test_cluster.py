"""`--dask` on the command line: the same links, and what is refused."""

import pytest

import cepts
from tests.cli.command import refused, run, succeed


@pytest.fixture
def text():
    source, target, _ = cepts.sample()
    return str(source), str(target)


def test_local_workers_give_the_same_links(text):
    done = run("align", *text, "--dask", "local:1")
    assert done.out == succeed("align", *text, "--quiet")
    assert "1 workers at tcp://127.0.0.1:" in done.err


def test_nonsense_is_refused(text):
    message = refused("align", *text, "--dask", "some-host")
    assert "--dask some-host: expected the address of a scheduler, such as tcp://host:8786" in message
    assert "--task-timeout needs --dask" in refused("align", *text, "--task-timeout", "3")
    assert "--task-timeout 0.0: expected a number above 0" in refused(
        "align", *text, "--dask", "local:1", "--task-timeout", "0"
    )
    assert "--dask does not go with --sample" in refused("align", "--sample", "--dask", "local:1")
