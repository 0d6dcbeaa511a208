"""IBM Model 1: every target word picks a source word, or NULL, whatever the positions.

Brown et al. 1993, section 4.2; p(NULL) is a parameter of its own, the other source words share the rest evenly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cepts.words.ibm1_kernels import ibm1_paths, ibm1_posteriors
from cepts.words.model import Totals, Training, WordModel

if TYPE_CHECKING:
    from cepts.words.blocks import Block
    from cepts.words.hmm_kernels import JumpCounts


@dataclass(frozen=True, eq=False)
class Ibm1(WordModel):
    """IBM-1 in both directions, with the probability of NULL of each."""

    name: ClassVar[str] = "ibm1"
    null: tuple[float, float] = (0.1, 0.1)

    def posteriors(self, block: Block, way: int, counts: JumpCounts | None) -> None:  # noqa: ARG002
        """Fill a block's posteriors and log likelihoods of one direction."""
        chunk, first, end = block.chunk, block.first, block.end
        null, likelihoods = np.float32(self.null[way]), block.likelihoods[way]
        ibm1_posteriors(chunk, first, end, way, null, block.emission, block.posterior, likelihoods)

    def paths(self, block: Block, way: int) -> None:
        """Fill a block's best paths of one direction."""
        ibm1_paths(block.chunk, block.first, block.end, way, block.emission, block.posterior, block.best)

    def maximised(self, totals: Totals, training: Training, threads: int = 1) -> Ibm1:
        """M step."""
        return replace(self, lexicon=self.maximised_lexicon(totals, training, threads))
