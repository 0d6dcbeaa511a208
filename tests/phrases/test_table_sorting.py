"""Records sorted by way of files, against Python's own sort."""

import itertools
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cepts.errors import OutputError
from cepts.phrases import grouping, sorting
from cepts.phrases import sorting_kernels as kernels

END = -1

bodies = st.lists(st.integers(0, 3), max_size=4).map(lambda numbers: (*numbers, END))
seen = st.lists(st.tuples(bodies, st.sampled_from([1, 2, 2**31 - 1, 2**31, 2**40])), max_size=60)


def record(body, count):
    return [len(body) + 3, *body, count >> 31, count & (2**31 - 1)]


def parsed(data):
    """List the bodies and counts of records."""
    found, place, numbers = [], 0, data.tolist()
    while place < len(numbers):
        end = place + numbers[place]
        found.append((tuple(numbers[place + 1 : end - 2]), (numbers[end - 2] << 31) + numbers[end - 1]))
        place = end
    return found


def add(sorter, body, count):
    """Put a record into a sorter, as those who make records do."""
    numbers = record(body, count)
    if sorter.used + len(numbers) > len(sorter.buffer):
        sorter.make_room(len(numbers))
    sorter.buffer[sorter.used : sorter.used + len(numbers)] = numbers
    sorter.used += len(numbers)


def folded(found):
    """Add up the counts of neighbours that are the same."""
    groups = itertools.groupby(found, key=lambda one: one[0])
    return [(body, sum(count for _, count in group)) for body, group in groups]


def sorted_by_sorter(things, size, block=sorting.BLOCK, runs=sorting.MOST_RUNS, share=sorting.LEAST_SHARE):
    """Sort with a buffer of so many numbers; return what comes out on two walks."""
    with (
        TemporaryDirectory() as folder,
        mock.patch.multiple(sorting, BLOCK=block, MOST_RUNS=runs, LEAST_SHARE=share),
    ):
        sorter = sorting.Sorter(Path(folder), size)
        for body, count in things:
            add(sorter, body, count)
        result = sorter.finish()
        walks = [[one for part in result.blocks() for one in parsed(part)] for _ in range(2)]
        files = len(list(Path(folder).iterdir()))
    assert files == (0 if result.path is None else 1)
    assert walks[0] == walks[1]
    return walks[0]


@given(seen, st.sampled_from([5, 9, 30, 10_000]), st.sampled_from([1, 12, 1000]))
@example([((3, END), 1), ((END,), 2**31), ((3, END), 2**31 - 1)], 5, 1)
def test_equals_the_sort_of_python(things, size, block):
    expected = Counter()
    for body, count in things:
        expected[body] += count
    found = sorted_by_sorter(things, size, block, runs=3, share=1)
    assert folded(found) == sorted(expected.items())


def test_what_fits_is_one_record_for_equal_ones():
    things = [((1, END), 1), ((0, END), 5), ((1, END), 2**31)]
    assert sorted_by_sorter(things, 100) == [((0, END), 5), ((1, END), 2**31 + 1)]


@pytest.mark.parametrize("kind", ["random", "falling", "equal", "long"])
def test_many_records(kind, seed):
    chance = np.random.default_rng(seed)
    numbers = {
        "random": chance.integers(0, 50, (20_000, 3)),
        "falling": np.arange(20_000, 0, -1)[:, None],
        "equal": np.full((20_000, 2), 7),
        "long": np.concatenate((np.ones((400, 300), np.int64), chance.integers(0, 9, (400, 1))), axis=1),
    }[kind]
    things = [((*row, END), 1) for row in numbers.tolist()]
    expected = sorted(Counter(body for body, _ in things).items())
    assert sorted_by_sorter(things, 10_000_000) == expected
    assert folded(sorted_by_sorter(things, 5_000, block=1_000)) == expected


def test_runs_are_removed_once_they_are_merged(tmp_path):
    sorter = sorting.Sorter(tmp_path, 6)
    for number in range(200):
        add(sorter, (number, END), 1)
    most = 0
    merge = sorting.Sorter._merge_some

    def watched(sorter):
        nonlocal most
        merge(sorter)
        most = max(most, len(list(tmp_path.iterdir())))

    with mock.patch.object(sorting.Sorter, "_merge_some", watched):
        sorter.finish()
    assert most < 200
    assert len(list(tmp_path.iterdir())) == 1


def test_a_full_disk(tmp_path):
    sorter = sorting.Sorter(tmp_path / "nowhere", 6)
    add(sorter, (1, END), 1)
    with pytest.raises(OutputError, match=r"cannot write .*nowhere.*: No such file or directory"):
        add(sorter, (2, END), 1)


phrases = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(1, 9)), max_size=30)


@given(phrases, st.integers(1, 4))
def test_totals_of_what_begins_alike(triples, at_once):
    """A record: one word, END, another, END; blocks of a few records, so that phrases go on in the next."""
    rows = sorted(triples)
    parts = [rows[k : k + at_once] for k in range(0, len(rows), at_once)]
    blocks = [
        np.array(
            [number for one, two, count in part for number in record((one, END, two, END), count)], np.int32
        )
        for part in parts
    ]
    totals = Counter()
    for one, _, count in rows:
        totals[one] += count
    with TemporaryDirectory() as folder:
        found = list(grouping.with_totals(lambda: iter(blocks), END, Path(folder) / "totals"))
    assert [block.tolist() for block, _ in found] == [block.tolist() for block in blocks]
    assert [total for _, part in found for total in part.tolist()] == [totals[one] for one, _, _ in rows]


def test_each_kernel_compiles_once():
    sorted_by_sorter([((k % 7, END), 1) for k in range(100)], 20, share=1)
    for kernel in (
        *(kernels.find_starts, kernels.count_records, kernels.sort_starts, kernels.gather),
        *(kernels.merge, kernels.make_heap, kernels.whole_records),
    ):
        assert len(kernel.signatures) == 1, kernel
