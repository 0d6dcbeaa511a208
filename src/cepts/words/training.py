"""EM: E step on every chunk, M step, again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast

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


class Trainer:
    """Trains a model in stages. It alone holds the model meanwhile: a large lexicon must not be kept twice."""

    def __init__(
        self, model: WordModel, indexed: IndexedBitext, threads: int = 1, monitor: Monitor = ignore
    ) -> None:
        self.model = model
        self.indexed = indexed
        self.threads = threads
        self.monitor = monitor

    def run(self, iterations: int, training: Training) -> None:
        """Run so many iterations of EM.

        The objective that is reported is the sum of the trained directions' negative log likelihoods before the
        M step.
        """
        for iteration in range(1, iterations + 1):
            objective = self._iterate(Step(self.model.name, iteration, iterations, 0.0), training)
            self.monitor(Step(self.model.name, iteration, iterations, 1.0, objective))

    def _iterate(self, step: Step, training: Training) -> float:
        """Run one iteration: E step on every chunk, M step."""
        chunks = self.indexed.chunks
        totals = self.model.new_totals(self.indexed.longest)
        expected = run(partial(self.model.expect, training=training), chunks, self.threads)
        for done, (chunk, counts) in enumerate(zip(chunks, expected, strict=True), 1):
            totals.add(chunk, counts)
            self.monitor(step._replace(done=done / len(chunks)))
        self.model = self.model.maximised(totals, training, self.threads)
        return -float(np.dot(totals.likelihoods, training.directions))


def train(
    model: Model,
    indexed: IndexedBitext,
    iterations: int,
    training: Training,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> Model:
    """Return the model after so many iterations of EM."""
    trainer = Trainer(model, indexed, threads, monitor)
    trainer.run(iterations, training)
    return cast("Model", trainer.model)
