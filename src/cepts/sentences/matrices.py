"""`Matrix`: what sentences consist of, row by row, and the chunks of two such matrices that are worked on at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cepts.checking import check_part, checked
from cepts.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

CHUNK = 1 << 19  # entries of both sides in a chunk; chunks depend on the data alone


@checked
class Matrix(NamedTuple):
    """A sparse matrix whose rows are sentences: row i has the features `features[offsets[i]:offsets[i + 1]]`.

    Features of a row rise, `values` beside them are positive, and all are below `width`.
    """

    offsets: NDArray[np.int64]
    features: NDArray[np.int32]
    values: NDArray[np.float32]
    width: int

    @property
    def rows(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def part(self, first: int, end: int) -> Matrix:
        """Return the rows from `first` to `end`."""
        check_part(first, end, self.rows)
        offsets = self.offsets[first : end + 1]
        entries = slice(int(offsets[0]), int(offsets[-1]))
        return Matrix(offsets - offsets[0], self.features[entries], self.values[entries], self.width)


class Chunk(NamedTuple):
    """Some rows of a matrix, with the features that occur there numbered from 0; `used` has their real numbers."""

    rows: Matrix
    used: NDArray[np.int32]


def as_matrix(data: Any, name: str = "the matrix") -> Matrix:
    """Return a `Matrix` of one, of an array, or of a sparse matrix of SciPy (rows are sentences); check it.

    >>> as_matrix(np.array([[0, 2], [1, 0]])).features.tolist()
    [1, 0]
    """
    if isinstance(data, Matrix):
        matrix = data
    elif hasattr(data, "tocsr"):
        sparse = data.tocsr().copy()
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        matrix = _typed(sparse.indptr, sparse.indices, sparse.data, sparse.shape[1])
    else:
        try:
            dense = np.asarray(data)
        except ValueError:
            raise InputError(f"{name} has rows of different lengths: give as many columns to each") from None
        if dense.ndim != 2:
            raise InputError(
                f"{name} has {dense.ndim} dimensions: give rows of sentences, columns of features"
            )
        rows, features = np.nonzero(dense)
        offsets = np.searchsorted(rows, np.arange(len(dense) + 1))
        matrix = _typed(offsets, features, dense[rows, features], dense.shape[1])
    if not (np.all(np.isfinite(matrix.values)) and np.all(matrix.values >= 0)):
        raise InputError(
            f"{name} has values that are negative or no numbers: counts and weights are 0 or more"
        )
    _check_order(matrix, name)
    return matrix if np.all(matrix.values) else _without_zeros(matrix)


def _check_order(matrix: Matrix, name: str) -> None:
    """Refuse features that are not there: kernels would look for them outside of the factors."""
    offsets, features = matrix.offsets, matrix.features
    fits = (
        offsets[0] == 0
        and offsets[-1] == len(features) == len(matrix.values)
        and np.all(np.diff(offsets) >= 0)
    )
    if not fits or (len(features) and not 0 <= features.min() <= features.max() < matrix.width):
        raise InputError(
            f"{name} has rows or features outside of it: each of its {matrix.width} has a number from 0"
        )
    rising = np.diff(features) > 0
    rising[offsets[1:-1][(offsets[1:-1] > 0) & (offsets[1:-1] < len(features))] - 1] = True
    if not np.all(rising):
        raise InputError(
            f"{name} has a row whose features do not rise: sort them, and add up those that are there twice"
        )


def _without_zeros(matrix: Matrix) -> Matrix:
    """Leave out zeros, which are no entries; single precision makes them of very small numbers."""
    kept = matrix.values > 0
    counts = np.concatenate([[0], np.cumsum(kept)])
    return _typed(counts[matrix.offsets], matrix.features[kept], matrix.values[kept], matrix.width)


def _typed(offsets: Any, features: Any, values: Any, width: int) -> Matrix:
    with np.errstate(over="ignore"):  # what is too large is infinite, and refused
        values = np.ascontiguousarray(values, np.float32)
    return Matrix(
        np.ascontiguousarray(offsets, np.int64),
        np.ascontiguousarray(features, np.int32),
        values,
        int(width),
    )


def chunk_of(matrix: Matrix) -> Chunk:
    """Number the features of some rows from 0, so that only their factors are needed and nearby."""
    used, features = np.unique(matrix.features, return_inverse=True)
    return Chunk(_typed(matrix.offsets, features.reshape(-1), matrix.values, len(used)), used)


def paired_blocks(source: Matrix, target: Matrix, entries: int = CHUNK) -> Iterator[tuple[Matrix, Matrix]]:
    """Cut two matrices, row by row the same sentences, into blocks of about so many entries."""
    work = source.offsets + target.offsets
    borders = [0, *(np.flatnonzero(np.diff(work // entries)) + 1).tolist(), source.rows]
    for first, end in pairwise(borders):
        if first < end:
            yield source.part(first, end), target.part(first, end)


def row_blocks(rows: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the end of blocks of so many rows."""
    for first in range(0, rows, size):
        yield first, min(rows, first + size)
