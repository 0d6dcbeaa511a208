"""Phrase extraction against its slow twin, by law, and by hand."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.links import Links
from cepts.phrases import UNALIGNED, extract, extract_in_pieces
from cepts.phrases import extraction_kernels as kernels
from tests.reference import phrases as reference


@st.composite
def sentence_pairs(draw):
    """Draw two lengths and (source, target, sure) links within them."""
    sources, targets = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    if not sources or not targets:
        return sources, targets, frozenset()
    cells = st.tuples(st.integers(0, sources - 1), st.integers(0, targets - 1))
    sure = draw(st.dictionaries(cells, st.booleans(), max_size=8))
    return sources, targets, frozenset((i, j, is_sure) for (i, j), is_sure in sure.items())


corpora = st.lists(sentence_pairs(), max_size=4)
lengths = st.integers(1, 7)
rules = st.sampled_from(UNALIGNED)


def arguments(corpus):
    links = Links.from_pairs([[(i, j, 1.0, sure) for i, j, sure in links] for _, _, links in corpus])
    return links, *(np.array([pair[side] for pair in corpus], np.int32) for side in (0, 1))


def rows(found):
    return [tuple(row) for row in np.transpose(found).tolist()]


def expected(corpus, max_length, unaligned):
    return [
        (k, *box)
        for k, (sources, targets, links) in enumerate(corpus)
        for box in reference.extract(links, sources, targets, max_length, unaligned)
    ]


def found_in(links, sources, targets, max_length=7, unaligned="edges"):
    """Extract from one pair; links are (source, target) or (source, target, sure)."""
    full = frozenset((link[0], link[1], link[2] if len(link) > 2 else True) for link in links)
    found = extract(*arguments([(sources, targets, full)]), max_length, unaligned)
    return [row[1:] for row in rows(found)]


@given(corpora, lengths, rules)
@example([(1, 1, frozenset({(0, 0, False)}))], 1, "never")
@example([(3, 3, frozenset({(0, 2, False), (1, 0, False), (2, 1, True)}))], 3, "edges")
def test_equals_the_slow_twin(corpus, max_length, unaligned):
    assert rows(extract(*arguments(corpus), max_length, unaligned)) == expected(corpus, max_length, unaligned)


@given(corpora, lengths, rules, st.integers(1, 5))
def test_pieces_are_the_whole(corpus, max_length, unaligned, size):
    pieces = list(extract_in_pieces(*arguments(corpus), max_length, unaligned, size))
    assert [row for piece in pieces for row in rows(piece)] == expected(corpus, max_length, unaligned)
    for piece in pieces:
        begins = set(zip(piece.pair.tolist(), piece.source_begin.tolist(), strict=True))
        assert 0 < len(piece.pair) <= size or len(begins) == 1


@given(corpora, lengths)
def test_each_rule_allows_what_a_stricter_one_does(corpus, max_length):
    edges, inside, never = (set(rows(extract(*arguments(corpus), max_length, rule))) for rule in UNALIGNED)
    assert never <= inside <= edges


@given(corpora, lengths, rules)
def test_turned_round_the_phrase_pairs_are_the_same(corpus, max_length, unaligned):
    turned = [(t, s, frozenset((j, i, sure) for i, j, sure in links)) for s, t, links in corpus]
    there = {(k, a, b, c, d) for k, a, b, c, d in rows(extract(*arguments(corpus), max_length, unaligned))}
    back = {(k, a, b, c, d) for k, c, d, a, b in rows(extract(*arguments(turned), max_length, unaligned))}
    assert there == back


@given(corpora, lengths, lengths, rules)
def test_shorter_phrases_are_those_of_longer_ones_that_are_short(corpus, one, other, unaligned):
    short, long = sorted((one, other))
    wide = rows(extract(*arguments(corpus), long, unaligned))
    fitting = [row for row in wide if row[2] - row[1] <= short and row[4] - row[3] <= short]
    assert rows(extract(*arguments(corpus), short, unaligned)) == fitting


class TestByHand:
    """michael geht davon aus / michael assumes: links of 0-0 1-1 2-1 3-1."""

    LINKS = ((0, 0), (1, 1), (2, 1), (3, 1))

    def test_a_word_for_three(self):
        assert found_in(self.LINKS, 4, 2) == [(0, 1, 0, 1), (0, 4, 0, 2), (1, 4, 1, 2)]
        assert found_in(self.LINKS, 4, 2, max_length=3) == [(0, 1, 0, 1), (1, 4, 1, 2)]
        assert found_in(self.LINKS, 4, 2, max_length=2) == [(0, 1, 0, 1)]

    def test_a_free_word_at_the_edges(self):
        # Source word 1 has no link: it joins either neighbour, under "inside" only both at once.
        links = ((0, 0), (2, 1))
        whole, alone = (0, 3, 0, 2), [(0, 1, 0, 1), (2, 3, 1, 2)]
        assert found_in(links, 3, 2) == [(0, 1, 0, 1), (0, 2, 0, 1), whole, (1, 3, 1, 2), (2, 3, 1, 2)]
        assert found_in(links, 3, 2, unaligned="inside") == [alone[0], whole, alone[1]]
        assert found_in(links, 3, 2, unaligned="never") == alone

    def test_a_possible_link_that_leaves_is_absent(self):
        # 0-1 is possible: (0, 0) alone is a pair, though 0-1 leaves it.
        links = ((0, 0), (1, 1), (0, 1, False))
        assert found_in(links, 2, 2, unaligned="never") == [(0, 1, 0, 1), (0, 2, 0, 2), (1, 2, 1, 2)]
        sure = ((0, 0), (1, 1), (0, 1))
        assert found_in(sure, 2, 2, unaligned="never") == [(0, 2, 0, 2)]

    def test_a_possible_link_inside_counts(self):
        # Without it, word 1 of both sides would be free: no pair (1, 1), and none of "never" with it.
        links = ((0, 0), (1, 1, False))
        assert found_in(links, 2, 2, unaligned="never") == [(0, 1, 0, 1), (0, 2, 0, 2), (1, 2, 1, 2)]
        assert found_in(links[:1], 2, 2, unaligned="never") == [(0, 1, 0, 1)]

    def test_a_possible_link_to_a_word_with_a_sure_one_makes_no_pair(self):
        # (0, 1) x (0, 1) would be left by the sure link 1-0.
        assert found_in(((1, 0), (0, 0, False)), 2, 1) == [(0, 2, 0, 1), (1, 2, 0, 1)]

    def test_two_crossing_links(self):
        assert found_in(((0, 1), (1, 0)), 2, 2) == [(0, 1, 1, 2), (0, 2, 0, 2), (1, 2, 0, 1)]


def test_nothing_to_find():
    assert rows(extract(*arguments([]))) == []
    assert rows(extract(*arguments([(0, 0, frozenset()), (3, 0, frozenset()), (2, 2, frozenset())]))) == []


def test_a_pair_leaves_nothing_to_the_next():
    full = frozenset((i, j, True) for i in range(5) for j in range(5))
    corpus = [(5, 5, full), (4, 3, frozenset({(1, 1, False)})), (5, 5, full)]
    assert rows(extract(*arguments(corpus), 3)) == expected(corpus, 3, "edges")


def test_long_sentences():
    # Word k with word k: boxes of n words at n places fewer than words.
    words = 10_000
    diagonal = [(k, k) for k in range(words)]
    found = found_in(diagonal, words, words)
    assert len(found) == sum(words - n + 1 for n in range(1, 8))
    assert all(box[:2] == box[2:] for box in found)


@pytest.mark.parametrize("unaligned", ["inside", "never"])
def test_one_link_in_long_sentences_and_no_limit_on_phrases(unaligned):
    assert found_in([(5_000, 5_000)], 10_000, 10_000, 10_000, unaligned) == [(5_000, 5_001, 5_000, 5_001)]


def test_lengths_of_any_integer_type():
    links, sources, targets = arguments([(2, 2, frozenset({(0, 0, True)}))])
    wide = extract(links, sources.astype(np.int64), targets.astype(np.int64))
    assert rows(wide) == rows(extract(links, sources, targets))
    assert [column.dtype for column in wide] == [np.int64, *[np.int32] * 4]


@pytest.mark.parametrize("function", [extract, extract_in_pieces])
def test_what_is_refused(function):
    links, sources, targets = arguments([(1, 1, frozenset()), (2, 1, frozenset({(1, 0, True)}))])
    with pytest.raises(OptionError, match="max_length=0: expected a number from 1"):
        function(links, sources, targets, 0)
    with pytest.raises(OptionError, match="unaligned 'outside': expected one of edges, inside, never"):
        function(links, sources, targets, 7, "outside")
    outside = "pair 2: link 1-0 .* 1 source and 1 target words"
    with pytest.raises(InputError, match=outside):
        function(links, np.array([1, 1]), targets)
    with pytest.raises(InputError, match="links of 2 pairs, but the text has 1 pairs, expected as many"):
        function(links, sources[:1], targets[:1])


def test_the_kernel_compiles_once():
    for rule in UNALIGNED:
        found_in([(0, 0), (1, 1, False)], 3, 3, unaligned=rule)
    assert len(kernels.find_boxes.signatures) == 1
