"""What is run: corpora, sizes, systems, and which system is run on how much of which corpus."""

from __future__ import annotations

from typing import Any

from accuracy_report import variants
from cepts.aligning.recipes import RECIPES, recipe

# Training pairs of each corpus of $CEPTS_DATA/words.
CORPORA = {
    "en-fr-hansards": 279_326,
    "de-en": 399_995,
    "en-es": 199_864,
    "ro-en": 43_048,
    "zh-en": 61_064,
    "en-it": 65_288,
    "en-hu": 99_299,
}
ALL = "all"
SIZES = {"1k": 1_000, "5k": 5_000, "20k": 20_000, "50k": 50_000, ALL: None}
ABLATION_SIZES = ("1k", "20k")

BEST, FAST = "best", "fast"
OURS = (BEST, FAST)
EFLOMAL, FAST_ALIGN, THOT_HMM, THOT_IBM4 = PEERS = ("eflomal", "fast_align", "thot-hmm", "thot-ibm4")
MOST_PAIRS = {THOT_HMM: 50_000, THOT_IBM4: 50_000}  # they take hours for more
ON_THE_WAY = {THOT_HMM: THOT_IBM4}  # the first is there when the second has been run
SYSTEMS = (*OURS, *PEERS)
KNOWN = (*SYSTEMS, *(name for name in RECIPES if name not in OURS))
VARIANT = f"{BEST}: "  # how the names of variants begin


def training_pairs(corpus: str, size: str) -> int:
    """Return how many training pairs a size is.

    >>> training_pairs("ro-en", "1k"), training_pairs("ro-en", "all")
    (1000, 43048)
    """
    return SIZES[size] or CORPORA[corpus]


def sizes_of(corpus: str) -> tuple[str, ...]:
    """Name the sizes of a corpus: those that are less than all of it, and all.

    >>> sizes_of("ro-en")
    ('1k', '5k', '20k', 'all')
    """
    return tuple(name for name, pairs in SIZES.items() if pairs is None or pairs < CORPORA[corpus])


def is_run(system: str, corpus: str, size: str) -> bool:
    """Tell whether a system is run on so much of a corpus."""
    limit = MOST_PAIRS.get(system)
    return size in sizes_of(corpus) and (limit is None or training_pairs(corpus, size) <= limit)


def without_passed(systems: list[str]) -> list[str]:
    """Leave out the systems that come along with another one.

    >>> without_passed(["eflomal", "thot-hmm", "thot-ibm4"]), without_passed(["thot-hmm"])
    (['eflomal', 'thot-ibm4'], ['thot-hmm'])
    """
    return [system for system in systems if ON_THE_WAY.get(system) not in systems]


def variant_systems() -> tuple[str, ...]:
    """Name the variants, as systems."""
    return tuple(VARIANT + variant.name for variant in variants.VARIANTS)


def recipe_options(system: str) -> dict[str, Any]:
    """Return the options of `Aligner` that a system of ours is."""
    overrides = {VARIANT + variant.name: variant.overrides for variant in variants.VARIANTS}
    return {"method": BEST, **overrides[system]} if system in overrides else {"method": system}


def signature(system: str) -> str:
    """Spell out the recipe of a system of ours."""
    return recipe(**recipe_options(system)).signature
