"""What may be done with a model that is trained: how links are made can be changed, and text can be added to some."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cepts.aligning.recipes import SETTINGS
from cepts.errors import OptionError, said

if TYPE_CHECKING:
    import os

    from cepts.aligning.recipes import Recipe


def with_options(folder: str | os.PathLike[str], trained: Recipe, options: dict[str, Any]) -> Recipe:
    """Change how a trained model makes links; refuse to change what was trained."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if not is_about_links(name):
            raise OptionError(f"{said(name)} cannot be changed after training: train a model with it")
    chosen = replace(trained, **given)
    check_directions(chosen, trained, str(folder))
    return chosen


def is_about_links(name: str) -> bool:
    """Tell whether a field of a recipe is about how a trained model makes links."""
    return name in SETTINGS and SETTINGS[name].group != "training"


def check_linking(chosen: Recipe, trained: Recipe) -> None:
    """Refuse a recipe of links that differs from the trained one in more than how links are made."""
    for name, value in trained.to_dict().items():
        if not is_about_links(name) and getattr(chosen, name) != value:
            raise OptionError(
                f"recipe: {name} is {getattr(chosen, name)}, but the model was trained with {value}; change only"
                " how links are made, as in dataclasses.replace(aligner.recipe, min_confidence=0.8)"
            )
    check_directions(chosen, trained)


def check_single(chosen: Recipe) -> None:
    """Refuse to align single pairs with a wanted precision: that of few links means nothing."""
    if chosen.precision is not None:
        raise OptionError(
            f"{said('precision')} chooses a threshold for a whole text, not for a single pair; give"
            f" {said('min_confidence')}, or train the model with {said('precision')}"
        )


def check_directions(chosen: Recipe, trained: Recipe, name: str = "the aligner") -> None:
    """Refuse a direction that was not trained."""
    if any(wanted and not there for wanted, there in zip(chosen.directions, trained.trained, strict=True)):
        raise OptionError(
            f"{name} was trained in direction {trained.direction} alone: align in that direction, or train both"
        )


def why_not_updatable(chosen: Recipe) -> str | None:
    """Say why text cannot be added to models of a recipe; None if it can."""
    if chosen.bi_word or chosen.fertile:
        return f"one of {said('model_type', chosen.model_type)}"
    if chosen.training != "agreement":
        return f"one of {said('training', chosen.training)}"
    return None if chosen.regularity in ("off", 0) else f"one of {said('regularity', chosen.regularity)}"


def check_updatable(chosen: Recipe) -> None:
    """Refuse to add text to a model that does not keep what that takes."""
    why = why_not_updatable(chosen)
    if why is not None:
        raise OptionError(
            f"text can be added to models of {said('model_type', 'ibm1')} or hmm, of {said('training', 'agreement')}"
            f" and without {said('regularity')}, not to {why}: train it again on all text"
        )
