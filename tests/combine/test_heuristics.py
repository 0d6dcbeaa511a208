"""The heuristics against their slow twins, by law, and by hand."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cepts.combine import HEURISTICS, combine
from cepts.combine import heuristics_kernels as kernels
from cepts.errors import InputError, OptionError
from cepts.links import Link, Links
from tests.reference import heuristics as reference

points = st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=16)
corpora = st.lists(st.tuples(points, points), max_size=4)


def as_sets(links):
    return [{(link.source, link.target) for link in pair} for pair in links]


def combined(directions, method):
    forward, reverse = ([pair[side] for pair in directions] for side in (0, 1))
    return as_sets(combine(Links.from_pairs(forward), Links.from_pairs(reverse), method))


@pytest.mark.parametrize("method", HEURISTICS)
@given(directions=corpora)
def test_equals_the_slow_twin(method, directions):
    assert combined(directions, method) == [reference.combine(*pair, method) for pair in directions]


@given(corpora)
def test_each_rule_lies_between_others(directions):
    results = {method: combined(directions, method) for method in HEURISTICS}
    for lower, upper in (
        ("intersection", "grow-diag"),
        ("grow-diag", "grow-diag-final"),
        ("grow-diag", "grow-diag-final-and"),
        ("grow-diag-final", "union"),
        ("grow-diag-final-and", "union"),
    ):
        assert all(a <= b for a, b in zip(results[lower], results[upper], strict=True)), (lower, upper)


@given(corpora)
def test_final_leaves_no_word_of_the_union_without_a_link(directions):
    for some, everything in zip(
        combined(directions, "grow-diag-final"), combined(directions, "union"), strict=True
    ):
        assert {i for i, _ in some} == {i for i, _ in everything}
        assert {j for _, j in some} == {j for _, j in everything}


def test_final_and_is_not_a_part_of_final():
    # Words 0 and 9 of both sides are covered by the intersection; word 5 is free, and far from them. By hand:
    # final takes (0, 5), as target word 5 is free, then (5, 0), as source word 5 is; (5, 5) then has no free
    # word. final-and refuses the first two, as 0 is covered, and takes (5, 5).
    forward = {(0, 0), (9, 9), (0, 5), (5, 0), (5, 5)}
    reverse = {(0, 0), (9, 9)}
    assert combined([(forward, reverse)], "grow-diag-final") == [{(0, 0), (9, 9), (0, 5), (5, 0)}]
    assert combined([(forward, reverse)], "grow-diag-final-and") == [{(0, 0), (9, 9), (5, 5)}]


def test_a_pair_by_hand():
    # Intersection: (0, 0), (4, 4). First sweep: (1, 1) touches (0, 0); (1, 2) touches (1, 1) and 2 is free;
    # (2, 2) touches (1, 1) and 2 of the source is free; (3, 0) touches nothing. (2, 6) and (7, 7) neither.
    # Final, forward: (3, 0), as 3 is free, (7, 7); reverse: (2, 6), as 6 is free. Final-and: (7, 7) alone.
    forward = {(0, 0), (1, 1), (2, 2), (3, 0), (4, 4), (7, 7)}
    reverse = {(0, 0), (1, 2), (2, 6), (4, 4)}
    grown = {(0, 0), (1, 1), (1, 2), (2, 2), (4, 4)}
    assert combined([(forward, reverse)], "grow-diag") == [grown]
    assert combined([(forward, reverse)], "grow-diag-final") == [grown | {(3, 0), (7, 7), (2, 6)}]
    assert combined([(forward, reverse)], "grow-diag-final-and") == [grown | {(7, 7)}]


def test_a_chain_grows_against_the_order_of_sweeps():
    # Only the last point is in both: each sweep by source position reaches one point further up.
    chain = {(i, i) for i in range(20)}
    assert combined([(chain, {(19, 19)})], "grow-diag") == [chain]


def test_a_pair_leaves_nothing_to_the_next():
    # The second pair's only points are alone; covered words or begins of rows kept from the first would show.
    first = ({(0, 0), (1, 1), (2, 2)}, {(0, 0), (2, 1)})
    second = ({(1, 1)}, {(1, 2)})
    assert combined([first, second], "grow-diag")[1] == set()
    assert combined([first, second], "grow-diag-final-and")[1] == {(1, 1)}


weighed = st.lists(
    st.builds(
        Link, st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.25, 0.5, 0.75, 1.0]), st.booleans()
    ),
    max_size=8,
)


@pytest.mark.parametrize("method", HEURISTICS)
@given(forward=weighed, reverse=weighed)
@example(forward=[Link(0, 0, 0.25, False)], reverse=[Link(0, 0, 0.5, True)])
def test_confidence_is_the_larger_and_sure_wins(method, forward, reverse):
    forward, reverse = Links.from_pairs([forward]), Links.from_pairs([reverse])
    for link in combine(forward, reverse, method)[0]:
        same = [other for other in forward[0] + reverse[0] if other[:2] == link[:2]]
        assert link.confidence == max(other.confidence for other in same)
        assert link.sure == any(other.sure for other in same)


def with_scores(scores):
    plain = Links.from_pairs([[(0, 0)]] * 3)
    columns = plain.source, plain.target, plain.confidence, plain.sure, plain.offsets
    return Links(*columns, None if scores is None else np.array(scores))


@pytest.mark.parametrize(
    ("forward", "reverse", "expected"),
    [
        (None, None, None),
        ([-1, -2, -3], None, [-1, -2, -3]),
        (None, [-1, -2, -3], [-1, -2, -3]),
        ([-1, -2, -np.inf], [-1, -3, -np.inf], [-1, -2.5, -np.inf]),
    ],
)
@pytest.mark.parametrize("method", ["union", "grow-diag"])
def test_scores_are_the_mean_of_those_there_are(method, forward, reverse, expected):
    scores = combine(with_scores(forward), with_scores(reverse), method).scores
    assert scores is None if expected is None else scores.tolist() == expected


@pytest.mark.parametrize("method", HEURISTICS)
def test_no_pairs_and_no_links(method):
    assert combined([], method) == []
    assert combined([(set(), set()), (set(), set())], method) == [set(), set()]


def test_different_numbers_of_pairs_are_refused():
    message = (
        "forward links have 2 sentence pairs, reverse links 1, expected as many; are they of the same text?"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        combine(Links.from_pairs([[], []]), Links.from_pairs([[]]), "union")


def test_an_unknown_method_is_refused_with_the_known_ones():
    message = (
        "unknown way to combine 'grow', expected one of union, intersection, grow-diag, grow-diag-final,"
        " grow-diag-final-and"
    )
    with pytest.raises(OptionError, match=re.escape(message)):
        combine(Links.from_pairs([]), Links.from_pairs([]), "grow")


@pytest.mark.parametrize("method", ["posterior", "dual", "cepts"])
def test_a_method_that_needs_a_model_is_refused(method):
    message = (
        f"'{method}' needs a model's probabilities, not only links; use it when aligning, or one of union,"
    )
    with pytest.raises(OptionError, match=re.escape(message)):
        combine(Links.from_pairs([]), Links.from_pairs([]), method)


def test_each_kernel_compiles_once():
    for method in HEURISTICS:
        combined([({(0, 0), (0, 1)}, {(0, 0)})], method)
    assert len(kernels.merge.signatures) == 1
    assert len(kernels.grow.signatures) == 1
