"""Association measures against slow twins, their scale, and matrices of one's own, good and bad."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.combine import association as module
from cepts.combine import from_matrices, read_matrices
from cepts.combine.association import FLOOR, MEASURES, Posteriors, WordIds, association, scaled
from cepts.combine.attaching import STANDING, attached
from cepts.combine.shapes import Shapes, without_null
from cepts.errors import InputError, OptionError
from cepts.links import BestLists, Links
from tests.reference import association as twin

seeds = st.integers(0, 2**32 - 1)
some_shapes = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=0, max_size=5)


def offsets_of(lengths):
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)


def shapes_of(sizes):
    return Shapes(*(offsets_of([size[side] for size in sizes]) for side in (0, 1)))


def assert_same(got, expected, sizes):
    """Compare with (values, source NULLs, target NULLs) of each pair, scaled by the twin."""
    assert len(got) == len(sizes)
    for k, (each, size) in enumerate(zip(expected, sizes, strict=True)):
        values, source_null, target_null = twin.scaled(*each, 100, FLOOR)
        matrix = got[k]
        # What NULL has is what is left of one: float32 numbers that are nearly one lose that much in several hundred.
        assert matrix[1:, 1:] == pytest.approx(np.array(values).reshape(size), rel=1e-5, abs=1e-4)
        assert matrix[1:, 0] == pytest.approx(np.array(source_null), rel=1e-5, abs=1e-4)
        assert matrix[0, 1:] == pytest.approx(np.array(target_null), rel=1e-5, abs=1e-4)


def random_list(rng, sources, targets, generated):
    """Some alignments, best first, in which each generated word has at most one link."""
    made = []
    for log_probability in sorted(rng.uniform(-900, -890, rng.integers(1, 6)).tolist(), reverse=True):
        links = []
        for word in range((sources, targets)[generated]):
            other = int(rng.integers(-1, (sources, targets)[1 - generated]))
            if other >= 0:
                links.append((other, word) if generated else (word, other))
        made.append((links, log_probability))
    return made


def flat(lists):
    """Lists of all pairs in the form that `association` takes."""
    rows = [(k, *each) for k, one in enumerate(lists) for each in one]
    return BestLists(
        Links.from_pairs([links for _, links, _ in rows]),
        np.array([k for k, _, _ in rows], np.int64),
        np.array([log_probability for _, _, log_probability in rows], np.float64),
    )


@pytest.mark.parametrize("measure", module.LIST_MEASURES)
@settings(max_examples=40)
@given(seed=seeds, sizes=some_shapes)
def test_lists(measure, seed, sizes):
    rng = np.random.default_rng(seed)
    forward, reverse = ([random_list(rng, *size, way) for size in sizes] for way in (1, 0))
    weigh = twin.WEIGHTS[measure]
    expected = [
        twin.from_lists(*size, shifted(one), shifted(other), weigh)
        for size, one, other in zip(sizes, forward, reverse, strict=True)
    ]
    assert_same(association(measure, shapes_of(sizes), flat(forward), flat(reverse)), expected, sizes)


def shifted(one):
    """A list with probabilities that can be written as such."""
    return [(links, score + 890) for links, score in one]


def test_counts_are_those_of_the_paper():
    # Two lists of 100: a-x in all of both, b-y in all reverse and 60 forward alignments, where else y is NULL's.
    always, sometimes = [(0, 0), (1, 1)], [(0, 0)]
    forward = flat([[(always, 0.0)] * 60 + [(sometimes, -1.0)] * 40])
    reverse = flat([[(always, 0.0)] * 100])
    got = association("counts", shapes_of([(2, 2)]), forward, reverse)
    assert got[0] == pytest.approx(np.array([[0, 0, 40], [0, 200, 0], [0, 0, 160]]))


def random_posteriors(rng, sizes, generated):
    """Tables [source][target] with up to 1 for each generated word."""
    tables = []
    for size in sizes:
        table = rng.random(size) ** 8
        total = table.sum(axis=1 - generated, keepdims=True)
        tables.append(table / np.maximum(total, 1e-9) * rng.uniform(0.2, 1, total.shape))
    return tables


def joined(tables):
    return np.concatenate([np.zeros(0), *(table.ravel() for table in tables)]).astype(np.float32)


@pytest.mark.parametrize("measure", ["sum", "product", "attached"])
@settings(max_examples=40)
@given(seed=seeds, sizes=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=5))
def test_posteriors(measure, seed, sizes):
    rng = np.random.default_rng(seed)
    # The generated side is summed to one over the other: columns for forward, rows for reverse.
    forward, reverse = random_posteriors(rng, sizes, 1), random_posteriors(rng, sizes, 0)
    given_tables = [Posteriors(joined(tables)) for tables in (forward, reverse)]
    expected = [
        twin.from_posteriors(one.tolist(), other.tolist(), measure == "product")
        for one, other in zip(forward, reverse, strict=True)
    ]
    if measure == "attached":
        expected = [twin.attached(*each, STANDING) for each in expected]
    assert_same(association(measure, shapes_of(sizes), *given_tables), expected, sizes)
    nulls = [
        np.concatenate([np.zeros(0), *(1 - table.sum(axis=axis) for table in tables)]).astype(np.float32)
        for tables, axis in ((forward, 0), (reverse, 1))
    ]
    with_nulls = [given._replace(null=null) for given, null in zip(given_tables, nulls, strict=True)]
    assert_same(association(measure, shapes_of(sizes), *with_nulls), expected, sizes)


def test_attached_by_hand():
    # Words 2 go together, with 2. Words 1, before them, are both left to NULL: they go together, with half of that. So
    # NULL has nothing left of them. What NULL has of each word 0 goes beside where the next word goes, too.
    forward = Posteriors(np.array([0, 0, 0, 0, 0, 0, 0, 0, 1], np.float32))
    got = association("attached", shapes_of([(3, 3)]), forward, forward, n_best=1)
    values, null, other = attached(
        np.array([0, 0, 0, 0, 0, 0, 0, 0, 2.0]),
        np.array([1.0, 1, 0]),
        np.array([1.0, 1, 0]),
        shapes_of([(3, 3)]),
    )
    assert values.reshape(3, 3).tolist() == [[0, 1, 0], [1, 1, 0], [0, 0, 2]]
    assert null.tolist() == other.tolist() == [1, 0, 0]
    whole = np.zeros((4, 4))
    whole[1:, 1:], whole[1:, 0], whole[0, 1:] = values.reshape(3, 3), null, other
    assert got[0] == pytest.approx(whole * 6 / whole.sum())


def test_tables_by_hand():
    # Forward, columns: (6, 2) with NULL 2 become .6 .2 .2, and (1, 0) becomes 1 0. Reverse, rows: (3, 1) becomes
    # .75 .25, and (0, 0), which nothing explains, stays so. The total is 3, to be 400.
    forward = Posteriors(np.array([6, 1, 2, 0], np.float32), np.array([2, 0], np.float32))
    reverse = Posteriors(np.array([3, 1, 0, 0], np.float32))
    got = association("tables", shapes_of([(2, 2)]), forward, reverse)[0] * 3 / 400
    assert got.tolist() == [pytest.approx(row) for row in ([0, 0.2, 0], [0, 1.35, 1.25], [0, 0.2, 0])]


@pytest.mark.parametrize("measure", module.WORD_MEASURES)
@settings(max_examples=40)
@given(seed=seeds, sizes=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_words(measure, seed, sizes):
    rng = np.random.default_rng(seed)
    pairs = [tuple(rng.integers(0, 4, length).tolist() for length in size) for size in sizes]
    ids = WordIds(*(np.array([word for pair in pairs for word in pair[side]], np.int32) for side in (0, 1)))
    rule = twin.together if measure == "cooccurrence" else twin.information
    expected = [
        ([[rule(pairs, i, j) for j in target] for i in source], [0.0] * len(source), [0.0] * len(target))
        for source, target in pairs
    ]
    # Below the floor rounding may decide; information is 0 or well above it only if it is not almost 0.
    for values, _, _ in expected:
        for row in values:
            row[:] = [0.0 if value < 1e-12 else value for value in row]
    got = association(measure, shapes_of(sizes), words=ids)
    for k, (values, source_null, target_null) in enumerate(expected):
        values = twin.scaled(values, source_null, target_null, 100, FLOOR)[0]
        if np.sum(values) > 0:
            assert got[k][1:, 1:] == pytest.approx(
                np.array(values).reshape(sizes[k]), rel=1e-4, abs=2 * FLOOR
            )
        assert not got[k][0].any()
        assert not got[k][:, 0].any()


@pytest.mark.parametrize("n_best", [1, 100])
def test_every_total_is_that_of_two_lists(n_best, seed):
    rng = np.random.default_rng(seed)
    sizes = [(3, 4), (1, 1), (5, 2)]
    shapes = shapes_of(sizes)
    tables = [Posteriors(joined(random_posteriors(rng, sizes, way))) for way in (1, 0)]
    lists = [flat([random_list(rng, *size, way) for size in sizes]) for way in (1, 0)]
    words = WordIds(*(np.arange(side[-1], dtype=np.int32) for side in shapes))
    for measure in MEASURES:
        evidence = lists if measure in module.LIST_MEASURES else tables
        evidence = (None, None) if measure in module.WORD_MEASURES else evidence
        made = association(measure, shapes, *evidence, words, n_best)
        for k, (sources, targets) in enumerate(sizes):
            # What is dropped is less than the floor for each cell.
            lost = FLOOR * sources * targets
            assert (
                n_best * (sources + targets) - lost <= made[k].sum() <= n_best * (sources + targets) * 1.00001
            )


def test_null_weight():
    shapes = shapes_of([(1, 1)])
    half = Posteriors(np.array([0.5], np.float32))
    totals = [association("sum", shapes, half, half, null_weight=weight)[0] for weight in (1, 0.5, 0)]
    assert [matrix[1, 1] for matrix in totals] == pytest.approx([100, 400 / 3, 200])
    assert [matrix[0, 1] for matrix in totals] == pytest.approx([50, 100 / 3, 0])


def test_small_cells_are_dropped_unless_they_are_all_that_a_word_has():
    # 400 counts for 4 words, which is their total. 0.01 and 0.02 are below 0.05: source word 1 keeps 0.02, target
    # word 1 keeps 0.015, each its best; 0.01 is neither's.
    got = scaled(from_matrices([[[399.955, 0.015], [0.02, 0.01]]]))[0][1:, 1:]
    assert got.tolist() == [pytest.approx(row) for row in ([399.955, 0.015], [0.02, 0])]


def test_zeros_stay_zeros():
    got = scaled(from_matrices([np.zeros((2, 3)), np.zeros((0, 3)), np.eye(2)]))
    assert not got[0].any()
    assert got[2].sum() == pytest.approx(400)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"measure": "luck"},
            f"unknown association 'luck', expected one of {', '.join(MEASURES)}",
        ),
        ({"measure": "sum"}, "association 'sum' needs forward and reverse Posteriors; give them"),
        ({"measure": "counts"}, "association 'counts' needs forward and reverse BestLists; give them"),
        ({"measure": "information"}, "association 'information' needs words; give them"),
        ({"measure": "sum", "n_best": 0}, "n best 0: expected a number above 0"),
        ({"measure": "sum", "null_weight": -1}, "null weight -1: expected a number of at least 0"),
        ({"measure": "sum", "null_weight": math.nan}, "null weight nan: expected a number of at least 0"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments, message):
    table = Posteriors(np.ones(1, np.float32))
    if "n_best" in arguments or "null_weight" in arguments:
        arguments = {**arguments, "forward": table, "reverse": table}
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        association(shapes=shapes_of([(1, 1)]), **arguments)


def test_matrices_of_one_s_own(tmp_path, seed):
    rng = np.random.default_rng(seed)
    matrices = [rng.integers(0, 200, shape) for shape in ((3, 2), (1, 4), (2, 2))]
    np.savez(tmp_path / "all.npz", *matrices)
    np.save(tmp_path / "one.npy", matrices[0])
    for null in (False, True):
        read = read_matrices(tmp_path / "all.npz", null)
        for k, matrix in enumerate(matrices):
            expected = matrix.astype(float) if null else np.pad(matrix, ((1, 0), (1, 0)))
            expected[0, 0] = 0
            assert read[k].tolist() == expected.tolist()
    assert read_matrices(tmp_path / "one.npy")[0][1:, 1:].tolist() == matrices[0].tolist()
    assert not without_null(read)[0][0].any()
    assert without_null(read)[0][1:, 1:].tolist() == read[0][1:, 1:].tolist()


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2], [3, math.nan]], "row 1, column 1: got nan, expected a number from 0 to 3e38"),
        ([[1, math.inf], [3, 4]], "row 0, column 1: got inf, expected a number from 0 to 3e38"),
        ([[1, 2], [-3.5, 4]], "row 1, column 0: got -3.5, expected a number from 0 to 3e38"),
        ([[1e39]], "row 0, column 0: got 1e+39, expected a number from 0 to 3e38"),
        ([1, 2], "got 1 dimensions of int64, expected a matrix of numbers, source x target"),
        ([["a"]], "got 2 dimensions of <U1, expected a matrix of numbers, source x target"),
    ],
)
def test_bad_entries_are_refused_with_their_place(matrix, message, tmp_path):
    with pytest.raises(InputError, match=f"^matrix 1: {re.escape(message)}$"):
        from_matrices([np.eye(2), np.array(matrix)])
    path = tmp_path / "my.npz"
    np.savez(path, good=np.eye(2), bad=np.array(matrix))
    with pytest.raises(InputError, match=f"^{re.escape(f'{path}: bad: {message}')}$"):
        read_matrices(path)


def test_a_matrix_without_its_nulls_is_refused():
    message = "matrix 0: no row and column of NULLs, got the shape (0, 3); add them"
    with pytest.raises(InputError, match=re.escape(message)):
        from_matrices([np.zeros((0, 3))], null=True)


@pytest.mark.parametrize("content", [None, b"", b"no matrix", b"PK\x03\x04 broken"])
def test_files_that_cannot_be_read_are_refused(content, tmp_path):
    path = tmp_path / "my.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(f"{path}: no matrices can be read (")):
        read_matrices(path)


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }" + "(" * 9,
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, True), 3: 4}",
        "{['descr']: '<f8', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': [('a', [3])], 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': ('<f8', -1), 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000, 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000000000000, 3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 3)}",
        "-" * 100,
        "\x00\xff",
        "((((",
    ],
)
def test_damaged_headers_are_refused(header, tmp_path):
    path = tmp_path / "my.npy"
    content = header.encode("latin-1").ljust(117) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(content).to_bytes(2, "little") + content + bytes(48))
    with pytest.raises(InputError, match=re.escape(f"{path}: no matrices can be read (")):
        read_matrices(path)


def test_code_in_a_file_is_not_run(tmp_path):
    path = tmp_path / "my.npz"
    np.savez(path, np.array([{}], dtype=object))
    with pytest.raises(InputError, match=r"no matrices can be read \(.*; write them with numpy\.savez"):
        read_matrices(path)
