"""EM: E step on every chunk, M step, again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import numpy as np

from cepts.running import run

if TYPE_CHECKING:
    from cepts.words.indexed import IndexedBitext
    from cepts.words.model import Training, WordModel

Model = TypeVar("Model", bound="WordModel")


class Step(NamedTuple):
    """How far a stage has come: iteration (from 1) of so many, the share done, and at its end the objective."""

    stage: str
    iteration: int
    iterations: int
    done: float
    objective: float | None = None


class Monitor(Protocol):
    """Whoever wants to know."""

    def __call__(self, step: Step) -> None:
        """Hear of a step."""


def ignore(step: Step) -> None:
    """Hear nothing."""


def train(
    model: Model,
    indexed: IndexedBitext,
    iterations: int,
    training: Training,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> Model:
    """Run so many iterations of EM.

    The objective that is reported is the sum of the trained directions' negative log likelihoods before the M step.
    """
    for iteration in range(1, iterations + 1):
        totals = model.new_totals(indexed.longest)
        expected = run(partial(model.expect, training=training), indexed.chunks, threads)
        for done, (chunk, counts) in enumerate(zip(indexed.chunks, expected, strict=True), 1):
            totals.add(chunk, counts)
            monitor(Step(model.name, iteration, iterations, done / len(indexed.chunks)))
        objective = -float(np.dot(totals.likelihoods, training.directions))
        model = model.maximised(totals, training, threads)
        monitor(Step(model.name, iteration, iterations, 1.0, objective))
    return model
