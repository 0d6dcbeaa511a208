"""`WordModel`: what every model of word alignment can do.

A model knows three things: its expected counts on a chunk (E step), how its parameters follow from counts (M step),
and its links for a chunk. It holds both directions over one lexicon, because agreement needs both at once;
either direction can be left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from cepts.words.hmm_kernels import JumpCounts
from cepts.words.lane_kernels import scatter_add
from cepts.words.lexicon import Lexicon, Smoothing

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from cepts.words.lane_kernels import Chunk

Directions = tuple[bool, bool]
BOTH: Directions = (True, True)


class Training(NamedTuple):
    """How parameters are estimated: which directions, whether they must agree, how counts are smoothed."""

    directions: Directions = BOTH
    agreement: bool = True
    smoothing: Smoothing = Smoothing()
    exact_jumps: bool = True


class Counts(NamedTuple):
    """What a model expects of one chunk: counts of the chunk's entries, log likelihoods, jumps of both directions."""

    lexicon: NDArray[np.float32]
    likelihoods: NDArray[np.float64]
    jumps: tuple[JumpCounts, JumpCounts] | None = None


class Decoded(NamedTuple):
    """A chunk's links: rows (piece, source, target, by which paths), confidences, and log probabilities.

    `paths` is 1 for a link of the forward path, 2 of the reverse, 3 of both, or of neither but of a threshold.
    """

    places: NDArray[np.int32]
    confidences: NDArray[np.float32]
    likelihoods: NDArray[np.float64]


@dataclass(eq=False)
class Totals:
    """The counts of all chunks, added in the order of the chunks."""

    lexicon: NDArray[np.float32]
    likelihoods: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))
    jumps: tuple[JumpCounts, JumpCounts] | None = None

    def add(self, chunk: Chunk, counts: Counts) -> None:
        """Add a chunk's counts."""
        scatter_add(self.lexicon, chunk.entries, counts.lexicon)
        self.likelihoods += counts.likelihoods
        if self.jumps is not None and counts.jumps is not None:
            for total, part in zip(self.jumps, counts.jumps, strict=True):
                longest = part.starts.shape[1]
                total.jumps[:] += part.jumps
                total.departures[: longest + 1, :longest] += part.departures
                total.starts[: longest + 1, :longest] += part.starts


@dataclass(frozen=True, eq=False)
class WordModel(ABC):
    """Both directions of a model, over one lexicon."""

    name: ClassVar[str]
    lexicon: Lexicon

    def new_totals(self) -> Totals:
        """Return counts of zero for the whole corpus."""
        return Totals(np.zeros_like(self.lexicon.values))

    @abstractmethod
    def expect(self, chunk: Chunk, training: Training) -> Counts:
        """E step on one chunk."""

    @abstractmethod
    def maximised(self, totals: Totals, training: Training) -> Self:
        """M step: the model whose parameters follow from the counts. The totals are used up."""

    @abstractmethod
    def decode(self, chunk: Chunk, directions: Directions, threshold: float) -> Decoded:
        """Link the words of a chunk: along the best paths, or all cells of at least `threshold` confidence."""
