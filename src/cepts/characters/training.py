"""How an edit model learns: four modes, which differ in how strings are picked (freitag-2007, section 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.characters.affinity_kernels import mark_edits
from cepts.characters.generation_kernels import train_expecting, train_generating
from cepts.characters.learning_kernels import Sums, train_ranked
from cepts.characters.letters import FIRST, UNKNOWN
from cepts.characters.sampling import competing_members, competing_orders, competing_targets
from cepts.characters.searching import FIRST_ARCS, FIRST_NODES, UNLIMITED, new_agenda, new_lattice
from cepts.characters.weights import new_table, with_choices, with_grams, with_more_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cepts.characters.examples import Material
    from cepts.characters.options import TrainingOptions
    from cepts.characters.sampling import Sampler
    from cepts.characters.table_kernels import Table

TRAINING_MARGIN = 7.0  # of `expected`: what is less probable than a thousandth of the best teaches nothing
RATE, DECAY = 0.1, 0.9  # of `expected`: the first epoch's, and what is left of it after each
FIRST_SPREAD = 1.0  # of the first weights of edits, which come from that model
FIRST_DECOYS = 20  # for the order-0 model that finds out which edits there are


class Learner:
    """Weights on their way: presents examples, and gives the averages at any time."""

    def __init__(self, material: Material, order: int) -> None:
        self.material, self.order = material, order
        sizes = len(material.source_alphabet), len(material.target_alphabet)
        table = with_grams(new_table(*sizes), material.sources, order, is_source=True)
        self.table = with_grams(table, material.targets, order, is_source=False)
        self.sums = Sums(np.zeros(sizes), np.zeros(len(self.table.keys)))
        self.moment = 0

    def averaged(self) -> Table:
        """Return the table of the mean weights of all presentations (table 1, line 15)."""
        presented = max(self.moment, 1)
        return self.table._replace(
            plain=(self.table.plain - self.sums.plain / presented).astype(np.float32),
            values=(self.table.values - self.sums.values / presented).astype(np.float32),
        )

    def present(self, count: int, some: Callable[[int], tuple[int, float]]) -> float:
        """Present so many examples; `some` presents those from a place on until a table is full.

        Returns the sum of what `some` counts.
        """
        at, total = 0, 0.0
        while at < count:
            at, counted = some(at)
            total += counted
            if at < count:
                self.table, (values,) = with_more_keys(self.table, self.sums.values)
                self.sums = self.sums._replace(values=values)
        self.moment += count
        return total

    def allow_seen(self) -> None:
        """Let generation use the edits on the best paths of the examples, and leave out any letter."""
        ones, others = (np.ascontiguousarray(self.material.rows[:, side]) for side in (0, 1))
        seen = np.zeros(self.table.plain.shape, np.int64)
        strings = self.material.sources, self.material.targets
        mark_edits(self.averaged(), self.order, *strings, ones, others, seen)
        allowed = seen > 0
        allowed[FIRST:, 0] = True
        allowed[UNKNOWN], allowed[:, UNKNOWN] = False, False
        self.table = with_choices(self.table, allowed)

    def allow_all(self) -> None:
        """Let generation use all edits of all letters."""
        allowed = np.ones(self.table.plain.shape, np.bool_)
        allowed[0, 0], allowed[UNKNOWN], allowed[:, UNKNOWN] = False, False, False
        self.table = with_choices(self.table, allowed)


def epochs_of(material: Material, options: TrainingOptions) -> Iterator[tuple[Learner, float]]:
    """Train; yield after each epoch the learner, and how many examples it mistook (`expected`: nats that it lost)."""
    random = np.random.default_rng(options.seed)
    learner = Learner(material, options.order)
    if options.mode == "generate":
        yield from _generating(learner, options, random)
    else:
        sampler = _sampler(material, options)
        for _ in range(options.epoch_count):
            mistakes = _present_ranked(learner, sampler, random)
            if options.mode == "rank":
                learner.allow_seen()
            yield learner, mistakes


def _sampler(material: Material, options: TrainingOptions) -> Sampler:
    if options.mode == "rank":
        return competing_targets(material, options.decoy_count)
    if options.mode == "classify":
        return competing_members(material, options.trues, options.decoy_count)
    return competing_orders(material)


def _present_ranked(learner: Learner, sampler: Sampler, random: np.random.Generator) -> float:
    """Present an epoch of examples whose true strings and decoys are given."""
    epoch = sampler(random)
    strings = learner.material.sources, learner.material.targets
    return learner.present(
        len(epoch.sources),
        lambda at: train_ranked(
            learner.table, learner.sums, learner.order, *strings, *epoch, at, learner.moment
        ),
    )


def _generating(
    learner: Learner, options: TrainingOptions, random: np.random.Generator
) -> Iterator[tuple[Learner, float]]:
    only_seen = options.start == "order-0"
    if only_seen:
        _start_from_order_0(learner, random)
    else:
        learner.allow_all()
    for epoch in range(options.epoch_count):
        loss = _present_generating(learner, options, random, RATE * DECAY**epoch)
        if only_seen:
            learner.allow_seen()
        yield learner, loss


def _start_from_order_0(learner: Learner, random: np.random.Generator) -> None:
    """Give a learner the edits, and their weights, of a model of order 0 that ranks the targets."""
    first = Learner(learner.material, 0)
    _present_ranked(first, competing_targets(learner.material, FIRST_DECOYS), random)
    first.allow_seen()
    weights = first.averaged().plain
    learner.table = learner.table._replace(
        choice_offsets=first.table.choice_offsets,
        choices=first.table.choices,
        hopes=first.table.hopes,
        plain=(FIRST_SPREAD / max(weights.std(), 1e-6) * weights).astype(np.float32),
    )


def _present_generating(
    learner: Learner, options: TrainingOptions, random: np.random.Generator, rate: float
) -> float:
    """Present an epoch of pairs; the decoys are generated."""
    material, order, width = learner.material, learner.order, options.beam
    rows = random.permutation(material.rows)
    longest = int(np.diff(material.sources.offsets).max())
    size, last = 1, -1

    def some(at: int) -> tuple[int, float]:
        nonlocal size, last
        size, last = (2 * size if at == last else size), at  # no step forward: it was not the weights' table
        lattice = new_lattice(longest, width, order, size * FIRST_ARCS)
        common = (learner.table, learner.sums, order, material.sources, material.targets, rows, width)
        reached: tuple[int, float]
        if options.update == "expected":
            reached = train_expecting(
                *common, np.float32(TRAINING_MARGIN), lattice, np.float32(rate), at, learner.moment
            )
        else:
            agenda = new_agenda(size * FIRST_NODES)
            reached = train_generating(*common, UNLIMITED, lattice, agenda, at, learner.moment)
        return reached

    return learner.present(len(rows), some)
