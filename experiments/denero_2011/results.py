"""The results: one record for a recipe on a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denero_2011.figures import figures_of
from denero_2011.rows import ALL_RUNS, CORPORA, RULE, TEST_ONLY, Run
from paper_tables.command import stem_of
from paper_tables.store import Store

if TYPE_CHECKING:
    from denero_2011.figures import Figures
    from paper_tables.store import Record

PLACE = ("part", "pairs", "run", "corpus")


@dataclass(frozen=True)
class Sheet:
    """What is looked at: the scored part, and the training pairs where they are not the corpora's own."""

    part: str
    pairs: int | None = None

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("test").stem, Sheet("dev", 3000).stem
        ('both-directions', 'both-directions-dev-3000')
        """
        return stem_of("both-directions", self.part, self.pairs)

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpora that have this part.

        >>> Sheet("dev").corpora
        ('zh-en', 'en-fr-hansards', 'ro-en', 'de-en')
        """
        return tuple(name for name in CORPORA if self.part == "test" or name not in TEST_ONLY)

    def training_pairs(self, corpus: str) -> int | None:
        """How many training pairs a corpus gives; None: all."""
        return CORPORA[corpus] if self.pairs is None else self.pairs

    def place(self, run: Run, corpus: str) -> Record:
        """What tells a run's record from all others."""
        pairs = self.training_pairs(corpus)
        values = (self.part, "all" if pairs is None else pairs, run.name, corpus)
        return dict(zip(PLACE, values, strict=True))


class Results(Store):
    """The records of the experiment, by their places."""

    fields = PLACE

    def record(self, sheet: Sheet, run: Run, corpus: str) -> Record | None:
        """Return a run's record, whatever its recipe was, if its phrases were scored by the rule of the paper."""
        found = self.at(sheet.place(run, corpus))
        return found if found is not None and RULE in found["signature"] else None

    def has(self, sheet: Sheet, run: Run, corpus: str) -> bool:
        """Tell whether a run was done with the very recipe that it has now."""
        return self.done(sheet.place(run, corpus), run.signature)

    def of_run(self, sheet: Sheet, run: Run) -> dict[str, Record]:
        """Return the records of a run by corpus, as far as they are there."""
        found = {corpus: self.record(sheet, run, corpus) for corpus in sheet.corpora}
        return {corpus: record for corpus, record in found.items() if record is not None}

    def of_sheet(self, sheet: Sheet) -> list[Record]:
        """List the records of a sheet, run after run."""
        return [record for run in ALL_RUNS for record in self.of_run(sheet, run).values()]

    def figures(self, sheet: Sheet, run: Run) -> dict[str, Figures]:
        """Return the figures of a run by corpus."""
        return {corpus: figures_of(record) for corpus, record in self.of_run(sheet, run).items()}
