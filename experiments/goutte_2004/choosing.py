"""What dev chooses for test: the best row of each criterion that covers the words, and the best confidence."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

from cepts.combine.cepts import CRITERIA
from cepts.errors import OptionError
from goutte_2004.results import CHOICE, EVERY_CORPUS
from goutte_2004.rows import ANNEALING, CONFIDENCES, CORPORA, COVERED, OURS, RUNS, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goutte_2004.figures import Figures
    from goutte_2004.results import Results, Sheet
    from paper_tables.store import Record

CONFIDENT = "confident"
KINDS = (*CRITERIA, CONFIDENT)


class Choice(NamedTuple):
    """A model, a row of it, and from which confidence on words count (None: all do)."""

    run: str
    row: Row
    min_confidence: float | None = None

    @property
    def label(self) -> str:
        """How reports call it.

        >>> Choice("cepts", Row("sum", "aic", 1000.0, 0.3), 0.85).label
        '`cepts`: sum, AIC, scale 1000, NULL 0.3, from confidence 0.85 on'
        """
        least = "" if self.min_confidence is None else f", from confidence {self.min_confidence:g} on"
        return f"`{self.run}`: {self.row.label}{least}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, for JSON."""
        return {"run": self.run, **self.row._asdict(), "min_confidence": self.min_confidence}

    @classmethod
    def read(cls, made: dict[str, Any]) -> Choice:
        """Take it out of a record; those of before there was another search do not name it."""
        row = Row(**{name: made[name] for name in Row._fields if name in made})
        return cls(made["run"], row, made["min_confidence"])


def choose_on_dev(results: Results, sheet: Sheet) -> Record | None:
    """Return the record of what the runs on dev choose, or None if they are not complete.

    A choice is one for all corpora: that of the lowest mean AER without NULL.
    """
    dev = sheet.dev
    if not all(results.has(dev, run, corpus) for run in RUNS for corpus in CORPORA):
        return None
    found = {criterion: best(results, dev, covering(results, dev, criterion)) for criterion in CRITERIA}
    found[CONFIDENT] = best(results, dev, confident_ones())
    chosen = {kind: None if one is None else one.to_dict() for kind, one in found.items()}
    return {**dev.place(CHOICE, EVERY_CORPUS), "chosen": chosen}


def covering(results: Results, dev: Sheet, criterion: str) -> Iterable[Choice]:
    """List the rows of a criterion, found by annealing, that leave few enough words to NULL on every corpus."""
    candidates = (
        Choice(run.name, row)
        for run in RUNS
        for row in run.rows
        if (row.criterion, row.search) == (criterion, ANNEALING)
    )
    return (
        one for one in candidates if min(made.aligned for made in of_corpora(results, dev, one)) >= COVERED
    )


def confident_ones() -> Iterable[Choice]:
    """List the rows of our model that have curves, from each confidence on."""
    return (Choice(OURS.name, row, least) for row in curved_rows() for least in CONFIDENCES)


def curved_rows() -> tuple[Row, ...]:
    """The rows of our model whose confidences are looked at."""
    return tuple(row for row in OURS.rows if row.has_curve)


def best(results: Results, dev: Sheet, candidates: Iterable[Choice]) -> Choice | None:
    """Return the candidate of the lowest mean AER, the first of equal ones."""
    return min(
        candidates,
        key=lambda one: mean(made.plain.aer for made in of_corpora(results, dev, one)),
        default=None,
    )


def of_corpora(results: Results, dev: Sheet, choice: Choice) -> Sequence[Figures]:
    """Return the figures of all corpora, which are there."""
    found = [results.chosen(dev, choice, corpus) for corpus in CORPORA]
    return [one for one in found if one is not None]


def choices(results: Results, sheet: Sheet) -> dict[str, Choice]:
    """Return what dev has chosen, as far as anything was fit to be chosen."""
    record = results.choice(sheet)
    made = {} if record is None else record["chosen"]
    return {kind: Choice.read(made[kind]) for kind in KINDS if made.get(kind) is not None}


def check_choice(results: Results, sheet: Sheet) -> None:
    """Refuse to look at test before dev has chosen."""
    if sheet.part != "dev" and results.choice(sheet) is None:
        pairs = "" if sheet.pairs is None else f" --pairs {sheet.pairs}"
        raise OptionError(
            f"{results.path} has no choice that was made on dev: run with --part dev{pairs} first, on all corpora and "
            "recipes"
        )
