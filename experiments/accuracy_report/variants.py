"""The ablation: variants of `best`, each by its name and the fields of the recipe that it changes."""

from __future__ import annotations

from typing import Any, NamedTuple


class Variant(NamedTuple):
    """The recipe `best` with some fields changed."""

    name: str
    overrides: dict[str, Any]


VARIANTS = (
    Variant("no families", {"families": "off"}),
    Variant("endings instead", {"families": "endings"}),
    Variant("no spelling", {"spelling": 0.0}),
    Variant("neither", {"families": "off", "spelling": 0.0}),
    Variant("all words jump alike", {"jump_classes": 1}),
    Variant("no prior", {"hmm_prior": 0.0}),
    Variant("equal words count nothing", {"same_spelling": 0.0}),
    Variant("no HMM", {"model_type": "ibm1"}),
    Variant("IBM-4 behind it", {"model_type": "ibm4"}),
    Variant("product of posteriors", {"confidence": "product"}),
    Variant("grow-diag-final-and", {"combine": "grow-diag-final-and"}),
    Variant("dual decomposition", {"combine": "dual"}),
)
