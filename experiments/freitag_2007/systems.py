"""The systems of tables 7 and 8, each trained once for a corpus."""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING, Any

from cepts.characters import EditModel
from cepts.names import Combination, PhraseSystem, WordScores
from freitag_2007.plain import PlainTransliteration
from freitag_2007.rows import SYSTEMS
from paper_tables.meter import Moment

if TYPE_CHECKING:
    from pathlib import Path

    from freitag_2007.material import Names


def now() -> Moment:
    """Read the clocks; CPU seconds are those of this process and of the programs that it has run."""
    return Moment(perf_counter(), sum(os.times()[:4]))


class Workshop:
    """Makes systems out of the training and dev pairs of a corpus, and keeps them."""

    def __init__(self, names: Names, threads: int, phonetisaurus: Path | None = None) -> None:
        self.names, self.threads, self._program = names, threads, phonetisaurus
        self._made: dict[str, Any] = {}
        self.seconds: dict[str, float] = {}  # CPU seconds of training, without those of members

    def system(self, name: str) -> Any:
        """Return a system, trained now if it was not before; None where its program is not installed.

        Systems with the same settings are one.
        """
        key = repr(SYSTEMS[name])
        if key not in self._made:
            members = {member: self.system(member) for member in SYSTEMS[name].members}
            begin = now()
            self._made[key] = self._make(name, members)
            self.seconds[name] = now().since(begin).cpu
        return self._made[key]

    def _make(self, name: str, members: dict[str, Any]) -> Any:
        kind, options = SYSTEMS[name].kind, SYSTEMS[name].options
        train, dev = self.names.train, self.names.dev
        if kind == "edits":
            return EditModel.fit(train, **options)
        if kind == "phrases":
            return PhraseSystem.fit(train, dev, threads=self.threads, **options)
        if kind == "words":
            return WordScores.fit(train, threads=self.threads, **options)
        if kind == "combination":
            return Combination.fit(members, dev, **options)
        if kind == "plain":
            return PlainTransliteration.fit(train, self.threads, **options)
        return self._other_program()

    def _other_program(self) -> Any:
        from freitag_2007.phonetisaurus import Phonetisaurus

        return None if self._program is None else Phonetisaurus.fit(self.names.train, self._program)
