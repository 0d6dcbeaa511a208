"""From a bitext to its links: the aligner, and the recipes that it follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cepts.aligning.recipes import RECIPES, Recipe, recipe
from cepts.choices import COMBINERS, DIRECTIONS, MODEL_TYPES

if TYPE_CHECKING:
    from cepts.aligning.aligner import Aligner
    from cepts.aligning.alignment import Alignment
    from cepts.aligning.one_call import align
    from cepts.aligning.posteriors import Posterior

# Looked up when first used: help on the command line needs recipes, and must not wait for models.
_HOMES = {"Aligner": "aligner", "Alignment": "alignment", "Posterior": "posteriors", "align": "one_call"}

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


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        from cepts.checking import no_attribute

        raise no_attribute("cepts.aligning", name, __all__)
    value = getattr(import_module(f"cepts.aligning.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
