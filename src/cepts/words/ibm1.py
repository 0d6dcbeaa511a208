"""IBM Model 1: every target word picks a source word, or NULL, whatever the positions.

Brown et al. 1993, section 4.2; p(NULL) is a parameter of its own, the other source words share the rest evenly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cepts.words.decode_kernels import ibm1_decode
from cepts.words.ibm1_kernels import ibm1_expectation
from cepts.words.model import Counts, Decoded, Directions, Totals, Training, WordModel

if TYPE_CHECKING:
    from cepts.words.lane_kernels import Chunk


@dataclass(frozen=True, eq=False)
class Ibm1(WordModel):
    """IBM-1 in both directions, with the probability of NULL of each."""

    name: ClassVar[str] = "ibm1"
    null: tuple[float, float] = (0.1, 0.1)

    @property
    def _nulls(self) -> tuple[np.float32, np.float32]:
        return np.float32(self.null[0]), np.float32(self.null[1])

    def expect(self, chunk: Chunk, training: Training) -> Counts:
        """E step on one chunk."""
        values = self.lexicon.local(chunk)
        counts = np.zeros_like(values)
        directions, agreement = training.directions, training.agreement
        return Counts(counts, ibm1_expectation(chunk, values, counts, self._nulls, directions, agreement))

    def maximised(self, totals: Totals, training: Training) -> Ibm1:
        """M step."""
        return replace(self, lexicon=self.lexicon.maximised(totals.lexicon, training.smoothing))

    def decode(self, chunk: Chunk, directions: Directions, threshold: float) -> Decoded:
        """Links of one chunk."""
        values = self.lexicon.local(chunk)
        return Decoded(*ibm1_decode(chunk, values, self._nulls, directions, np.float32(threshold)))
