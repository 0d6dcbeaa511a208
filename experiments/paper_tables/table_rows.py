"""Rows of tables, each run on some corpora: where their records are kept, and how these were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from paper_tables.markdown import versions
from paper_tables.store import Store, changes, same_recipe

if TYPE_CHECKING:
    from paper_tables.store import Record

PLACE = ("part", "size", "table", "row", "corpus")
LITTLE_DATA = "**Little data, to see that everything works: the figures mean nothing.**"


class Row(Protocol):
    """A row of a table: what tells it from others, and the corpora that it is run on."""

    @property
    def table(self) -> str:
        """The table that it is in."""

    @property
    def name(self) -> str:
        """Its name in the table."""

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora that it may be run on."""


class Sheet(Protocol):
    """What is looked at: it knows the places of records."""

    def place(self, row: Any, corpus: str) -> Record:
        """What tells a record from all others."""


def place_of_row(part: str, size: object, row: Row, corpus: str) -> Record:
    """Name the place of a record: the scored part, how much data there is, and the row on its corpus."""
    return dict(zip(PLACE, (part, size, row.table, row.name, corpus), strict=True))


class RowStore(Store):
    """The records of an experiment's rows; who has rows says which they are, and what decides their figures."""

    fields = PLACE
    rows: ClassVar[tuple[Row, ...]] = ()

    @staticmethod
    def signature(row: Any) -> str:
        """Write down all that decides a row's figures, besides the data."""
        raise NotImplementedError

    def record(self, sheet: Sheet, row: Row, corpus: str) -> Record | None:
        """Return the record of a row on a corpus, whatever its settings were."""
        return self.at(sheet.place(row, corpus))

    def has(self, sheet: Sheet, row: Row, corpus: str) -> bool:
        """Tell whether a row was run with the very settings that it has now."""
        return self.done(sheet.place(row, corpus), self.signature(row))

    def of_sheet(self, sheet: Sheet) -> list[Record]:
        """List the records of a sheet, table after table."""
        found = (self.record(sheet, row, corpus) for row in self.rows for corpus in row.corpora)
        return [record for record in found if record is not None]


def making(results: RowStore, sheet: Sheet) -> str:
    """Say with which versions and settings records were made, and which of them are old."""
    records = results.of_sheet(sheet)
    if not records:
        return "No row is finished."
    minutes = sum(float(one["cpu_seconds"]) for one in records) / 60
    lines = [*versions(records), f"all rows together: {minutes:.1f} CPU minutes"]
    by_place = {(row.table, row.name): row for row in results.rows}
    known = {(one["table"], one["row"]): one["signature"] for one in reversed(records)}
    for (table, name), made in reversed(known.items()):
        lines.append(f"{table}, `{name}`: `{made.partition('|')[2] or made}`")
        now = results.signature(by_place[table, name])
        if not same_recipe(made, now):
            lines.append(
                f"{table}, `{name}` was made with older settings; now `{changes(made, now)}`: run again"
            )
    return "\n".join(f"- {line}" for line in lines)
