"""How much may be asked for: sizes of what is sent, and how many requests are worked on or wait."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from heapq import heapreplace
from time import monotonic
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from fastapi import HTTPException
from fastapi.responses import JSONResponse

from cepts.checking import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    Kind = tuple[str, int]  # what is computed, and of how much: the bits of the number of bytes

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
TOO_MANY = "too many requests at a time: try again in a second"
RETRY = {"Retry-After": "1"}
FIRST_GUESS = (
    0.02,
    2e-6,
)  # seconds of a request, and of each byte of it, before any of its kind and size was seen
NEWEST = 0.2  # the weight of the newest request in the mean of its kind

sent_bytes: ContextVar[int] = ContextVar("sent_bytes", default=0)  # of the request that is answered


@checked
@dataclass(frozen=True)
class Limits:
    """The most that one request may hold, and that many may ask for together.

    `pairs`: sentence pairs, or names; `words` and `characters`: of a sentence; `cells`: possible links of all pairs
    together; `name_characters`: of a name; `candidates`: that are listed for one name or sentence; `body_bytes`.
    `working` requests are computed at a time. `waiting` more may wait, but no more than one for each thread if another
    is not expected to be begun within `wait_seconds`; whoever comes then is sent away. `body_seconds`: the time that a
    client has to send what it asks.
    """

    pairs: int = 1000
    words: int = 400
    characters: int = 10_000
    cells: int = 20_000_000
    name_characters: int = 200
    candidates: int = 100
    body_bytes: int = 8_000_000
    working: int = 2
    waiting: int = 64
    body_seconds: float = 30.0
    wait_seconds: float = 0.3


USUAL = Limits()


@dataclass
class Job:
    """Something to compute: how long that is expected to take, and when it was begun, once it is."""

    seconds: float
    begun: float | None = None

    def left(self, now: float) -> float:
        """Return how many seconds it is expected to take still; what is late by some is expected to need as many."""
        return self.seconds if self.begun is None else abs(self.begun + self.seconds - now)


class Workers:
    """Threads that compute, off the event loop: kernels release the GIL, so that they do so side by side."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.working + limits.waiting
        self._working = limits.working
        self._wait = limits.wait_seconds
        self._threads: ThreadPoolExecutor | None = None
        self._jobs: dict[asyncio.Future[Any], Job] = {}  # in the order in which they are begun
        self._means: dict[Kind, float] = {}  # seconds that requests took of late

    @property
    def taken(self) -> int:
        """How many requests are worked on or wait."""
        return len(self._jobs)

    @property
    def busy(self) -> bool:
        """Whether one more would have to wait for too long; one for each thread may, so that none is ever idle."""
        fed = self.taken >= 2 * self._working
        return self.taken >= self._most or (fed and self.expected_wait() > self._wait)

    def expected_wait(self) -> float:
        """Return the seconds until a thread is free for one more."""
        free, now = [0.0] * self._working, monotonic()
        for job in self._jobs.values():
            heapreplace(free, free[0] + job.left(now))
        return free[0]

    async def run(
        self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        """Compute something, or say that too much is to be computed already."""
        return await self._run(function.__name__, partial(function, *arguments, **named))

    async def answer(
        self, function: Callable[Arguments, Any], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> JSONResponse:
        """Compute an answer, and make JSON of it, which takes its time where there is much of it."""
        return await self._run(function.__name__, lambda: JSONResponse(function(*arguments, **named)))

    async def _run(self, name: str, work: Callable[[], Result]) -> Result:
        if self.busy:
            raise HTTPException(429, TOO_MANY, RETRY)
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._working, thread_name_prefix="cepts")
        size = sent_bytes.get()
        kind = (name, size.bit_length())
        job = Job(self._means.get(kind, FIRST_GUESS[0] + FIRST_GUESS[1] * size))

        def timed() -> tuple[Result, float]:
            job.begun = monotonic()
            return work(), monotonic() - job.begun

        future = asyncio.get_running_loop().run_in_executor(self._threads, timed)
        self._jobs[future] = job
        future.add_done_callback(partial(self._leave, kind))
        # not cancelled with a client that leaves: a thread cannot be, and its place is taken until it is done
        return (await asyncio.shield(future))[0]

    def _leave(self, kind: Kind, future: asyncio.Future[tuple[Any, float]]) -> None:
        """Give a place free, and learn from how long it was taken."""
        del self._jobs[future]
        if future.cancelled() or future.exception():  # seen, even if nobody waits for it any more
            return
        seconds = future.result()[1]
        self._means[kind] = seconds + (1 - NEWEST) * (self._means.get(kind, seconds) - seconds)

    def close(self) -> None:
        """Wait for what is being computed, and let the threads go."""
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
            self._threads = None
