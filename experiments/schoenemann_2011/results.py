"""Results on disk: one JSON file for a table, one line for a training run, rewritten whole after each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cepts.errors import InputError
from cepts.storage import atomic_writer
from schoenemann_2011.rows import COLUMNS, PLACES, TABLES, Column, Run, Table, recipe_of, runs_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Record = dict[str, Any]
Stage = dict[str, Any]
Place = tuple[object, ...]
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
        """How its files are named; only what is reported, the test part at full size, has the bare name.

        >>> Sheet("small", "test").stem, Sheet("small", "dev", pairs=300).stem
        ('regularised-small', 'regularised-small-dev-300')
        """
        parts = [None if self.part == "test" else self.part, self.pairs]
        if self.iterations is not None:
            parts.append(f"{self.iterations}-iterations")
        return "-".join(["regularised", self.table, *(str(part) for part in parts if part is not None)])

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
        return recipe_of(run, column.direction, self.iterations).signature


class Results:
    """The records of a table, by their places."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: dict[Place, Record] = {}
        self.read()

    def read(self) -> None:
        """Take over what is on disk."""
        if not self.path.exists():
            return
        try:
            records = json.loads(self.path.read_text(encoding="utf-8"))
            self.records = {place_of(record): record for record in records}
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(
                f"{self.path} holds no results of this experiment: {error}; move it away"
            ) from None

    def add(self, record: Record) -> None:
        """Keep a record, in the place of an older one; what another process has added meanwhile stays."""
        self.read()
        self.records[place_of(record)] = record
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = ",\n".join(json.dumps(one) for one in self.records.values())
        with atomic_writer(self.path) as file:
            file.write(f"[\n{lines}\n]\n")

    def record(self, sheet: Sheet, run: Run, column: Column) -> Record | None:
        """Return a run's record, whatever its recipe was."""
        return self.records.get(place_of(sheet.place(run, column)))

    def has(self, sheet: Sheet, run: Run, column: Column) -> bool:
        """Tell whether a run was done with the very recipe that it has now."""
        record = self.record(sheet, run, column)
        return record is not None and record["signature"] == sheet.signature(run, column)

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


def place_of(record: Record) -> Place:
    """Return what tells a record from all others, as a key."""
    return tuple(record[name] for name in PLACE)


def weighted_f(stage: Stage) -> float:
    """Weighted F in percent, at corpus level."""
    return 100.0 * float(stage["scores"]["weighted_f"])


def final_objective(stage: Stage) -> float:
    """Negative log likelihood, and the term where there is one, after the last iteration."""
    return float(stage["objective"])


def total_minutes(records: list[Record]) -> float:
    """Wall minutes of runs: training, scoring, and each corpus read once."""
    reading = {record["corpus"]: float(record["text"]["read_seconds"]) for record in records}
    return (sum(float(record["wall_seconds"]) for record in records) + sum(reading.values())) / 60
