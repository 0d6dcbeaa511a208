"""Association matrices that somebody else made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.checking import checked
from cepts.combine.shapes import Associations, Shapes
from cepts.errors import InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray


@checked
def from_matrices(
    matrices: Sequence[Any], null: bool = False, names: Callable[[int], str] = "matrix {}".format
) -> Associations:
    """Take in one's own matrices, [source][target]; with `null`, row 0 and column 0 are those of the NULLs.

    >>> from_matrices([[[3, 0], [0, 5]]])[0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 5.0]]
    """
    checked = [_checked(matrix, names(k)) for k, matrix in enumerate(matrices)]
    if not null:
        checked = [np.pad(matrix, ((1, 0), (1, 0))) for matrix in checked]
    for k, matrix in enumerate(checked):
        if 0 in matrix.shape:
            raise InputError(
                f"{names(k)}: no row and column of NULLs, got the shape {matrix.shape}; add them"
            )
    offsets = [np.zeros(len(checked) + 1, np.int64) for _ in range(2)]
    for side in range(2):
        np.cumsum([matrix.shape[side] - 1 for matrix in checked], out=offsets[side][1:])
    nothing = np.zeros(0, np.float32)
    return Associations(
        np.concatenate([nothing, *(matrix[1:, 1:].ravel() for matrix in checked)]),
        np.concatenate([nothing, *(matrix[1:, 0] for matrix in checked)]),
        np.concatenate([nothing, *(matrix[0, 1:] for matrix in checked)]),
        Shapes(*offsets),
    )


def _checked(matrix: ArrayLike, name: str) -> NDArray[np.float32]:
    """Return a matrix as float32, or say where it cannot be one."""
    given = np.asarray(matrix)
    if given.ndim != 2 or given.dtype.kind not in "buif":
        raise InputError(
            f"{name}: got {given.ndim} dimensions of {given.dtype}, expected a matrix of numbers, source x target"
        )
    with np.errstate(over="ignore"):
        numbers = given.astype(np.float32)
    bad = np.argwhere(~np.isfinite(numbers) | (numbers < 0))
    if len(bad):
        row, column = bad[0].tolist()
        raise InputError(
            f"{name}: row {row}, column {column}: got {given[row, column]}, expected a number from 0 to 3e38"
        )
    return numbers


@checked
def read_matrices(path: str | os.PathLike[str], null: bool = False) -> Associations:
    """Read matrices from a `.npz` file, one for each pair in the order of the file, or one from a `.npy` file."""
    try:
        with Path(path).open("rb") as file:
            stored = np.load(file, allow_pickle=False)
            several = not isinstance(stored, np.ndarray)
            named = {key: stored[key] for key in stored.files} if several else {"": stored}
    except Exception as error:  # a header made by a stranger can fail in any way
        said = getattr(error, "strerror", None) or str(error)
        reason = said.splitlines()[0] if said else "it ends too early"
        raise InputError(
            f"{path}: no matrices can be read ({reason}); write them with numpy.savez"
        ) from error
    keys = list(named)
    return from_matrices(list(named.values()), null, lambda k: f"{path}: {keys[k]}".removesuffix(": "))
