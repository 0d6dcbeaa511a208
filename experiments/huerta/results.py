"""The results: one record for a row on a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from huerta.rows import ROWS, signature
from paper_tables.command import stem_of
from paper_tables.table_rows import RowStore, place_of_row

if TYPE_CHECKING:
    from huerta.rows import Row
    from paper_tables.store import Record

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
        return place_of_row(part, self.size or "all", row, corpus)


class Results(RowStore):
    """The records of the experiment, by their places."""

    rows = ROWS
    signature = staticmethod(signature)
