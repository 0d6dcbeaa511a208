"""The results: one record for a row on a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from freitag_2007.rows import FOLDED, ROWS, signature
from paper_tables.command import stem_of
from paper_tables.table_rows import RowStore, place_of_row

if TYPE_CHECKING:
    from freitag_2007.rows import Row
    from paper_tables.store import Record

FOLDS = "folds"  # the part of tables that have no dev and no test


@dataclass(frozen=True)
class Sheet:
    """What is looked at: the scored part, and whether it is all of the data."""

    part: str
    quick: bool = False

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("test").stem, Sheet("dev", quick=True).stem
        ('names', 'names-dev-quick')
        """
        return stem_of("names", self.part, "quick" if self.quick else None)

    def place(self, row: Row, corpus: str) -> Record:
        """What tells a record from all others."""
        part = FOLDS if row.table in FOLDED else self.part
        return place_of_row(part, "quick" if self.quick else "all", row, corpus)


class Results(RowStore):
    """The records of the experiment, by their places."""

    rows = ROWS
    signature = staticmethod(signature)
