"""The results: one record for a model on a corpus, one for what dev chooses, one for the speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goutte_2004.figures import Figures
from goutte_2004.rows import BY_NAME, CONFIDENCES, CORPORA, FRENCH, PAPERS, RUNS, Row, Run
from paper_tables.command import stem_of
from paper_tables.store import Store

if TYPE_CHECKING:
    from goutte_2004.choosing import Choice
    from paper_tables.store import Record

PLACE = ("part", "pairs", "run", "corpus")
CHOICE, SPEED = "choice", "speed"
EVERY_CORPUS = "all"
SPEED_PAIRS = 50_000


@dataclass(frozen=True)
class Sheet:
    """What is looked at: the scored part, and the training pairs where they are not all."""

    part: str
    pairs: int | None = None

    @property
    def stem(self) -> str:
        """How its files are named.

        >>> Sheet("test").stem, Sheet("dev", 3000).stem
        ('cepts', 'cepts-dev-3000')
        """
        return stem_of("cepts", self.part, self.pairs)

    @property
    def dev(self) -> Sheet:
        """The sheet on which choices are made for this one."""
        return Sheet("dev", self.pairs)

    def training_pairs(self, corpus: str) -> int | None:
        """How many training pairs a corpus gives; None: all."""
        return CORPORA[corpus] if self.pairs is None else self.pairs

    def place(self, name: str, corpus: str) -> Record:
        """What tells a record from all others."""
        values = (self.part, "all" if self.pairs is None else self.pairs, name, corpus)
        return dict(zip(PLACE, values, strict=True))


def sentence_criteria(results: Results, sheet: Sheet) -> list[dict[str, float]]:
    """Return what the numbers of cepts come to in the paper's sentence, by its model; nothing if that is not there."""
    record = results.record(sheet.dev, PAPERS, FRENCH)
    sentence = None if record is None else record["sentence"]
    found: list[dict[str, float]] = [] if sentence is None else sentence.get("criteria", [])
    return found


def speed_place(pairs: int | None) -> Record:
    """Where the speed of the factorisation is kept: that of the first so many training pairs."""
    return dict(zip(PLACE, ("train", pairs or SPEED_PAIRS, SPEED, FRENCH), strict=True))


class Results(Store):
    """The records of the experiment, by their places."""

    fields = PLACE

    def record(self, sheet: Sheet, run: Run, corpus: str) -> Record | None:
        """Return the record of a model on a corpus, whatever its recipe was."""
        return self.at(sheet.place(run.name, corpus))

    def has(self, sheet: Sheet, run: Run, corpus: str) -> bool:
        """Tell whether a model was run with the very recipe that it has now, and with all rows."""
        record = self.begun(sheet, run, corpus)
        return record is not None and {row.key for row in run.rows} <= record["rows"].keys()

    def begun(self, sheet: Sheet, run: Run, corpus: str) -> Record | None:
        """Return what was measured of a model with the very recipe that it has now; rows may be missing."""
        there = self.done(sheet.place(run.name, corpus), run.recipe.signature)
        return self.record(sheet, run, corpus) if there else None

    def of_sheet(self, sheet: Sheet) -> list[Record]:
        """List the records of a sheet, model after model."""
        found = (self.record(sheet, run, corpus) for run in RUNS for corpus in CORPORA)
        return [record for record in found if record is not None]

    def choice(self, sheet: Sheet) -> Record | None:
        """Return what dev has chosen for a sheet."""
        return self.at(sheet.dev.place(CHOICE, EVERY_CORPUS))

    def figures(self, sheet: Sheet, run: Run, corpus: str, key: str) -> Figures | None:
        """Return the figures of a row of cepts, or of another rule, by its key."""
        record = self.record(sheet, run, corpus)
        made = None if record is None else (record["rows"] | record["rules"]).get(key)
        return None if made is None else Figures.read(made)

    def chosen(self, sheet: Sheet, choice: Choice, corpus: str) -> Figures | None:
        """Return the figures of what dev has chosen."""
        run = BY_NAME[choice.run]
        if choice.min_confidence is None:
            return self.figures(sheet, run, corpus, choice.row.key)
        curve = self.curve(sheet, run, corpus, choice.row)
        return curve[CONFIDENCES.index(choice.min_confidence)] if curve else None

    def curve(self, sheet: Sheet, run: Run, corpus: str, row: Row) -> list[Figures]:
        """Return the figures of a row by confidence, or nothing."""
        record = self.record(sheet, run, corpus)
        made = [] if record is None else record["curves"].get(row.key, [])
        return [Figures.read(one) for one in made]
