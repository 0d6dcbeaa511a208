"""The names that options of recipes can have: declared once, for the command line, for recipes and for what they set.

Nothing heavy is imported here, since `--help` shows these names.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from cepts.errors import OptionError, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Word models, and how they are trained.
MODEL_TYPES = ("ibm1", "hmm", "bi1", "bihmm", "ibm3", "ibm4")
BI_WORD = ("bi1", "bihmm")
FERTILE = ("ibm3", "ibm4")
WITH_JUMPS = ("hmm", "bihmm", *FERTILE)
OPTIMIZERS = ("em", "pgd")
TRAININGS = ("agreement", "independent")
AGREEMENTS = ("product", "odds", "mean")
NULL_UPDATES = ("fixed", "learned")
NULL_STATES = ("remembers", "forgets")
FAMILIES = ("off", "beginnings", "endings")
JUMP_UPDATES = ("exact", "gradient", "renormalised")

# How links are made.
DIRECTIONS = ("forward", "reverse", "both")
HEURISTICS = ("union", "intersection", "grow-diag", "grow-diag-final", "grow-diag-final-and")
NEED_A_MODEL = ("posterior", "dual", "cepts")
COMBINERS = (*HEURISTICS, *NEED_A_MODEL)
SHORT_NAMES = {"gd": "grow-diag", "gdf": "grow-diag-final", "gdfa": "grow-diag-final-and"}
CONFIDENCES = ("product", "calibrated")
STEPS = ("adaptive", "harmonic")
LIST_MEASURES = ("counts", "weighted", "ranked")
POSTERIOR_MEASURES = ("sum", "product", "attached", "tables")
WORD_MEASURES = ("cooccurrence", "information")
MEASURES = (*LIST_MEASURES, *POSTERIOR_MEASURES, *WORD_MEASURES)
CRITERIA = ("aic", "bic")
SEARCHES = ("annealing", "restarts")
ORPHANS = ("reassign", "retrain")


def full_name(combiner: str) -> str:
    """Return the name of a combiner that may have been given as `gd`, `gdf` or `gdfa`.

    >>> full_name("gdfa"), full_name("union")
    ('grow-diag-final-and', 'union')
    """
    return SHORT_NAMES.get(combiner, combiner)


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Refuse what is none of the choices, by the name of the argument that has it."""
    if value not in choices:
        raise OptionError(f"{said(name, value)}: expected one of {', '.join(choices)}")


def listed(names: Sequence[str], last: str = "or") -> str:
    """List names as a sentence does.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "and"), listed(["a"]), listed([])
    ('a, b or c', 'a and b', 'a', '')
    """
    return f" {last} ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that a misspelled one is meant to be, as the end of a message; nothing if there is none.

    >>> nearest("algin", ["align", "train"]), nearest("x", ["align"])
    ("; did you mean 'align'?", '')
    """
    near = get_close_matches(name, sorted(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
