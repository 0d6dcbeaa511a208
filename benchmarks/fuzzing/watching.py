"""Cases run in processes of their own, so that one that hangs, crashes or takes all memory ends alone."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from numba.core import event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

LONGEST = 10.0  # seconds of CPU that a case may take
WAITING = 300.0  # seconds without a sign of life after which a process hangs, whatever CPU it takes
MEMORY = 8 << 30  # bytes of addresses that a process may have
LARGEST = 1 << 28  # bytes of a file that it writes
BATCH = 1000  # cases for one process


class Ended(NamedTuple):
    """What was tried, whether it was refused, and what is wrong with how it ended, if anything."""

    what: str
    refused: bool
    wrong: str | None = None


class Seen(NamedTuple):
    """A case by its number, how it ended, and how many seconds of CPU it took."""

    number: int
    ended: Ended
    seconds: float


Action = Callable[[int], Ended]


def watched(action: Action, numbers: Sequence[int]) -> Iterator[Seen]:
    """Yield how each case ended, in the order of the numbers."""
    rest = list(numbers)
    while rest:
        for seen in _in_process(action, rest[:BATCH]):
            del rest[0]
            yield seen


def _in_process(action: Action, numbers: Sequence[int]) -> Iterator[Seen]:
    """Yield how cases ended, up to the first one that ends its process."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(action, numbers, sending))
    process.start()
    sending.close()
    for number in numbers:
        try:
            if not receiving.poll(WAITING):
                process.kill()
            yield receiving.recv()
        except EOFError:
            process.join()
            yield Seen(number, Ended("", refused=False, wrong=_ending(process.exitcode)), 0.0)
            break
    process.join()


def _ending(code: int | None) -> str:
    """Word how a process ended in the middle of a case."""
    if code == -signal.SIGXCPU:
        return f"it took more than {LONGEST:.0f} s of CPU"
    name = signal.Signals(-code).name if code is not None and code < 0 else f"status {code}"
    return f"its process ended: {name}"


def _work(action: Action, numbers: Sequence[int], sending: Connection) -> None:
    """Run cases one after the other, each with the same time."""
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
    clock = Clock()
    for number in numbers:
        clock.start()
        ended = action(number)
        seconds = clock.seconds()
        if seconds > LONGEST and ended.wrong is None:
            ended = ended._replace(wrong=f"it took {seconds:.1f} s of CPU")
        sending.send(Seen(number, ended, seconds))


class Clock(event.Listener):  # type: ignore[misc]
    """Measures the CPU of a case, and ends a process that takes far too much; the compilation of kernels is free."""

    def __init__(self) -> None:
        self._begin = self._compiling = 0.0
        self._depth = 0  # of kernels that are compiled for others
        event.register("numba:compile", self)

    def start(self) -> None:
        """Begin a case."""
        self._begin = time.process_time()
        self._limit()

    def seconds(self) -> float:
        """Return how long the case has taken so far."""
        return time.process_time() - self._begin

    def on_start(self, _: Any) -> None:
        """Stop the clock."""
        self._depth += 1
        if self._depth > 1:
            return
        self._compiling = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def on_end(self, _: Any) -> None:
        """Go on when the outermost is done."""
        self._depth -= 1
        if self._depth:
            return
        self._begin += time.process_time() - self._compiling
        self._limit()

    def _limit(self) -> None:
        """Ask the system to end this process when the time of the case is over, even within compiled code."""
        end = int(self._begin + LONGEST) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
