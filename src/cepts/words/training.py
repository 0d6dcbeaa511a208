"""Training: EM (E step on every chunk, M step, again), or projected gradient descent."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast

import numpy as np

from cepts.running import run
from cepts.running.flow import until_done
from cepts.running.steps import Monitor as Monitor
from cepts.running.steps import Step as Step
from cepts.running.steps import ignore as ignore
from cepts.words.descending import FIRST_STEPS, Descent, Lengths
from cepts.words.indexed import by_shards
from cepts.words.lexicon_elsewhere import LexiconElsewhere

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.words.elsewhere import Elsewhere
    from cepts.words.indexed import IndexedBitext
    from cepts.words.model import Totals, Training, WordModel

WAYS = ("forward", "reverse")

Model = TypeVar("Model", bound="WordModel")


class Position(NamedTuple):
    """Where a stage is: iterations that are done, and for gradient descent how long each direction's next step is."""

    iteration: int = 0
    lengths: Lengths = FIRST_STEPS


BEGINNING = Position()


class Saver(Protocol):
    """Whoever keeps a model after each iteration, to go on from there."""

    def __call__(self, model: WordModel, position: Position) -> None:
        """Keep a model."""


def forget(model: WordModel, position: Position) -> None:
    """Keep nothing."""


class Trainer:
    """Trains a model in stages. It alone holds the model meanwhile: a large lexicon must not be kept twice."""

    def __init__(
        self, model: WordModel, indexed: IndexedBitext, threads: int = 1, monitor: Monitor = ignore
    ) -> None:
        self.model = model
        self.indexed = indexed
        self.threads = threads
        self.monitor = monitor
        self.training: Training | None = None  # the last

    def run(
        self, iterations: int, training: Training, save: Saver = forget, begin: Position = BEGINNING
    ) -> None:
        """Run so many iterations of the optimiser, EM or projected gradient descent, or those that are left of them.

        The objective that is reported is that of the trained directions, before the iteration's step.
        """
        self.training = training
        if training.optimizer == "pgd":
            self._descend(iterations, training, save, begin)
            return
        for iteration in range(begin.iteration + 1, iterations + 1):
            step = Step(self.model.name, iteration, iterations, 0.0, direction=_direction(training))
            parts, self.model = until_done(partial(self._iterated, training, step))
            save(self.model, Position(iteration))
            self.monitor(step._replace(done=1.0, objective=sum(parts), parts=parts))

    def _iterated(self, training: Training, step: Step) -> tuple[tuple[float, ...], WordModel]:
        """One iteration of EM: the objectives before it, and the model behind it."""
        totals = self.expect(training, step)
        parts = self.objectives(totals, training)
        return parts, self.model.maximised(totals, training, self.threads)

    def begin(self, training: Training) -> None:
        """Let the model follow from what is known beforehand alone."""
        totals = self.model.new_totals(self.indexed)
        if isinstance(self.model.lexicon, LexiconElsewhere):
            totals.elsewhere = self.model.lexicon.no_counts(training)
        self.model = self.model.maximised(totals, training, self.threads)

    def expect(self, training: Training, step: Step | None = None) -> Totals:
        """E step on every chunk."""
        if self.indexed.elsewhere is not None:
            return self._expect_elsewhere(self.indexed.elsewhere, training, step)
        shards = self.indexed.shards
        totals = self.model.new_totals(self.indexed)
        expected = run(
            lambda task: task[0].expect(task[1], training),
            by_shards(self.model, self.indexed),
            self.threads,
        )
        done, chunks = 0, sum(len(shard.chunks) for shard in shards)
        for shard in shards:
            part = totals if len(shards) == 1 else totals.of_shard(shard)
            for chunk in shard.chunks:
                part.add(chunk, next(expected))
                done += 1
                if step is not None:
                    self.monitor(step._replace(done=done / chunks))
            if part is not totals:
                totals.join(shard, part)
        return totals

    def _expect_elsewhere(self, elsewhere: Elsewhere, training: Training, step: Step | None) -> Totals:
        """E step on the workers of a cluster; the order of sums is the same."""
        totals = self.model.new_totals(self.indexed)
        if isinstance(self.model.lexicon, LexiconElsewhere):
            heard = 0

            def hear(part: Totals) -> None:
                nonlocal heard
                heard += 1
                totals.add_rest(part)
                if step is not None:
                    self.monitor(step._replace(done=heard / len(elsewhere.portions)))

            totals.elsewhere = self.model.lexicon.expected(expect_pairs, self.model, training, hear)
            return totals
        parts = elsewhere.each(expect_portion, self.model, training.of_counts())
        for done, (portion, part) in enumerate(parts, 1):
            totals.join(portion.shard, part)
            if step is not None:
                self.monitor(step._replace(done=done / len(elsewhere.portions)))
        return totals

    def likelihoods(self, training: Training) -> NDArray[np.float64]:
        """The log likelihoods of the trained directions, to the last bit those of an E step, without its counts."""
        totals = np.zeros(2)
        if self.indexed.elsewhere is not None:
            for _, part in self.indexed.elsewhere.each(
                likelihoods_of_portion, self.model, training.of_counts()
            ):
                totals += part
            return totals
        found = run(
            lambda task: task[0].likelihoods(task[1], training.directions),
            by_shards(self.model, self.indexed),
            self.threads,
        )
        for shard in self.indexed.shards:
            totals += sum((next(found) for _ in shard.chunks), np.zeros(2))
        return totals

    def objectives(self, totals: Totals, training: Training) -> tuple[float, ...]:
        """The objectives of the trained directions, from an E step: negative log likelihood and what is added to it."""
        return self.objectives_of(totals.likelihoods, training)

    def objectives_of(self, likelihoods: NDArray[np.float64], training: Training) -> tuple[float, ...]:
        """The objectives of the trained directions, from the log likelihoods of both."""
        ways = [way for way in range(2) if training.directions[way]]
        return tuple(self.model.penalty(way, training) - float(likelihoods[way]) for way in ways)

    def objective(self, totals: Totals, training: Training) -> float:
        """The objective of the trained directions together."""
        return sum(self.objectives(totals, training))

    def _descend(self, iterations: int, training: Training, save: Saver, begin: Position) -> None:
        """Projected gradient descent, of both directions side by side; each reports its own objective."""
        if begin.iteration >= iterations:
            return
        stage, descent = f"{self.model.name}-pgd", Descent(self, training, begin.lengths)
        for iteration in range(begin.iteration + 1, iterations + 1):
            for n, (way, objective) in enumerate(descent.objectives.items(), 1):
                done = (iteration - 1 + n / len(descent.ways)) / iterations
                self.monitor(Step(stage, iteration, iterations, done, objective, WAYS[way], (objective,)))
            if not descent.ways:
                break
            descent.step()
            save(self.model, Position(iteration, descent.lengths))


def expect_portion(indexed: IndexedBitext, model: WordModel, training: Training) -> Totals:
    """E step on a part of a text."""
    return replace(Trainer(model, indexed).expect(training), ratio_places=None)  # which the client knows


def expect_pairs(
    indexed: IndexedBitext, model: WordModel, training: Training
) -> tuple[NDArray[np.float32], Totals]:
    """E step on a part of a text: what it counts of word pairs, and the rest."""
    totals = Trainer(model, indexed).expect(training)
    return totals.lexicon, totals.without_pairs()


def likelihoods_of_portion(
    indexed: IndexedBitext, model: WordModel, training: Training
) -> NDArray[np.float64]:
    """The log likelihoods of a part of a text."""
    return Trainer(model, indexed).likelihoods(training)


def _direction(training: Training) -> str:
    """Name the directions that are trained."""
    return "both" if all(training.directions) else WAYS[training.directions.index(True)]


def train(
    model: Model,
    indexed: IndexedBitext,
    iterations: int,
    training: Training,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> Model:
    """Return the model after so many iterations."""
    trainer = Trainer(model, indexed, threads, monitor)
    trainer.run(iterations, training)
    return cast("Model", trainer.model)
