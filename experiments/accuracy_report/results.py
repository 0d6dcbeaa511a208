"""The results: one record for a system on so much of a corpus; ours in one file, those of the peers in another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accuracy_report.rows import CORPORA, PEERS, SYSTEMS, signature, sizes_of
from paper_tables.command import stem_of
from paper_tables.store import Store, same_recipe

if TYPE_CHECKING:
    from pathlib import Path

    from paper_tables.store import Record

PLACE = ("part", "corpus", "size", "system")


@dataclass(frozen=True)
class Sheet:
    """What is looked at: the scored part."""

    part: str

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("test").stem, Sheet("dev").stem
        ('accuracy', 'accuracy-dev')
        """
        return stem_of("accuracy", self.part)

    def place(self, corpus: str, size: str, system: str) -> Record:
        """What tells a record from all others."""
        return dict(zip(PLACE, (self.part, corpus, size, system), strict=True))


class _Rows(Store):
    """The records of one file."""

    fields = PLACE


class Results:
    """The records of the experiment. Peers stay as they are: they have a file that is not written again for ours."""

    def __init__(self, path: Path) -> None:
        self._ours = _Rows(path)
        self._peers = _Rows(path.with_name(f"{path.stem}-peers{path.suffix}"))

    def add(self, record: Record) -> None:
        """Keep a record, in the place of an older one."""
        self._store(record["system"]).add(record)

    def record(self, sheet: Sheet, corpus: str, size: str, system: str) -> Record | None:
        """Return a record, whatever its recipe was."""
        return self._store(system).at(sheet.place(corpus, size, system))

    def has(self, sheet: Sheet, corpus: str, size: str, system: str) -> bool:
        """Tell whether a row is there: of a peer, or of ours with the very recipe that it has now."""
        record = self.record(sheet, corpus, size, system)
        return record is not None and not is_stale(record)

    def of_sheet(self, sheet: Sheet, systems: tuple[str, ...] = SYSTEMS) -> list[Record]:
        """List the records of a sheet, corpus after corpus."""
        found = (
            self.record(sheet, corpus, size, system)
            for corpus in CORPORA
            for size in sizes_of(corpus)
            for system in systems
        )
        return [record for record in found if record is not None]

    def _store(self, system: str) -> Store:
        return self._peers if system in PEERS else self._ours


def is_stale(record: Record) -> bool:
    """Tell whether a record is one of ours, made with another recipe than there is now."""
    system = record["system"]
    return system not in PEERS and not same_recipe(record["signature"], signature(system))
