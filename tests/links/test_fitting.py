"""Links that do not fit their text are refused, with what would make them fit."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.links import Links
from cepts.links.fitting import check_fit

CELL = st.tuples(st.integers(0, 4), st.integers(0, 4))


def refusal(pairs, source_lengths, target_lengths, *names):
    """Return what is said about links that do not fit."""
    with pytest.raises(InputError) as caught:
        check_fit(Links.from_pairs(pairs), np.array(source_lengths), np.array(target_lengths), *names)
    return str(caught.value)


def test_another_number_of_pairs():
    assert refusal([[], []], [1], [1]) == (
        "links: links of 2 pairs, but the text has 1 pairs, expected as many; line k must hold the links of pair k"
    )
    assert refusal([], [1], [1], "a.links", "a.en").startswith(
        "a.links: links of 0 pairs, but a.en has 1 pairs"
    )


def test_the_first_link_that_is_outside_is_named():
    said = refusal([[(0, 0)], [], [(0, 1), (2, 0), (5, 0)]], [1, 0, 2], [1, 0, 2], "a", "b", "line")
    assert said == (
        "a, line 3: link 2-0 (from 0) is outside of its pair, which has 2 source and 2 target words; are these links"
        " for this text, source first, counted from 0?"
    )


def test_what_would_make_all_links_fit_is_said():
    swapped = refusal([[(0, 0)], [(2, 0), (1, 1)]], [1, 2], [1, 3])
    assert swapped.endswith("; turned round all links fit: source and target are swapped")
    shifted = refusal([[(1, 1)], [(2, 3)]], [1, 2], [1, 3])
    assert shifted.endswith("; one lower all links fit: they count from 1, expected from 0")
    neither = refusal([[(1, 1)], [(0, 0)]], [1, 2], [1, 3])
    assert neither.endswith("; are these links for this text, source first, counted from 0?")


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.frozensets(CELL, max_size=4)), max_size=4))
def test_exactly_what_does_not_fit_is_refused(corpus):
    source, target = (np.array([pair[n] for pair in corpus], np.int64) for n in range(2))
    links = Links.from_pairs([pair[2] for pair in corpus])
    outside = [
        (k, *cell)
        for k, (rows, columns, cells) in enumerate(corpus, 1)
        for cell in sorted(cells)
        if cell[0] >= rows or cell[1] >= columns
    ]
    if outside:
        said = re.escape("links, pair {}: link {}-{} (from 0) ".format(*outside[0]))
        with pytest.raises(InputError, match=f"^{said}"):
            check_fit(links, source, target)
    else:
        check_fit(links, source, target)
