"""From a bitext to its links: the aligner, and the recipes that it follows."""

from cepts.aligning.aligner import Aligner
from cepts.aligning.alignment import Alignment
from cepts.aligning.one_call import align
from cepts.aligning.posteriors import Posterior
from cepts.aligning.recipes import COMBINERS, DIRECTIONS, MODEL_TYPES, RECIPES, Recipe, recipe

__all__ = [
    "COMBINERS",
    "DIRECTIONS",
    "MODEL_TYPES",
    "RECIPES",
    "Aligner",
    "Alignment",
    "Posterior",
    "Recipe",
    "align",
    "recipe",
]
