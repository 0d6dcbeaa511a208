"""`WordModel`: what every model of word alignment can do.

A model knows three things: its expected counts on a chunk (E step), how its parameters follow from counts (M step),
and its links for a chunk. It holds both directions over one lexicon, because agreement needs both at once; either
direction can be left out. What is particular to a model are its posteriors and its best paths on a block.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from cepts.errors import OptionError, said
from cepts.storage.schema import Field
from cepts.storage.scratch import release
from cepts.words import descent
from cepts.words.blocks import Block, Ratios, blocks_of
from cepts.words.decode_kernels import collect_links
from cepts.words.lane_kernels import load_block, scatter_add, store_block
from cepts.words.lexicon import Lexicon, Smoothing, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from numpy.typing import NDArray

    from cepts.words.best_kernels import Lists
    from cepts.words.confidence import Calibration
    from cepts.words.elsewhere import Portion
    from cepts.words.families import Families
    from cepts.words.indexed import IndexedBitext, Shard
    from cepts.words.known import Clamps
    from cepts.words.lane_kernels import Chunk
    from cepts.words.lexicon_elsewhere import CountsElsewhere
    from cepts.words.regularity import Regularity

Part = TypeVar("Part")
Directions = tuple[bool, bool]
Shares = tuple[float, float]  # of the way from one model to another, for each direction
OwnCounts = tuple[Any, Any]  # of both directions: what a model counts beside its lexicon, by its own kind
BOTH: Directions = (True, True)
PROBABLE = (0.0, 1.001)  # a probability within training, where one that is certain may be rounded up


class Agreement(IntEnum):
    """What both directions count, in the E step, for a link that they believe in with probabilities p and q.

    NONE: each its own (independent training). PRODUCT: p q (Liang et al. 2006). ODDS: the odds are multiplied, and
    divided by a doubt d: p q / (p q + d (1 - p)(1 - q)). MEAN: (p + q) / 2 (denero-2011, footnote 4). NULL keeps
    each direction's own posterior.
    """

    NONE = 0
    PRODUCT = 1
    ODDS = 2
    MEAN = 3


class ExtraCounts(NamedTuple):
    """Counts of lexicon entries that do not come from the text, one for each entry; no entry is there twice."""

    entries: NDArray[np.int64]
    counts: NDArray[np.float32]

    @classmethod
    def joined(cls, parts: Iterable[ExtraCounts]) -> ExtraCounts | None:
        """Add up the counts of several sources; None if there are none."""
        given = [part for part in parts if len(part.entries)]
        if len(given) < 2:
            return given[0] if given else None
        entries, where = np.unique(np.concatenate([part.entries for part in given]), return_inverse=True)
        counts = np.bincount(where.reshape(-1), np.concatenate([part.counts for part in given]))
        return cls(entries, counts.astype(np.float32))

    def without(self, entries: NDArray[np.int64]) -> ExtraCounts:
        """Leave out some entries."""
        left = ~np.isin(self.entries, entries)
        return ExtraCounts(self.entries[left], self.counts[left])


class Training(NamedTuple):
    """How parameters are estimated: which directions, how they agree, how counts are smoothed, how jumps follow.

    `jump_update` is one of JUMP_UPDATES; `learn_null` lets the probability of NULL follow its counts. `extra` are
    counts that are added to those of some entries in every M step: what is known beforehand. `optimizer` is em or pgd.
    `families` let words that begin alike share their counts. `jump_counts` are those of text that was there before.
    """

    directions: Directions = BOTH
    agreement: Agreement = Agreement.PRODUCT
    doubt: float = 1.0
    smoothing: Smoothing = Smoothing()
    jump_update: str = "exact"
    learn_null: bool = False
    extra: ExtraCounts | None = None
    regularity: Regularity | None = None
    optimizer: str = "em"
    families: Families | None = None
    jump_counts: OwnCounts | None = None

    def of_counts(self) -> Training:
        """Return what an E step needs to know of it."""
        return self._replace(extra=None, regularity=None, families=None)


class Counts(NamedTuple):
    """What a model expects of one chunk: counts of the chunk's entries, log likelihoods, jumps of both directions.

    `ratios` are of a bi-word model.
    """

    lexicon: NDArray[np.float32]
    likelihoods: NDArray[np.float64]
    jumps: OwnCounts | None = None
    ratios: Ratios = ()


class Decoded(NamedTuple):
    """Links of a chunk or block: rows (piece, source, target, paths), confidences, log likelihoods [way][batch][lane].

    `paths` is 1 for a link of the forward path, 2 of the reverse, 3 of both, or of neither but of a threshold.
    """

    places: NDArray[np.int32]
    confidences: NDArray[np.float32]
    likelihoods: NDArray[np.float64]

    def renamed(self, pieces: NDArray[np.int64]) -> Decoded:
        """Return the same links with other numbers of pieces."""
        places = self.places.copy()
        places[:, 0] = pieces[places[:, 0]]
        return self._replace(places=places)


@dataclass(eq=False)
class Totals:
    """The counts of all chunks of a shard, or of all shards, added in their order.

    Those of word pairs may be on a cluster, `elsewhere`.
    """

    lexicon: NDArray[np.float32]
    likelihoods: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))
    jumps: OwnCounts | None = None
    ratios: Ratios = ()
    ratio_places: NDArray[np.int64] | None = None
    elsewhere: CountsElsewhere | None = None

    @property
    def of_pairs(self) -> NDArray[np.float32] | CountsElsewhere:
        """The counts of word pairs, as the lexicon takes them."""
        return self.lexicon if self.elsewhere is None else self.elsewhere

    def add(self, chunk: Chunk, counts: Counts) -> None:
        """Add a chunk's counts."""
        if self.ratio_places is not None:
            self._set_ratios(chunk, counts.ratios)
        self._add(chunk.entries, counts.lexicon, counts.likelihoods, counts.jumps)

    def _set_ratios(self, first: Chunk, given: Ratios) -> None:
        """Put ratios where those of a chunk begin."""
        assert self.ratio_places is not None
        begin = int(self.ratio_places[first.pieces[0, 0]])
        for everything, ratios in zip(self.ratios, given, strict=True):
            everything[begin : begin + len(ratios)] = ratios

    def of_shard(self, shard: Shard) -> Totals:
        """Return counts of zero for a shard's entries, to be joined; its ratios are these."""
        counts = np.zeros((len(shard.entries), 2), np.float32)
        return replace(self, lexicon=counts, likelihoods=np.zeros(2), jumps=_zeros_like(self.jumps))

    def join(self, shard: Shard, part: Totals) -> None:
        """Add a shard's counts."""
        if self.ratio_places is not None and part.ratios is not self.ratios:
            self._set_ratios(shard.chunks[0], part.ratios)
        self._add(shard.entries, part.lexicon, part.likelihoods, part.jumps)

    def add_rest(self, part: Totals) -> None:
        """Add what a portion has counted beside word pairs."""
        self._add(np.empty(0, np.int32), part.lexicon, part.likelihoods, part.jumps)

    def without_pairs(self) -> Totals:
        """Return what is counted beside word pairs."""
        return replace(self, lexicon=np.zeros((0, 2), np.float32), ratio_places=None)

    def _add(
        self,
        entries: NDArray[np.int32],
        lexicon: NDArray[np.float32],
        likelihoods: NDArray[np.float64],
        jumps: OwnCounts | None,
    ) -> None:
        for first, end in parts_of(len(entries)):
            scatter_add(self.lexicon, entries[first:end], lexicon[first:end])
            release(self.lexicon)
        self.likelihoods += likelihoods
        if self.jumps is not None and jumps is not None:
            for total, part in zip(self.jumps, jumps, strict=True):
                total.add(part)
        release(entries)


def _zeros_like(counts: OwnCounts | None) -> OwnCounts | None:
    """Return counts of zero of the same kind and size."""
    if counts is None:
        return None
    forward, reverse = (type(part)(*map(np.zeros_like, part)) for part in counts)
    return forward, reverse


@dataclass(frozen=True, eq=False)
class WordModel(ABC):
    """Both directions of a model, over one lexicon; `clamps` are what is known of the links of its text."""

    name: ClassVar[str]
    lexicon: Lexicon
    clamps: Clamps | None = field(default=None, kw_only=True)

    @abstractmethod
    def posteriors(self, block: Block, way: int, counts: Any) -> None:
        """Fill a block's posteriors and log likelihoods of one direction (0 forward, 1 reverse)."""

    def block_likelihoods(self, block: Block, way: int) -> None:
        """Fill a block's log likelihoods of one direction; its posteriors may become anything."""
        self.posteriors(block, way, None)

    def link_posteriors(self, block: Block, way: int) -> None:
        """Fill a block's posteriors of links, and its log likelihoods, of one direction."""
        self.posteriors(block, way, None)

    def new_ratios(self, chunk: Chunk) -> Ratios:  # noqa: ARG002
        """Return room for a chunk's ratios, if the model needs any."""
        return ()

    @abstractmethod
    def paths(self, block: Block, way: int) -> None:
        """Fill a block's best paths of one direction; its posteriors are there already."""

    def best_lists(self, block: Block, way: int, n: int) -> Lists:  # noqa: ARG002
        """List the n most probable alignments of each pair of a block, whose emissions are there."""
        raise OptionError(
            f"no n-best lists of {self.name}: use {said('model_type', 'ibm1')}, hmm, ibm3 or ibm4"
        )

    @abstractmethod
    def maximised(self, totals: Totals, training: Training, threads: int = 1) -> Self:
        """M step: the model whose parameters follow from the counts. The totals are used up."""

    def maximised_lexicon(self, totals: Totals, training: Training, threads: int) -> Lexicon:
        """M step of the lexicon."""
        return self.lexicon.after(totals.of_pairs, training, threads)

    def penalty(self, way: int, training: Training) -> float:
        """What the objective of one direction has beside the negative log likelihood.

        The regularity term, and for counts that are known beforehand their share of the log probabilities.
        """
        return self.lexicon.penalty(way, training)

    def descended(
        self,
        totals: Totals,
        training: Training,
        way: int,
        length: float,
        threads: int = 1,  # noqa: ARG002
    ) -> tuple[Self, float]:
        """Step down the gradient of one direction's objective and project onto the simplices of its parameters.

        Returns that model, and the objective's derivative towards it. The direction's totals are used up.
        """
        if training.extra is not None:
            totals.lexicon[training.extra.entries, way] += training.extra.counts
        steepest = descent.LexiconDescent(self.lexicon, totals.lexicon, way, training.regularity)
        lexicon = steepest.stepped(length, training.smoothing.floor)
        return replace(self, lexicon=lexicon), steepest.slope(lexicon)

    def between(self, other: Self, shares: Shares, threads: int = 1) -> Self:  # noqa: ARG002
        """Return the model on the way from this one to another of the same kind."""
        return replace(self, lexicon=descent.between(self.lexicon, other.lexicon, shares))

    def oversized(self, indexed: IndexedBitext) -> NDArray[np.int64]:  # noqa: ARG002
        """Return the numbers of the pairs that are too large for the model; a simpler model aligns them."""
        return np.empty(0, np.int64)

    def settled(self) -> Self:
        """Return the model that reads its text as `Finished` would read it."""
        return replace(self, lexicon=self.lexicon.settled())

    def jump_counts(self, longest: int) -> OwnCounts | None:  # noqa: ARG002
        """Return jump counts of zero for sentences of up to `longest` words, if the model has jumps."""
        return None

    def with_lexicon(self, lexicon: Lexicon) -> Self:
        """Return the same model with another lexicon."""
        return replace(self, lexicon=lexicon)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return everything that training changes, as arrays."""
        return {"lexicon": self.lexicon.whole_values()}

    def state_fields(self) -> tuple[Field, ...]:
        """Return what the arrays of `state` must be when somebody brings them back."""
        return (Field("lexicon", "float32", (len(self.lexicon.columns), 2), *PROBABLE),)

    def with_state(self, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the model with other parameters, as `state` gave them for the same text and `state_fields` allows."""
        return self.with_lexicon(self.lexicon.with_values(arrays["lexicon"]))

    def on(self, shard: Shard) -> Self:
        """Return the model for the chunks of a shard: it has the shard's entries alone."""
        part = self.with_lexicon(self.lexicon.part(shard.entries))
        release(shard.entries)
        return part

    def whole_text(self) -> tuple[object, ...]:
        """Return what the model has of its text: always the same objects, as long as that is the same."""
        return (self.clamps,)

    def text_of(self, portion: Portion) -> Any:
        """Return what the model has of the text of a portion alone."""
        return None if self.clamps is None else self.clamps.on(portion)

    def without_text(self, portion: Portion) -> Self:  # noqa: ARG002
        """Return the model of a portion's shard without what it has of the text."""
        return replace(self, clamps=None)

    def with_text(self, text: Any) -> Self:
        """Return the model with what it has of the text of a portion."""
        return replace(self, clamps=text)

    def new_totals(self, indexed: IndexedBitext) -> Totals:
        """Return counts of zero for a whole corpus."""
        counts = indexed.scratch.zeros(self.lexicon.values.shape, np.float32)
        return Totals(counts, jumps=self.jump_counts(indexed.longest))

    def expect(self, chunk: Chunk, training: Training) -> Counts:
        """E step on one chunk."""
        values = self.lexicon.local(chunk.entries)
        counts = np.zeros_like(values)
        jumps = self.jump_counts(int(chunk.shapes.max()))
        ratios = self.new_ratios(chunk)
        likelihoods = np.zeros(2)
        kind, doubt = int(training.agreement), np.float32(training.doubt)
        for block in self._loaded(chunk, values, ratios):
            for way in range(2):
                if training.directions[way]:
                    self.posteriors(block, way, None if jumps is None else jumps[way])
                    likelihoods[way] += block.likelihoods[way].sum()
            store_block(chunk, block.first, block.end, block.posterior, kind, doubt, counts)
        return Counts(counts, likelihoods, jumps, ratios)

    def likelihoods(self, chunk: Chunk, directions: Directions) -> NDArray[np.float64]:
        """The log likelihoods of one chunk, as an E step has them."""
        likelihoods = np.zeros(2)
        for block in self.loaded_blocks(chunk):
            for way in range(2):
                if directions[way]:
                    self.block_likelihoods(block, way)
                    likelihoods[way] += block.likelihoods[way].sum()
        return likelihoods

    def decode(
        self, chunk: Chunk, directions: Directions, threshold: float, calibration: Calibration | None = None
    ) -> Decoded:
        """Link the words of a chunk: along the best paths, or all cells of at least `threshold` confidence."""
        numbers = np.array(() if calibration is None else calibration, np.float64)
        found = []
        for block in self.decoded_blocks(chunk, directions):
            for way in range(2):
                if directions[way] and threshold <= 0:
                    self.paths(block, way)
            found.append(_links_of(block, directions, threshold, numbers))
        return joined(found)

    def loaded_blocks(self, chunk: Chunk) -> Iterator[Block]:
        """Walk over a chunk's blocks with their emissions."""
        yield from self._loaded(chunk, self.lexicon.local(chunk.entries), self.new_ratios(chunk))

    def _loaded(self, chunk: Chunk, values: NDArray[np.float32], ratios: Ratios) -> Iterator[Block]:
        """Walk over a chunk's blocks with the emissions of these values, as far as known links allow them."""
        for block in blocks_of(chunk, ratios):
            load_block(chunk, block.first, block.end, values, block.emission)
            for way in range(2):
                self.clamp(block, way, block.emission)
            yield block
        release(chunk.cells)
        release(chunk.entries)

    def clamp(self, block: Block, way: int, emission: NDArray[np.float32]) -> None:
        """Set the emissions of a block that contradict known links to zero."""
        if self.clamps is not None:
            self.clamps.of_chunk(block.chunk)[way].clamp(block, way, emission)

    def decoded_blocks(self, chunk: Chunk, directions: Directions) -> Iterator[Block]:
        """Walk over a chunk's blocks with their emissions, posteriors of links and log likelihoods."""
        for block in self.loaded_blocks(chunk):
            for way in range(2):
                if directions[way]:
                    self.link_posteriors(block, way)
            yield block


def with_way(both: tuple[Part, Part], way: int, changed: Part) -> tuple[Part, Part]:
    """Exchange one direction's part.

    >>> with_way(("forward", "reverse"), 1, "other")
    ('forward', 'other')
    """
    return (changed, both[1]) if way == 0 else (both[0], changed)


def joined(blocks: list[Decoded]) -> Decoded:
    """Put the links of a chunk's blocks together."""
    places, confidences, likelihoods = zip(*blocks, strict=True)
    return Decoded(np.concatenate(places), np.concatenate(confidences), np.concatenate(likelihoods, axis=1))


def _links_of(
    block: Block, directions: Directions, threshold: float, calibration: NDArray[np.float64]
) -> Decoded:
    """List a block's links; a second time, with more room, if there are more than usual."""
    room = int(block.chunk.shapes[block.first : block.end].sum()) * block.chunk.pieces.shape[1]
    while True:
        places, confidences = np.empty((room, 4), np.int32), np.empty(room, np.float32)
        used = collect_links(
            block.chunk,
            block.first,
            block.end,
            block.posterior,
            block.best,
            directions,
            np.float32(threshold),
            calibration,
            places,
            confidences,
        )
        if used <= room:
            return Decoded(places[:used], confidences[:used], block.likelihoods)
        room = used
