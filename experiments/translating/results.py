"""The results: one record for an alignment on a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paper_tables.command import stem_of
from paper_tables.store import Store
from translating.rows import ROWS, TASKS, is_run

if TYPE_CHECKING:
    from paper_tables.store import Record
    from translating.rows import Row

PLACE = ("part", "pairs", "task", "run")


@dataclass(frozen=True)
class Sheet:
    """What is looked at: the scored part, and the training pairs where they are not the tasks' own."""

    part: str
    pairs: int | None = None

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("test").stem, Sheet("dev", 5000).stem
        ('translation', 'translation-dev-5000')
        """
        return stem_of("translation", self.part, self.pairs)

    def training_pairs(self, task: str) -> int:
        """How many training pairs a task has."""
        return TASKS[task].pairs if self.pairs is None else min(self.pairs, TASKS[task].pairs)

    def place(self, row: Row, task: str) -> Record:
        """What tells a record from all others."""
        values = (self.part, self.training_pairs(task), task, row.name)
        return dict(zip(PLACE, values, strict=True))


class Results(Store):
    """The records of the experiment, by their places."""

    fields = PLACE

    def has(self, sheet: Sheet, row: Row, task: str) -> bool:
        """Tell whether a row was done with the very recipe that it has now."""
        return self.done(sheet.place(row, task), row.signature)

    def of_task(self, sheet: Sheet, task: str) -> dict[str, Record]:
        """Return the records of a task by row, as far as they are there."""
        found = {row.name: self.at(sheet.place(row, task)) for row in ROWS if is_run(row, task)}
        return {name: record for name, record in found.items() if record is not None}

    def of_sheet(self, sheet: Sheet) -> list[Record]:
        """List the records of a sheet, task after task."""
        return [record for task in TASKS for record in self.of_task(sheet, task).values()]
