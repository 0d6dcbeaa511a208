"""IBM-1 against its slow twin, by law, and by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.words import Agreement, Ibm1, Lexicon, index_bitext, train
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    best_paths,
    corpora,
    id_pairs,
    indexed_and_model,
    posterior_tables,
    random_pairs,
    slow_expectation,
    slow_posteriors,
    totals_of,
)

seeds = st.integers(0, 2**32 - 1)


def check_expectation(pairs, seed, agreement, doubt=1.0, null=0.2):
    bitext, indexed, model = indexed_and_model(pairs, "ibm1", seed)
    model = replace(model, null=null)
    totals = totals_of(model, indexed, INDEPENDENT._replace(agreement=agreement, doubt=doubt))
    counts, likelihoods, _ = slow_expectation(model, bitext, agreement, doubt)
    assert totals.likelihoods.tolist() == pytest.approx(likelihoods, rel=1e-5, abs=1e-5)
    for fast, slow in zip(as_dictionaries(model.lexicon, totals.lexicon), counts, strict=True):
        assert fast == pytest.approx(slow, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("agreement", list(Agreement))
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds)
def test_the_e_step_equals_the_slow_twin(agreement, pairs, seed):
    check_expectation(pairs, seed, agreement)


@pytest.mark.parametrize("null", [None, 0.2])
def test_the_e_step_over_several_batches(null, seed):
    check_expectation(random_pairs(seed, count=50), seed, Agreement.PRODUCT, null=null)


@given(pairs=corpora(), seed=seeds)
def test_the_e_step_with_null_as_one_more_word_equals_the_slow_twin(pairs, seed):
    check_expectation(pairs, seed, Agreement.NONE, null=None)


@pytest.mark.parametrize("doubt", [0.1, 20.0])
def test_doubt_divides_the_odds(doubt, seed):
    check_expectation(random_pairs(seed, count=20), seed, Agreement.ODDS, doubt)


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize("null", [None, 0.0, 0.2])
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds)
def test_posteriors_and_best_paths(null, way, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, "ibm1", seed)
    model = replace(model, null=null)
    probability = as_dictionaries(model.lexicon)[way]
    tables, paths = (find(model, indexed, len(pairs), way) for find in (posterior_tables, best_paths))
    for pair, table, path in zip(id_pairs(bitext), tables, paths, strict=True):
        states, steps = pair if way == 0 else pair[::-1]
        real, nothing, _ = slow_posteriors(model, states, steps, way, probability)
        np.testing.assert_allclose(table, real, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(table.sum(axis=1) + nothing, 1, atol=1e-5)
        for row, null, state in zip(real, nothing, path, strict=True):
            assert (null if state < 0 else row[state]) >= max(*row, null) * (1 - 1e-6)


@pytest.mark.parametrize("directions", [(True, False), (False, True)])
def test_a_direction_that_is_left_out_counts_nothing(directions, seed):
    _, indexed, model = indexed_and_model(random_pairs(seed), "ibm1", seed)
    totals = totals_of(model, indexed, INDEPENDENT._replace(directions=directions))
    both = totals_of(model, indexed, INDEPENDENT)
    kept, left_out = (0, 1) if directions[0] else (1, 0)
    np.testing.assert_array_equal(totals.lexicon[:, kept], both.lexicon[:, kept])
    assert totals.likelihoods[kept] == both.likelihoods[kept]
    assert totals.likelihoods[left_out] == 0
    assert not totals.lexicon[:, left_out].any()


HOUSE = bitext_from_pairs([("das haus", "the house"), ("das buch", "the book"), ("ein buch", "a book")])


def forward_table(model):
    names = [None, *HOUSE.source.words], [None, *HOUSE.target.words]
    table = as_dictionaries(model.lexicon)[0]
    return {(names[0][given_word], names[1][word]): value for (given_word, word), value in table.items()}


def test_the_house_by_hand():
    # Iteration 1: all entries are equal, so each word gives 0.45 to both source words and 0.1 to NULL. das: the 0.9,
    # house 0.45, book 0.45; haus: the, house 0.45 each; NULL: the, book 0.2 each, house, a 0.1 each, of 0.6.
    indexed = index_bitext(HOUSE)
    steps = []
    model = train(
        Ibm1(Lexicon.uniform(indexed)),
        indexed,
        1,
        INDEPENDENT._replace(directions=(True, False)),
        1,
        steps.append,
    )
    table = forward_table(model)
    expected = {
        ("das", "the"): 1 / 2,
        ("das", "house"): 1 / 4,
        ("das", "book"): 1 / 4,
        ("haus", "the"): 1 / 2,
        ("haus", "house"): 1 / 2,
        ("buch", "the"): 1 / 4,
        ("buch", "book"): 1 / 2,
        ("buch", "a"): 1 / 4,
        ("ein", "a"): 1 / 2,
        ("ein", "book"): 1 / 2,
        (None, "the"): 1 / 3,
        (None, "house"): 1 / 6,
        (None, "book"): 1 / 3,
        (None, "a"): 1 / 6,
    }
    assert table == pytest.approx(expected, rel=1e-6)
    # Before it every word has probability 0.9 * 0.001 + 0.1 * 0.001: the entries' common starting value.
    assert steps[-1].objective == pytest.approx(-6 * math.log(1e-3), rel=1e-6)
    # Then, of "house" in the first pair: haus 0.45 / 2, das 0.45 / 4, NULL 0.1 / 6, so haus has 54 / 85 of it.
    assert posterior_tables(model, indexed, 3, 0)[0][1].tolist() == pytest.approx(
        [27 / 85, 54 / 85], rel=1e-5
    )


def test_the_house_is_learned():
    indexed = index_bitext(HOUSE)
    model = train(Ibm1(Lexicon.uniform(indexed)), indexed, 30, INDEPENDENT)
    table = forward_table(model)
    assert (
        min(table[pair] for pair in [("das", "the"), ("haus", "house"), ("buch", "book"), ("ein", "a")]) > 0.9
    )


def test_null_as_one_more_word_by_hand():
    # All entries are 0.001: of two source words and NULL, and in the other direction, each has a third of every word.
    indexed = index_bitext(HOUSE)
    model = Ibm1(Lexicon.uniform(indexed), None)
    for way in (0, 1):
        for table in posterior_tables(model, indexed, 3, way):
            np.testing.assert_allclose(table, 1 / 3, rtol=1e-6)
    model = train(model, indexed, 1, INDEPENDENT)
    table = forward_table(model)
    # NULL is in all three pairs: the and book twice of six words. das: 2/3 of the, 1/3 of house and of book.
    assert [table[None, word] for word in ("the", "house", "book", "a")] == pytest.approx(
        [1 / 3, 1 / 6, 1 / 3, 1 / 6]
    )
    assert [table["das", word] for word in ("the", "house", "book")] == pytest.approx([1 / 2, 1 / 4, 1 / 4])
    # Then, of "house" in the first pair: haus 1/2, das 1/4, NULL 1/6, each a third of the time.
    assert posterior_tables(model, indexed, 3, 0)[0][1].tolist() == pytest.approx([3 / 11, 6 / 11], rel=1e-5)
