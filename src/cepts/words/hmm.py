"""The hidden Markov alignment model: where a word is aligned depends on where the last one was.

Vogel et al. 1996, with the NULL states of Och and Ney 2003 that remember the last position, and the jump
distribution of schoenemann-2011 (see `jumps`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from cepts.storage.schema import PROBABILITY, Field
from cepts.words.best import lists_of_chains
from cepts.words.classes import count_classes
from cepts.words.hmm_kernels import JumpCounts, hmm_likelihoods, hmm_posteriors
from cepts.words.jumps import ALIKE, Kinds
from cepts.words.model import PROBABLE, Totals, Training, WordModel, with_way
from cepts.words.viterbi_kernels import hmm_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.words.best_kernels import Lists
    from cepts.words.blocks import Block
    from cepts.words.classes import Classes
    from cepts.words.elsewhere import Portion
    from cepts.words.hmm_kernels import Transitions
    from cepts.words.indexed import IndexedBitext
    from cepts.words.jumps import Jumps
    from cepts.words.model import Shares


VECTORS = ("jumps", "starts", "null")
OF_CLASS = "of_class"


class Loops(NamedTuple):
    """The kernels of a kind of HMM."""

    posteriors: Callable[..., Any]
    paths: Callable[..., Any]
    likelihoods: Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Hmm(WordModel):
    """The HMM in both directions, ready for sentences of up to `longest` words.

    Where jumps have classes, `classes` are those of the source's and the target's words, `kinds` those of the text.
    """

    name: ClassVar[str] = "hmm"
    remembers: ClassVar[bool] = True  # whether NULL remembers the last position
    loops: ClassVar[Loops] = Loops(hmm_posteriors, hmm_paths, hmm_likelihoods)
    jumps: tuple[Jumps, Jumps]
    longest: int
    classes: Classes | None = None
    kinds: tuple[Kinds, Kinds] = (ALIKE, ALIKE)

    def of_classes(self, classes: Classes, bitext: Bitext, indexed: IndexedBitext) -> Self:
        """Return the model for a text whose words are in these classes; jumps that have none yet get them."""
        pieces = indexed.pieces
        source, target = (
            Kinds(part.astype(np.uint8)[side.ids], starts)
            for part, side, starts in zip(
                classes,
                (bitext.source, bitext.target),
                (pieces.source_start, pieces.target_start),
                strict=True,
            )
        )
        forward, reverse = (
            jumps.with_classes(kinds) if jumps.of_class is None else jumps
            for jumps, kinds in zip(self.jumps, count_classes(classes), strict=True)
        )
        return replace(self, jumps=(forward, reverse), classes=classes, kinds=(source, target))

    @cached_property
    def transitions(self) -> tuple[Transitions, Transitions]:
        """The jump probabilities of both directions, tabulated."""
        forward, reverse = (
            jumps.transitions(self.longest, kinds)
            for jumps, kinds in zip(self.jumps, self.kinds, strict=True)
        )
        return forward, reverse

    @cached_property
    def _no_counts(self) -> JumpCounts:
        return self.jump_counts(1)[0]

    def jump_counts(self, longest: int) -> tuple[JumpCounts, JumpCounts]:
        """Return jump counts of zero for sentences of up to `longest` words."""
        forward, reverse = (jumps.new_counts(longest) for jumps in self.jumps)
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
            if jumps.of_class is not None:
                arrays[f"{OF_CLASS}_{way}"] = jumps.of_class
        return arrays

    def state_fields(self) -> tuple[Field, ...]:
        """Return what the lexicon's values and the jumps must be."""
        fields = list(super().state_fields())
        for way, jumps in enumerate(self.jumps):
            size = 2 * jumps.band + 2
            fields += [
                Field(f"jumps_{way}", "float64", (size,), *PROBABLE, weighs=True),
                Field(f"starts_{way}", "float64", (len(jumps.starts),), *PROBABLE),
                Field(f"null_{way}", "float64", (2,), *PROBABILITY),
            ]
            if jumps.of_class is not None:
                shape = (jumps.classes, size)
                fields.append(Field(f"{OF_CLASS}_{way}", "float64", shape, *PROBABLE, weighs=True))
        return tuple(fields)

    def with_state(self, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the model with other values and jumps."""
        forward, reverse = (_with_state(jumps, way, arrays) for way, jumps in enumerate(self.jumps))
        return replace(super().with_state(arrays), jumps=(forward, reverse))

    def whole_text(self) -> tuple[object, ...]:
        """Return what the model has of its text."""
        return (*super().whole_text(), self.kinds[0].of_words)

    def text_of(self, portion: Portion) -> Any:
        """Return known links, and the classes of the words, of a portion."""
        forward, reverse = (
            kinds.on(portion.pieces, lengths)
            for kinds, lengths in zip(self.kinds, portion.lengths, strict=True)
        )
        return super().text_of(portion), (forward, reverse)

    def without_text(self, portion: Portion) -> Self:
        """Return the model of a portion's shard without what it has of the text."""
        return replace(super().without_text(portion), classes=None, kinds=(ALIKE, ALIKE))

    def with_text(self, text: Any) -> Self:
        """Return the model with what it has of the text of a portion."""
        clamps, kinds = text
        return replace(super().with_text(clamps), kinds=kinds)

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
    longer, shorter = (old, new) if old.starts.shape >= new.starts.shape else (new, old)
    total = JumpCounts(*(array.copy() for array in longer))
    total.add(shorter)
    return total


def _with_state(jumps: Jumps, way: int, arrays: Mapping[str, NDArray[Any]]) -> Jumps:
    """Return jumps with the parameters of one direction."""
    found = jumps.with_vectors(*(np.array(arrays[f"{name}_{way}"]) for name in VECTORS))
    if jumps.of_class is None:
        return found
    return replace(found, of_class=np.array(arrays[f"{OF_CLASS}_{way}"]))
