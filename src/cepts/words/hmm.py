"""The hidden Markov alignment model: where a word is aligned depends on where the last one was.

Vogel et al. 1996, with the NULL states of Och and Ney 2003 that remember the last position, and the jump
distribution of schoenemann-2011 (see `jumps`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from cepts.words.best import lists_of_chains
from cepts.words.hmm_kernels import JumpCounts, hmm_likelihoods, hmm_posteriors
from cepts.words.model import Totals, Training, WordModel, array_like, with_way
from cepts.words.viterbi_kernels import hmm_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from numpy.typing import NDArray

    from cepts.words.best_kernels import Lists
    from cepts.words.blocks import Block
    from cepts.words.hmm_kernels import Transitions
    from cepts.words.jumps import Jumps
    from cepts.words.model import Shares


VECTORS = ("jumps", "starts", "null")


class Loops(NamedTuple):
    """The kernels of a kind of HMM."""

    posteriors: Callable[..., Any]
    paths: Callable[..., Any]
    likelihoods: Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Hmm(WordModel):
    """The HMM in both directions, ready for sentences of up to `longest` words."""

    name: ClassVar[str] = "hmm"
    remembers: ClassVar[bool] = True  # whether NULL remembers the last position
    loops: ClassVar[Loops] = Loops(hmm_posteriors, hmm_paths, hmm_likelihoods)
    jumps: tuple[Jumps, Jumps]
    longest: int

    @cached_property
    def transitions(self) -> tuple[Transitions, Transitions]:
        """The jump probabilities of both directions, tabulated."""
        return self.jumps[0].transitions(self.longest), self.jumps[1].transitions(self.longest)

    @cached_property
    def _no_counts(self) -> JumpCounts:
        return self.jump_counts(1)[0]

    def jump_counts(self, longest: int) -> tuple[JumpCounts, JumpCounts]:
        """Return jump counts of zero for sentences of up to `longest` words."""
        forward, reverse = (
            JumpCounts(
                np.zeros(len(jumps.weights) + 1),
                np.zeros((longest + 1, longest)),
                np.zeros((longest + 1, longest)),
                np.zeros(1),
            )
            for jumps in self.jumps
        )
        return forward, reverse

    def posteriors(self, block: Block, way: int, counts: JumpCounts | None) -> None:
        """Fill a block's posteriors and log likelihoods of one direction; add its jumps to the counts, if any."""
        given = self._no_counts if counts is None else counts
        self.loops.posteriors(*self._of_way(block, way), given, counts is not None)

    def block_likelihoods(self, block: Block, way: int) -> None:
        """Fill a block's log likelihoods of one direction, by the forward pass alone."""
        self.loops.likelihoods(*self._of_way(block, way))

    def _of_way(self, block: Block, way: int) -> tuple[Any, ...]:
        """Return what the loops need of a block in one direction."""
        arrays = (block.emission, block.posterior, block.likelihoods[way])
        return block.chunk, block.first, block.end, way, self.transitions[way], *arrays

    def paths(self, block: Block, way: int) -> None:
        """Fill a block's best paths of one direction."""
        self.loops.paths(
            block.chunk, block.first, block.end, way, self.transitions[way], block.emission, block.best
        )

    def best_lists(self, block: Block, way: int, n: int) -> Lists:
        """List the n most probable alignments of each pair of a block, exactly."""
        return lists_of_chains(block, way, n, self.transitions[way], self.remembers)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the values of the lexicon, and the jumps."""
        arrays = super().state()
        for way, jumps in enumerate(self.jumps):
            for name, vector in zip(VECTORS, jumps.vectors, strict=True):
                arrays[f"{name}_{way}"] = vector
        return arrays

    def with_state(self, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the model with other values and jumps."""
        forward, reverse = (
            jumps.with_vectors(
                *(
                    array_like(vector, arrays[f"{name}_{way}"])
                    for name, vector in zip(VECTORS, jumps.vectors, strict=True)
                )
            )
            for way, jumps in enumerate(self.jumps)
        )
        return replace(super().with_state(arrays), jumps=(forward, reverse))

    def maximised(self, totals: Totals, training: Training, threads: int = 1) -> Self:
        """M step."""
        assert totals.jumps is not None
        past = training.jump_counts or (None, None)
        forward, reverse = (
            jumps.maximised(joined_jumps(old, new), training.jump_update, training.learn_null)
            for jumps, old, new in zip(self.jumps, past, totals.jumps, strict=True)
        )
        lexicon = self.maximised_lexicon(totals, training, threads)
        return replace(self, lexicon=lexicon, jumps=(forward, reverse))

    def descended(
        self, totals: Totals, training: Training, way: int, length: float, threads: int = 1
    ) -> tuple[Self, float]:
        """Step down the gradient, of the lexicon and of the jumps."""
        assert totals.jumps is not None
        model, slope = super().descended(totals, training, way, length, threads)
        free = (True, True, training.learn_null)
        stepped, jump_slope = self.jumps[way].descended(totals.jumps[way], length, free)
        return replace(model, jumps=with_way(self.jumps, way, stepped)), slope + jump_slope

    def between(self, other: Self, shares: Shares, threads: int = 1) -> Self:
        """Return the model on the way from this one to another."""
        ways = zip(self.jumps, other.jumps, shares, strict=True)
        forward, reverse = (one.between(two, share) for one, two, share in ways)
        return replace(super().between(other, shares, threads), jumps=(forward, reverse))


def joined_jumps(old: JumpCounts | None, new: JumpCounts) -> JumpCounts:
    """Add up counts of two texts whose longest sentences may differ; of one, if there was none before."""
    if old is None:
        return new
    longest = max(old.starts.shape[1], new.starts.shape[1])
    shape = (longest + 1, longest)
    total = JumpCounts(np.zeros_like(new.jumps), np.zeros(shape), np.zeros(shape), np.zeros(1))
    total.add(old)
    total.add(new)
    return total
