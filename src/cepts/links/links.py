"""`Links`: which words of each sentence pair correspond, for a whole corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray


class Link(NamedTuple):
    """One link: word `source` of the source sentence with word `target` of the target sentence, from 0."""

    source: int
    target: int
    confidence: float = 1.0
    sure: bool = True


@dataclass(frozen=True, eq=False)
class Links:
    """The links of a corpus, flat: pair k owns the rows `offsets[k]` up to `offsets[k + 1]`.

    Within a pair links are sorted by source, then target position, and no position pair occurs twice.
    `scores`, where a model made the links, holds each pair's log probability per word.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    confidence: NDArray[np.float32]
    sure: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    scores: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        """Count the sentence pairs."""
        return len(self.offsets) - 1

    def __getitem__(self, k: int) -> list[Link]:
        """Return the links of pair k.

        >>> Links.from_pairs([[(0, 0), (2, 1)]])[0]
        [Link(source=0, target=0, confidence=1.0, sure=True), Link(source=2, target=1, confidence=1.0, sure=True)]
        """
        if not -len(self) <= k < len(self):
            raise IndexError(k)
        k %= len(self)
        rows = slice(int(self.offsets[k]), int(self.offsets[k + 1]))
        columns = (self.source, self.target, self.confidence, self.sure)
        return [Link(*row) for row in zip(*(column[rows].tolist() for column in columns), strict=True)]

    def __iter__(self) -> Iterator[list[Link]]:
        """Walk over the pairs."""
        return (self[k] for k in range(len(self)))

    @classmethod
    def from_pairs(cls, pairs: Iterable[Iterable[Sequence[float]]]) -> Links:
        """Build from (source, target[, confidence[, sure]]) tuples, one iterable for each pair."""
        rows: list[Link] = []
        offsets = [0]
        for pair in pairs:
            unique = {(int(link[0]), int(link[1])): Link(*link) for link in pair}  # type: ignore[arg-type]
            rows.extend(unique[key] for key in sorted(unique))
            offsets.append(len(rows))
        return cls(
            np.array([row.source for row in rows], np.int32),
            np.array([row.target for row in rows], np.int32),
            np.array([row.confidence for row in rows], np.float32),
            np.array([row.sure for row in rows], np.bool_),
            np.array(offsets, np.int64),
        )
