"""The hidden Markov alignment model: where a word is aligned depends on where the last one was.

Vogel et al. 1996, with the NULL states of Och and Ney 2003 that remember the last position, and the jump
distribution of schoenemann-2011 (see `jumps`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cepts.words.decode_kernels import hmm_decode
from cepts.words.hmm_kernels import JumpCounts, hmm_expectation
from cepts.words.model import Counts, Decoded, Directions, Totals, Training, WordModel

if TYPE_CHECKING:
    from cepts.words.hmm_kernels import Transitions
    from cepts.words.jumps import Jumps
    from cepts.words.lane_kernels import Chunk


@dataclass(frozen=True, eq=False)
class Hmm(WordModel):
    """The HMM in both directions, ready for sentences of up to `longest` words."""

    name: ClassVar[str] = "hmm"
    jumps: tuple[Jumps, Jumps]
    longest: int

    @cached_property
    def _transitions(self) -> tuple[Transitions, Transitions]:
        return self.jumps[0].transitions(self.longest), self.jumps[1].transitions(self.longest)

    def _jump_counts(self, longest: int) -> tuple[JumpCounts, JumpCounts]:
        forward, reverse = (
            JumpCounts(
                np.zeros(len(jumps.weights) + 1),
                np.zeros((longest + 1, longest)),
                np.zeros((longest + 1, longest)),
            )
            for jumps in self.jumps
        )
        return forward, reverse

    def new_totals(self) -> Totals:
        """Return counts of zero for the whole corpus."""
        return Totals(np.zeros_like(self.lexicon.values), jumps=self._jump_counts(self.longest))

    def expect(self, chunk: Chunk, training: Training) -> Counts:
        """E step on one chunk."""
        values = self.lexicon.local(chunk)
        counts = np.zeros_like(values)
        jumps = self._jump_counts(int(chunk.shapes.max()))
        likelihoods = hmm_expectation(
            chunk, values, counts, self._transitions, jumps, training.directions, training.agreement
        )
        return Counts(counts, likelihoods, jumps)

    def maximised(self, totals: Totals, training: Training) -> Hmm:
        """M step."""
        assert totals.jumps is not None
        forward, reverse = (
            jumps.maximised(counts, exact=training.exact_jumps)
            for jumps, counts in zip(self.jumps, totals.jumps, strict=True)
        )
        lexicon = self.lexicon.maximised(totals.lexicon, training.smoothing)
        return replace(self, lexicon=lexicon, jumps=(forward, reverse))

    def decode(self, chunk: Chunk, directions: Directions, threshold: float) -> Decoded:
        """Links of one chunk."""
        values = self.lexicon.local(chunk)
        return Decoded(*hmm_decode(chunk, values, self._transitions, directions, np.float32(threshold)))
