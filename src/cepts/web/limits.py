"""How much may be asked for: sizes of what is sent, and how many requests are worked on or wait."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from fastapi import HTTPException
from fastapi.responses import JSONResponse

from cepts.checking import checked

if TYPE_CHECKING:
    from collections.abc import Callable

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@checked
@dataclass(frozen=True)
class Limits:
    """The most that one request may hold, and that many may ask for together.

    `pairs`: sentence pairs, or names; `words` and `characters`: of a sentence; `cells`: possible links of all pairs
    together; `name_characters`: of a name; `candidates`: that are listed for one name or sentence; `body_bytes`.
    `working` requests are computed at a time, `waiting` more may wait; whoever comes then is sent away.
    `body_seconds`: the time that a client has to send what it asks.
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


USUAL = Limits()


class Workers:
    """Threads that compute, off the event loop: kernels release the GIL, so that they do so side by side."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.working + limits.waiting
        self.taken = 0
        self._working = limits.working
        self._threads: ThreadPoolExecutor | None = None

    async def run(
        self, function: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        """Compute something, or say that too much is to be computed already."""
        if self.taken >= self._most:
            raise HTTPException(
                429, "too many requests at a time: try again in a second", {"Retry-After": "1"}
            )
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._working, thread_name_prefix="cepts")
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: function(*arguments, **named)
        )
        self.taken += 1
        work.add_done_callback(self._leave)
        # not cancelled with a client that leaves: a thread cannot be, and its place is taken until it is done
        return await asyncio.shield(work)

    async def answer(
        self, function: Callable[Arguments, Any], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> JSONResponse:
        """Compute an answer, and make JSON of it, which takes its time where there is much of it."""
        return await self.run(lambda: JSONResponse(function(*arguments, **named)))

    def _leave(self, work: asyncio.Future[Result]) -> None:
        self.taken -= 1
        if not work.cancelled():
            work.exception()  # seen, even if nobody waits for it any more

    def close(self) -> None:
        """Wait for what is being computed, and let the threads go."""
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
            self._threads = None
