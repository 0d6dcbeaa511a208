"""Tasks on a cluster: results in order, whatever happens to workers."""

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from distributed import wait

from cepts.errors import ClusterError, InputError, OptionError, PackageError
from cepts.running import cluster as cluster_module
from cepts.running import connecting
from cepts.running.cluster import Cluster, check_place
from cepts.running.sealing import CorruptedError, Sealed
from tests.running.clusters import workers


def add(array, number):
    time.sleep(0.02 * (number % 3))
    return array + number


def numbers(cluster, count=5):
    return cluster.places(count).keep([lambda k=k: np.full(4, 10 * k) for k in range(count)])


def tasks(count=20):
    return ((k % 5, (k,)) for k in range(count))


def expected(count=20):
    return [[10 * (k % 5) + k] * 4 for k in range(count)]


def test_results_come_in_the_order_of_the_tasks(threads):
    found = threads.each(add, [numbers(threads)], tasks())
    assert [each.tolist() for each in found] == expected()


def test_things_are_sent_once(threads):
    kept, made = threads.places(2), []
    things = kept.keep([lambda: made.append(1) or np.zeros(3)] * 2)
    for _ in range(3):
        list(threads.each(add, [things], [(0, (1,)), (1, (2,))]))
    assert len(made) == 2


def test_what_is_made_of_things_is_kept_instead_of_them(threads):
    sent = []
    things = threads.places(2).keep([lambda: sent.append(1) or np.arange(3)] * 2)
    doubled = things.then(double)
    for _ in range(2):
        assert [list(each) for each in threads.each(add, [doubled], [(0, (0,)), (1, (1,))])] == [
            [0, 2, 4],
            [1, 3, 5],
        ]
    assert len(sent) == 2
    assert not things._there
    doubled.forget(1)
    assert [list(each) for each in threads.each(add, [doubled], [(1, (0,))])] == [[0, 2, 4]]
    assert len(sent) == 3


def double(array):
    return array * 2


def test_what_cannot_be_made_is_raised_as_it_is(threads):
    with pytest.raises(InputError, match="4 is too many"):
        list(threads.each(add, [numbers(threads).then(refuse)], [(0, (0,))]))


def spoil(things, place, cluster):
    """Change a bit of what is kept in a place."""
    future = things.on_worker(place)
    wait([future])
    address = things.places.home(place)
    worker = next(one for one in cluster.client.cluster.workers.values() if one.address == address)
    sealed = worker.data[future.key]
    sealed.arrays[0] = sealed.arrays[0].copy()
    sealed.arrays[0][0] ^= 1
    sealed._is_checked = False


def test_what_was_made_and_is_corrupted_is_made_anew(threads):
    doubled = numbers(threads).then(double)
    list(threads.each(add, [doubled], [(1, (0,))]))
    spoil(doubled, 1, threads)
    assert [list(each) for each in threads.each(add, [doubled], [(1, (0,))])] == [[20] * 4]


def refuse(array):
    raise InputError(f"{len(array)} is too many")


def test_what_is_wrong_with_a_task_is_raised_as_it_is(threads):
    with pytest.raises(InputError, match="4 is too many"):
        list(threads.each(refuse, [numbers(threads)], [(0, ())]))


def test_a_thing_that_is_corrupted_is_sent_again(threads):
    things = numbers(threads)
    spoil(things, 0, threads)
    assert [each.tolist() for each in threads.each(add, [things], tasks(5))] == expected(5)


def test_what_is_corrupted_again_and_again_is_said(threads, monkeypatch):
    monkeypatch.setattr(cluster_module.Sealed, "opened", corrupted)
    with pytest.raises(ClusterError, match=r"a task failed 5 times .* its checksum differs"):
        list(threads.each(add, [numbers(threads)], tasks()))


def corrupted(_):
    raise CorruptedError("its checksum differs")


def test_sealed_arrays_are_what_they_were():
    sealed = Sealed.of({"one": np.arange(5), "two": ["x", np.zeros((2, 2), np.float32)]})
    sealed.arrays = [np.frombuffer(bytes(3) + array.tobytes(), np.uint8)[3:] for array in sealed.arrays]
    opened = sealed.opened()
    assert opened["one"].tolist() == [0, 1, 2, 3, 4]
    assert opened["one"].flags.writeable
    assert opened["one"].flags.aligned
    assert opened["two"][1].shape == (2, 2)


@pytest.mark.parametrize("place", [77, 5000, 7999])
def test_a_bit_that_changed_is_noticed(place):
    sealed = Sealed.of(np.arange(1000))
    sealed.arrays[0] = sealed.arrays[0].copy()
    sealed.arrays[0][place] ^= 4
    with pytest.raises(CorruptedError):
        sealed.opened()


def die_once(array, number, marker):
    if number == 7 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return array + number


def hang_once(array, number, marker):
    if number == 7 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGSTOP)
    return array + number


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("function", [die_once, hang_once])
def test_a_worker_that_dies_or_hangs_costs_its_tasks_alone(processes, function, tmp_path):
    marker = tmp_path / "marker"
    found = processes.each(
        function, [numbers(processes)], ((k, (n, str(marker))) for n, (k, _) in enumerate(tasks()))
    )
    assert [each.tolist() for each in found] == expected()
    assert marker.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("function", [die_once, hang_once])
def test_a_worker_that_dies_or_hangs_while_it_makes_something_changes_nothing(processes, function, tmp_path):
    made = numbers(processes).then(partial(function, number=7, marker=str(tmp_path / "marker")))
    found = processes.each(add, [made], ((k, (0,)) for k in range(5)))
    assert [each.tolist() for each in found] == [[10 * k + 7] * 4 for k in range(5)]
    assert (tmp_path / "marker").exists()


def test_a_scheduler_that_goes_away_is_said():
    with workers() as cluster:
        found = cluster.each(add, [numbers(cluster)], tasks(100))
        next(found)
        cluster.client.cluster.close()
        with pytest.raises(ClusterError, match=r"went away; .* resume=True from"):
            list(found)


def test_workers_that_never_answer_are_said(threads, monkeypatch):
    def fail(*_):
        raise OSError("nobody listens")

    monkeypatch.setattr(cluster_module, "POLL", 0.01)
    monkeypatch.setattr(threads, "scatter", fail)
    monkeypatch.setattr(threads, "doubt", lambda _: None)
    with pytest.raises(
        ClusterError, match=r"5 workers of .* in a row did not answer: nobody listens; run again"
    ):
        list(threads.each(add, [numbers(threads)], tasks()))


def test_an_unreachable_scheduler_is_said(monkeypatch):
    assert connecting.CONNECTING < 10
    monkeypatch.setattr(connecting, "CONNECTING", 0.5)
    with pytest.raises(ClusterError, match=r"place='tcp://127.0.0.1:9': no scheduler answered within 0.5 s"):
        Cluster.open("tcp://127.0.0.1:9")


def test_workers_of_another_version_are_refused(threads, monkeypatch):
    monkeypatch.setattr(connecting, "__version__", "99.0")
    with pytest.raises(ClusterError, match=r"has Cepts \d.*, this is 99.0: install one version"):
        Cluster(threads.client)


def test_workers_without_it_are_refused(threads, monkeypatch):
    monkeypatch.setattr(connecting, "VERSION", "__import__('not_there')")
    with pytest.raises(ClusterError, match=r"cannot load Cepts .*: No module named 'not_there'"):
        Cluster(threads.client)


def test_a_cluster_without_workers_is_refused(threads):
    with pytest.raises(ClusterError, match="has no workers; start some"):
        connecting.check_workers([], threads.client)


def test_without_dask_the_install_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(PackageError, match=r"a cluster needs dask.distributed: pip install 'cepts\[dask\]'"):
        Cluster.open("local:2")


def test_workers_of_this_machine_are_reached_from_this_machine_alone():
    with Cluster.open("local:1") as cluster:
        scheduler = cluster.client.cluster.scheduler
        asked = [*scheduler.http_server._sockets.values()]
        assert {socket.getsockname()[0] for socket in asked} == {"127.0.0.1"}
        assert cluster.address.startswith("tcp://127.0.0.1:")


@pytest.mark.parametrize("place", ["nonsense", "local", "local:0", "local:x", "host:8786", "tcp://host", ""])
def test_nonsense_is_refused(place):
    with pytest.raises(OptionError, match="expected the address of a scheduler"):
        check_place(place)


def test_a_time_limit_is_positive(threads):
    with pytest.raises(OptionError, match=r"limit=0\.0: expected a number above 0, up to"):
        Cluster(threads.client, 0.0)
