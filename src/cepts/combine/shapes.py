"""`Associations`: the matrices of many pairs, flat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cepts.checking import check_position, checked

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Shapes(NamedTuple):
    """Where the words of each pair begin, on both sides, with the end of the last."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]

    def cells(self) -> NDArray[np.int64]:
        """Return where the cells [source][target] of each pair begin.

        >>> Shapes(np.array([0, 2, 3]), np.array([0, 3, 5])).cells().tolist()
        [0, 6, 8]
        """
        offsets = np.zeros(len(self.source), np.int64)
        np.cumsum(np.diff(self.source) * np.diff(self.target), out=offsets[1:])
        return offsets

    def rows(self) -> NDArray[np.int64]:
        """Return, for each cell, its source word, counted through all pairs."""
        return np.repeat(np.arange(self.source[-1]), np.repeat(np.diff(self.target), np.diff(self.source)))

    def columns(self) -> NDArray[np.int64]:
        """Return, for each cell, its target word, counted through all pairs."""
        lengths = np.repeat(np.diff(self.target), np.diff(self.source))
        begins = np.repeat(self.target[:-1], np.diff(self.source))
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        columns: NDArray[np.int64] = np.repeat(begins, lengths) + within
        return columns


@checked
@dataclass(frozen=True, eq=False)
class Associations:
    """The matrices of many pairs: `values` [pair][source][target], and each word's association with NULL."""

    values: NDArray[np.float32]
    source_null: NDArray[np.float32]
    target_null: NDArray[np.float32]
    shapes: Shapes

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.shapes.source) - 1

    def __getitem__(self, k: int) -> NDArray[np.float32]:
        """Return the matrix of pair k with its NULLs: row 0 is the source NULL, column 0 the target NULL."""
        check_position(k, len(self), "pair")
        k %= len(self)
        source, target = (slice(int(side[k]), int(side[k + 1])) for side in self.shapes)
        words = source.stop - source.start, target.stop - target.start
        begin = int(self.shapes.cells()[k])
        matrix = np.zeros((words[0] + 1, words[1] + 1), np.float32)
        matrix[0, 1:], matrix[1:, 0] = self.target_null[target], self.source_null[source]
        matrix[1:, 1:] = self.values[begin : begin + words[0] * words[1]].reshape(words)
        return matrix


def without_null(matrices: Associations) -> Associations:
    """Return the matrices with no association to NULL."""
    return replace(
        matrices,
        source_null=np.zeros_like(matrices.source_null),
        target_null=np.zeros_like(matrices.target_null),
    )
