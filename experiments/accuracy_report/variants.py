"""The ablation: variants of `best`, each by its name and the fields of the recipe that it changes."""

from __future__ import annotations

from typing import Any, NamedTuple


class Variant(NamedTuple):
    """The recipe `best` with some fields changed."""

    name: str
    overrides: dict[str, Any]


VARIANTS: tuple[Variant, ...] = ()
