"""Projected gradient descent: both directions step down their gradients, each with a line search of its own.

schoenemann-2011, section 5.1. The objectives of the directions have nothing in common but the text, and one walk over
it serves both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cepts.words.model import with_way
from cepts.words.simplex import ARMIJO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cepts.words.model import Shares, Training, WordModel
    from cepts.words.training import Trainer

Lengths = tuple[float, float]

FIRST_STEP = 0.05  # for a row that expects one count
LONGEST_STEP = 1e3
NEARLY = 0.5  # of the way to the projected point is the first trial: no probability falls to zero in one step
SHORTER = 4.0  # times is each trial than the one before
TRIALS = 8  # of shorter and shorter steps; if none leads down a direction is at its end
FIRST_STEPS: Lengths = (FIRST_STEP, FIRST_STEP)


class Descent:
    """Where a trainer's model is on its way down: the objectives, and how long the next steps are.

    A direction that is at its end has a length of zero, and no objective any more.
    """

    def __init__(self, trainer: Trainer, training: Training, lengths: Lengths = FIRST_STEPS) -> None:
        self.trainer, self.training, self.lengths = trainer, training, lengths
        self._leave_out_ended()
        self._totals = trainer.expect(self.training)
        self.objectives = self._objectives_of(self._totals.likelihoods)
        self._found = self.objectives  # at the last trial
        self._doubtful = False

    @property
    def ways(self) -> list[int]:
        """The directions that are still on their way."""
        return [way for way in range(2) if self.training.directions[way]]

    def step(self) -> None:
        """Go down the projected gradients with backtracking. A direction that no step leads further down stays."""
        here, there = self.trainer.model, self.trainer.model
        slopes: dict[int, float] = {}
        for way in self.ways:
            there, slopes[way] = there.descended(
                self._totals, self.training, way, self.lengths[way], self.trainer.threads
            )
        del self._totals  # used up, and large
        shares = self._search(here, there, slopes)
        for way in self.ways:
            length = self.lengths[way]
            longer = min(length * 2.0, LONGEST_STEP) if shares[way] == NEARLY else length / 2.0
            self.lengths = with_way(self.lengths, way, longer if shares[way] > 0 else 0.0)
        self._leave_out_ended()
        self.objectives = {way: self._found[way] for way in self.ways}

    def _search(self, here: WordModel, there: WordModel, slopes: dict[int, float]) -> Shares:
        """Look for points far enough down between two models; returns how far there they are, zero where there is none.

        A first trial that is likely to fail, as the last one did, is judged by its likelihood before it is counted.
        """
        shares: Shares = (NEARLY, NEARLY)
        for trial in range(TRIALS):
            self.trainer.model = here.between(there, shares, self.trainer.threads)
            refused = self._refused(slopes, shares, look=trial == 0 and self._doubtful)
            if trial == 0:
                self._doubtful = bool(refused)
            if not refused:
                return shares
            for way in refused:
                shares = with_way(shares, way, shares[way] / SHORTER)
        for way in refused:
            shares = with_way(shares, way, 0.0)
        still = refused == self.ways
        self.trainer.model = here if still else here.between(there, shares, self.trainer.threads)
        return shares

    def _refused(self, slopes: dict[int, float], shares: Shares, look: bool) -> list[int]:
        """List the directions whose objectives are too high at the model; unless any is at a look, it is counted."""
        if look:
            refused = self._too_high(self.trainer.likelihoods(self.training), slopes, shares)
            if refused:
                return refused
        self._totals = self.trainer.expect(self.training)
        return self._too_high(self._totals.likelihoods, slopes, shares)

    def _too_high(
        self, likelihoods: NDArray[np.float64], slopes: dict[int, float], shares: Shares
    ) -> list[int]:
        """List the directions that have come down by less than a fair share of what their slopes promised (Armijo)."""
        found = self._found = self._objectives_of(likelihoods)
        return [
            way
            for way, before in self.objectives.items()
            if not found[way] <= before + ARMIJO * shares[way] * slopes[way]
        ]

    def _objectives_of(self, likelihoods: NDArray[np.float64]) -> dict[int, float]:
        return dict(zip(self.ways, self.trainer.objectives_of(likelihoods, self.training), strict=True))

    def _leave_out_ended(self) -> None:
        """Go on without the directions that are at their ends."""
        forward, reverse = (
            wanted and length > 0
            for wanted, length in zip(self.training.directions, self.lengths, strict=True)
        )
        self.training = self.training._replace(directions=(forward, reverse))
