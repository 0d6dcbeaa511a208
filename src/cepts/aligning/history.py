"""What training was told on the way: the objective of each iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.words.training import ignore

if TYPE_CHECKING:
    from cepts.words import Monitor, Step


class TrainingCurve(NamedTuple):
    """The objective of a stage before each of its iterations, of forward, reverse or both directions.

    `words` says how many words are generated in these directions: forward those of the target.
    """

    stage: str
    direction: str
    words: int
    objectives: list[float]


class History:
    """A monitor that passes on what it hears, and keeps the objectives.

    >>> from cepts.words import Step
    >>> history = History(source_words=10, target_words=12)
    >>> history(Step("ibm1", 1, 2, 1.0, 70.5, "both"))
    >>> history(Step("ibm1", 2, 2, 1.0, 60.5, "both"))
    >>> history.curves
    [TrainingCurve(stage='ibm1', direction='both', words=22, objectives=[70.5, 60.5])]
    """

    def __init__(self, source_words: int, target_words: int, monitor: Monitor = ignore) -> None:
        self.curves: list[TrainingCurve] = []
        self._words = {"forward": target_words, "reverse": source_words, "both": source_words + target_words}
        self._monitor = monitor

    def forget(self) -> None:
        """Begin anew: so does the training."""
        self.curves.clear()

    def __call__(self, step: Step) -> None:
        """Hear of a step; those of word models alone have a direction."""
        if step.objective is not None and step.direction is not None:
            self._curve(step.stage, step.direction).objectives.append(step.objective)
        self._monitor(step)

    def _curve(self, stage: str, direction: str) -> TrainingCurve:
        """Return the curve of a stage in a direction, a new one if it has none: directions may take turns."""
        for curve in self.curves:
            if curve[:2] == (stage, direction):
                return curve
        self.curves.append(TrainingCurve(stage, direction, self._words[direction], []))
        return self.curves[-1]
