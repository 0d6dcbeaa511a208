"""The regularity term: prices by hand, and M steps against solvers that know nothing of closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.words import Lexicon, Smoothing, index_bitext
from cepts.words.regularity import pair_weights, regularity_of, weighted_rows, word_weights
from tests.reference import lexicon as slow_lexicon
from tests.reference import regularity as slow
from tests.words.corpora import (
    as_dictionaries,
    bitext_of,
    corpora,
    entry_names,
    id_pairs,
    random_counts,
    random_lexicon,
    random_pairs,
    rows_of,
    some_entries,
)

seeds = st.integers(0, 2**32 - 1)
strengths = st.sampled_from([0.01, 0.5, 2.5, 40.0])
FLOOR = 1e-10


def test_weights_of_words_by_hand():
    # schoenemann-2011: lambda * max(0, 6 - N), so a word that occurs once costs five lambda.
    occurrences = np.array([0, 1, 2, 3, 4, 5, 6, 7, 1000])
    assert word_weights(occurrences, 2.5).tolist() == [15.0, 12.5, 10.0, 7.5, 5.0, 2.5, 0.0, 0.0, 0.0]
    assert word_weights(occurrences, 0.0).tolist() == [0.0] * 9


def test_weights_of_pairs_by_hand():
    # The same paper: lambda * max(1, 5 - N); pairs are never free.
    assert pair_weights(np.array([1, 2, 3, 4, 5, 1000]), 0.5).tolist() == [2.0, 1.5, 1.0, 0.5, 0.5, 0.5]


def test_weights_of_a_bitext_by_hand():
    bitext = bitext_from_pairs([("a a a a a b", "x"), ("a", "x y")])
    regularity = regularity_of(bitext, index_bitext(bitext), 2.0)
    names = [None, *bitext.source.words], [None, *bitext.target.words]
    tables = [
        dict(zip(side, weights.tolist(), strict=True))
        for side, weights in zip(names, regularity.weights, strict=True)
    ]
    assert tables == [{None: 0.0, "a": 0.0, "b": 10.0}, {None: 0.0, "x": 8.0, "y": 10.0}]
    assert all(len(rows.entries) == 0 for rows in regularity.mixed)


def occurrences_of(bitext):
    """How often each word occurs, by its number, on both sides."""
    counted = ({}, {})
    for pair in id_pairs(bitext):
        for side, words in zip(counted, pair, strict=True):
            for word in words:
                side[word] = side.get(word, 0) + 1
    return counted


def slow_weights(bitext, indexed, strength, exempt):
    """The prices of all entries of both directions, by the slow twin."""
    tables = as_dictionaries(indexed, np.zeros((len(indexed.columns), 2)))
    free = {entry_names(indexed)[k] for k in exempt.tolist()}
    ways = (free, {pair[::-1] for pair in free})
    return [
        slow.weights_of(tables[way], occurrences_of(bitext)[way], strength, ways[way]) for way in range(2)
    ]


def with_regularity(pairs, seed, strength, share=0.3):
    """A bitext, its index, its regularity with some exempt entries, and the prices by the slow twin."""
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    exempt = some_entries(indexed, seed, share)
    regularity = regularity_of(bitext, indexed, strength, exempt)
    return bitext, indexed, regularity, slow_weights(bitext, indexed, strength, exempt)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@given(pairs=corpora(), seed=seeds, strength=strengths)
def test_each_entry_has_the_weight_of_the_slow_twin(share, pairs, seed, strength):
    _, indexed, regularity, expected = with_regularity(pairs, seed, strength, share)
    names = entry_names(indexed)
    for way in range(2):
        found = {key: float(regularity.weights[way][key[0]]) for key in expected[way]}
        mixed = regularity.mixed[way]
        keys = [names[k] if way == 0 else names[k][::-1] for k in mixed.entries.tolist()]
        assert len(set(keys)) == len(keys)
        for key, weight, relief in zip(keys, mixed.weights.tolist(), mixed.relief.tolist(), strict=True):
            assert weight + relief == found[key]
            found[key] = weight
        assert found == expected[way]
        check_whole_rows(keys, mixed.labels.tolist(), expected[way])


def check_whole_rows(keys, labels, weights):
    """A row that is mixed is there as a whole, under one label that it shares with no other."""
    rows = rows_of(weights)
    given_words = {given for given, _ in keys}
    assert sorted(keys) == sorted((given, word) for given in given_words for word in rows[given])
    assert len({(given, label) for (given, _), label in zip(keys, labels, strict=True)}) == len(given_words)
    assert sorted(set(labels)) == list(range(len(given_words)))


@pytest.mark.parametrize("share", [0.0, 0.4])
@settings(max_examples=50)
@given(pairs=corpora(), seed=seeds, strength=strengths)
def test_the_m_step_of_both_directions_equals_the_slow_twin(share, pairs, seed, strength):
    _, indexed, regularity, weights = with_regularity(pairs, seed, strength, share)
    counts = random_counts(indexed, seed)
    expected = [
        slow_lexicon.regularised(table, weights[way], FLOOR)
        for way, table in enumerate(as_dictionaries(indexed, counts))
    ]
    result = Lexicon.uniform(indexed).maximised(counts, Smoothing(0.0, FLOOR), 1, regularity)
    for way, table in enumerate(as_dictionaries(result)):
        assert table == pytest.approx(expected[way], rel=1e-5, abs=1e-9)
        assert result.regularity_term(way, regularity) == pytest.approx(
            slow.penalty(expected[way], weights[way]), rel=1e-5, abs=1e-6
        )


def test_any_number_of_threads_gives_the_same_bits(monkeypatch, seed):
    monkeypatch.setattr("cepts.words.lexicon.ROW_BLOCK", 16)
    _, indexed, regularity, _ = with_regularity(random_pairs(seed, words=12), seed, 2.5)
    results = [
        Lexicon.uniform(indexed).maximised(random_counts(indexed, seed), Smoothing(), threads, regularity)
        for threads in (1, 2, 3)
    ]
    for other in results[1:]:
        np.testing.assert_array_equal(results[0].values, other.values)


def test_rare_words_use_no_more_than_they_earn_by_hand():
    # "b" occurs once: w = 2 * 5 = 10. Counts 1 of x and 3 of y: mass 4/10, so p = c / max(C, w) = 0.1 and 0.3.
    # "a" occurs six times and costs nothing: 1/4 and 3/4. In reverse y occurs twice: w = 8, counts 12 and 4 make
    # more than 8, so nothing is saved: 3/4 and 1/4.
    bitext = bitext_from_pairs([("a a a a a b", "x y"), ("a", "x y")])
    indexed = index_bitext(bitext)
    names = [None, *bitext.source.words], [None, *bitext.target.words]
    spelled = [(names[0][row], names[1][column]) for row, column in entry_names(indexed)]
    forward = {("b", "x"): 1.0, ("b", "y"): 3.0, ("a", "x"): 2.0, ("a", "y"): 6.0}
    reverse = {("a", "y"): 12.0, ("b", "y"): 4.0}
    counts = np.array([[forward.get(pair, 0), reverse.get(pair, 0)] for pair in spelled], np.float32)
    regularity = regularity_of(bitext, indexed, 2.0)
    result = Lexicon.uniform(indexed).maximised(counts, Smoothing(0.0, 0.0), 1, regularity)
    values = dict(zip(spelled, result.values.tolist(), strict=True))
    assert [values["b", word][0] for word in "xy"] == pytest.approx([0.1, 0.3])
    assert [values["a", word][0] for word in "xy"] == pytest.approx([0.25, 0.75])
    assert [values[word, "y"][1] for word in "ab"] == pytest.approx([0.75, 0.25])
    # What rows of rare words use: 0.4 of "b" for 10 each; of y all for 8, of x nothing.
    assert result.regularity_term(0, regularity) == pytest.approx(4.0)
    assert result.regularity_term(1, regularity) == pytest.approx(8.0)


entries = st.lists(
    st.tuples(
        st.sampled_from([0.0, 1e-6, 1e-3, 0.2, 1.0, 30.0, 1e6]),
        st.sampled_from([0.0, 0.0, 1e-3, 0.5, 12.5, 1e6]),
    ),
    min_size=1,
    max_size=6,
)
rows = st.lists(entries, min_size=1, max_size=4)


def solved(drawn):
    """Each row's shares by `weighted_rows`, of all rows at once, their entries mixed up."""
    labels = np.repeat(np.arange(len(drawn)), [len(row) for row in drawn])
    counts, weights = (np.array([pair[k] for row in drawn for pair in row]) for k in range(2))
    order = np.random.default_rng(len(labels)).permutation(len(labels))
    shares = np.empty(len(labels))
    shares[order] = weighted_rows(labels[order], counts[order], weights[order])
    return [shares[labels == k] for k in range(len(drawn))]


@given(drawn=rows)
def test_different_weights_equal_bisection(drawn):
    for row, shares in zip(drawn, solved(drawn), strict=True):
        expected = slow.maximised_row(*zip(*row, strict=True))
        np.testing.assert_allclose(shares, expected, rtol=1e-9, atol=1e-15)


@given(drawn=rows)
def test_different_weights_fulfil_the_conditions_of_optimality(drawn):
    for row, shares in zip(drawn, solved(drawn), strict=True):
        counts, weights = (np.array(side) for side in zip(*row, strict=True))
        assert shares.min() >= 0
        assert shares.sum() <= 1 + 1e-9
        assert (shares[counts == 0] == 0).all(), "what explains nothing gets nothing"
        used = counts > 0
        multiplier = counts[used] / shares[used] - weights[used]
        scale = counts[used] / shares[used]
        if shares.sum() < 1 - 1e-9 or not used.any():
            np.testing.assert_allclose(multiplier / scale, 0, atol=1e-9)
        else:
            assert (multiplier / scale >= -1e-9).all()
            assert np.ptp(multiplier) <= 1e-9 * scale.max()


moderate = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 1.0, 5.0]), st.sampled_from([0.0, 0.5, 4.0, 12.5])),
    min_size=1,
    max_size=5,
)


@settings(max_examples=40)
@given(row=moderate)
def test_different_weights_equal_a_solver_that_only_moves_mass(row):
    counts, weights = zip(*row, strict=True)
    shares = weighted_rows(np.zeros(len(row), np.int64), np.array(counts), np.array(weights)).tolist()
    found = slow.exchanged_row(counts, weights)
    assert slow.cost(shares, counts, weights) <= slow.cost(found, counts, weights) + 1e-9
    for share, other, count in zip(shares, found, counts, strict=True):
        if count > 0:
            assert share == pytest.approx(other, rel=1e-3)


@pytest.mark.parametrize(
    ("counts", "weights", "expected"),
    [
        ([1.0, 3.0], [0.0, 0.0], [0.25, 0.75]),  # nothing costs: maximum likelihood
        ([1.0, 3.0], [10.0, 10.0], [0.1, 0.3]),  # one price: c / max(C, w)
        ([1.0, 3.0], [2.0, 2.0], [0.25, 0.75]),
        ([1.0, 1.0], [0.0, 8.0], [1 / (17**0.5 - 3), 1 / (17**0.5 + 5)]),  # mu^2 + 6 mu - 8 = 0
        ([0.0, 1.0], [0.0, 8.0], [0.0, 0.125]),
        ([0.0, 0.0], [0.0, 8.0], [0.0, 0.0]),
        ([2.0], [0.0], [1.0]),
        ([2.0], [8.0], [0.25]),
        ([1e-30, 1e-30], [0.0, 0.0], [0.5, 0.5]),
        ([1e12, 1.0], [0.0, 1e12], [1.0, 5e-13]),
        ([1.0, 1.0], [1e12, 0.0], [1e-12, 1.0]),
    ],
)
def test_rows_by_hand(counts, weights, expected):
    labels = np.zeros(len(counts), np.int64)
    shares = weighted_rows(labels, np.array(counts), np.array(weights))
    assert shares.tolist() == pytest.approx(expected, rel=1e-9)


def test_no_rows_at_all():
    nothing = np.zeros(0)
    assert len(weighted_rows(np.zeros(0, np.int64), nothing, nothing)) == 0


@given(pairs=corpora(), seed=seeds, strength=strengths)
def test_the_term_is_the_sum_of_prices(pairs, seed, strength):
    _, indexed, regularity, weights = with_regularity(pairs, seed, strength)
    lexicon = random_lexicon(indexed, seed)
    for way, table in enumerate(as_dictionaries(lexicon)):
        assert lexicon.regularity_term(way, regularity) == pytest.approx(
            slow.penalty(table, weights[way]), rel=1e-6, abs=1e-6
        )


@pytest.mark.parametrize("way", [0, 1])
def test_words_without_a_partner_weigh_nothing(way):
    # The second target word, or source word, occurs only opposite of nothing.
    pairs = [([], [1, 2]), ([1], [1])] if way == 0 else [([1, 2], []), ([1], [1])]
    bitext, indexed, regularity, _ = with_regularity(pairs, 1, 2.5)
    result = Lexicon.even(indexed).maximised(random_counts(indexed, 1), Smoothing(0.0, FLOOR), 1, regularity)
    assert np.isfinite(result.values).all()
    assert len(bitext.target.words if way == 0 else bitext.source.words) == 2
