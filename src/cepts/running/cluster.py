"""`Cluster`: the workers of a Dask cluster, what they keep, and tasks on it; results in order, whatever happens.

Things are kept by workers. A task goes where its thing is, with its arguments. The client has what things are made of,
so that a worker that is lost, or that hangs, costs no more than sending its things to another.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cepts import bounds
from cepts.errors import CeptsError, ClusterError, OptionError, said
from cepts.running.sealing import CorruptedError, Sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from distributed import Client, Future

AHEAD = 2  # tasks that are on their way, for each thread of the cluster
LIMIT = 600.0  # seconds that a task may take, unless told
TRIES = 5  # of a task, on one worker after the other
POLL = 0.2  # seconds between two looks at the tasks under way, if nobody says that one is done
NEWS = 1.0  # seconds between two looks at the list of workers
PATIENCE = 60.0  # seconds without any worker
CONNECTING = 6.0  # seconds to reach a scheduler
LOST = ("cancelled", "lost")
NOT_THERE = (*LOST, "error")


class Cluster:
    """Workers that were reached, of a `Client` of `dask.distributed`.

    `limit` is how many seconds a task may take before its worker counts as hanging.
    """

    def __init__(self, client: Client, limit: float = LIMIT) -> None:
        from cepts.running.connecting import check_workers

        if not bounds.TASK_TIMEOUT.holds(limit):
            raise OptionError(f"{said('limit', limit, '--task-timeout')}: expected {bounds.TASK_TIMEOUT}")
        self.client, self.limit = client, limit
        self.address = client.scheduler.address if client.scheduler is not None else ""
        self._closing: list[Callable[[], Any]] = []
        self._workers: dict[str, int] = {}
        self._left: set[str] = set()  # workers that hung
        self._looked = 0.0
        self.woken = threading.Event()
        self.sent = self.received = 0  # bytes
        check_workers(self.workers(), client)
        self._checked = set(self._workers)

    @classmethod
    def open(cls, place: str, limit: float = LIMIT) -> Cluster:
        """Reach a scheduler, such as `tcp://host:8786`, or start workers on this machine: `local:4`."""
        from cepts.running.connecting import connected

        client, closing = connected(place)
        try:
            cluster = cls(client, limit)
        except BaseException:
            for close in closing:
                close()
            raise
        cluster._closing = closing
        return cluster

    def close(self) -> None:
        """Leave the cluster; workers that were started for it end."""
        while self._closing:
            with suppress(Exception):  # a cluster that has gone cannot be left
                self._closing.pop(0)()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def workers(self) -> list[str]:
        """Return the addresses of the workers that are there, and do not hang."""
        if time.monotonic() - self._looked > NEWS:
            self.check_scheduler()
            try:
                found = self.client.scheduler_info(n_workers=-1)["workers"]
            except (OSError, TimeoutError) as error:
                raise self._gone() from error
            self._workers = {address: int(about["nthreads"]) for address, about in found.items()}
            self._looked = time.monotonic()
        return [address for address in self._workers if address not in self._left]

    @property
    def slots(self) -> int:
        """How many tasks the workers can do at once."""
        return sum(self._workers.get(address, 1) for address in self.workers())

    def places(self, count: int) -> Places:
        """Share so many places out among the workers."""
        return Places(self, count)

    def each(
        self,
        function: Callable[..., Any],
        keeps: Sequence[Kept],
        tasks: Iterable[tuple[int, tuple[Any, ...]]],
    ) -> Iterator[Any]:
        """Yield `function(*things, *arguments)` for each task, in their order.

        A task is a number of a place and arguments; its things are what `keeps` have in that place.
        """
        waiting: deque[_Task] = deque()
        coming = iter(tasks)
        try:
            while True:
                while len(waiting) < AHEAD * max(1, self.slots):
                    given = next(coming, None)
                    if given is None:
                        break
                    waiting.append(_Task(function, keeps, *given))
                    self._start(waiting[-1])
                if not waiting:
                    return
                yield self._first_result(waiting)
        finally:
            for task in waiting:
                task.future = None

    def _first_result(self, waiting: deque[_Task]) -> Any:
        """Wait for the first task of those under way, and look after all of them meanwhile."""
        while True:
            self.woken.clear()
            self.check_scheduler()
            self._look_after(waiting)
            first = waiting[0]
            if first.status == "finished":
                try:
                    sealed = first.future.result(timeout=self.limit)  # type: ignore[union-attr]
                    result = sealed.opened()
                except CeptsError:
                    raise
                except Exception as error:  # lost, or corrupted, on its way here
                    self._again(first, error)
                    continue
                self.received += sealed.__sizeof__()
                waiting.popleft()
                return result
            self.woken.wait(POLL)

    def _look_after(self, waiting: deque[_Task]) -> None:
        """Send tasks again whose workers are lost or hang, and raise what went wrong in others."""
        alive, now, first_of = set(self.workers()), time.monotonic(), set[str]()
        for task in list(waiting):
            status = task.status
            if status == "error":
                self._failed(task)
            elif status in LOST or (status == "pending" and task.home not in alive):
                self._again(task, ConnectionError(f"the worker {task.home} is lost"))
            elif status == "pending" and task.home not in first_of:  # the one that its worker is at
                first_of.add(task.home)
                task.began = task.began or now
                if now - task.began > self.limit:
                    self.leave(task.home)
                    self._again(task, TimeoutError(f"the worker {task.home} hung for {self.limit:g} s"))

    def _failed(self, task: _Task) -> None:
        """Send a task again that its worker could not do; raise what is wrong with the task itself."""
        from distributed import KilledWorker

        assert task.future is not None
        error = task.future.exception()
        if isinstance(error, (KilledWorker, CorruptedError, OSError)):
            for kept in task.keeps:
                kept.forget(task.place)
            self._again(task, error)
        else:
            raise error

    def _again(self, task: _Task, error: BaseException) -> None:
        """Send a task once more, to another worker if its own is not there any more."""
        task.tries += 1
        if task.tries >= TRIES:
            raise ClusterError(
                f"a task failed {TRIES} times on the workers of {self.address}: {error}"
            ) from error
        task.future = None
        if task.home not in self.workers():
            task.keeps[0].places.move(task.place)
        self._start(task)

    def _start(self, task: _Task) -> None:
        """Send a task to where its things are, to another worker if that one does not answer."""
        for tries in range(1, TRIES + 1):
            try:
                task.home = task.keeps[0].places.home(task.place)
                things = [kept.on_worker(task.place) for kept in task.keeps]
                arguments = self.scatter(Sealed.of((task.function, task.arguments)), task.home)
                task.future = self.client.submit(
                    work, arguments, *things, workers=[task.home], pure=False, priority=-task.place
                )
                task.began = None
                task.future.add_done_callback(self.wake)
                return
            except CeptsError:
                raise
            except Exception as error:  # whatever Dask raises where a worker or the scheduler does not answer
                self.doubt(task.home)
                if tries == TRIES:
                    raise ClusterError(
                        f"{TRIES} workers of {self.address} in a row did not answer: {error}; run again, with"
                        f" {said('checkpoint')} and {said('resume', True)} from where this run was"
                    ) from error
                task.keeps[0].places.move(task.place)
                time.sleep(tries * POLL)  # others may be on their way

    def scatter(self, sealed: Sealed, home: str) -> Future:
        """Send something to a worker."""
        from distributed.utils import sync

        self.sent += sealed.__sizeof__()

        async def send() -> Future:
            return await self.client.scatter(sealed, workers=[home], hash=False, asynchronous=True)

        return sync(self.client.loop, send, callback_timeout=self.limit)

    def wake(self, future: Future) -> None:  # noqa: ARG002
        """Look at the tasks under way: one is done."""
        self.woken.set()

    def doubt(self, home: str) -> None:
        """Leave a worker that did not answer, unless it has gone already, or the scheduler has, which is said."""
        self.check_scheduler()
        self._looked = 0.0
        if home in self.workers():
            self.leave(home)

    def leave(self, home: str) -> None:
        """Count a worker as lost, and have it started anew where somebody does so."""
        if home not in self._left:
            self._left.add(home)
            restart = threading.Thread(target=self._restart, args=(home,), daemon=True)
            restart.start()

    def _restart(self, home: str) -> None:
        with suppress(Exception):  # without a nanny it cannot be; it is left alone then
            self.client.restart_workers([home], timeout=PATIENCE, raise_for_error=False)

    def choose(self, load: dict[str, int]) -> str:
        """Return the worker that has least to do; wait a while if there is none."""
        from cepts.running.connecting import check_workers

        waited = time.monotonic()
        while not (alive := self.workers()):
            if time.monotonic() - waited > PATIENCE:
                raise ClusterError(
                    f"no worker is left at {self.address}; start some, and run again or {said('resume', True)}"
                )
            time.sleep(POLL)
        new = [address for address in alive if address not in self._checked]
        if new:
            check_workers(new, self.client)
            self._checked.update(new)
        return min(alive, key=lambda address: load.get(address, 0) / self._workers[address])

    def check_scheduler(self) -> None:
        """Say it if the scheduler has gone."""
        if self.client.status != "running":
            raise self._gone()

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"the scheduler at {self.address} went away; start it again and run again, with"
            f" {said('checkpoint')} and {said('resume', True)} from where this run was"
        )


class Places:
    """Where things are kept: each place has a worker as its home, until that is lost."""

    def __init__(self, cluster: Cluster, count: int) -> None:
        self.cluster = cluster
        self._homes: list[str | None] = [None] * count

    def __len__(self) -> int:
        return len(self._homes)

    def home(self, place: int) -> str:
        """Return the worker of a place."""
        home = self._homes[place]
        if home is None or home not in self.cluster.workers():
            self._homes[place] = None
            load: dict[str, int] = {}
            for other in self._homes:
                if other is not None:
                    load[other] = load.get(other, 0) + 1
            self._homes[place] = home = self.cluster.choose(load)
        return home

    def move(self, place: int) -> None:
        """Give a place another home, when it is next needed."""
        self._homes[place] = None

    def keep(self, makers: Sequence[Callable[[], Any]]) -> Kept:
        """Keep in each place what a function makes here; it is called again if that is lost."""

        def sent(place: int, home: str) -> Future:
            return self.cluster.scatter(Sealed.of(makers[place]()), home)

        return Kept(self, sent)


class Kept:
    """Things in places, which get there when they are first needed."""

    def __init__(self, places: Places, make: Callable[[int, str], Future]) -> None:
        self.places, self._make = places, make
        self._there: dict[int, tuple[str, Future]] = {}

    def then(self, function: Callable[[Any], Any]) -> Kept:
        """Keep what a function makes of the things, where they are, instead of them; for anew they are sent again."""

        def made(place: int, home: str) -> Future:
            arguments = Sealed.of((function, ()))
            future = self.places.cluster.client.submit(
                work, arguments, self.on_worker(place), workers=[home], pure=False
            )
            future.add_done_callback(self.places.cluster.wake)
            self.forget(place)
            return future

        return Kept(self.places, made)

    def on_worker(self, place: int) -> Future:
        """Return what is in a place, as the future of it; have it made if it is not there, or not any more."""
        home = self.places.home(place)
        there = self._there.get(place)
        if there is None or there[0] != home or there[1].status in NOT_THERE:
            there = self._there[place] = home, self._make(place, home)
        return there[1]

    def forget(self, place: int) -> None:
        """Do not trust what is in a place."""
        self._there.pop(place, None)

    def forget_at(self, home: str) -> None:
        """Do not trust what a worker has."""
        self._there = {place: there for place, there in self._there.items() if there[0] != home}


class _Task:
    """A task under way."""

    def __init__(
        self, function: Callable[..., Any], keeps: Sequence[Kept], place: int, arguments: tuple[Any, ...]
    ) -> None:
        self.function, self.keeps, self.place, self.arguments = function, keeps, place, arguments
        self.home = ""
        self.future: Future | None = None
        self.began: float | None = None
        self.tries = 0

    @property
    def status(self) -> str:
        return "lost" if self.future is None else str(self.future.status)


def work(arguments: Sealed, *things: Sealed) -> Sealed:
    """Do a task, where its things are."""
    function, rest = arguments.opened()
    return Sealed.of(function(*(thing.opened() for thing in things), *rest))


def cluster_of(client: Client | Cluster | None) -> Cluster | None:
    """Return the cluster of a client, if there is one; a `Cluster` is one already."""
    return client if client is None or isinstance(client, Cluster) else Cluster(client)


def check_place(place: str) -> str:
    """Refuse what is neither the address of a scheduler nor a number of local workers.

    >>> check_place("local:4"), check_place("tcp://10.0.0.1:8786")
    ('local:4', 'tcp://10.0.0.1:8786')
    """
    if re.fullmatch(r"local:[1-9][0-9]{0,3}|(tcp|tls|ws|wss|ucx)://\S+:[0-9]{1,5}", place):
        return place
    raise OptionError(
        f"{said('place', place, '--dask')}: expected the address of a scheduler, such as tcp://host:8786, or workers"
        " on this machine, such as local:4"
    )
