"""`Matrix`: made of whatever there is, cut into chunks and put together again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.sentences.matrices import Matrix, as_matrix, chunk_of, paired_blocks, row_blocks
from tests.sentences.factorisations import matrices


def dense(matrix):
    """The matrix with all its zeros, after a look at its form."""
    assert [array.dtype for array in matrix[:3]] == ["int64", "int32", "float32"]
    assert all(array.flags.c_contiguous for array in matrix[:3])
    result = np.zeros((matrix.rows, matrix.width))
    for row in range(matrix.rows):
        features = matrix.features[matrix.offsets[row] : matrix.offsets[row + 1]]
        assert np.all(np.diff(features) > 0)
        result[row, features] = matrix.values[matrix.offsets[row] : matrix.offsets[row + 1]]
    assert np.count_nonzero(result) == len(matrix.values) == len(matrix.features)
    return result


@given(matrices())
def test_arrays_come_back(given):
    for each in given:
        for kind in (np.float64, np.float32):
            np.testing.assert_array_equal(dense(as_matrix(each.astype(kind))), each)
        np.testing.assert_array_equal(dense(as_matrix(np.asfortranarray(each))), each)


def test_numbers_of_any_kind_are_counts():
    for array in ([[0, 2], [1, 0]], [[False, 2], [True, 0]], np.array([[0, 2], [1, 0]], np.uint8)):
        matrix = as_matrix(array)
        assert (matrix.offsets.tolist(), matrix.features.tolist()) == ([0, 1, 2], [1, 0])
        assert matrix.values.tolist() == [2, 1]
        assert (matrix.rows, matrix.width) == (2, 2)


def test_a_matrix_stays_itself():
    matrix = as_matrix(np.eye(3))
    assert as_matrix(matrix) is matrix


@given(matrices(), st.data())
def test_parts_are_rows(given, data):
    for each in given:
        first = data.draw(st.integers(0, len(each)))
        end = data.draw(st.integers(first, len(each)))
        np.testing.assert_array_equal(dense(as_matrix(each).part(first, end)), each[first:end])


@given(matrices())
def test_chunks_number_their_features_anew(given):
    for each in given:
        rows, used = chunk_of(as_matrix(each))
        assert used.dtype == np.int32
        assert used.tolist() == np.flatnonzero(each.any(axis=0)).tolist()
        np.testing.assert_array_equal(dense(rows), each[:, used])


@given(matrices(most_rows=9), st.integers(1, 30))
def test_blocks_have_all_rows_in_order(given, entries):
    blocks = list(paired_blocks(*(as_matrix(each) for each in given), entries))
    for side, each in enumerate(given):
        np.testing.assert_array_equal(np.concatenate([dense(block[side]) for block in blocks]), each)
    sizes = [block[0].rows for block in blocks]
    assert [block[1].rows for block in blocks] == sizes
    assert min(sizes) > 0
    for block in blocks:  # without its last row a block is within the limit
        assert sum(np.count_nonzero(dense(each)[:-1]) for each in block) < entries


def test_blocks_by_hand():
    # Rows have 2, 0, 3, 1, 4 entries on both sides together; a block ends where a multiple of 4 is reached.
    source = as_matrix([[1, 1], [0, 0], [1, 1], [1, 0], [1, 1]])
    target = as_matrix([[0, 0], [0, 0], [0, 1], [0, 0], [1, 1]])
    assert [block[0].rows for block in paired_blocks(source, target, 4)] == [3, 2]
    assert [block[0].rows for block in paired_blocks(source, target, 3)] == [3, 1, 1]
    assert [block[0].rows for block in paired_blocks(source, target, 100)] == [5]
    assert list(paired_blocks(source.part(0, 0), target.part(0, 0), 4)) == []


def test_row_blocks_by_hand():
    assert list(row_blocks(7, 3)) == [(0, 3), (3, 6), (6, 7)]
    assert list(row_blocks(6, 3)) == [(0, 3), (3, 6)]
    assert list(row_blocks(0, 3)) == []


@pytest.mark.parametrize("value", [-1, np.nan, np.inf, -np.inf])
def test_values_that_are_no_weights_are_refused(value):
    whole = as_matrix(np.ones((2, 2)))
    spoiled = whole._replace(values=np.array([1, 1, value, 1], np.float32))
    for data in (np.array([[1, value]]), spoiled):
        with pytest.raises(
            InputError,
            match=r"^the text has values that are negative or no numbers: counts and weights are 0 or more$",
        ):
            as_matrix(data, "the text")


@pytest.mark.parametrize(("data", "dimensions"), [(5, 0), ([1, 2], 1), (np.ones((2, 2, 2)), 3)])
def test_what_is_no_table_is_refused(data, dimensions):
    with pytest.raises(
        InputError,
        match=f"^the matrix has {dimensions} dimensions: give rows of sentences, columns of features$",
    ):
        as_matrix(data)


def test_an_empty_matrix_is_one():
    matrix = as_matrix(np.zeros((0, 3)))
    assert (matrix.rows, matrix.width, matrix.offsets.tolist()) == (0, 3, [0])
    assert isinstance(matrix, Matrix)


def test_zeros_are_left_out():
    matrix = as_matrix(
        Matrix(np.array([0, 2, 3, 3]), np.array([0, 2, 1], np.int32), np.array([0, 5, 0], np.float32), 3)
    )
    assert dense(matrix).tolist() == [[0, 0, 5], [0, 0, 0], [0, 0, 0]]
    assert len(as_matrix(np.array([[1e-60, 2]])).values) == 1


def test_what_is_too_large_for_single_precision_is_refused():
    with pytest.raises(InputError, match=r"^the matrix has values that are negative or no numbers"):
        as_matrix(np.array([[1e300, 2]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": [0, 3, 1]}, "has rows or features outside of it: each of its 3 has a number from 0"),
        ({"features": [0, -1, 1]}, "has rows or features outside of it"),
        ({"offsets": [0, 2, 4]}, "has rows or features outside of it"),
        ({"offsets": [1, 2, 3]}, "has rows or features outside of it"),
        ({"offsets": [0, 5, 3]}, "has rows or features outside of it"),
        ({"features": [0, 1]}, "has rows or features outside of it"),
        ({"features": [2, 0, 1]}, "has a row whose features do not rise: sort them, and add up"),
        ({"features": [2, 2, 1]}, "has a row whose features do not rise"),
    ],
)
def test_a_matrix_that_does_not_hold_together_is_refused(change, message):
    good = Matrix(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32), np.ones(3, np.float32), 3)
    kinds = {"offsets": np.int64, "features": np.int32}
    assert as_matrix(good) is good
    with pytest.raises(InputError, match=f"^the text {message}"):
        as_matrix(
            good._replace(**{name: np.array(value, kinds[name]) for name, value in change.items()}),
            "the text",
        )
