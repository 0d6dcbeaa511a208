"""`Nearest`: the sentences of a corpus that are nearest to a new one of the other language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cepts.corpus.encoding import encode_lines
from cepts.quality.overlap import BlockOverlaps, Postings
from cepts.quality.retrieval import Scorer, Vectors, rank
from cepts.quality.similar import readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cepts.corpus import Side
    from cepts.quality import Similarity

SIDES = ("source", "target")


class Found(NamedTuple):
    """A sentence of the corpus: where it first stands, counted from 0, the sentence, and how similar it is."""

    number: int
    text: str
    score: float


class Prepared(NamedTuple):
    """Different sentences of one side, where they first stand, their words, where each of these is, and vectors."""

    lines: list[str]
    first: list[int]
    side: Side
    postings: Postings
    vectors: NDArray[np.float32]


class Nearest:
    """A corpus whose sentences are ready to be compared; scores are those of `Similarity.score`."""

    def __init__(
        self, model: Similarity, sources: Sequence[str], targets: Sequence[str], threads: int = 1
    ) -> None:
        self.model = model
        self._prepared = {
            name: self._prepare(name, lines, threads)
            for name, lines in zip(SIDES, (sources, targets), strict=True)
        }

    def __call__(self, text: str, side: str, n: int) -> list[Found]:
        """Find the sentences of the other side that are nearest to a text of this side, best first, each once."""
        asked = self._prepare(side, [text], 1)
        other = self._prepared[SIDES[1 - SIDES.index(side)]]
        overlap = self.model.overlap
        if side == "source":
            table = overlap.table_of(asked.side, other.side)
        else:
            table = overlap.table_of(other.side, asked.side).swapped(len(asked.side.words))
        scorer = Scorer(
            (1, len(other.side)),
            self.model.weights,
            BlockOverlaps(asked.side, other.side, table, other.postings),
            Vectors(asked.vectors, other.vectors),
        )
        (found,) = rank(scorer, n, neighbours=0)
        scores = readable(found.scores[0], "both").tolist()
        return [
            Found(other.first[number], other.lines[number], score)
            for number, score in zip(found.targets[0].tolist(), scores, strict=True)
            if number >= 0
        ]

    def _prepare(self, name: str, lines: Sequence[str], threads: int) -> Prepared:
        first: dict[str, int] = {}
        for number, line in enumerate(lines):
            first.setdefault(line, number)
        side = encode_lines(first, **self.model.text.of_side(source=name == "source"))
        vectors = self.model.side_vectors(side, name, threads)
        return Prepared(list(first), list(first.values()), side, Postings.of(side), vectors)
