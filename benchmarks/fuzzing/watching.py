"""Cases run in processes of their own, so that one that hangs, crashes or eats memory ends alone."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

LONGEST = 10  # seconds of CPU that a case may take
WAITING = 300.0  # seconds after which a process that does nothing hangs, too
MEMORY = 8 << 30  # bytes of addresses that a process may have
LARGEST = 1 << 28  # bytes of a file
BATCH = 1000  # cases for one process

Action = Callable[[int], tuple[str, bool, str | None]]


class Seen(NamedTuple):
    """A case: its number, what was tried, whether that was refused, what is wrong, and the seconds of CPU."""

    number: int
    what: str
    refused: bool
    wrong: str | None
    seconds: float


def watched(action: Action, numbers: Sequence[int]) -> Iterator[Seen]:
    """Yield how each case ended: in the order of the numbers."""
    rest = list(numbers)
    while rest:
        batch, rest = rest[:BATCH], rest[BATCH:]
        done = 0
        for seen in _in_process(action, batch):
            done += 1
            yield seen
        rest = batch[done:] + rest


def _in_process(action: Action, numbers: Sequence[int]) -> Iterator[Seen]:
    """Yield how cases ended, up to the first one that has ended its process."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(action, numbers, sending))
    process.start()
    sending.close()
    for number in numbers:
        try:
            if not receiving.poll(WAITING):
                process.kill()
                raise EOFError
            yield receiving.recv()
        except EOFError:
            process.join()
            yield Seen(number, "", False, _ending(process.exitcode), float(LONGEST))
            break
    process.join()


def _ending(code: int | None) -> str:
    """Word how a process has ended."""
    if code == -signal.SIGXCPU:
        return f"it took more than {LONGEST} s of CPU"
    if code == -signal.SIGKILL:
        return f"it did nothing for {WAITING:.0f} s, or was killed"
    return f"the process ended with {signal.Signals(-code).name if code and code < 0 else code}"


def _work(action: Action, numbers: Sequence[int], sending: Connection) -> None:
    """Run cases one after the other, each with a limit of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in numbers:
        begin = time.process_time()
        limit = int(begin) + LONGEST + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        what, refused, wrong = action(number)
        seconds = time.process_time() - begin
        sending.send(Seen(number, what, refused, wrong, seconds))
