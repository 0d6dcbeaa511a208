"""The rules of projection: which word speaks, where spans and dependencies arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.links import Link
from cepts.phrases.projection import (
    ROOT,
    Best,
    Placed,
    Span,
    best_links,
    complete_heads,
    project_heads,
    project_spans,
    representatives,
)
from tests.growth import steep
from tests.reference import projection as reference

CONFIDENCES = st.sampled_from([0.25, 0.5, 0.75, 1.0])  # sums are exact


def bests(words):
    """Draw for each of some target words a source word that speaks for it, or none."""
    link = st.builds(Best, st.integers(0, words - 1), CONFIDENCES)
    return st.lists(st.none() | link, max_size=8)


@st.composite
def flat_spans(draw):
    """Draw spans of 8 source words, none within another, in any order."""
    cuts = sorted(draw(st.sets(st.integers(0, 8), max_size=6)))
    return draw(st.permutations([Span(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]))


@st.composite
def nested_spans(draw):
    """Draw spans of 8 source words, within each other or not, each behind its parent."""
    ends = st.integers(0, 8)
    count = draw(st.integers(0, 6))
    return [Span(draw(ends), draw(ends), draw(st.integers(ROOT, number - 1))) for number in range(count)]


@st.composite
def trees(draw):
    """Draw heads of 1 to 8 words: a tree in any order, of which some heads may not be known."""
    order = draw(st.permutations(range(draw(st.integers(1, 8)))))
    heads = [ROOT] * len(order)
    for k in range(1, len(order)):
        heads[order[k]] = order[draw(st.integers(0, k - 1))]
    return heads


def test_the_most_confident_then_the_sure_then_the_leftmost_speaks():
    links = [
        Link(2, 0, 0.9),
        Link(0, 0, 0.8),
        Link(1, 1, 0.5, sure=False),
        Link(3, 1, 0.5),
        Link(5, 2),
        Link(4, 2),
    ]
    assert best_links(links, 4) == [Best(2, 0.9), Best(3, 0.5), Best(4, 1.0), None]


@given(flat_spans(), bests(8), st.integers(0, 2))
def test_spans_equal_the_slow_twin(spans, best, max_gap):
    found = [placed and placed[:2] for placed in project_spans(spans, best, max_gap)]
    assert found == reference.spans([span[:2] for span in spans], best, max_gap)


@given(nested_spans(), bests(8), st.integers(0, 3))
def test_nested_spans_equal_the_slow_twin(spans, best, max_gap):
    assert project_spans(spans, best, max_gap) == reference.nested_spans(spans, best, max_gap)


@pytest.mark.parametrize(
    "spans_of",
    [
        pytest.param(lambda size: [Span(0, 3, number - 1) for number in range(size)], id="nested"),
        pytest.param(lambda size: [Span(k, k + 1) for k in range(size)], id="side by side"),
    ],
)
def test_many_spans_of_a_line_take_time_in_proportion(spans_of):
    def project(size):
        return project_spans(spans_of(size), [Best(word, 1.0) for word in range(size)], 2)

    assert not steep(project, 4000)


def test_heads_that_hang_on_each_other_take_time_in_proportion():
    def complete(size):
        heads = [*range(1, size), ROOT]
        return complete_heads(heads, [Best(size - 2, 1.0)] * size, [None] * size)

    assert complete(5) == [ROOT, 0, 0, 0, 0]
    assert not steep(complete, 8000)


def test_heads_in_a_circle_are_refused():
    with pytest.raises(InputError, match="the heads of words make a cycle, expected a tree"):
        complete_heads([1, 0], [Best(0, 1.0)], [None])


@given(flat_spans(), bests(8))
def test_the_confidence_is_the_mean_of_the_words_that_have_part(spans, best):
    for span, placed in zip(spans, project_spans(spans, best), strict=True):
        if placed:
            words = filter(None, best[placed.begin : placed.end])
            own = [link.confidence for link in words if span.begin <= link.source < span.end]
            assert placed.confidence == sum(own) / len(own)


@given(flat_spans())
def test_over_identity_links_spans_stay_where_they_are(spans):
    best = [Best(word, 1.0) for word in range(8)]
    expected = [Placed(span.begin, span.end, 1.0, torn=False) for span in spans]
    assert project_spans(spans, best, max_gap=0) == expected


@given(st.data())
def test_spans_within_each_other_never_cross(data):
    spans = [Span(0, 8)]
    for number in range(1, data.draw(st.integers(1, 4))):
        around = spans[data.draw(st.integers(0, number - 1))]
        begin = data.draw(st.integers(around.begin, around.end))
        spans.append(Span(begin, data.draw(st.integers(begin, around.end)), spans.index(around)))
    placed = project_spans(spans, data.draw(bests(8)))
    for number, (span, where) in enumerate(zip(spans, placed, strict=True)):
        if where and span.parent != ROOT:
            around = placed[span.parent]
            assert around is not None
            assert around.begin <= where.begin < where.end <= around.end
        for other in range(number):
            if where and placed[other] and spans[other].parent == span.parent:
                assert where.begin >= placed[other].end or where.end <= placed[other].begin


def test_a_torn_span_keeps_its_most_confident_part():
    best = [Best(0, 0.9), None, None, Best(1, 0.5), Best(0, 0.5)]
    assert project_spans([Span(0, 2)], best) == [Placed(3, 5, 0.5, torn=True)]
    assert project_spans([Span(0, 2)], best, max_gap=2) == [Placed(0, 5, 1.9 / 3, torn=False)]


def test_a_gap_is_not_closed_over_another_span():
    best = [Best(0, 1.0), Best(2, 1.0), Best(1, 1.0)]
    assert project_spans([Span(0, 2), Span(2, 3)], best) == [
        Placed(0, 1, 1.0, torn=True),
        Placed(1, 2, 1.0, torn=False),
    ]
    assert project_spans([Span(0, 2)], best) == [Placed(0, 3, 1.0, torn=False)]


def test_heads_by_hand():
    # The black cat sleeps -> Le chat noir dort
    best = [Best(0, 1.0), Best(2, 1.0), Best(1, 1.0), Best(3, 1.0)]
    assert project_heads([2, 2, 3, ROOT], best) == [1, 3, 1, ROOT]


def test_a_second_word_of_a_source_word_and_one_whose_head_is_gone_have_no_head():
    # password: mot, passe; its head, enter, has no link.
    best = [Best(1, 0.9), None, Best(1, 0.8), Best(2, 1.0)]
    heads = [ROOT, 0, 1]
    assert representatives(best) == {1: 0, 2: 3}
    found = project_heads(heads, best)
    assert found == [None, None, None, 0]
    assert complete_heads(heads, best, found) == [ROOT, 0, 0, 0]


def test_where_a_head_is_gone_its_head_takes_over():
    best = [Best(2, 1.0), Best(0, 1.0)]
    heads = [ROOT, 0, 1]
    assert project_heads(heads, best) == [None, ROOT]
    assert complete_heads(heads, best, [None, ROOT]) == [1, ROOT]


@given(trees(), st.data())
def test_heads_are_those_of_a_forest_and_can_be_completed_to_a_tree(heads, data):
    best = data.draw(bests(len(heads)))
    found = project_heads(heads, best)
    assert found.count(ROOT) <= heads.count(ROOT)
    for word, head in enumerate(found):
        if head not in (None, ROOT):
            assert heads[best[word].source] == best[head].source
    complete = complete_heads(heads, best, found)
    assert not best or reference.is_tree(complete)
    tops = [word for word, head in enumerate(found) if head == ROOT]
    assert all(complete[word] == head for word, head in enumerate(found) if head not in (None, ROOT))
    assert all(complete[word] == ROOT for word in tops[:1])


@given(trees(), st.sets(st.integers(0, 7)), st.data())
def test_partial_trees_can_be_completed_too(heads, unknown, data):
    heads = [None if word in unknown else head for word, head in enumerate(heads)]
    best = data.draw(bests(len(heads)))
    complete = complete_heads(heads, best, project_heads(heads, best))
    assert not best or reference.is_tree(complete)


@given(trees())
def test_over_identity_links_heads_stay(heads):
    best = [Best(word, 1.0) for word in range(len(heads))]
    assert project_heads(heads, best) == heads
    assert complete_heads(heads, best, heads) == heads
