"""What is run: tasks, alignments, and the papers' figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from cepts.aligning import Recipe, recipe

DEV, TEST = 750, 3000  # sentences from the end of a corpus: test the last ones, dev before them
SEEDS = 3  # runs of tuning
PHRASES = {"grow-diag-final-and": "gdfa", "union": "union", "intersection": "intersection"}


class Task(NamedTuple):
    """A corpus of $CEPTS_DATA/words in its own direction, its training pairs, and what the report calls it."""

    corpus: str
    pairs: int
    title: str


TASKS = {
    "de-en": Task("de-en", 100_000, "German to English, 100,000 pairs"),
    "de-en-small": Task("de-en", 15_000, "German to English, 15,000 pairs"),
    "en-fr": Task("en-fr-hansards", 100_000, "English to French, 100,000 pairs"),
}


class Row(NamedTuple):
    """An alignment: its name, what the report calls it, and the options of `Aligner`; None: somebody else's."""

    name: str
    title: str
    options: dict[str, Any] | None
    small_only: bool = False

    @property
    def recipe(self) -> Recipe | None:
        """The recipe, spelled out."""
        return None if self.options is None else recipe(**self.options)

    @property
    def signature(self) -> str:
        """The recipe as a line."""
        return f"peer:{self.name}" if self.recipe is None else self.recipe.signature

    @property
    def training(self) -> str:
        """What the training is, however two directions become one."""
        own = self.recipe
        return self.signature if own is None else replace(own, combine="union", remainder="union").signature


GDFA: dict[str, Any] = {"direction": "both", "combine": "grow-diag-final-and"}
MONO: dict[str, Any] = {"method": "schoenemann-2011", "model_type": "hmm", **GDFA}
BI: dict[str, Any] = {"method": "schoenemann-2011", "model_type": "bihmm", **GDFA}
IBM4: dict[str, Any] = {"method": "schoenemann-2011", "model_type": "ibm4", "ibm4_iterations": 5, **GDFA}
OFF: dict[str, Any] = {"regularity": "off"}

ROWS = (
    Row("hmm", "HMM, no reg.", MONO | OFF),
    Row("hmm-reg", "HMM, with reg.", MONO),
    Row("ibm4", "IBM-4", IBM4 | OFF),
    Row("bihmm", "Bi-HMM, no reg.", BI | OFF, small_only=True),
    Row("bihmm-reg", "Bi-HMM, with reg.", BI, small_only=True),
    *(
        Row(f"baseline-{short}", f"both directions, {rule}", {"method": "denero-2011", "combine": rule})
        for rule, short in PHRASES.items()
    ),
    *(
        Row(
            f"bidirectional-{short}",
            f"bidirectional model, {rule}",
            {"method": "denero-2011", "combine": "dual", "remainder": rule},
        )
        for rule, short in PHRASES.items()
    ),
    Row("cepts", "cepts", {"method": "cepts"}),
    Row("best", "best", {"method": "best"}),
    Row("eflomal", "eflomal, grow-diag-final-and", None),
)
# They are run in this order: what tells most comes first.
FIRST = ("best", "hmm", "hmm-reg", "eflomal", "baseline-gdfa", "ibm4", "bidirectional-gdfa", "cepts")
BY_NAME = {row.name: row for row in sorted(ROWS, key=lambda row: [*FIRST, row.name].index(row.name))}
REFERENCE = "hmm"  # the row that differences are against

# BLEU and TER of schoenemann-2011, tables 4 (all of Europarl) and 5 (15,000 pairs), and BLEU of denero-2011, section
# 5.4 (Chinese to English, union).
PAPER: dict[str, dict[str, tuple[float, float | None]]] = {
    "de-en": {"hmm": (27.94, 56.98), "hmm-reg": (28.33, 56.20), "ibm4": (28.71, 56.15)},
    "de-en-small": {
        "hmm": (21.50, 63.44),
        "hmm-reg": (21.77, 62.97),
        "ibm4": (22.24, 62.81),
        "bihmm": (21.78, 63.58),
        "bihmm-reg": (21.70, 63.38),
    },
}
PAPER_UNION = {"baseline-union": 29.59, "bidirectional-union": 29.82}


def is_run(row: Row, task: str) -> bool:
    """Tell whether a row is run on a task: the bi-word models are for the small one.

    >>> is_run(BY_NAME["bihmm"], "de-en"), is_run(BY_NAME["bihmm"], "de-en-small")
    (False, True)
    """
    return not row.small_only or task.endswith("-small")
