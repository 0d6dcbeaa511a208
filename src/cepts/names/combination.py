"""`Combination`: several systems as one, the best row of freitag-2007, tables 7 and 8.

All systems' best candidates are put together, every system judges every candidate, and the score is a weighted sum of
what they say. The coefficients are those under which the right candidates of dev are most probable (see
`cepts.phrases.tuning`): on training names the systems would look much better than they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cepts import bounds
from cepts.characters.letters import check_lengths
from cepts.checking import checked
from cepts.errors import OptionError
from cepts.names.alphabet import composed
from cepts.names.systems import best_of, check_n_best, checked_pairs, ranked
from cepts.phrases.tuning import Judged, fit_weights
from cepts.showing import Shown

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cepts.characters import Candidate
    from cepts.checking import Seed
    from cepts.names.systems import Judge, System

TASKS = ("transcribe", "rank")
LONGEST_NAME = (
    1_000  # letters of a name to transcribe: all systems judge all candidates, by the square of its length
)
LONGEST_LIST = 50  # candidates that each system gives
DECOYS = 200  # other targets that a name is ranked among, to learn from
PAIRS_AT_ONCE = 1 << 18


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Combination(Shown):
    """Systems by name, and a coefficient of each; make one with `fit` or `load`."""

    systems: dict[str, Judge]
    coefficients: NDArray[np.float64]
    n_best: int = LONGEST_LIST

    def _facts(self) -> dict[str, object]:
        """Return the coefficient of each system."""
        return dict(zip(self.systems, self.coefficients.tolist(), strict=True))

    @classmethod
    def fit(
        cls,
        systems: Mapping[str, Judge],
        dev: Iterable[tuple[str, str]],
        *,
        task: str = "transcribe",
        n_best: int = LONGEST_LIST,
        decoys: int = DECOYS,
        seed: Seed = 1,
    ) -> Combination:
        """Learn the coefficients on pairs that no system was trained on.

        For the task "transcribe", from lists of the `n_best` candidates of each system that writes names; for "rank",
        from the right target among `decoys` others of dev, drawn by the seed.
        """
        _check(systems, task, n_best, decoys)
        right: dict[str, set[str]] = {}
        for source, target in checked_pairs(dev, "learn from"):
            right.setdefault(source, set()).add(target)
        untried = cls(dict(systems), np.ones(len(systems)), n_best)
        ranked = task == "rank"
        lists = _among_decoys(right, decoys, seed) if ranked else untried._candidates(list(right))
        judged = untried._judged(list(right), lists)
        scale = np.concatenate(judged).std(axis=0)
        scale[scale <= 0] = 1.0
        told = [
            Judged(texts, rows / scale, np.array([text in right[name] for text in texts], np.bool_))
            for name, texts, rows in zip(right, lists, judged, strict=True)
        ]
        coefficients = fit_weights(told, np.ones(len(systems))) / scale
        return cls(dict(systems), coefficients, n_best)

    def transcribe(self, names: Iterable[str], n_best: int = 5, *, threads: int = 1) -> list[list[Candidate]]:
        """Return the best ways to write each name, of all that any system proposes, best first."""
        check_n_best(n_best)
        wanted = [composed(name) for name in names]
        check_lengths(wanted, LONGEST_NAME)
        lists = self._candidates(wanted, n_best, threads)
        return [
            best_of(texts, rows @ self.coefficients, n_best)
            for texts, rows in zip(lists, self._judged(wanted, lists, threads), strict=True)
        ]

    def rank(
        self, names: Iterable[str], candidates: Sequence[str], n_best: int = 5, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """Return for each name the candidates that go best with it, best first; equals in the order of the list."""
        return ranked(self, names, candidates, n_best, threads)

    def affinities(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Return the weighted sum of what all systems say about each pair."""
        return self._rows(sources, targets, threads) @ self.coefficients

    def _rows(self, sources: Sequence[str], targets: Sequence[str], threads: int) -> NDArray[np.float64]:
        """Return what each system says (a column) about each pair (a row)."""
        columns = [
            np.asarray(one.affinities(sources, targets, threads=threads), np.float64)
            for one in self.systems.values()
        ]
        return np.column_stack(columns)

    def _candidates(self, names: list[str], n_best: int = 1, threads: int = 1) -> list[list[str]]:
        """Put the candidates of all systems together, each once."""
        number = max(self.n_best, n_best)
        lists: list[dict[str, None]] = [{} for _ in names]
        for system in self.systems.values():
            if not _writes(system):
                continue
            written = cast("System", system).transcribe(names, number, threads=threads)
            for known, found in zip(lists, written, strict=True):
                known.update(dict.fromkeys(candidate.text for candidate in found))
        return [list(known) for known in lists]

    def _judged(
        self, names: list[str], lists: list[list[str]], threads: int = 1
    ) -> list[NDArray[np.float64]]:
        """Let all systems judge all candidates of each name; returns a table for each name."""
        sources = [name for name, texts in zip(names, lists, strict=True) for _ in texts]
        targets = [text for texts in lists for text in texts]
        parts = [
            self._rows(
                sources[begin : begin + PAIRS_AT_ONCE], targets[begin : begin + PAIRS_AT_ONCE], threads
            )
            for begin in range(0, len(sources), PAIRS_AT_ONCE)
        ]
        rows = np.concatenate([np.empty((0, len(self.systems))), *parts])
        return np.split(rows, np.cumsum([len(texts) for texts in lists])[:-1]) if lists else []

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the combination and all its systems into one folder; see `load`."""
        from cepts.names.packing import save_combination

        save_combination(folder, self)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Combination:
        """Open a saved combination."""
        from cepts.names.packing import load_combination

        return load_combination(folder)


def _writes(system: Judge) -> bool:
    """Whether a system writes names, and does not only judge them."""
    return callable(getattr(system, "transcribe", None))


def _check(systems: Mapping[str, Any], task: str, n_best: int, decoys: int) -> None:
    if task not in TASKS:
        raise OptionError(f"task {task!r}: expected one of {', '.join(TASKS)}")
    if not systems:
        raise OptionError("no systems to combine: give at least one")
    if task == "transcribe" and not any(_writes(system) for system in systems.values()):
        raise OptionError(
            "no system writes names, they only judge them: use task 'rank', or add one that does"
        )
    check_n_best(n_best)
    bounds.STRINGS.check("decoys", decoys)


def _among_decoys(right: dict[str, set[str]], decoys: int, seed: int) -> list[list[str]]:
    """Return the right targets of each name, and others of dev."""
    pool = sorted(set().union(*right.values()))
    chance = np.random.default_rng(seed)
    lists = []
    for targets in right.values():
        drawn = chance.choice(len(pool), min(decoys, len(pool)), replace=False).tolist()
        lists.append([*sorted(targets), *(pool[place] for place in drawn if pool[place] not in targets)])
    return lists
