"""`Schema`: what the arrays of a folder must be; the only place that says so, and what is loaded is checked against it.

A schema is a tuple of fields, each an array: its name, dtype, shape and range of values. Sizes are numbers, or names
that stand for the same number wherever they occur: `("row_offsets", "int64", ("words + 1",), cuts="entries")` is one
number more than there are words, and cuts as many entries as `columns`, of the shape `("entries",)`, has. What passes
can be given to a kernel: native byte order, aligned, row by row, finite, and nothing points outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]
    Size = int | str

# a multiple of a named size, and some more or less: `entries`, `words + 1`, `2 band + 2`
FORM = re.compile(r"(?:([0-9]+) )?([a-z_]+)(?: ([+-]) ([0-9]+))?")
LARGEST = 1 << 62  # size of anything
PROBABILITY = (0.0, 1.0)


@dataclass(frozen=True)
class Field:
    """One array. A number that is not finite is refused, whatever the range of values.

    `low` and `high` are the smallest and the largest value, numbers or sizes. `cuts`: offsets that rise from 0 to a
    size. `rising`: each number is larger than the one before. `weighs`: each row has a sum above zero. `total`: the sum
    is a size. `also`: other dtypes, which are converted. Fields of one `group` come together or not at all.
    """

    name: str
    dtype: str
    shape: tuple[Size, ...]
    low: float | str | None = None
    high: float | str | None = None
    cuts: str | None = None
    rising: bool = False
    weighs: bool = False
    total: str | None = None
    also: tuple[str, ...] = ()
    group: str | None = None


@dataclass(frozen=True)
class Schema:
    """Fields, and what sizes may be: from, to. With `exact` there are no other arrays."""

    fields: tuple[Field, ...]
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    exact: bool = False

    def checked(
        self, arrays: Mapping[str, NDArray[Any]], known: Mapping[str, int] | None = None, prefix: str = ""
    ) -> Arrays:
        """Return the arrays by the names of their fields; those that do not fit raise ValueError, which says where.

        `known` are sizes that follow from something else, `prefix` is what names begin with in `arrays`.

        >>> rows, values = Field("rows", "int64", ("words + 1",), cuts="entries"), Field("p", "float32", ("entries",))
        >>> arrays = {"rows": np.array([0, 1, 9]), "p": np.ones(2, np.float32)}
        >>> Schema((rows, values)).checked(arrays, {"words": 2})
        Traceback (most recent call last):
        ...
        ValueError: rows does not rise from 0 to 2
        """
        present = self._present(arrays, prefix)
        found, sizes = {}, dict(known or {})
        for one in present:
            found[one.name] = self._shaped(one, arrays[prefix + one.name], sizes, prefix)
        for one in present:
            _check_values(one, found[one.name], sizes, prefix)
        return found

    def _present(self, arrays: Mapping[str, NDArray[Any]], prefix: str) -> list[Field]:
        """Return the fields that are there; refuse arrays that are missing, or that nobody knows."""
        there = {one.group for one in self.fields if one.group and prefix + one.name in arrays}
        present = [one for one in self.fields if one.group is None or one.group in there]
        for one in present:
            if prefix + one.name not in arrays:
                raise ValueError(f"{prefix}{one.name} is missing")
        if self.exact:
            names = {prefix + one.name for one in present}
            for name in arrays:
                if name not in names and name.startswith(prefix):
                    raise ValueError(f"{name} is not a part of it")
        return present

    def _shaped(self, one: Field, array: NDArray[Any], sizes: dict[str, int], prefix: str) -> NDArray[Any]:
        """Check dtype and shape, and learn new sizes; returns the array as a kernel may have it."""
        name = prefix + one.name
        if array.dtype not in [np.dtype(kind) for kind in (one.dtype, *one.also)]:
            raise ValueError(f"{name} is of {array.dtype.str}, expected {one.dtype}")
        fits = array.ndim == len(one.shape) and all(
            self._fits(size, length, sizes) for size, length in zip(one.shape, array.shape, strict=True)
        )
        if not fits:
            wanted = " x ".join(_shown(size, sizes) for size in one.shape)
            raise ValueError(f"{name} has the shape {list(array.shape)}, expected {wanted}")
        if array.dtype != np.dtype(one.dtype) or not (array.flags.c_contiguous and array.flags.aligned):
            return np.require(array, one.dtype, ["C", "A"])
        return array

    def _fits(self, size: Size, length: int, sizes: dict[str, int]) -> bool:
        """Whether a length is the size, or teaches what the size is."""
        if isinstance(size, int):
            return length == size
        factor, name, shift = _form(size)
        if name in sizes:
            return length == factor * sizes[name] + shift
        number, rest = divmod(length - shift, factor)
        least, most = self.sizes.get(name, (0, LARGEST))
        sizes[name] = number
        return rest == 0 and least <= number <= most


def _form(size: str) -> tuple[int, str, int]:
    """Return factor, name and shift of a size.

    >>> _form("2 band + 2"), _form("words")
    ((2, 'band', 2), (1, 'words', 0))
    """
    match = FORM.fullmatch(size)
    assert match is not None, size
    shift = int(match[4] or 0)
    return int(match[1] or 1), match[2], -shift if match[3] == "-" else shift


def _number(value: float | str, sizes: Mapping[str, int]) -> float:
    """Return a number, or what a size has turned out to be."""
    if not isinstance(value, str):
        return value
    factor, name, shift = _form(value)
    return factor * sizes[name] + shift


def _shown(size: Size, sizes: Mapping[str, int]) -> str:
    """Show a size as a number, if that is known."""
    known = isinstance(size, int) or _form(size)[1] in sizes
    return str(_number(size, sizes)) if known else str(size)


def _check_values(one: Field, array: NDArray[Any], sizes: Mapping[str, int], prefix: str) -> None:
    """Refuse numbers that are out of range or out of order."""
    name = prefix + one.name
    if array.dtype.kind != "b" and array.size:
        _check_range(one, array, sizes, name)
    if one.cuts is not None:
        end = _number(one.cuts, sizes)
        if not (array[0] == 0 and array[-1] == end and bool(np.all(array[1:] >= array[:-1]))):
            raise ValueError(f"{name} does not rise from 0 to {end}")
    if one.rising and not np.all(array[1:] > array[:-1]):
        place = int(np.argmin(array[1:] > array[:-1])) + 1
        raise ValueError(
            f"{name}[{place}] is {array[place]}, expected more than {array[place - 1]} before it"
        )
    if one.weighs and not np.all(array.sum(axis=-1) > 0):
        raise ValueError(f"{name} has no weight")
    if one.total is not None and array.sum() != _number(one.total, sizes):
        raise ValueError(f"{name} adds up to {array.sum()}, expected {_number(one.total, sizes)}")


def _check_range(one: Field, array: NDArray[Any], sizes: Mapping[str, int], name: str) -> None:
    """Refuse numbers out of range. The smallest of some numbers is no number where one of them is none."""
    limits = np.finfo(array.dtype) if array.dtype.kind == "f" else np.iinfo(array.dtype)
    low = limits.min if one.low is None else _number(one.low, sizes)
    high = limits.max if one.high is None else _number(one.high, sizes)
    if array.min() >= low and array.max() <= high:
        return
    place = np.argwhere(~((array >= low) & (array <= high)))[0].tolist()
    value = array[tuple(place)]
    where = ", ".join(map(str, place))
    ends = f"from {low}" if one.high is None else f"from {low} to {high}"
    wanted = "a finite number" if one.low is None and one.high is None else f"a number {ends}"
    raise ValueError(f"{name}[{where}] is {value}, expected {wanted}")
