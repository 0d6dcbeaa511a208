"""The results of a table: one record for a training run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paper_tables.command import stem_of
from paper_tables.store import Store
from schoenemann_2011.rows import (
    COLUMNS,
    PLACES,
    TABLES,
    Column,
    Run,
    Table,
    recipe_of,
    runs_of,
    signature_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from paper_tables.store import Record

Stage = dict[str, Any]
Figures = dict[tuple[str, str], float]  # by row and column
PLACE = ("table", "part", "pairs", "iterations", "run", "corpus", "direction")


@dataclass(frozen=True)
class Sheet:
    """Which table is looked at: the scored part, and the pairs and iterations where they are not the table's own."""

    table: str
    part: str
    pairs: int | None = None
    iterations: int | None = None

    @property
    def shape(self) -> Table:
        """The paper's table."""
        return TABLES[self.table]

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("small", "test").stem, Sheet("small", "dev", pairs=300).stem
        ('regularised-small', 'regularised-small-dev-300')
        """
        iterations = None if self.iterations is None else f"{self.iterations}-iterations"
        return stem_of(f"regularised-{self.table}", self.part, self.pairs, iterations)

    @property
    def is_quick_look(self) -> bool:
        """Whether it has not the table's own sizes."""
        return self.pairs is not None or self.iterations is not None

    def training_pairs(self, corpus: str) -> int | None:
        """How many training pairs a corpus gives; None: all."""
        return self.shape.pairs[corpus] if self.pairs is None else self.pairs

    def place(self, run: Run, column: Column) -> Record:
        """What tells a run's record from all others."""
        pairs = self.training_pairs(column.corpus)
        size = "all" if pairs is None else pairs
        values = (self.table, self.part, size, self.iterations, run.name, column.corpus, column.direction)
        return dict(zip(PLACE, values, strict=True))

    def signature(self, run: Run, column: Column) -> str:
        """The recipe of a run, in one line."""
        return signature_of(run, recipe_of(run, column.direction, self.iterations))


class Results(Store):
    """The records of a table, by their places."""

    fields = PLACE

    def record(self, sheet: Sheet, run: Run, column: Column) -> Record | None:
        """Return a run's record, whatever its recipe was."""
        return self.at(sheet.place(run, column))

    def has(self, sheet: Sheet, run: Run, column: Column) -> bool:
        """Tell whether a run was done with the very recipe that it has now."""
        return self.done(sheet.place(run, column), sheet.signature(run, column))

    def stage(self, sheet: Sheet, row: str, column: Column) -> Stage | None:
        """Return what a row has in a column."""
        if row not in PLACES:
            return None
        run, stage = PLACES[row]
        record = self.record(sheet, run, column)
        return None if record is None else record["stages"][stage]

    def of_sheet(self, sheet: Sheet) -> list[Record]:
        """List the records of a sheet, run after run."""
        found = (self.record(sheet, run, column) for run in runs_of(sheet.shape.rows) for column in COLUMNS)
        return [record for record in found if record is not None]

    def figures(self, sheet: Sheet, value: Callable[[Stage], float]) -> Figures:
        """Look up a figure of every row and column that is there."""
        found = {
            (row, column.name): self.stage(sheet, row, column)
            for row in sheet.shape.rows
            for column in COLUMNS
        }
        return {place: value(stage) for place, stage in found.items() if stage is not None}


def weighted_f(stage: Stage) -> float:
    """Weighted F in percent, at corpus level."""
    return 100.0 * float(stage["scores"]["weighted_f"])


def final_objective(stage: Stage) -> float:
    """Negative log likelihood, and the term where there is one, after the last iteration."""
    return float(stage["objective"])
