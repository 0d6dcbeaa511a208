"""`run`: one function over many chunks, results in order, whoever does the work."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from cepts import bounds
from cepts.checking import checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

AHEAD = 2  # results that may wait for their turn, for each thread: bounds memory, keeps threads busy


@checked
def run(function: Callable[[Chunk], Result], chunks: Iterable[Chunk], threads: int = 1) -> Iterator[Result]:
    """Yield `function(chunk)` for each chunk, in the order of the chunks, for any number of threads.

    >>> list(run(lambda chunk: chunk * chunk, range(5), threads=2))
    [0, 1, 4, 9, 16]
    """
    bounds.THREADS.check("threads", threads)
    if threads == 1:
        return map(function, chunks)
    return _run_on_threads(function, chunks, threads)


def _run_on_threads(
    function: Callable[[Chunk], Result], chunks: Iterable[Chunk], threads: int
) -> Iterator[Result]:
    pool = ThreadPoolExecutor(threads, thread_name_prefix="cepts")
    waiting: deque[Future[Result]] = deque()
    try:
        for chunk in chunks:
            waiting.append(pool.submit(function, chunk))
            if len(waiting) > AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            result = waiting.popleft().result()
            if (
                not waiting
            ):  # whoever counts results does not come back, and threads would end when this is put away
                pool.shutdown()
            yield result
    finally:  # also on Ctrl-C: drop what has not begun, wait only for the chunks under way
        pool.shutdown(wait=True, cancel_futures=True)
