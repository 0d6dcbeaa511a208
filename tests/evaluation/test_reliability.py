"""Bins of confidences, and the expected calibration error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.evaluation import Bin, calibration_error, reliability
from cepts.links import Links

PAIRS = st.lists(
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(0, 20), max_size=8),
    max_size=4,
)


def made(pairs: list[dict[tuple[int, int], int]]) -> Links:
    """Links with confidences in twentieths."""
    rows = [[(i, j, number / 20) for (i, j), number in pair.items()] for pair in pairs]
    return Links.from_pairs(rows)


def test_bins_worked_out_by_hand() -> None:
    links = Links.from_pairs([[(0, 0, 0.95), (1, 1, 0.55)], [(0, 0, 0.5), (0, 1, 1.0)]])
    gold = Links.from_pairs([[(0, 0), (1, 1, 1.0, False)], [(0, 1)]])
    bins = reliability(links, gold)
    assert [one.links for one in bins] == [0, 0, 0, 0, 0, 2, 0, 0, 0, 2]
    assert [one.right for one in bins if one.links] == [1, 2]  # possible is right, too
    assert bins[5].mean_confidence == pytest.approx(0.525)
    assert bins[5].share_right == 0.5
    # (2 * |0.525 - 0.5| + 2 * |0.975 - 1|) / 4
    assert calibration_error(bins) == pytest.approx(0.025)


@given(PAIRS, st.integers(1, 12))
def test_bins_are_those_of_a_loop(pairs: list[dict[tuple[int, int], int]], bins: int) -> None:
    links = made(pairs)
    right = [{place for place in pair if sum(place) % 2} for pair in pairs]
    gold = Links.from_pairs([sorted(places) for places in right])
    expected = [[0, 0.0, 0] for _ in range(bins)]
    for k, pair in enumerate(links):
        for link in pair:
            one = expected[min(int(link.confidence * bins), bins - 1)]
            one[0] += 1
            one[1] += link.confidence
            one[2] += (link.source, link.target) in right[k]
    found = reliability(links, gold, bins)
    assert [(one.links, one.right) for one in found] == [(one[0], one[2]) for one in expected]
    assert [one.confidence for one in found] == pytest.approx([one[1] for one in expected])
    assert 0 <= calibration_error(found) <= 1


def test_no_links_have_no_error() -> None:
    assert calibration_error([]) == 0
    assert calibration_error([Bin(0, 0.0, 0)] * 10) == 0


@pytest.mark.parametrize("bins", [0, -3, 1001])
def test_numbers_of_bins_that_cannot_be(bins: int) -> None:
    nothing = Links.from_pairs([[]])
    with pytest.raises(OptionError, match=f"bins={bins}: expected a number from 1 to 1000"):
        reliability(nothing, nothing, bins)


def test_gold_of_other_sentences_is_refused() -> None:
    with pytest.raises(InputError, match="links have 1 sentences, gold has 2"):
        reliability(Links.from_pairs([[]]), Links.from_pairs([[], []]))
