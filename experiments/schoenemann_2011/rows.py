"""What is run: the rows and columns of tables 2 and 3, and which training run fills which rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from cepts.aligning import Recipe, recipe
from cepts.words.regularity import PAPER_STRENGTHS

METHOD = "schoenemann-2011"


class Column(NamedTuple):
    """A corpus in one direction; Es|En is Spanish given English: English words generate Spanish ones."""

    name: str
    corpus: str
    direction: str


class Run(NamedTuple):
    """One training in stages; each stage fills a row, or none (None).

    `last_term` is the regularity term of the last stage, where it is another one than in the stages before. `corpora`
    are those that it is run on, if not all.
    """

    name: str
    options: dict[str, Any]
    rows: tuple[str | None, ...]
    last_term: float | str | None = None
    corpora: tuple[str, ...] = ("en-es", "de-en", "en-fr-hansards")


class Table(NamedTuple):
    """A table of the paper: its number, rows, and training pairs by corpus (None: all there are)."""

    number: int
    rows: tuple[str, ...]
    pairs: dict[str, int | None]


COLUMNS = (
    Column("Es|En", "en-es", "forward"),
    Column("En|Es", "en-es", "reverse"),
    Column("De|En", "de-en", "reverse"),
    Column("En|De", "de-en", "forward"),
    Column("Fr|En", "en-fr-hansards", "forward"),
    Column("En|Fr", "en-fr-hansards", "reverse"),
)
CORPORA = tuple(dict.fromkeys(column.corpus for column in COLUMNS))

# The names of the rows, in the order of the paper; GIZA++'s HMM renormalises its counts, as most toolkits do.
TITLES = {
    "ibm1-em": "IBM-1, EM, no reg.",
    "ibm1-em-reg": "IBM-1, EM, with reg.",
    "ibm1-pgd": "IBM-1, PGD, no reg.",
    "ibm1-pgd-reg": "IBM-1, PGD, with reg.",
    "hmm-renormalised": "HMM, EM, renormalised (paper: GIZA++)",
    "hmm-em": "HMM, EM, no reg.",
    "hmm-em-reg": "HMM, EM, with reg.",
    "hmm-em-auto": "HMM, EM, auto",
    "hmm-pgd": "HMM, PGD, no reg.",
    "hmm-pgd-reg": "HMM, PGD, with reg.",
    "ibm4": "IBM-4 (paper: GIZA++)",
    "ibm3": "IBM-3, no reg.",
    "ibm4-chain": "IBM-4 behind 5 x IBM-3 (paper: GIZA++)",
    "ibm4-reg": "IBM-4, with reg. in the HMM and in IBM-4",
    "ibm4-hmm-reg": "IBM-4, with reg. in the HMM alone",
    "ibm4-own-reg": "IBM-4, with reg. in IBM-4 alone",
    "bi1-em": "Bi-1, EM, no reg.",
    "bi1-em-reg": "Bi-1, EM, with reg.",
    "bi1-pgd": "Bi-1, PGD, no reg.",
    "bi1-pgd-reg": "Bi-1, PGD, with reg.",
    "bihmm-em": "Bi-HMM, EM, no reg.",
    "bihmm-em-reg": "Bi-HMM, EM, with reg.",
    "bihmm-pgd": "Bi-HMM, PGD, no reg.",
    "bihmm-pgd-reg": "Bi-HMM, PGD, with reg.",
    "bi1-printed": "Bi-1, EM, no reg., p(b = 1) = 0.9",
    "bi1-printed-reg": "Bi-1, EM, with reg., p(b = 1) = 0.9",
    "bihmm-printed": "Bi-HMM, EM, no reg., p(b = 1) = 0.9",
    "bihmm-printed-reg": "Bi-HMM, EM, with reg., p(b = 1) = 0.9",
}
# Rows beside the paper's own, which only the small table has.
BESIDE = ("ibm3", "ibm4-chain", "ibm4-reg", "ibm4-hmm-reg", "ibm4-own-reg")
MODELS = {"ibm1": "IBM-1", "hmm": "HMM", "bi1": "Bi-1", "bihmm": "Bi-HMM"}
TERMS = {"": "no reg.", "-reg": "with reg."}

MONO: dict[str, Any] = {"model_type": "hmm"}
BI: dict[str, Any] = {"model_type": "bihmm"}
OFF: dict[str, Any] = {"regularity": "off"}
AUTO: dict[str, Any] = {"regularity": "auto"}
PGD: dict[str, Any] = {"optimizer": "pgd"}
FERTILE: dict[str, Any] = {"model_type": "ibm4", "ibm4_iterations": 5}
CHAIN: dict[str, Any] = {"ibm3_iterations": 5}  # as GIZA++ in the paper: between the HMM's 50 and IBM-4
PRINTED: dict[str, Any] = {"double_probability": 0.9}  # as section 3 says
FASTER = ("en-es", "en-fr-hansards")  # a bi-word model takes longest on the long sentences of German-English

RUNS = (
    Run("mono-em", MONO | OFF, ("ibm1-em", "hmm-em")),
    Run("mono-renormalised", MONO | OFF | {"jump_update": "renormalised"}, (None, "hmm-renormalised")),
    Run("mono-em-reg", MONO, ("ibm1-em-reg", "hmm-em-reg")),
    Run("mono-em-auto", MONO | AUTO, (None, "hmm-em-auto")),
    Run("mono-pgd", MONO | OFF | PGD, ("ibm1-pgd", "hmm-pgd")),
    Run("mono-pgd-reg", MONO | PGD, ("ibm1-pgd-reg", "hmm-pgd-reg")),
    Run("mono-ibm4", FERTILE | OFF, (None, None, "ibm4")),
    Run("mono-ibm4-chain", FERTILE | CHAIN | OFF, (None, None, "ibm3", "ibm4-chain")),
    Run("mono-ibm4-reg", FERTILE, (None, None, "ibm4-reg")),
    Run("mono-ibm4-hmm-reg", FERTILE, (None, None, "ibm4-hmm-reg"), last_term="off"),
    Run("mono-ibm4-own-reg", FERTILE | OFF, (None, None, "ibm4-own-reg"), last_term=PAPER_STRENGTHS[0]),
    Run("bi-em", BI | OFF, ("bi1-em", "bihmm-em")),
    Run("bi-em-reg", BI, ("bi1-em-reg", "bihmm-em-reg")),
    Run("bi-pgd", BI | OFF | PGD, ("bi1-pgd", "bihmm-pgd")),
    Run("bi-pgd-reg", BI | PGD, ("bi1-pgd-reg", "bihmm-pgd-reg")),
    Run("bi-printed", BI | OFF | PRINTED, ("bi1-printed", "bihmm-printed"), corpora=FASTER),
    Run("bi-printed-reg", BI | PRINTED, ("bi1-printed-reg", "bihmm-printed-reg"), corpora=FASTER),
)
PLACES = {row: (run, stage) for run in RUNS for stage, row in enumerate(run.rows) if row is not None}

TABLES = {
    "small": Table(3, tuple(TITLES), {"en-es": 15_000, "de-en": 15_000, "en-fr-hansards": 25_000}),
    "large": Table(
        2,
        tuple(row for row in TITLES if not row.startswith("bi") and row not in BESIDE),
        dict.fromkeys(CORPORA, None),
    ),
}


def runs_of(rows: tuple[str, ...]) -> list[Run]:
    """List the runs that fill these rows, each once.

    >>> [run.name for run in runs_of(("hmm-em", "ibm4", "ibm1-em"))]
    ['mono-em', 'mono-ibm4']
    """
    return [run for run in RUNS if any(row in rows for row in run.rows)]


def recipe_of(run: Run, direction: str, iterations: int | None = None) -> Recipe:
    """Spell out the recipe of a run in one direction; `iterations` cuts its stages short, for a quick look."""
    whole = recipe(METHOD, direction=direction, **run.options)
    return whole if iterations is None else shortened(whole, iterations)


def signature_of(run: Run, chosen: Recipe) -> str:
    """Spell out all that decides a run's figures, in one line.

    >>> by_name = {run.name: run for run in RUNS}
    >>> signature_of(by_name["mono-ibm4-hmm-reg"], recipe(METHOD)).rpartition("|")[2]
    'last_term:off'
    """
    last = [] if run.last_term is None else [f"last_term:{run.last_term}"]
    return "|".join([chosen.signature, *last])


def shortened(whole: Recipe, iterations: int) -> Recipe:
    """Give each stage of a recipe so many iterations.

    >>> shortened(recipe(METHOD, model_type="ibm4"), 2).iterations
    {'ibm1': 2, 'hmm': 2, 'ibm4': 2}
    """
    numbers: dict[str, Any] = {f"{stage}_iterations": iterations for stage in whole.iterations}
    return replace(whole, **numbers)
