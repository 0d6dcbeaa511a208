"""Schemas of arrays: what passes, and what is said of all else."""

import re

import numpy as np
import pytest

from cepts.storage.schema import PROBABILITY, Field, Schema

TABLE = Schema(
    (
        Field("rows", "int64", ("words + 1",), cuts="entries"),
        Field("columns", "int32", ("entries",), 0, "words - 1"),
        Field("values", "float32", ("entries", 2), *PROBABILITY),
        Field("weights", "float64", ("2 band + 1",), weighs=True, also=("float32",)),
        Field("lengths", "int64", ("parts",), 0, total="entries", group="parts"),
        Field("names", "int64", ("parts",), rising=True, group="parts"),
        Field("marks", "bool", ("words",), group="marks"),
    ),
    {"band": (1, 3)},
    exact=True,
)


def arrays(**changes):
    good = {
        "rows": np.array([0, 1, 3]),
        "columns": np.array([1, 0, 1], np.int32),
        "values": np.full((3, 2), 0.5, np.float32),
        "weights": np.ones(5),
        "lengths": np.array([3, 0]),
        "names": np.array([-5, 9]),
    }
    return {name: array for name, array in (good | changes).items() if array is not None}


def test_what_fits_is_returned_as_it_is():
    given = arrays()
    found = TABLE.checked(given, {"words": 2})
    assert list(found) == ["rows", "columns", "values", "weights", "lengths", "names"]
    assert all(found[name] is given[name] for name in found)


def test_names_may_have_a_prefix():
    given = {f"my_{name}": array for name, array in arrays().items()} | {"other": np.ones(1)}
    assert "rows" in TABLE.checked(given, {"words": 2}, "my_")
    with pytest.raises(ValueError, match=r"^my_rows has the shape \[3\], expected 4$"):
        TABLE.checked(given, {"words": 3}, "my_")


def test_kernels_get_what_they_know():
    """One row behind the other, aligned, of the dtype that was asked for."""
    bytes_before = np.zeros(3 * 8 + 1, np.uint8)[1:].view(np.int64)
    bytes_before[:] = [0, 1, 3]
    values = np.asfortranarray(arrays()["values"])
    weights = np.ones(5, np.float32)
    found = TABLE.checked(arrays(values=values, rows=bytes_before, weights=weights), {"words": 2})
    assert found["values"].flags.c_contiguous
    assert found["rows"].flags.aligned
    assert found["rows"].tolist() == [0, 1, 3]
    assert found["weights"].dtype == np.float64


def test_groups_come_together_or_not_at_all():
    assert "names" not in TABLE.checked(arrays(names=None, lengths=None), {"words": 2})
    assert "marks" in TABLE.checked(arrays(marks=np.ones(2, np.bool_)), {"words": 2})
    with pytest.raises(ValueError, match=r"^lengths is missing$"):
        TABLE.checked(arrays(lengths=None), {"words": 2})


def of(kind, *numbers):
    return np.array(numbers, kind)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": None}, "columns is missing"),
        ({"more": np.ones(1)}, "more is not a part of it"),
        ({"columns": of("int64", 1, 0, 1)}, "columns is of <i8, expected int32"),
        ({"columns": of(">i4", 1, 0, 1)}, "columns is of >i4, expected int32"),
        ({"weights": of("float16", 1)}, "weights is of <f2, expected float64"),
        ({"columns": of("int32", 1, 0)}, "values has the shape [3, 2], expected 2 x 2"),
        ({"columns": np.zeros((), np.int32)}, "columns has the shape [], expected entries"),
        ({"values": np.ones((3, 1), np.float32)}, "values has the shape [3, 1], expected 3 x 2"),
        ({"weights": np.ones(4)}, "weights has the shape [4], expected"),
        ({"weights": np.ones(1)}, "weights has the shape [1], expected"),
        ({"weights": np.ones(9)}, "weights has the shape [9], expected"),
        ({"rows": of("int64", 1, 1, 3)}, "rows does not rise from 0 to 3"),
        ({"rows": of("int64", 0, 4, 3)}, "rows does not rise from 0 to 3"),
        ({"rows": of("int64", 0, 1, 4)}, "rows does not rise from 0 to 3"),
        ({"columns": of("int32", 1, 2, 0)}, "columns[1] is 2, expected a number from 0 to 1"),
        ({"columns": of("int32", 1, 0, -1)}, "columns[2] is -1, expected a number from 0 to 1"),
        ({"values": np.full((3, 2), np.nan, np.float32)}, "values[0, 0] is nan, expected a number from 0.0"),
        ({"values": np.full((3, 2), 1.5, np.float32)}, "values[0, 0] is 1.5, expected a number from 0.0 to 1.0"),
        ({"weights": of("float64", 1, 1, np.inf, 1, 1)}, "weights[2] is inf, expected a finite number"),
        ({"weights": of("float64", 1, 1, np.nan, 1, 1)}, "weights[2] is nan, expected a finite number"),
        ({"weights": np.zeros(5)}, "weights has no weight"),
        ({"lengths": of("int64", 2, 2)}, "lengths adds up to 4, expected 3"),
        ({"lengths": of("int64", 4, -1)}, "lengths[1] is -1, expected a number from 0"),
        ({"names": of("int64", 3, 3)}, "names[1] is 3, expected more than 3 before it"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(changes, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        TABLE.checked(arrays(**changes), {"words": 2})
