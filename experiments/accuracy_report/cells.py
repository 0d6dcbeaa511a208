"""Cells: the systems on so much of a corpus, beside each other, and how `best` compares with its peers there."""

from __future__ import annotations

from math import inf
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from accuracy_report.rows import BEST, CORPORA, PEERS, SYSTEMS, is_run, sizes_of, training_pairs
from accuracy_report.scoring import aer_of, lower
from paper_tables.comparing import is_better

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accuracy_report.results import Results, Sheet
    from cepts.evaluation import Comparison
    from paper_tables.store import Record

LARGE = 50_000  # training pairs from which costs are compared


class Cell(NamedTuple):
    """So much of a corpus, and the records that there are of it, by system."""

    corpus: str
    size: str
    records: dict[str, Record]

    @property
    def title(self) -> str:
        """How it is called."""
        return f"{self.corpus} {self.size}"

    @property
    def peers(self) -> dict[str, Record]:
        """The records of the peers."""
        return {name: self.records[name] for name in PEERS if name in self.records}

    @property
    def is_complete(self) -> bool:
        """Whether `best` and every peer that is run there have a record."""
        wanted = {BEST, *(name for name in PEERS if is_run(name, self.corpus, self.size))}
        return wanted <= self.records.keys()

    @property
    def is_large(self) -> bool:
        """Whether there is so much text that costs are compared."""
        return training_pairs(self.corpus, self.size) >= LARGE

    @property
    def best_peer(self) -> str:
        """The peer with the lowest AER."""
        return min(self.peers, key=lambda name: aer_of(self.peers[name]))

    @property
    def reduction(self) -> float:
        """By how many percent the AER of `best` is below that of the best peer; without limit above an AER of 0."""
        ours, theirs = aer_of(self.records[BEST]), aer_of(self.peers[self.best_peer])
        if theirs == 0:
            return 0.0 if ours == 0 else -inf
        return 100 * (1 - ours / theirs)

    def ahead(self, peer: str) -> Comparison:
        """By how much the AER of `best` is below a peer's."""
        return lower([self.records[BEST]], [self.records[peer]])

    def better_peers(self) -> dict[str, Comparison]:
        """The peers that are better than `best`, by more than chance, and by how much."""
        found = {name: lower([record], [self.records[BEST]]) for name, record in self.peers.items()}
        return {name: one for name, one in found.items() if is_better(one)}

    def ratio(self, system: str, other: str, figure: str = "cpu_seconds") -> float | None:
        """A figure of a system divided by another's, where both are there."""
        if system not in self.records or other not in self.records:
            return None
        return float(self.records[system][figure] / self.records[other][figure])

    def ratio_to_training(self, system: str, other: str) -> float | None:
        """The CPU seconds of a system divided by those of another's training alone."""
        if system not in self.records or other not in self.records:
            return None
        return float(self.records[system]["cpu_seconds"] / self.records[other]["stages"]["training"])


def cells_of(results: Results, sheet: Sheet) -> list[Cell]:
    """List the cells, corpus after corpus, also those that have no records."""
    return [
        Cell(corpus, size, _records(results, sheet, corpus, size))
        for corpus in CORPORA
        for size in sizes_of(corpus)
    ]


def _records(results: Results, sheet: Sheet, corpus: str, size: str) -> dict[str, Record]:
    found = {system: results.record(sheet, corpus, size, system) for system in SYSTEMS}
    return {system: record for system, record in found.items() if record is not None}


def comparable(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells that have `best` and a peer."""
    return [cell for cell in cells if BEST in cell.records and cell.peers]


def mean_reduction(cells: Iterable[Cell]) -> float | None:
    """Return by how many percent, on average over cells, `best` is below the best peer of each."""
    known = [cell.reduction for cell in comparable(cells)]
    return mean(known) if known else None
