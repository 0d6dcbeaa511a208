"""`Service`: what is served, and what may be asked of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, get_args

from cepts.checking import checked
from cepts.errors import OptionError
from cepts.web.schemas import CombinerName

if TYPE_CHECKING:
    from cepts.aligning import Aligner, Recipe
    from cepts.names.opening import NameSystem
    from cepts.quality import Similarity
    from cepts.web.corpus import Corpus
    from cepts.web.nearest import Nearest

WHOLE_TEXT = ("tables", "cooccurrence", "information")  # associations that are counted in all of a text
COMBINERS: tuple[str, ...] = get_args(CombinerName)


@checked
@dataclass(frozen=True, eq=False)
class Service:
    """What is served: an aligner, and beside it models of names and of sentences, and a corpus, where there are any.

    `token` is asked of those who write, if there is one; `name`, `names_name` and `similar_name` are what the page
    calls the models; `nearest` finds sentences of the corpus.
    """

    aligner: Aligner
    names: NameSystem | None = None
    similar: Similarity | None = None
    corpus: Corpus | None = None
    token: str | None = None
    name: str = "model"
    names_name: str = "names"
    similar_name: str = "similar"
    nearest: Nearest | None = None

    @cached_property
    def recipe(self) -> Recipe:
        """How the model makes links if nothing else is asked for."""
        return replace(self.aligner.recipe, precision=None)

    @cached_property
    def combiners(self) -> list[str]:
        """The ways to make one set of links of two directions' that the model allows."""
        return [name for name in COMBINERS if _possible(self.recipe, name)]

    def recipe_for(self, combine: str | None = None, min_confidence: float | None = None) -> Recipe:
        """Return how links are made for one request."""
        chosen = self.recipe
        if combine is not None:
            self.check_combiner(combine)
            chosen = replace(chosen, combine=combine)
        return chosen if min_confidence is None else replace(chosen, min_confidence=min_confidence)

    @cached_property
    def posterior_recipe(self) -> Recipe:
        """How links are made that are all cells of some confidence, where the model allows that."""
        return self.recipe_for("posterior" if "posterior" in self.combiners else None)

    @property
    def threshold(self) -> float:
        """The confidence from which a cell is a link."""
        return self.posterior_recipe.threshold

    def called(self, combine: str | None) -> str:
        """Say how links are made: as asked for, or as the model does, which may have one direction alone."""
        recipe = self.recipe
        return combine or (recipe.combine if recipe.direction == "both" else recipe.direction)

    def check_combiner(self, combine: str) -> None:
        """Refuse what the model cannot do."""
        if combine not in self.combiners:
            able = ", ".join(self.combiners) or f"none, it is of one direction: {self.recipe.direction}"
            raise OptionError(f"combine {combine!r}: expected one of {able}")


def _possible(recipe: Recipe, combine: str) -> bool:
    """Whether a model with this recipe can combine so, pair by pair."""
    if recipe.direction != "both" or (combine == "cepts" and recipe.association in WHOLE_TEXT):
        return False
    try:
        replace(recipe, combine=combine)
    except OptionError:
        return False
    return True
