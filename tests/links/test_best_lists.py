"""`BestLists`: looking up, exchanging and writing the most probable alignments of each pair."""

import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.links import BestLists, Link, Links, read_best_lists, write_best_lists

positions = st.integers(0, 4)
alignments = st.lists(st.tuples(positions, positions).map(lambda place: Link(*place)), max_size=3)
entries = st.tuples(st.floats(-100, 0), alignments)
lists_of_pairs = st.lists(st.lists(entries, max_size=4), max_size=5)


def build(pairs):
    """Make `BestLists` of a list of (log probability, links) for each pair."""
    rows = [(owner, log, links) for owner, entries in enumerate(pairs) for log, links in entries]
    links = Links.from_pairs([row[2] for row in rows])
    owners, logs = np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows])
    return BestLists(links, owners, logs)


def once(links):
    """Sort links, each kept once: what `Links` promises."""
    return sorted(set(links))


def expected(pairs):
    return [[(once(links), log) for log, links in entries] for entries in pairs]


@given(lists_of_pairs)
def test_each_pair_has_its_own_list(pairs):
    lists = build(pairs)
    assert [lists.of(pair) for pair in range(len(pairs))] == expected(pairs)
    assert lists.of(len(pairs)) == []


def test_numbers_are_plain():
    [(links, log)] = build([[(-0.5, [Link(0, 1)])]]).of(0)
    assert links == [Link(0, 1, 1.0, True)]
    assert (type(log), type(links[0].source)) == (float, int)


@given(lists_of_pairs, st.dictionaries(st.integers(0, 5), st.lists(entries, min_size=1, max_size=4)))
def test_some_lists_are_replaced_and_the_others_are_kept(pairs, others):
    pairs = [*pairs, [(-1.0, [Link(0, 0)])]]
    before = build(pairs)
    lists = before.replaced(others)
    changed = [others.get(pair, own) for pair, own in enumerate([*pairs, *[[]] * 6])]
    assert [lists.of(pair) for pair in range(len(changed))] == expected(changed)
    assert lists.owner.tolist() == sorted(lists.owner.tolist())
    assert (lists.owner.dtype, lists.log_probability.dtype) == (np.int64, np.float64)
    assert [before.of(pair) for pair in range(len(pairs))] == expected(pairs), "they are what they were"


def test_a_list_keeps_the_order_that_it_is_given_in():
    lists = build([[(-1.0, [])], [(-1.0, [])]]).replaced({0: [(-3.0, [Link(1, 1)]), (-2.0, [])]})
    assert lists.of(0) == [([Link(1, 1)], -3.0), ([], -2.0)]


def test_lists_of_nothing():
    nothing = build([])
    assert nothing.of(0) == []
    assert nothing.replaced({0: [(-1.0, [Link(0, 0)])]}).of(0) == [([Link(0, 0)], -1.0)]
    for lists in (nothing.replaced({}), build([[(-1.0, [])]]).replaced({0: []})):
        assert (len(lists.links), len(lists.owner), len(lists.log_probability)) == (0, 0, 0)
        assert written(lists) == ""


def written(lists, **options):
    stream = io.StringIO()
    write_best_lists(lists, stream, **options)
    return stream.getvalue()


LISTS = [
    [(-1.23456, [Link(2, 0), Link(0, 1)]), (-10.0, [])],
    [],
    [(-0.00001, [Link(0, 0)]), (-123.456789, [Link(10, 11, 0.5, False)])],
]


@pytest.mark.parametrize(("first", "numbers"), [(0, (0, 2)), (100, (100, 102))])
def test_a_line_for_each_alignment(first, numbers):
    lines = [
        f"{numbers[0]} ||| 0-1 2-0 ||| -1.2346",
        f"{numbers[0]} |||  ||| -10.0000",
        f"{numbers[1]} ||| 0-0 ||| -0.0000",
        f"{numbers[1]} ||| 10?11 ||| -123.4568",
    ]
    assert written(build(LISTS), first=first) == "".join(f"{line}\n" for line in lines)


def test_lines_count_from_0():
    assert written(build(LISTS)) == written(build(LISTS), first=0)


@given(lists_of_pairs)
def test_lists_are_read_as_they_are_written(pairs):
    lists, stream = build(pairs), io.StringIO()
    write_best_lists(lists, stream)
    stream.seek(0)
    read = read_best_lists(stream)
    assert [read.of(pair) for pair in range(len(pairs))] == [
        [(links, pytest.approx(log, abs=1e-4)) for links, log in lists.of(pair)] for pair in range(len(pairs))
    ]


def test_lists_of_pairs_in_any_order_are_sorted_by_pair():
    read = read_best_lists(io.StringIO("1 ||| 0-0 ||| -1\n0 |||  ||| -2\n1 ||| 1-1 2?2 ||| -3\n"))
    assert read.owner.tolist() == [0, 1, 1]
    assert read.of(0) == [([], -2)]
    assert read.of(1) == [([Link(0, 0)], -1), ([Link(1, 1), Link(2, 2, sure=False)], -3)]


@given(lists_of_pairs)
def test_shares_are_those_of_the_alignments_that_have_a_link(pairs):
    shares = build(pairs).shares(len(pairs))
    for number, entries in enumerate(pairs):
        weights = np.exp([log - max(log for log, _ in entries) for log, _ in entries])
        expected_shares = {}
        for weight, (_, links) in zip(weights / (weights.sum() or 1), entries, strict=True):
            for link in once(links):
                expected_shares[link[:2]] = expected_shares.get(link[:2], 0.0) + weight
        found = {link[:2]: link.confidence for link in shares[number]}
        assert found == pytest.approx(dict(sorted(expected_shares.items())), abs=1e-6)
        assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 ||| 0-0", "line 2: expected `line ||| links ||| log probability`"),
        ("x ||| 0-0 ||| -1", "line 2: position 'x' is not a number, expected a number from 0"),
        ("0 ||| 0:0 ||| -1", "line 2: '0' is not a link, expected i-j"),
        ("0 ||| 0-0 ||| low", "line 2: score 'low' is not a number"),
        ("0 ||| 0-0 ||| nan", "line 2: log probability nan, expected a finite number"),
    ],
)
def test_bad_lists_are_refused(line, message):
    with pytest.raises(InputError, match=f"^links, {re.escape(message)}"):
        read_best_lists(io.StringIO(f"0 ||| 0-0 ||| -1\n{line}\n"))
