"""`Links` themselves: building, selecting, turning round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.links import Link, Links
from cepts.links.links import links_from_rows

positions = st.integers(0, 6)
confidences = st.integers(0, 10).map(lambda tenth: float(np.float32(tenth / 10)))
rows = st.lists(st.builds(Link, positions, positions, confidences, st.booleans()), max_size=12)
corpora = st.lists(rows, max_size=5)


def unique(pairs):
    """Keep the last of the links at one place, sorted: what `from_pairs` promises."""
    return [[link for _, link in sorted({link[:2]: link for link in pair}.items())] for pair in pairs]


@given(corpora)
def test_links_come_back_sorted_and_once(pairs):
    assert list(Links.from_pairs(pairs)) == unique(pairs)


def test_index_counts_from_both_ends_and_stops():
    links = Links.from_pairs([[(0, 0)], []])
    assert links[-2] == [Link(0, 0)]
    assert links[1] == []
    with pytest.raises(IndexError):
        links[2]
    with pytest.raises(IndexError):
        links[-3]


@given(corpora, st.randoms(use_true_random=False))
def test_rows_in_any_order_become_sorted_links_where_sure_and_confidence_win(pairs, random):
    shuffled = [(k, *link) for k, pair in enumerate(pairs) for link in pair]
    random.shuffle(shuffled)
    columns = list(zip(*shuffled, strict=True)) or [()] * 5
    types = (np.int64, np.int32, np.int32, np.float32, np.bool_)
    arrays = [np.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    expected = []
    for pair in pairs:
        cells = sorted({link[:2] for link in pair})
        same = [[link for link in pair if link[:2] == cell] for cell in cells]
        expected.append(
            [
                Link(*cell, max(link.confidence for link in group), any(link.sure for link in group))
                for cell, group in zip(cells, same, strict=True)
            ]
        )
    assert list(links_from_rows(*arrays, len(pairs))) == expected


@given(corpora)
def test_swapping_exchanges_the_sides_and_twice_is_nothing(pairs):
    links = Links.from_pairs(pairs)
    swapped = links.swapped()
    turned = [[(link.target, link.source, link.confidence, link.sure) for link in pair] for pair in links]
    assert list(swapped) == list(Links.from_pairs(turned))
    assert list(swapped.swapped()) == list(links)


@given(corpora, st.integers(0, 6))
def test_select_keeps_rows_and_pairs(pairs, least):
    links = Links.from_pairs(pairs)
    kept = links.select(links.source >= least)
    assert list(kept) == [[link for link in pair if link.source >= least] for pair in links]


@given(corpora, st.integers(-1, 7))
def test_head_is_the_first_pairs(pairs, n):
    links = Links.from_pairs(pairs)
    assert list(links.head(n)) == list(links)[: max(n, 0)]


def test_scores_stay_with_their_pairs():
    plain = Links.from_pairs([[(0, 1)], [], [(2, 0)]])
    columns = plain.source, plain.target, plain.confidence, plain.sure, plain.offsets
    links = Links(*columns, np.array([-1.0, -2.0, -3.0]))
    assert links.swapped().scores.tolist() == [-1, -2, -3]
    assert links.select(links.source > 5).scores.tolist() == [-1, -2, -3]
    assert links.head(2).scores.tolist() == [-1, -2]


def test_too_many_cells_to_number_are_refused():
    far = np.array([2**31 - 2], np.int32)
    columns = np.array([2], np.int64), far, far, np.ones(1, np.float32), np.ones(1, np.bool_)
    with pytest.raises(
        InputError, match=r"positions up to 2147483646 and 2147483646 in 3 pairs make too many"
    ):
        links_from_rows(*columns, 3)
