"""The results: one record for a row on a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from huerta.rows import ROWS, signature
from paper_tables.command import stem_of
from paper_tables.store import Store

if TYPE_CHECKING:
    from huerta.rows import Row
    from paper_tables.store import Record

PLACE = ("part", "size", "table", "row", "corpus")
NO_PART = "any"  # the part of what has no dev and no test


@dataclass(frozen=True)
class Sheet:
    """What is looked at: the scored part, and how many training pairs there are (None: all)."""

    part: str
    size: int | None = None

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("test").stem, Sheet("dev", 500).stem
        ('sentences', 'sentences-dev-500')
        """
        return stem_of("sentences", self.part, self.size)

    def place(self, row: Row, corpus: str) -> Record:
        """What tells a record from all others."""
        part = NO_PART if row.table == "figure" else self.part
        values = (part, self.size or "all", row.table, row.name, corpus)
        return dict(zip(PLACE, values, strict=True))


class Results(Store):
    """The records of the experiment, by their places."""

    fields = PLACE

    def record(self, sheet: Sheet, row: Row, corpus: str) -> Record | None:
        """Return the record of a row on a corpus, whatever its settings were."""
        return self.at(sheet.place(row, corpus))

    def has(self, sheet: Sheet, row: Row, corpus: str) -> bool:
        """Tell whether a row was run with the very settings that it has now."""
        return self.done(sheet.place(row, corpus), signature(row))

    def of_sheet(self, sheet: Sheet) -> list[Record]:
        """List the records of a sheet, table after table."""
        found = (self.record(sheet, row, corpus) for row in ROWS for corpus in row.corpora)
        return [record for record in found if record is not None]
