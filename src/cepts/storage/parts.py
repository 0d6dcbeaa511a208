"""The arrays and texts of a model folder, each checked against `model.json` before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cepts.errors import ModelError
from cepts.storage.description import ARRAY_SUFFIX, TEXT_SUFFIX, checksum

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def load_array(folder: Path, name: str, entry: dict[str, Any]) -> NDArray[Any]:
    """Map an array into memory, read-only, after comparing size, checksum, dtype and shape."""
    file = folder / (name + ARRAY_SUFFIX)
    _check_content(file, entry)
    array = map_array(file)
    if array.dtype.str != entry["dtype"] or list(array.shape) != entry["shape"]:
        got = f"{array.dtype.str} {list(array.shape)}"
        raise ModelError(f"{file} holds {got}, expected {entry['dtype']} {entry['shape']}")
    return array


def map_array(file: Path) -> NDArray[Any]:
    """Map an array into memory, read-only."""
    try:
        array: NDArray[Any] = np.lib.format.open_memmap(file, mode="r")  # refuses pickled objects
    except Exception as error:  # a header made by a stranger can fail in any way
        raise ModelError(f"{file} is damaged: it is not an array of numbers") from error
    return array


def changeable(array: NDArray[Any]) -> NDArray[Any]:
    """Return a mapped array as one that can be written, to memory alone: read-only ones are another type to kernels."""
    if isinstance(array, np.memmap) and array.filename is not None and array.size:
        again = np.memmap(array.filename, array.dtype, "c", array.offset, array.shape)
        return np.asarray(again)
    return np.array(array)


def load_text(folder: Path, name: str, entry: dict[str, Any]) -> list[str]:
    """Read the lines of a text, split at newlines only: words may hold any other separator of Unicode."""
    file = folder / (name + TEXT_SUFFIX)
    _check_content(file, entry)
    try:
        lines = file.read_bytes().decode("utf-8", "surrogatepass").split("\n")
    except UnicodeDecodeError as error:
        raise ModelError(f"{file} is damaged: not UTF-8 at byte {error.start}") from error
    if len(lines) - 1 != entry["lines"]:
        raise ModelError(f"{file} has {len(lines) - 1} lines, expected {entry['lines']}")
    return lines[:-1]


def _check_content(file: Path, entry: dict[str, Any]) -> None:
    if not file.is_file():
        raise ModelError(f"model {file.parent} is incomplete: {file.name} is missing")
    try:
        size = file.stat().st_size
        if size != entry["bytes"]:
            raise ModelError(
                f"{file} has {size} bytes, expected {entry['bytes']}: it is truncated or changed"
            )
        if checksum(file)["sha256"] != entry["sha256"]:
            raise ModelError(f"{file} is damaged: its checksum is wrong; copy or train the model again")
    except OSError as error:
        raise ModelError(f"cannot read {file}: {error.strerror or error}") from error
