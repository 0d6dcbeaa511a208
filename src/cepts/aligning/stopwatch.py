"""Where the time goes."""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stopwatch:
    """Adds up wall seconds by stage.

    >>> stopwatch = Stopwatch()
    >>> with stopwatch("hmm"):
    ...     pass
    >>> list(stopwatch.seconds)
    ['hmm']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time a stage."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + perf_counter() - begin
