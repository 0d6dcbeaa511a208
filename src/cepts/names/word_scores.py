"""`WordScores`: how probable names are under models of word alignment that were trained on their characters.

These are the rows "IBM 4" of freitag-2007, table 8, and the HMM beside it. They judge pairs of names and cannot write
new ones. IBM-4's sum over alignments cannot be computed: what is given is that over the best alignment that the climb
finds and its neighbours; pairs that are too uneven for it are judged by its HMM.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked
from cepts.corpus import Bitext, side_from_tokens
from cepts.errors import OptionError
from cepts.names.alphabet import composed
from cepts.names.linked_characters import trained_aligner
from cepts.names.systems import check_equal, checked_pairs
from cepts.showing import Shown
from cepts.words.training import ignore

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cepts.aligning import Aligner
    from cepts.words import Monitor

DIRECTIONS = ("forward", "reverse", "both")
PAIRS_AT_ONCE = 1 << 15
ALONE = -10.0  # the log probability of a character beside an empty name


@checked
@dataclass(frozen=True, eq=False, repr=False)
class WordScores(Shown):
    """A word aligner of characters; make one with `fit` or `load`."""

    aligner: Aligner

    def _facts(self) -> dict[str, object]:
        """Return what the aligner of characters is."""
        return {"aligner": self.aligner}

    @classmethod
    def fit(
        cls,
        pairs: Iterable[tuple[str, str]],
        model_type: str = "ibm4",
        *,
        threads: int = 1,
        monitor: Monitor = ignore,
        **options: Any,
    ) -> WordScores:
        """Train both directions, each for itself, on pairs of names; `options` are of `cepts.aligning.Recipe`."""
        chosen = {"training": "independent", **options, "model_type": model_type, "combine": "intersection"}
        train = checked_pairs(pairs, "learn from")
        aligner, _ = trained_aligner(train, threads, monitor, **chosen)
        return cls(aligner)

    def scores(
        self, sources: Sequence[str], targets: Sequence[str], direction: str = "both"
    ) -> NDArray[np.float64]:
        """Return log probabilities of pairs: of the target (forward), of the source (reverse), or the sum of both."""
        check_equal(sources, targets)
        if direction not in DIRECTIONS:
            raise OptionError(f"direction {direction!r}: expected one of {', '.join(DIRECTIONS)}")
        ways = DIRECTIONS[:2] if direction == "both" else (direction,)
        scores = np.empty(len(sources))
        for begin in range(0, len(sources), PAIRS_AT_ONCE):
            part = slice(begin, begin + PAIRS_AT_ONCE)
            bitext = _bitext(sources[part], targets[part])
            scores[part] = sum(self._one_way(bitext, way) for way in ways)
        return scores

    def _one_way(self, bitext: Bitext, way: str) -> NDArray[np.float64]:
        """Return log probabilities of one direction."""
        both = self.aligner.recipe
        self.aligner.recipe = replace(both, direction=way)
        try:
            per_character = self.aligner.align(bitext).scores
        finally:
            self.aligner.recipe = both
        assert per_character is not None
        source, target = bitext.source.lengths, bitext.target.lengths
        generated = target if way == "forward" else source
        alone = (source == 0) | (target == 0)
        return np.where(alone, ALONE * (source + target), np.nan_to_num(per_character) * generated)

    def affinities(
        self, sources: Sequence[str], targets: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.float32]:
        """Return `scores` of both directions as an edit model returns its own."""
        self.aligner.threads = threads
        return self.scores(sources, targets).astype(np.float32)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the word models into a folder; see `load`."""
        self.aligner.save(folder)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> WordScores:
        """Open saved word models."""
        from cepts.aligning import Aligner

        return cls(Aligner.load(folder))


def _bitext(sources: Sequence[str], targets: Sequence[str]) -> Bitext:
    """Return names as sentences of characters."""
    source, target = (
        side_from_tokens([list(composed(name)) for name in names]) for names in (sources, targets)
    )
    return Bitext(source, target)
