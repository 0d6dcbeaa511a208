"""What is run: corpora, recipes, and the rows that tables 2 and 3 have for each of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from cepts.aligning import Recipe, recipe
from cepts.combine import HEURISTICS

ROUNDS = 250  # as in the paper, whatever a recipe's own number is
PHRASE_LENGTH = 5
RULE = "possible:all"  # in signatures: the rule for possible links by which phrases are scored
SHOWN_ROUNDS = (1, 2, 5, 10, 20, 50, 100, 250)

# Training pairs by corpus; None: all there are. The test sentences of the paper are trained with the text of zh-en.
PAPER_CORPUS = "zh-en-nist"
CORPORA: dict[str, int | None] = {
    PAPER_CORPUS: None,
    "zh-en": None,
    "en-fr-hansards": 50_000,
    "ro-en": None,
    "de-en": 50_000,
}
TEST_ONLY = (PAPER_CORPUS,)  # corpora without a development part

# Two answers are combined: the best paths of both directions, and what they come to in one model.
MODELS = {"baseline": "baseline", "dual": "bidirectional"}
Row = tuple[str, str]  # a model and how its two answers are combined
ROWS: tuple[Row, ...] = tuple((model, rule) for model in MODELS for rule in HEURISTICS)
POSTERIOR: Row = ("posterior", "posterior")


class Run(NamedTuple):
    """A recipe, what people call it, whether the paper's figures belong beside its own, and which links it has.

    `links`: those of both directions and of both in one model ("both"), the recipe's own alone ("own"), or those that
    the authors of the paper released ("released").
    """

    name: str
    title: str
    method: str
    changes: dict[str, Any]
    in_paper: bool = True
    links: str = "both"

    @property
    def label(self) -> str:
        """How reports call it; in code, for one of them has the name of the model that the paper proposes.

        >>> BY_NAME["denero-2011"].label
        "`denero-2011` (the paper's)"
        """
        return f"`{self.name}` ({self.title})"

    @property
    def options(self) -> dict[str, Any]:
        """What is changed in the method."""
        return ({"rounds": ROUNDS} if self.links == "both" else {}) | self.changes

    @property
    def recipe(self) -> Recipe:
        """The recipe, spelled out."""
        return recipe(self.method, **self.options)

    @property
    def signature(self) -> str:
        """All that decides its figures, besides the text: the recipe, and the rule for possible links of phrases."""
        made = "method:released" if self.links == "released" else self.recipe.signature
        return f"{made}|{RULE}"

    @property
    def own_rounds(self) -> int:
        """How many rounds the method has where nobody asks for another number."""
        return recipe(self.method).rounds


AVERAGED = {"ibm1_agreement": "mean", "hmm_agreement": "mean", "ibm1_iterations": 3, "hmm_iterations": 3}
TUNED, PAPERS, FOOTNOTE = RUNS = (
    Run("bidirectional", "tuned", "bidirectional", {}),
    Run("denero-2011", "the paper's", "denero-2011", {}),
    Run("denero-2011-mean", "the paper's footnote 4", "denero-2011", AVERAGED, in_paper=False),
)
# Beside them: the default recipe, and the links of the paper.
BEST = Run("best", "the default", "best", {}, in_paper=False, links="own")
RELEASED = Run("released", "the paper's own links", "denero-2011", {}, links="released")
ALL_RUNS = (*RUNS, BEST, RELEASED)
BY_NAME = {run.name: run for run in ALL_RUNS}
