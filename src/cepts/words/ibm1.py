"""IBM Model 1: every target word picks a source word, or NULL, whatever the positions.

Brown et al. 1993, section 4.2. NULL is one more word, as likely as each other, or has a probability of its own and the
words of the sentence share the rest evenly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cepts.words.best import lists_of_chains
from cepts.words.hmm_kernels import Transitions
from cepts.words.ibm1_kernels import ibm1_paths, ibm1_posteriors
from cepts.words.jumps import ALIKE
from cepts.words.model import Totals, Training, WordModel

if TYPE_CHECKING:
    from typing import Self

    from cepts.words.best_kernels import Lists
    from cepts.words.blocks import Block
    from cepts.words.hmm_kernels import JumpCounts


@dataclass(frozen=True, eq=False)
class Ibm1(WordModel):
    """IBM-1 in both directions; `null` is the probability of NULL, None that of a word of the sentence."""

    name: ClassVar[str] = "ibm1"
    null: float | None = 0.1

    def posteriors(self, block: Block, way: int, counts: JumpCounts | None) -> None:  # noqa: ARG002
        """Fill a block's posteriors and log likelihoods of one direction."""
        chunk, first, end = block.chunk, block.first, block.end
        null, likelihoods = np.float32(-1 if self.null is None else self.null), block.likelihoods[way]
        ibm1_posteriors(chunk, first, end, way, null, block.emission, block.posterior, likelihoods)

    def paths(self, block: Block, way: int) -> None:
        """Fill a block's best paths of one direction."""
        ibm1_paths(block.chunk, block.first, block.end, way, block.emission, block.posterior, block.best)

    def best_lists(self, block: Block, way: int, n: int) -> Lists:
        """List the n most probable alignments of each pair of a block, exactly."""
        table = uniform(int(block.chunk.shapes.max()), self.null)
        lists = lists_of_chains(block, way, n, table, remembers=True)
        if self.null is None:  # all words, and NULL, weigh one so far
            rows = slice(block.first, block.end)
            lengths = block.chunk.source_lengths[rows], block.chunk.target_lengths[rows]
            logs = lists.logs
            logs -= (lengths[1 - way] * np.log(lengths[way] + 1.0))[:, :, None]
        return lists

    def maximised(self, totals: Totals, training: Training, threads: int = 1) -> Self:
        """M step."""
        return replace(self, lexicon=self.maximised_lexicon(totals, training, threads))


def uniform(longest: int, null: float | None) -> Transitions:
    """Return jumps that go everywhere alike: by the share of a word that is not NULL's or, without, by one.

    >>> uniform(2, 0.5).far.tolist()
    [[0.5, 0.5], [0.5, 0.5], [0.25, 0.25]]
    """
    lengths = np.maximum(np.arange(longest + 1), 1)[:, None]
    share = np.ones_like(lengths) if null is None else (1.0 - null) / lengths
    table = np.repeat(share, longest, axis=1).astype(np.float32)
    one = np.ones((1, 1), np.float32)
    return Transitions(one, table, table, table, np.float32(1 if null is None else null), one, one, *ALIKE)
