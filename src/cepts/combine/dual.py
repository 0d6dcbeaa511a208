"""One model of both directions, solved by dual decomposition (denero-2011).

Two HMMs share a table of links: a word may be linked where its direction's path says, and beside that at a cost
alpha, and both directions must fill the table alike. Each round finds both best answers and moves the prices of the
links that only one of them has. When the answers are the same, they are the optimum: the pair has a certificate.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts import bounds
from cepts.checking import checked
from cepts.choices import STEPS, check_choice
from cepts.errors import OptionError, said
from cepts.showing import line_of
from cepts.words.hmm import Hmm
from cepts.words.linking import by_paths, decoded_chunks, join
from cepts.words.model import BOTH, Decoded, joined
from cepts.words.training import ignore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cepts.corpus import Bitext
    from cepts.links import Links
    from cepts.words import IndexedBitext, Monitor, WordModel
    from cepts.words.blocks import Block
    from cepts.words.lane_kernels import Chunk


@checked
class DualOptions(NamedTuple):
    """How the directions bargain.

    `rounds`: when to stop without a certificate. `alpha`: what a link beside a path costs, in nats. `step`: harmonic
    steps are as long as `step_size` over the number of the round, adaptive ones become shorter only when the dual
    value has risen: `step_size` over one more than the times it did.
    """

    rounds: int = 100
    alpha: float = 1.0
    step: str = "adaptive"
    step_size: float = 8.0

    def check(self) -> None:
        """Refuse what makes no sense, in words."""
        bounds.ROUNDS.check("rounds", self.rounds)
        check_choice("step", self.step, STEPS)
        bounds.ALPHA.check("alpha", self.alpha)
        bounds.STEP_SIZE.check("step_size", self.step_size)


DEFAULTS = DualOptions()


@checked
class DualLinks(NamedTuple):
    """What each direction answers at the end, as source-target links, and for each pair how it came to that.

    `certified`: both answers are the same, and no other is better. `rounds`: how many it took. `bounds`: the smallest
    dual value, never below the log score of the best answer.
    """

    forward: Links
    reverse: Links
    certified: NDArray[np.bool_]
    rounds: NDArray[np.int32]
    bounds: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return how many pairs have a certificate."""
        return line_of(self, {"pairs": len(self.certified), "certified": int(self.certified.sum())})

    def picked(self, numbers: NDArray[np.int64]) -> DualLinks:
        """Return what is known of the pairs with these numbers, in their order."""
        links = self.forward.picked(numbers), self.reverse.picked(numbers)
        return DualLinks(*links, self.certified[numbers], self.rounds[numbers], self.bounds[numbers])


class DualDecoded(NamedTuple):
    """A chunk's links, and (certified, rounds, bound) of each [batch][lane]."""

    links: Decoded
    results: NDArray[np.float64]

    def renamed(self, pieces: NDArray[np.int64]) -> DualDecoded:
        """Return the same with other numbers of pieces."""
        return self._replace(links=self.links.renamed(pieces))


@checked
def dual_links(
    model: WordModel,
    bitext: Bitext,
    indexed: IndexedBitext,
    options: DualOptions = DEFAULTS,
    threads: int = 1,
    monitor: Monitor = ignore,
) -> DualLinks:
    """Link all pairs by one model of both directions.

    A link's confidence is the product of the directions' posteriors, as elsewhere. A pair that is cut into pieces has
    a certificate if each of them has.
    """
    options.check()
    if not isinstance(model, Hmm):
        raise OptionError(
            f"{said('combine', 'dual')} needs two HMMs, of {said('model_type', 'hmm')}; use it, or another"
            f" {said('combine')}"
        )
    parts = list(decoded_chunks(partial(_decode, options), model, indexed, threads, monitor))
    both = by_paths(*join([part.links for part in parts], bitext, indexed, BOTH))
    pair = indexed.pieces.pair
    certified, rounds, bounds = np.ones(len(bitext), np.bool_), np.zeros(len(bitext)), np.zeros(len(bitext))
    for chunk, part in zip(indexed.chunks, parts, strict=True):
        filled = chunk.pieces >= 0
        owner, results = pair[chunk.pieces[filled]], part.results[filled]
        np.logical_and.at(certified, owner, results[:, 0] > 0)
        np.maximum.at(rounds, owner, results[:, 1])
        np.add.at(bounds, owner, results[:, 2])
    return DualLinks(*both, certified, rounds.astype(np.int32), bounds)


def _decode(options: DualOptions, model: Hmm, chunk: Chunk) -> DualDecoded:
    """Link the words of a chunk."""
    results = np.zeros((*chunk.pieces.shape, 3))
    found = [
        _links_of(model, options, block, results[block.first : block.end])
        for block in model.decoded_blocks(chunk, BOTH)
    ]
    return DualDecoded(joined(found), results)


def _links_of(model: Hmm, options: DualOptions, block: Block, results: NDArray[np.float64]) -> Decoded:
    """Link the words of a block whose posteriors are there."""
    from cepts.combine.dual_kernels import Rules, dual_block

    rules = Rules(
        options.rounds, np.float32(options.alpha), np.float32(options.step_size), options.step == "adaptive"
    )
    room = 3 * int(block.chunk.shapes[block.first : block.end].sum()) * block.chunk.pieces.shape[1]
    places, confidences = np.empty((room, 4), np.int32), np.empty(room, np.float32)
    used = dual_block(
        block.chunk,
        block.first,
        block.end,
        model.remembers,
        *model.transitions,
        block.emission,
        block.posterior,
        rules,
        places,
        confidences,
        results,
    )
    return Decoded(places[:used], confidences[:used], block.likelihoods)
