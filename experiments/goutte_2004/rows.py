"""What is run: corpora, models, and the rows that the tables have for each of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from cepts.aligning import Recipe, recipe
from cepts.combine import HEURISTICS
from cepts.combine.association import LIST_MEASURES, MEASURES, WORD_MEASURES
from cepts.combine.cepts import CRITERIA, SEARCHES

CORPORA: dict[str, int | None] = {"en-fr-hansards": None, "ro-en": None}  # training pairs; None: all
FRENCH, ROMANIAN = CORPORA

COVERED = 90.0  # percent of the words that must be in ordinary cepts
COUNTED = 10_000  # pairs, the scored ones first, in which measures count that need more text than one pair
COUNTING = (*WORD_MEASURES, "tables")
NULL_WEIGHTS = (1.0, 0.3, 0.1, 0.03)
WEIGHED = (*LIST_MEASURES, "sum", "product", "attached")  # the measures that are tried with each of them
CURVED = ("attached", "sum", "product")  # the measures whose confidences are looked at
CONFIDENCES = (*(step / 20 for step in range(20)), 0.97, 0.99, 0.995, 0.999)
ANNEALING, RESTARTS = SEARCHES
RULES = (*HEURISTICS, "posterior")  # other ways to links from the same two directions


class Run(NamedTuple):
    """A model: how reports call it, the recipe, the scales of its matrices, and its measures."""

    name: str
    title: str
    scales: tuple[float, ...]
    measures: tuple[str, ...]

    @property
    def recipe(self) -> Recipe:
        """The recipe, spelled out; how cepts are searched for is what the rows say."""
        return recipe(self.name, search=ANNEALING)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every way to cepts that is tried."""
        annealed = tuple(
            Row(measure, criterion, scale, weight)
            for scale in self.scales
            for measure in self.measures
            for criterion in CRITERIA
            for weight in (NULL_WEIGHTS if measure in WEIGHED else NULL_WEIGHTS[:1])
        )
        return annealed + (PAPER_ROWS if self.name == PAPERS.name else ())


class Row(NamedTuple):
    """A way from a model to cepts."""

    measure: str
    criterion: str
    scale: float
    null_weight: float = 1.0
    search: str = ANNEALING

    @property
    def key(self) -> str:
        """How the results call it.

        >>> Row("attached", "aic", 1000.0, 0.3).key
        'attached aic 1000 0.3'
        """
        search = "" if self.search == ANNEALING else f" {self.search}"
        return f"{self.measure} {self.criterion} {self.scale:g} {self.null_weight:g}{search}"

    @property
    def label(self) -> str:
        """How reports call it.

        >>> Row("counts", "bic", 100.0).label, Row("sum", "aic", 1000.0, 0.3).label
        ('counts, BIC, scale 100', 'sum, AIC, scale 1000, NULL 0.3')
        """
        null = "" if self.null_weight == 1 else f", NULL {self.null_weight:g}"
        search = "" if self.search == ANNEALING else f", {self.search}"
        return f"{self.measure}, {self.criterion.upper()}, scale {self.scale:g}{null}{search}"

    @property
    def has_curve(self) -> bool:
        """Whether its confidences are looked at, in our model."""
        return self.measure in CURVED and self.criterion == CRITERIA[0]

    @property
    def options(self) -> dict[str, Any]:
        """What an aligner is told."""
        return {
            "combine": "cepts",
            "association": self.measure,
            "criterion": self.criterion,
            "scale": self.scale,
            "null_weight": self.null_weight,
            "search": self.search,
        }


MODELLED = tuple(measure for measure in MEASURES if measure not in WORD_MEASURES)
PAPERS, OURS, SMALL = RUNS = (
    Run("goutte-2004", "IBM-4, trained independently", (100.0, 1000.0), MODELLED),
    Run("cepts", "IBM-4, trained with agreement", (1000.0,), MODELLED),
    # Measures that know words alone need no model: they are here because it is the cheapest.
    Run("fast", "HMM, trained with agreement", (1000.0,), MEASURES),
)
# What the paper did: counts, EM from random places until it converges, every number of cepts.
PAPER_ROWS = tuple(Row("counts", criterion, PAPERS.scales[0], search=RESTARTS) for criterion in CRITERIA)
BY_NAME = {run.name: run for run in RUNS}
