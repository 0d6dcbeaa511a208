"""How well sentences translate each other: similarity, retrieval, the judge of translations, and the filter."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cepts.quality.filtering import filter_bitext
    from cepts.quality.judge import Judge
    from cepts.quality.overlap import LexicalOverlap
    from cepts.quality.retrieval import Ranked
    from cepts.quality.similar import Similarity

# Looked up when first used: who filters need not wait for what judges need.
_HOMES = {
    "Judge": "judge",
    "LexicalOverlap": "overlap",
    "Ranked": "retrieval",
    "Similarity": "similar",
    "filter_bitext": "filtering",
}

__all__ = ["Judge", "LexicalOverlap", "Ranked", "Similarity", "filter_bitext"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from cepts.checking import no_attribute

        raise no_attribute("cepts.quality", name, __all__)
    value = getattr(import_module(f"cepts.quality.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
