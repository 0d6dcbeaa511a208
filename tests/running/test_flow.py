"""Tasks that take what others have left on workers: the same results, and a word on what is lost."""

import os
import signal
import sys
import time

import numpy as np
import pytest

from cepts.errors import ClusterError, InputError
from cepts.running.flow import Flow, LostError, until_done


def numbers(count):
    return np.arange(count)


def total(*arrays):
    return sum(int(array.sum()) for array in arrays)


def test_tasks_take_what_others_have_left_on_other_workers(threads):
    flow, (first, second) = Flow(threads), threads.workers()
    received = threads.received
    parts = [flow.task(home, numbers, [], 1000) for home in (first, second)]
    sums = [flow.task(home, total, parts) for home in (first, second)]
    assert list(flow.results(sums)) == [2 * 499_500] * 2
    assert 0 < threads.received - received < 1000  # the numbers themselves have not been here


def test_what_is_sent_and_what_is_kept_are_taken_too(threads):
    flow, home = Flow(threads), threads.workers()[0]
    kept = threads.places(1).keep([lambda: np.full(3, 7)])
    left = flow.task(kept.places.home(0), total, [flow.kept(kept, 0), flow.send(home, np.ones(2, np.int64))])
    assert next(flow.results([left])) == 23


def refuse(*_):
    raise InputError("that is too much")


def test_what_is_wrong_with_a_task_is_raised_as_it_is(threads):
    flow, home = Flow(threads), threads.workers()[0]
    with pytest.raises(InputError, match="that is too much"):
        flow.wait([flow.task(home, refuse, [])])


def test_what_is_corrupted_is_doubted_and_lost(threads):
    flow, home = Flow(threads), threads.workers()[0]
    left = flow.task(home, numbers, [], 100)
    flow.wait([left])
    worker = next(one for one in threads.client.cluster.workers.values() if one.address == home)
    worker.data[left.future.key].arrays[0][0] ^= 1
    doubted = []
    after = flow.task(home, total, [left], doubts=[lambda: doubted.append(left)])
    with pytest.raises(LostError, match="its checksum differs"):
        flow.wait([after])
    assert doubted == [left]


def stop(number):
    os.kill(os.getpid(), number)
    time.sleep(60)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("number", "what"), [("SIGKILL", "is lost|failed"), ("SIGSTOP", "hung for 3 s")])
def test_a_worker_that_dies_or_hangs_is_lost(processes, number, what):
    home, other = two_that_work(processes)
    flow = Flow(processes)
    there = flow.task(other, numbers, [], 10)
    left = flow.task(home, stop, [], int(getattr(signal, number)))
    with pytest.raises(LostError, match=what):
        flow.wait([flow.task(other, total, [there, left])])
    assert next(Flow(processes).results([Flow(processes).task(other, total, [there])])) == 45


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_that_hangs_while_it_makes_something_is_lost(processes):
    two_that_work(processes)
    places = processes.places(1)
    home = places.home(0)
    made = places.keep([lambda: int(signal.SIGSTOP)]).then(stop)
    flow = Flow(processes)
    with pytest.raises(LostError, match="hung for 3 s"):
        flow.wait([flow.task(home, total, [flow.kept(made, 0)])])


def two_that_work(cluster):
    """Return two workers that have done something already: new ones take a while to load what they need."""

    def asked():
        end = time.monotonic() + 60
        while len(cluster.workers()) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        flow, homes = Flow(cluster), cluster.workers()[:2]
        flow.wait([flow.task(home, numbers, [], 1) for home in homes])
        return homes

    return until_done(asked)


def test_what_is_lost_is_tried_again_some_times_at_most():
    tries = []

    def lose():
        tries.append(1)
        raise LostError("it is gone")

    with pytest.raises(ClusterError, match="something was lost 5 times on the workers: it is gone"):
        until_done(lose)
    assert len(tries) == 5
    assert until_done(lambda: 3) == 3
