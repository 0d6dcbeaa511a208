"""IBM Models 3 and 4: how many words each word generates, and where these go.

Brown et al. 1993, sections 4.4 and 4.5. Their sums over alignments cannot be computed: training climbs from the HMM's
best path to a better alignment, as long as changing one link or exchanging two helps, and counts over the
alignments around the summit, each by its share (Och and Ney 2003, section 4.3). What the HMM finds next to impossible
is not tried.

Model 3 places a word by its distance from the diagonal. Model 4 places the first word of a cept by its distance from
the middle of the cept before, given the class of that cept's word and of its own, and the others by their distance from
the one before. Distances are not normalised over the places that a sentence has: both models are deficient, as
usual, and leave some probability to impossible strings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cepts.storage.schema import Field
from cepts.words.classes import count_classes
from cepts.words.fertile_best_kernels import list_summits
from cepts.words.fertility_kernels import (
    FARTHEST,
    FERTILITIES,
    LIMIT,
    MOST,
    ROW,
    FertilityCounts,
    Parameters,
    Words,
    climb_block,
)
from cepts.words.layout import begins_of, words_of
from cepts.words.model import PROBABLE, WordModel

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from cepts.corpus import Bitext
    from cepts.words.best_kernels import Lists
    from cepts.words.blocks import Block
    from cepts.words.classes import Classes
    from cepts.words.elsewhere import Portion
    from cepts.words.hmm import Hmm
    from cepts.words.indexed import IndexedBitext
    from cepts.words.lexicon import Lexicon
    from cepts.words.model import Totals, Training

Table = NDArray[np.float64]

CANDIDATE = 1e-4  # the HMM's probability of a link from which it is tried
PRIOR_FERTILITY = 5.0  # words of average fertility that each word's counts are joined by
PRIOR_DISTANCE = 20.0  # distances of the average kind that each context's counts are joined by
EVEN = 0.2  # of all distances that are shared evenly
NULL_BOUNDS = (1e-3, 0.5)
FIRST_FERTILITIES = np.array([0.2, 0.6, 0.12, 0.04, 0.02, 0.01, 0.005, 0.003, 0.001, 0.001])


class Fertilities(NamedTuple):
    """One direction's parameters: p(fertility | word), p(distance | context), and that a word brings a NULL word."""

    fertility: Table
    moves: Table
    null: float


@dataclass(frozen=True, eq=False)
class FertilityModel(WordModel):
    """What Models 3 and 4 share. `lexicon` is that of `heads`, the HMM whose best paths are where the climb begins.

    `classes` are those of the source's and the target's words, `kinds` how many there are of each side, also where
    the text lacks some; `words` is the text from each direction.
    """

    heads: Hmm
    parameters: tuple[Fertilities, Fertilities]
    classes: Classes
    kinds: tuple[int, int]
    words: tuple[Words, Words]
    has_classes: ClassVar[bool]

    @classmethod
    def of(
        cls,
        heads: Hmm,
        bitext: Bitext,
        indexed: IndexedBitext,
        classes: Classes,
        parameters: tuple[Fertilities, Fertilities] | None = None,
        kinds: tuple[int, int] | None = None,
    ) -> Self:
        """Make a model of a text; without parameters, fertilities and distances are first guesses.

        Without `kinds`, there are as many classes as the words have.
        """
        pieces = indexed.pieces
        ids, begins = (bitext.source.ids, bitext.target.ids), (pieces.source_start, pieces.target_start)
        forward, reverse = (Words(*ids[::turn], *begins[::turn]) for turn in (1, -1))
        if kinds is None:
            kinds = count_classes(classes)
        if parameters is None:
            sizes = (len(bitext.source.words), len(bitext.target.words))
            before, after = (
                cls._guess(size, *kinds[::turn]) for size, turn in zip(sizes, (1, -1), strict=True)
            )
            parameters = (before, after)
        return cls(heads.lexicon, heads, parameters, classes, kinds, (forward, reverse))

    @classmethod
    def _guess(cls, words: int, state_classes: int, step_classes: int) -> Fertilities:
        distance = np.arange(-FARTHEST, FARTHEST + 1)
        near = 0.6 ** np.abs(distance - (1.0 if cls.has_classes else 0.0)) + 0.005
        behind = np.where(distance > 0, near, 1e-9)
        rows = [near]
        if cls.has_classes:
            rows = [near] * ((state_classes + 1) * step_classes) + [behind] * step_classes
        moves = np.array(rows) / np.array([row.sum() for row in rows])[:, None]
        return Fertilities(np.tile(FIRST_FERTILITIES / FIRST_FERTILITIES.sum(), (words, 1)), moves, 0.02)

    def going_on(self, before: FertilityModel) -> Self:
        """Return the model with the fertilities of another one; its distances mean other things and are not taken."""
        forward, reverse = (
            own._replace(fertility=one.fertility, null=one.null)
            for own, one in zip(self.parameters, before.parameters, strict=True)
        )
        return replace(self, parameters=(forward, reverse))

    @cached_property
    def _tables(self) -> tuple[Parameters, Parameters]:
        """The parameters of both directions as the kernels want them."""
        forward, reverse = (
            Parameters(
                np.log(np.maximum(one.fertility, 1e-12)).astype(np.float32) + self._ways_to_order,
                np.log(np.maximum(one.moves, 1e-12)).astype(np.float32).ravel(),
                self.kinds[1 - way] if self.has_classes else 0,
                self.classes[way],
                self.classes[1 - way],
                np.float32(np.log1p(-one.null)),
                np.float32(np.log(one.null)),
            )
            for way, one in enumerate(self.parameters)
        )
        return forward, reverse

    @property
    def _ways_to_order(self) -> NDArray[np.float32]:
        """The logarithm of n! for each fertility n: the words of a cept in any order."""
        return np.zeros(FERTILITIES, np.float32)

    def jump_counts(self, longest: int) -> tuple[FertilityCounts, FertilityCounts]:  # noqa: ARG002
        """Return counts of zero."""
        forward, reverse = (
            FertilityCounts(np.zeros(one.fertility.shape), np.zeros(one.moves.size), np.zeros(2))
            for one in self.parameters
        )
        return forward, reverse

    @cached_property
    def _no_counts(self) -> FertilityCounts:
        return FertilityCounts(np.zeros((1, FERTILITIES)), np.zeros(1), np.zeros(2))

    def posteriors(self, block: Block, way: int, counts: FertilityCounts | None) -> None:
        """Fill a block's posteriors, best paths and log likelihoods of one direction."""
        climb_block(
            *self._beside_heads(block, way),
            block.likelihoods[way],
            self._no_counts if counts is None else counts,
            counts is not None,
        )

    def _beside_heads(self, block: Block, way: int) -> tuple[Any, ...]:
        """Let the HMM fill a block's posteriors and best paths; returns what a kernel needs to climb from there."""
        self.heads.posteriors(block, way, None)
        self.heads.paths(block, way)
        place = block.chunk, block.first, block.end, way
        model = self._tables[way], self.words[way], np.float32(CANDIDATE)
        return *place, *model, block.emission, block.posterior, block.best

    def best_lists(self, block: Block, way: int, n: int) -> Lists:
        """List the n most probable alignments that the search finds for each pair of a block.

        What is too large for the model gets the HMM's list.
        """
        start = self._beside_heads(block, way)
        lists = self.heads.best_lists(block, way, n)
        list_summits(*start, lists)
        return lists

    def paths(self, block: Block, way: int) -> None:
        """Do nothing: the best paths came with the posteriors."""

    def maximised(self, totals: Totals, training: Training, threads: int = 1) -> Self:
        """M step."""
        assert totals.jumps is not None
        lexicon = self.maximised_lexicon(totals, training, threads)
        forward, reverse = (
            self._maximised(way, counts) if training.directions[way] else self.parameters[way]
            for way, counts in enumerate(totals.jumps)
        )
        return replace(self.with_lexicon(lexicon), parameters=(forward, reverse))

    def _maximised(self, way: int, counts: FertilityCounts) -> Fertilities:
        before = self.parameters[way]
        moves = np.maximum(counts.moves, 0.0).reshape(before.moves.shape)
        heads = len(moves) - self._tables[way].classes  # the rows of words that are the first of their cept
        parts = [smoothed_rows(part, PRIOR_DISTANCE) for part in (moves[:heads], moves[heads:])]
        even = (1.0 - EVEN) * np.concatenate(parts) + EVEN / ROW
        fertility = smoothed_rows(np.maximum(counts.fertility, 0.0), PRIOR_FERTILITY)
        nulls, words = counts.words
        null = before.null if words <= 0 else float(np.clip(nulls / max(words - nulls, 1.0), *NULL_BOUNDS))
        return Fertilities(fertility, even, null)

    def whole_text(self) -> tuple[object, ...]:
        """Return what the model has of its text."""
        return (*super().whole_text(), self.words[0].states, self.classes[0])

    def text_of(self, portion: Portion) -> Any:
        """Return known links, words and classes of a portion; the classes are those of all words."""
        forward = self.words[0]
        sides = [
            words_of(ids, begins[portion.pieces], lengths)
            for ids, begins, lengths in zip(forward[:2], forward[2:], portion.lengths, strict=True)
        ]
        begins = [begins_of(lengths) for lengths in portion.lengths]
        ahead, back = (Words(*sides[::turn], *begins[::turn]) for turn in (1, -1))
        return super().text_of(portion), (ahead, back), self.classes

    def without_text(self, portion: Portion) -> Self:
        """Return the model of a portion's shard without what it has of the text."""
        nothing = np.empty(0, np.int32)
        words = Words(nothing, nothing, nothing, nothing)
        return replace(super().without_text(portion), words=(words, words), classes=(nothing, nothing))

    def with_text(self, text: Any) -> Self:
        """Return the model with what it has of the text of a portion."""
        clamps, words, classes = text
        return replace(super().with_text(clamps), words=words, classes=classes)

    def with_lexicon(self, lexicon: Lexicon) -> Self:
        """Return the same model, and its HMM, with another lexicon."""
        return replace(self, lexicon=lexicon, heads=replace(self.heads, lexicon=lexicon))

    def state(self) -> dict[str, NDArray[Any]]:
        """Return those of the HMM, fertilities and distances."""
        arrays = self.heads.state()
        for way, one in enumerate(self.parameters):
            arrays |= {f"fertility_{way}": one.fertility, f"moves_{way}": one.moves}
            arrays[f"brings_null_{way}"] = np.array([one.null])
        return arrays

    def state_fields(self) -> tuple[Field, ...]:
        """Return what those of the HMM, fertilities and distances must be."""
        fields = list(self.heads.state_fields())
        for way, one in enumerate(self.parameters):
            fields += [
                Field(f"fertility_{way}", "float64", one.fertility.shape, *PROBABLE),
                Field(f"moves_{way}", "float64", one.moves.shape, *PROBABLE),
                Field(f"brings_null_{way}", "float64", (1,), *NULL_BOUNDS),
            ]
        return tuple(fields)

    def with_state(self, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the model with other parameters."""
        heads = self.heads.with_state(arrays)
        forward, reverse = (
            Fertilities(
                np.array(arrays[f"fertility_{way}"]),
                np.array(arrays[f"moves_{way}"]),
                float(arrays[f"brings_null_{way}"][0]),
            )
            for way in range(2)
        )
        return replace(self, heads=heads, lexicon=heads.lexicon, parameters=(forward, reverse))

    def oversized(self, indexed: IndexedBitext) -> NDArray[np.int64]:
        """Return the pairs that have too many words, or too many for those of the other side: the HMM aligns them."""
        pieces = indexed.pieces
        lengths = np.stack([pieces.source_length, pieces.target_length])
        beyond = lengths.max(axis=0) > np.minimum(LIMIT, 2 * MOST * lengths.min(axis=0))
        return np.unique(pieces.pair[beyond])

    def settled(self) -> Self:
        """Return the model that reads its text as `Finished` would read it."""
        return self.with_lexicon(self.lexicon.settled())


def no_classes(bitext: Bitext) -> Classes:
    """Put all words of a side into one class."""
    source, target = (np.zeros(len(side.words), np.int32) for side in (bitext.source, bitext.target))
    return source, target


class Ibm3(FertilityModel):
    """IBM Model 3: places depend on the diagonal."""

    name: ClassVar[str] = "ibm3"
    has_classes: ClassVar[bool] = False

    @property
    def _ways_to_order(self) -> NDArray[np.float32]:
        """The words of a cept are placed one by one, in any order."""
        ways: NDArray[np.float32] = np.cumsum(np.log(np.maximum(np.arange(FERTILITIES), 1))).astype(
            np.float32
        )
        return ways


class Ibm4(FertilityModel):
    """IBM Model 4: places depend on the cept before, and on word classes."""

    name: ClassVar[str] = "ibm4"
    has_classes: ClassVar[bool] = True


def smoothed_rows(counts: Table, prior: float) -> Table:
    """Turn rows of counts into probabilities, each joined by so many counts of the average row.

    >>> smoothed_rows(np.array([[3.0, 1.0], [0.0, 0.0]]), 4.0).tolist()
    [[0.75, 0.25], [0.75, 0.25]]
    """
    total = counts.sum(axis=0)
    if total.sum() <= 0:
        return np.full_like(counts, 1.0 / counts.shape[1])
    joined = counts + prior * total / total.sum()
    rows: Table = joined / joined.sum(axis=1, keepdims=True)
    return rows
