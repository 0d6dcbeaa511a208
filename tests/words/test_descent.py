"""Projected gradient descent: rows against a quadratic programme, derivatives against numeric differences."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Ibm1, Lexicon, Smoothing, index_bitext
from cepts.words.descent import LexiconDescent, between
from cepts.words.lexicon_kernels import points_below
from cepts.words.regularity import regularity_of
from cepts.words.simplex import project
from tests.reference import regularity as slow_regularity
from tests.reference import simplex as slow_simplex
from tests.reference.differences import slopes
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    bitext_of,
    corpora,
    entry_names,
    indexed_and_model,
    random_counts,
    random_lexicon,
    random_pairs,
    rows_of,
    slow_likelihood,
    some_entries,
    totals_of,
)

seeds = st.integers(0, 2**32 - 1)
strengths = st.sampled_from([None, 0.1, 2.5, 40.0])
ways = pytest.mark.parametrize("way", [0, 1])
FLOOR = 1e-10
SMALLEST = Smoothing(0.0, FLOOR)
NUMERIC = 2e-4  # counts are sums of float32 posteriors; derivatives are their ratios to probabilities


def regularity_for(bitext, indexed, strength, seed):
    """A term of some strength, or none, with some entries exempt."""
    if strength is None:
        return None
    return regularity_of(bitext, indexed, strength, some_entries(indexed, seed + 2))


def prices(indexed, regularity, way):
    """What a unit of each entry's probability costs: {(given word, generated word): price}."""
    table = as_dictionaries(indexed, np.zeros((len(indexed.columns), 2)))[way]
    if regularity is None:
        return table
    for given_word, word in table:
        table[given_word, word] = float(regularity.weights[way][given_word])
    names, mixed = entry_names(indexed), regularity.mixed[way]
    for k, weight in zip(mixed.entries.tolist(), mixed.weights.tolist(), strict=True):
        table[names[k] if way == 0 else names[k][::-1]] = weight
    return table


def row_weight(regularity, way, given_word):
    return 0.0 if regularity is None else float(regularity.weights[way][given_word])


def proper_lexicon(indexed, seed, regularity):
    """A lexicon whose rows are distributions, or less where a row may use less."""
    return Lexicon.uniform(indexed).maximised(random_counts(indexed, seed), SMALLEST, 1, regularity)


def slow_step(probability, counts, price, weight_of, length):
    """Step down each row's gradient w - c / p and project it, by the quadratic programme.

    Rows take steps of the length over their count, or their weight if that is larger; what an exempt entry does not
    cost counts as if it were a count. Rows that may use less than all have one more entry, for the rest.
    """
    stepped, farthest = {}, {}
    for given_word, words in rows_of(probability).items():
        keys, weight = [(given_word, word) for word in words], weight_of(given_word)
        relieved = sum(counts[key] + (weight - price[key]) * probability[key] for key in keys)
        size = length / max(relieved, weight, 1e-30)
        point = [probability[key] - size * (price[key] - counts[key] / probability[key]) for key in keys]
        rest = [max(0.0, 1 - sum(probability[key] for key in keys))] if weight > 0 else []
        stepped.update(zip(keys, slow_simplex.project(point + rest), strict=False))
        farthest.update(dict.fromkeys(keys, max(1.0, *map(abs, point))))
    return stepped, farthest


@ways
@settings(max_examples=60)
@given(
    pairs=corpora(pairs=4, longest=4),
    seed=seeds,
    strength=strengths,
    length=st.sampled_from([0.01, 0.3, 5.0]),
)
def test_a_step_equals_the_quadratic_programme_row_by_row(way, pairs, seed, strength, length):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    regularity = regularity_for(bitext, indexed, strength, seed)
    lexicon, counts = proper_lexicon(indexed, seed, regularity), random_counts(indexed, seed + 1)
    expected, farthest = slow_step(
        as_dictionaries(lexicon)[way],
        as_dictionaries(lexicon, counts)[way],
        prices(indexed, regularity, way),
        lambda given_word: row_weight(regularity, way, given_word),
        length,
    )
    result = LexiconDescent(lexicon, counts, way, regularity).stepped(length, FLOOR)
    for key, value in as_dictionaries(result)[way].items():
        assert value == pytest.approx(expected[key], rel=1e-5, abs=1e-6 * farthest[key]), key
    np.testing.assert_array_equal(result.values[:, 1 - way], lexicon.values[:, 1 - way])


def test_rare_words_keep_what_they_need_not_use_by_hand():
    # One word each, w = 1 * 5. p = 0.5, no counts: the gradient is 5, the step 0.5 / 5 long: down by 0.5 to 0. With the
    # rest, 0.5, that is (0, 0.5): both are raised by 1/4.
    bitext = bitext_of([([1], [1])])
    indexed = index_bitext(bitext)
    values = np.array([[0.5, 0.5] if min(pair) > 0 else [0, 0] for pair in entry_names(indexed)], np.float32)
    lexicon = Lexicon(indexed.row_offsets, indexed.columns, values)
    descent = LexiconDescent(lexicon, np.zeros_like(values), 0, regularity_of(bitext, indexed, 1.0))
    assert as_dictionaries(descent.stepped(0.5, FLOOR))[0][1, 1] == pytest.approx(0.25)
    # Half of it: from 0.5 to 0.25, and (0.25, 0.5) are raised by 1/8.
    assert as_dictionaries(descent.stepped(0.25, FLOOR))[0][1, 1] == pytest.approx(0.375)


@ways
@pytest.mark.parametrize("length", [0.05, 1.0, 1e3])
def test_long_rows_of_many_lengths_in_one_pass(way, length, seed):
    indexed = index_bitext(bitext_of(random_pairs(seed, count=150, longest=20, words=60)))
    lexicon, counts = proper_lexicon(indexed, seed, None), random_counts(indexed, seed + 1)
    probability, counted = (as_dictionaries(lexicon, each)[way] for each in (lexicon.values, counts))
    result = as_dictionaries(LexiconDescent(lexicon, counts, way, None).stepped(length, 0.0))[way]
    assert max(map(len, rows_of(probability).values())) > 50
    for given_word, words in rows_of(probability).items():
        here, seen, found = (
            np.array([table[given_word, word] for word in words]) for table in (probability, counted, result)
        )
        point = here + length / seen.sum() * seen / here
        np.testing.assert_allclose(found, project(point), atol=1e-6 * max(1, point.max()))


def objective_of(model, bitext, way, price, table):
    """The objective of one direction by the slow twin, of a table that stands for the model's lexicon."""
    return slow_regularity.penalty(table, price) - slow_likelihood(model, bitext, way, table)


def pair_of_models(name, pairs, seed, strength):
    """A random model, not on any simplex, with a regularity term."""
    bitext, indexed, model = indexed_and_model(pairs, name, seed)
    return bitext, indexed, model, regularity_for(bitext, indexed, strength, seed)


@ways
@pytest.mark.parametrize("name", ["ibm1", "ibm1 with NULL as a word", "hmm"])
@settings(max_examples=12)
@given(pairs=corpora(pairs=3, longest=4, words=3), seed=seeds, strength=strengths)
def test_the_gradient_of_the_lexicon_equals_numeric_differences(name, way, pairs, seed, strength):
    bitext, indexed, model, regularity = pair_of_models(name[:4].strip(), pairs, seed, strength)
    if name.endswith("word"):
        model = Ibm1(model.lexicon, None)
    analytic = lexicon_gradient(model, indexed, way, regularity)
    table, price = as_dictionaries(model.lexicon)[way], prices(indexed, regularity, way)
    keys = list(table)
    numeric = slopes(
        lambda point: objective_of(model, bitext, way, price, dict(zip(keys, point, strict=True))),
        [table[key] for key in keys],
    )
    for key, expected in zip(keys, numeric, strict=True):
        assert analytic[key] == pytest.approx(
            expected, rel=NUMERIC, abs=NUMERIC * (1 / table[key] + price[key])
        ), key


def lexicon_gradient(model, indexed, way, regularity):
    """The derivatives that a step goes down: how far it moves each entry where all rows' steps are one long."""
    counts = totals_of(model, indexed, INDEPENDENT).lexicon
    descent = LexiconDescent(model.lexicon, counts, way, regularity)
    short = 1e-3  # steps that lead no point further down than one, where points end
    steps, points = np.full(len(descent.weights), short), np.zeros(len(counts), np.float32)
    gradient = (
        indexed.row_offsets,
        indexed.columns,
        model.lexicon.values,
        counts,
        way,
        descent.weights,
        steps,
    )
    points_below(*gradient, np.zeros(len(steps)), points)
    moved = (model.lexicon.values[:, way].astype(np.float64) - points) / short
    return as_dictionaries(model.lexicon, np.stack([moved, moved], axis=1))[way]


@ways
@settings(max_examples=12)
@given(pairs=corpora(pairs=3, longest=5, words=3), seed=seeds)
def test_the_gradients_of_jumps_starts_and_null_equal_numeric_differences(way, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, "hmm", seed)
    jumps = model.jumps[way]
    analytic = jumps.gradients(totals_of(model, indexed, INDEPENDENT).jumps[way])
    vectors = [vector.tolist() for vector in jumps.vectors]

    def likelihood(changed):
        return -slow_likelihood(replace(model, jumps=(changed, changed)), bitext, way)

    def with_vector(place, point):
        return jumps.with_vectors(*(np.array(point if k == place else vectors[k]) for k in range(3)))

    words = sum(len(pair[1 - way]) for pair in pairs)
    for place in range(2):  # weights, starts
        numeric = slopes(lambda point, place=place: likelihood(with_vector(place, point)), vectors[place])
        close = NUMERIC * words / np.array(vectors[place])
        np.testing.assert_array_less(np.abs(analytic[place] - numeric), close)
    # Of the chain's one probability of NULL, whose other side is the rest of one.
    numeric = slopes(lambda point: likelihood(replace(jumps, null=point[0])), [jumps.null])
    assert analytic[2][0] - analytic[2][1] == pytest.approx(
        numeric[0], rel=NUMERIC, abs=NUMERIC * words / jumps.null
    )


@ways
@pytest.mark.parametrize("name", ["ibm1", "hmm"])
@settings(max_examples=15)
@given(pairs=corpora(pairs=3, longest=4, words=3), seed=seeds, strength=strengths)
def test_the_slope_of_a_step_is_the_derivative_of_the_objective_towards_it(name, way, pairs, seed, strength):
    bitext, indexed, model, regularity = pair_of_models(name, pairs, seed, strength)
    training = INDEPENDENT._replace(smoothing=SMALLEST, regularity=regularity, learn_null=True)
    there, slope = model.descended(totals_of(model, indexed, training), training, way, 0.1)
    price = prices(indexed, regularity, way)

    def objective(share):
        one, two = (as_dictionaries(each.lexicon)[way] for each in (model, there))
        table = {key: one[key] + share * (two[key] - one[key]) for key in one}
        return objective_of(model.between(there, (share, share)), bitext, way, price, table)

    numeric = (objective(1e-4) - objective(-1e-4)) / 2e-4
    assert slope == pytest.approx(numeric, rel=2e-3, abs=1e-3 * (1 + abs(objective(0.0))))


@given(pairs=corpora(), seed=seeds, share=st.sampled_from([0.0, 0.25, 1.0]))
def test_between_two_lexicons(pairs, seed, share):
    indexed = index_bitext(bitext_of(pairs))
    one, two = random_lexicon(indexed, seed), random_lexicon(indexed, seed + 1)
    expected = (1 - share) * one.values.astype(np.float64) + share * two.values.astype(np.float64)
    np.testing.assert_allclose(between(one, two, (share, share)).values, expected, atol=1e-7)


@ways
@settings(max_examples=30)
@given(pairs=corpora(), seed=seeds, strength=strengths, length=st.sampled_from([0.05, 1.0, 1e4, 1e12]))
def test_steps_of_any_length_land_on_the_simplex_and_go_down(way, pairs, seed, strength, length):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    regularity = regularity_for(bitext, indexed, strength, seed)
    lexicon, counts = proper_lexicon(indexed, seed, regularity), random_counts(indexed, seed + 1)
    descent = LexiconDescent(lexicon, counts, way, regularity)
    stepped = descent.stepped(length, FLOOR)
    slope = descent.slope(stepped)
    assert np.isfinite(stepped.values).all()
    for given_word, words in rows_of(as_dictionaries(stepped)[way]).items():
        mass = sum(as_dictionaries(stepped)[way][given_word, word] for word in words)
        least = 0.0 if row_weight(regularity, way, given_word) > 0 else 1 - 1e-5
        assert least <= mass <= 1 + 1e-5
    assert slope <= 1e-3
    if regularity is not None:
        assert stepped.regularity_term(way, regularity) >= -1e-6
