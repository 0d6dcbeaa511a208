"""How an edit model learns: what can be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError

Mode = Literal["generate", "rank", "classify", "affinity"]
Update = Literal["expected", "perceptron"]
Start = Literal["order-0", "zero"]
MODES: tuple[Mode, ...] = get_args(Mode)
UPDATES: tuple[Update, ...] = get_args(Update)
STARTS: tuple[Start, ...] = get_args(Start)
EPOCHS: dict[Mode, int] = {"generate": 10, "rank": 20, "classify": 10, "affinity": 5}
DECOYS: dict[Mode, int] = {"generate": 1, "rank": 200, "classify": 5, "affinity": 1}

BOUNDS = {
    "order": bounds.ORDER,
    "epochs": bounds.EPOCHS,
    "decoys": bounds.STRINGS,
    "trues": bounds.STRINGS,
    "beam": bounds.NAME_BEAM,
    "seed": bounds.SEED,
}


@checked
@dataclass(frozen=True)
class TrainingOptions:
    """How to learn; None is what is usual for the mode.

    `order` is the length of the longest grams. `trues` and `decoys` are how many strings are sampled to pick from, in
    the modes `classify` (both) and `rank` (decoys). `beam` is how many states of a cursor generation keeps, in
    training. `update` is how generation learns: from all strings, each as probable as it is (`expected`), or from the
    best one alone (`perceptron`, as in the paper). `start` is what generation starts from: the weights of a model of
    order 0 that ranks, and the edits on best paths of the training pairs alone (`order-0`), or weights of zero and all
    edits of all letters (`zero`, as in the paper).
    """

    mode: Mode = "generate"
    order: int = 3
    epochs: int | None = None
    decoys: int | None = None
    trues: int = 5
    beam: int = 30
    update: Update = "expected"
    start: Start = "order-0"
    seed: int = 1

    def __post_init__(self) -> None:
        choices = (
            ("mode", self.mode, MODES),
            ("update", self.update, UPDATES),
            ("start", self.start, STARTS),
        )
        for name, value, known in choices:
            if value not in known:
                raise OptionError(f"{name} must be one of {', '.join(known)}; got {value!r}")
        for name, limits in BOUNDS.items():
            value = getattr(self, name)
            if type(value) is not int and not (value is None and name in ("epochs", "decoys")):
                raise OptionError(f"{name} must be a whole number, got {value!r}")
            if value is not None:
                limits.check(name, value)

    @property
    def is_transduction(self) -> bool:
        """Whether the model turns source strings into target strings."""
        return self.mode in ("generate", "rank")

    @property
    def is_probabilistic(self) -> bool:
        """Whether scores are logs of what is proportional to probabilities."""
        return self.mode == "generate" and self.update == "expected"

    @property
    def epoch_count(self) -> int:
        """How often all examples are presented."""
        return EPOCHS[self.mode] if self.epochs is None else self.epochs

    @property
    def decoy_count(self) -> int:
        """How many decoys are sampled for each example."""
        return DECOYS[self.mode] if self.decoys is None else self.decoys
