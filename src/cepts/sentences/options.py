"""How two matrices are factorised."""

from __future__ import annotations

from dataclasses import dataclass

from cepts import bounds
from cepts.checking import checked
from cepts.errors import OptionError

UPDATES = ("multiplicative", "additive")
STARTS = ("random", "svd")

BOUNDS = {
    "k": bounds.FACTORS,
    "beta": bounds.BETA,
    "row_sparsity": bounds.PRICE,
    "factor_sparsity": bounds.PRICE,
    "coupling": bounds.PRICE,
    "step": bounds.STEP,
    "iterations": bounds.UPDATES,
    "tolerance": bounds.PROBABILITY,
    "batch": bounds.BATCH,
    "epochs": bounds.EPOCHS,
    "seed": bounds.SEED,
}


@checked
@dataclass(frozen=True)
class FactorOptions:
    """`k` is the number of dimensions of the common space; `beta` names the divergence: 0 is KL, 1 squared error.

    `row_sparsity` and `factor_sparsity` are the weights of the sums of what sentences and what features weigh in the
    common space (alpha_x and alpha_a), `coupling` that of the products of both languages' sums (alpha_c). `update` is
    multiplicative or additive; the additive one, for the squared error, goes a fixed `step` (at most 1) or, without
    it, the best one. Updates end after `iterations`, or when one makes the objective fall by less than `tolerance` of
    what it was at the beginning (0: never). `batch` sentences at a time make the factorisation online: nothing is kept
    of sentences that were seen, and each is seen `epochs` times.
    """

    k: int = 16
    beta: float = 0.0
    row_sparsity: float = 0.0
    factor_sparsity: float = 0.0
    coupling: float = 0.0
    start: str = "random"
    update: str = "multiplicative"
    step: float | None = None
    iterations: int = 200
    tolerance: float = 1e-5
    batch: int | None = None
    epochs: int = 5
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name, limits in BOUNDS.items():
            value = getattr(self, name)
            if value is not None:
                limits.check(name, value)
        for name, known in (("update", UPDATES), ("start", STARTS)):
            if getattr(self, name) not in known:
                raise OptionError(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
        object.__setattr__(self, "beta", float(self.beta))  # kernels are compiled for one kind of number
        self._check_together()

    def check_batches(self) -> None:
        """Refuse what cannot be done in batches."""
        if self.beta not in (0, 1) or self.update == "additive":
            raise OptionError("batches need the multiplicative update and a beta of 0 or 1")

    def _check_together(self) -> None:
        if self.update == "additive" and self.beta != 1:
            raise OptionError(f"the additive update is for the squared error (beta 1), got beta {self.beta}")
        if self.step is not None and self.update != "additive":
            raise OptionError(f"step {self.step} is for the additive update; the multiplicative one has none")
        if self.batch is not None:
            self.check_batches()
            if self.start != "random":
                raise OptionError(
                    "batches start at random: a singular value decomposition needs all sentences at once"
                )
        if self.row_sparsity and not self.factor_sparsity:
            raise OptionError(
                "row_sparsity needs factor_sparsity: without it factors would grow, rows shrink, and nothing be sparse"
            )
