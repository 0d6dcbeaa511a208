"""How far long work has come: who works tells, who wants to know listens.

A `Monitor` is called with steps. What is not given one of its own tells whoever listens in this context, if anybody:

    with listening(print):
        tell("reading", 0.5)    # Step(stage='reading', iteration=1, iterations=1, done=0.5, ...)
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Step(NamedTuple):
    """How far a stage has come: iteration (from 1) of so many, the share done, and at its end the objective.

    `direction` is what the objective of a word model is of: forward, reverse or both; `parts` are the objectives of
    the directions that are trained, whose sum it is. `before` and `in_all` are the iterations of earlier stages of a
    training, and of all of them, where that is known.
    """

    stage: str
    iteration: int
    iterations: int
    done: float
    objective: float | None = None
    direction: str | None = None
    parts: tuple[float, ...] = ()
    before: int = 0
    in_all: int = 0


class Monitor(Protocol):
    """Whoever wants to know."""

    def __call__(self, step: Step) -> None:
        """Hear of a step."""


_listener: ContextVar[Monitor | None] = ContextVar("listener", default=None)


class Ignore:
    """Passes steps on to whoever listens in this context: nobody, unless somebody said so."""

    def __call__(self, step: Step) -> None:
        """Pass a step on."""
        listener = _listener.get()
        if listener is not None:
            listener(step)

    def __repr__(self) -> str:
        """Return its name, for `help`."""
        return "ignore"


ignore = Ignore()


def tell(stage: str, done: float = 0.0) -> None:
    """Say which share of a stage is done; 0 if that is not known."""
    if _listener.get() is not None:
        ignore(Step(stage, 1, 1, done))


@contextmanager
def listening(monitor: Monitor) -> Iterator[Monitor]:
    """Let a monitor hear all steps that have no other one.

    >>> with listening(lambda step: print(step.stage, step.done)):
    ...     tell("reading", 0.5)
    reading 0.5
    """
    before = _listener.set(monitor)
    try:
        yield monitor
    finally:
        _listener.reset(before)


@contextmanager
def watched(wanted: bool) -> Iterator[None]:
    """Draw how far the work is, if that is wanted and nobody listens already."""
    if not wanted or _listener.get() is not None:
        yield
        return
    from cepts.running.watching import bar_drawn  # late: few want to see it

    with bar_drawn():
        yield


def current_listener() -> Monitor | None:
    """Return who listens in this context."""
    return _listener.get()
