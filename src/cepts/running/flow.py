"""`Flow`: tasks on a cluster that take what other tasks have left there; nothing of it passes the client.

`Cluster.each` looks after tasks one by one, since the client has all that they are made of. What the tasks of a flow
leave is nowhere but on a worker, and goes with it. Then `LostError` is raised, and whoever wanted it asks again, for
all that followed from what is there still.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cepts.errors import CeptsError, ClusterError
from cepts.running.cluster import LOST, POLL, TRIES, work
from cepts.running.sealing import CorruptedError, Sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from distributed import Future

    from cepts.running.cluster import Cluster, Kept

Result = TypeVar("Result")


class LostError(Exception):
    """Something that tasks had left, or were at, has gone with its worker, or is not what was sent."""


class GoneError(ClusterError):
    """What was to be kept by workers is on none of them any more."""


class Left:
    """What a task leaves, or will leave, on its worker; `doubts` are called if what it takes cannot be opened."""

    def __init__(self, home: str, future: Future, things: list[Future], doubts: Sequence[Callable[[], None]]):
        self.home, self.future, self.doubts = home, future, doubts
        self._things: list[Future] | None = things  # until it is done, or fails

    @property
    def status(self) -> str:
        """How Dask calls its state."""
        return str(self.future.status)

    @property
    def is_ready(self) -> bool:
        """Whether all that its task takes is there."""
        return self._things is None or all(thing.status == "finished" for thing in self._things)

    def is_there(self, alive: Iterable[str]) -> bool:
        """Tell whether it is on one of these workers."""
        return self.status == "finished" and self.home in alive

    def let_go(self) -> None:
        """Do not hold what the task took any longer: workers forget it then."""
        self._things = None


class Flow:
    """Tasks of one undertaking."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._under_way: list[Left] = []  # in the order in which they were asked for
        self._moved: dict[str, float] = {}  # when each worker was last seen to get on
        self._kept: dict[int, Kept] = {}  # what tasks have taken of what is kept

    def send(self, home: str, thing: Any) -> Future:
        """Send something to a worker."""
        with self._answered(home):
            return self.cluster.scatter(Sealed.of(thing), home)

    def kept(self, things: Kept, place: int) -> Future:
        """Return what is kept in a place, sent there if need be."""
        self._kept[id(things)] = things
        home = things.places.home(place)
        with self._answered(home):
            future = things.on_worker(place)
        if future.status != "finished":  # it is made there
            self._under_way.append(Left(home, future, [], ()))
        return future

    @contextmanager
    def _answered(self, home: str) -> Iterator[None]:
        """Count a worker that does not answer as lost."""
        try:
            yield
        except CeptsError:
            raise
        except Exception as error:  # whatever Dask raises then
            self.cluster.doubt(home)
            raise LostError(f"the worker {home} did not answer") from error

    def task(
        self,
        home: str,
        function: Callable[..., Any],
        things: Iterable[Left | Future],
        *arguments: Any,
        doubts: Sequence[Callable[[], None]] = (),
        urgent: bool = False,
    ) -> Left:
        """Have a worker do `function(*things, *arguments)`; the arguments, which pass the scheduler, are small.

        What is `urgent` comes before what is not: others wait for it.
        """
        futures = [thing.future if isinstance(thing, Left) else thing for thing in things]
        with self._answered(home):
            future = self.cluster.client.submit(
                work,
                Sealed.of((function, arguments)),
                *futures,
                workers=[home],
                pure=False,
                priority=int(urgent),
            )
        future.add_done_callback(self.cluster.wake)
        left = Left(home, future, futures, doubts)
        self._under_way.append(left)
        return left

    def wait(self, wanted: Iterable[Left]) -> None:
        """Wait until some tasks are done, and look after all meanwhile."""
        waiting = list(wanted)
        while True:
            self.cluster.woken.clear()
            self.cluster.check_scheduler()
            self._look_after()
            waiting = [left for left in waiting if left.status != "finished"]
            if not waiting:
                return
            self.cluster.woken.wait(POLL)

    def results(self, wanted: Iterable[Left]) -> Iterator[Any]:
        """Yield what tasks have left, in their order; it comes to the client."""
        for left in wanted:
            self.wait([left])
            try:
                sealed = left.future.result(timeout=self.cluster.limit)
                result = sealed.opened()
            except CeptsError:
                raise
            except Exception as error:  # lost, or corrupted, on its way here
                self.cluster.check_scheduler()
                raise LostError(f"nothing came from the worker {left.home}") from error
            self.cluster.received += sealed.__sizeof__()
            yield result

    def _look_after(self) -> None:
        """Raise what went wrong, and that something is lost; count a worker that does not get on as hanging."""
        alive, now, ready = set(self.cluster.workers()), time.monotonic(), set[str]()
        going_on = []
        for left in self._under_way:
            status = left.status
            if status == "finished":
                left.let_go()
                self._moved[left.home] = now
                continue
            if status == "error":
                self._failed(left)
            if status in LOST or left.home not in alive:
                raise LostError(f"the worker {left.home} is lost")
            if left.is_ready:
                ready.add(left.home)
            going_on.append(left)
        self._under_way = going_on
        self._moved = {home: self._moved.get(home, now) for home in ready}
        for home, since in self._moved.items():
            if now - since > self.cluster.limit:
                self.cluster.leave(home)
                raise LostError(f"the worker {home} hung for {self.cluster.limit:g} s")

    def _failed(self, left: Left) -> None:
        """Raise what is wrong with a task itself, or that what it takes is lost or is not what was sent."""
        from distributed import KilledWorker

        error = left.future.exception()
        if isinstance(error, CorruptedError):  # where one thing is, others may be
            for things in self._kept.values():
                things.forget_at(left.home)
            for doubt in left.doubts:
                doubt()
        if isinstance(error, (KilledWorker, CorruptedError, OSError)):
            raise LostError(f"a task failed on the worker {left.home}: {error}") from error
        raise error


def until_done(function: Callable[[], Result]) -> Result:
    """Call a function until nothing is lost on the way, some times at most."""
    for tries in range(1, TRIES + 1):
        try:
            return function()
        except LostError as error:
            if tries == TRIES:
                raise ClusterError(f"something was lost {TRIES} times on the workers: {error}") from error
            time.sleep(tries * POLL)  # others may be on their way
    raise AssertionError
