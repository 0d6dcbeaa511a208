"""The HMM against its slow twin, against the enumeration of all alignments, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Agreement, Hmm, Jumps, Lexicon, index_bitext
from cepts.words import blocks as blocks_module
from tests.reference import hmm as slow_hmm
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    best_paths,
    bitext_of,
    chain_of_pair,
    context,
    corpora,
    entry_names,
    id_pairs,
    indexed_and_model,
    posterior_tables,
    random_pairs,
    slow_expectation,
    slow_posteriors,
    totals_of,
)

seeds = st.integers(0, 2**32 - 1)
bands = st.integers(1, 3)


KINDS = ["hmm", "classes"]


def check_expectation(kind, pairs, seed, band, agreement, doubt=1.0):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band)
    totals = totals_of(model, indexed, INDEPENDENT._replace(agreement=agreement, doubt=doubt))
    counts, likelihoods, jump_counts = slow_expectation(model, bitext, agreement, doubt)
    assert totals.likelihoods.tolist() == pytest.approx(likelihoods, rel=1e-5, abs=1e-5)
    for fast, slow in zip(as_dictionaries(model.lexicon, totals.lexicon), counts, strict=True):
        assert fast == pytest.approx(slow, rel=1e-4, abs=2e-6)
    for way, (fast, slow) in enumerate(zip(totals.jumps, jump_counts, strict=True)):
        check_jump_counts(fast, slow, band)
        np.testing.assert_allclose(fast.jumps.sum(axis=0), fast.departures.sum(axis=0), rtol=1e-4, atol=1e-5)
        assert fast.words.tolist() == [sum(len(pair[1 - way]) for pair in pairs)]


def check_jump_counts(fast, slow, band):
    """Compare with the twin's counts of each pair: (number of states, jumps, departures, starts)."""
    jumps, departures, starts = np.zeros(2 * band + 2), np.zeros((band + 2) ** 2), np.zeros_like(fast.starts)
    for length, by_distance, by_place, by_start in slow:
        for distance, share in by_distance.items():
            jumps[-1 if distance == "far" else distance + band] += share
        for place, share in by_place.items():
            departures[context(place, length, band)] += share
        for place, share in by_start.items():
            starts[length, place] += share
    np.testing.assert_allclose(fast.jumps.sum(axis=1), jumps, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(fast.departures.sum(axis=1), departures, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(fast.starts, starts, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("agreement", [Agreement.NONE, Agreement.PRODUCT])
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds, band=bands)
def test_the_e_step_equals_the_slow_twin(agreement, kind, pairs, seed, band):
    check_expectation(kind, pairs, seed, band, agreement)


@pytest.mark.parametrize("agreement", [Agreement.ODDS, Agreement.MEAN])
@pytest.mark.parametrize("kind", KINDS)
def test_the_e_step_over_several_batches(agreement, kind, seed):
    check_expectation(kind, random_pairs(seed, count=40), seed, 2, agreement)


@pytest.mark.parametrize("kind", KINDS)
def test_the_e_step_over_several_blocks(kind, monkeypatch, seed):
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1)
    check_expectation(kind, random_pairs(seed, count=40), seed, 2, Agreement.PRODUCT)


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds, band=bands)
def test_posteriors_equal_the_slow_twin(way, kind, pairs, seed, band):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band)
    probability = as_dictionaries(model.lexicon)[way]
    tables = posterior_tables(model, indexed, len(pairs), way)
    for pair, table in zip(id_pairs(bitext), tables, strict=True):
        states, steps = pair if way == 0 else pair[::-1]
        real, nothing, *_ = slow_posteriors(model, states, steps, way, probability)
        np.testing.assert_allclose(table, real, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(table.sum(axis=1) + nothing, 1, atol=1e-5)


tiny = corpora(pairs=3, longest=3, words=3)


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(pairs=tiny, seed=seeds)
def test_posteriors_paths_and_probabilities_equal_enumeration(way, kind, pairs, seed):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band=1)  # two words away is far
    probability = as_dictionaries(model.lexicon)[way]
    tables, paths = (find(model, indexed, len(pairs), way) for find in (posterior_tables, best_paths))
    log_probability = 0.0
    for pair, table, path in zip(id_pairs(bitext), tables, paths, strict=True):
        states, steps = pair if way == 0 else pair[::-1]
        chances = list(slow_hmm.all_paths(states, steps, probability, chain_of_pair(model, way, states)))
        total = sum(chance for _, chance in chances)
        for t, row in enumerate(table):
            for s, share in enumerate(row):
                through = sum(chance for each, chance in chances if each[t] == (s, False))
                assert share == pytest.approx(through / total, rel=1e-4, abs=1e-6)
        best = max(chance for _, chance in chances)
        ours = max(chance for each, chance in chances if slow_hmm.visible(each) == tuple(path))
        assert ours >= best * (1 - 1e-5), "ours may differ from the best path only by a tie"
        log_probability += math.log(total)
    totals = totals_of(model, indexed, INDEPENDENT)
    assert totals.likelihoods[way] == pytest.approx(log_probability, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10)
@given(pairs=corpora(pairs=2, longest=5, words=4), seed=seeds, band=bands)
def test_best_paths_of_longer_sentences(kind, pairs, seed, band):
    """Viterbi by the slow twin's chain, over the doubled states."""
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band)
    probability = as_dictionaries(model.lexicon)[0]
    for (states, steps), path in zip(
        id_pairs(bitext), best_paths(model, indexed, len(pairs), 0), strict=True
    ):
        chain = chain_of_pair(model, 0, states)
        best = best_chance(states, steps, probability, chain, [None] * len(steps))
        ours = best_chance(states, steps, probability, chain, path)
        assert ours >= best * (1 - 1e-5)


def best_chance(states, steps, probability, chain, path):
    """The probability of the best sequence of states that shows this path; None in it stands for anything."""
    best = None
    for word, shown in zip(steps, path, strict=True):
        here = {}
        for state in chain.states:
            if shown is not None and shown != (-1 if state[1] else state[0]):
                continue
            before = (
                chain.start(state)
                if best is None
                else max(chance * chain.step(earlier, state) for earlier, chance in best.items())
            )
            here[state] = before * slow_hmm.emission(state, states, word, probability)
        best = here
    return max(best.values())


def test_two_words_by_hand():
    # Source a b, target x: a generates x with 0.8, b with 0.4, NULL with 0.1; p0 = 0.2 and s = (3, 1) / 4.
    # a: 0.8 * 3/4 * 0.8 = 0.48; b: 0.8 * 1/4 * 0.4 = 0.08; NULL: 0.2 * 0.1 = 0.02. Together 0.58.
    bitext = bitext_of([(["a", "b"], ["x"])])
    indexed = index_bitext(bitext)
    values = np.ones((len(indexed.columns), 2), np.float32)
    rows = np.repeat(np.arange(3), np.diff(indexed.row_offsets))
    for row, value in enumerate((0.1, 0.8, 0.4)):
        values[rows == row, 0] = value
    values[0] = 0
    jumps = Jumps(np.full(3, 0.3), 0.1, np.array([0.75, 0.25]), 0.2)
    model = Hmm(Lexicon(indexed.row_offsets, indexed.columns, values), (jumps, jumps), 2)
    assert posterior_tables(model, indexed, 1, 0)[0][0].tolist() == pytest.approx([48 / 58, 8 / 58], rel=1e-6)
    assert totals_of(model, indexed, INDEPENDENT).likelihoods[0] == pytest.approx(math.log(0.58), rel=1e-6)
    assert best_paths(model, indexed, 1, 0) == [[0]]


def test_null_remembers_where_it_was():
    # Source a b c, target x y z: x and z can only come from a and c, y from nothing. With jumps of -1, 0, +1 alone
    # the step from a to c is impossible, but for a chain that forgets its place while it is at NULL.
    bitext = bitext_of([(["a", "b", "c"], ["x", "y", "z"])])
    indexed = index_bitext(bitext)
    names = [None, *bitext.source.words], [None, *bitext.target.words]
    allowed = {("wa", "wx"), (None, "wy"), ("wc", "wz"), ("wb", "wz")}
    pairs = [(names[0][row], names[1][column]) for row, column in entry_names(indexed)]
    values = np.array([[float(pair in allowed)] * 2 for pair in pairs], np.float32)
    jumps = Jumps(np.full(3, 1 / 3), 0.0, np.full(3, 1 / 3), 0.5)
    model = Hmm(Lexicon(indexed.row_offsets, indexed.columns, values), (jumps, jumps), 3)
    assert best_paths(model, indexed, 1, 0) == [[0, -1, 1]]
    # start at a: 1/2 * 1/3; NULL: 1/2; from a to b: 1/2 * 1/2, since a reaches a and b.
    assert totals_of(model, indexed, INDEPENDENT).likelihoods[0] == pytest.approx(
        math.log(1 / 6 / 2 / 4), rel=1e-6
    )


@pytest.mark.parametrize("directions", [(True, False), (False, True)])
def test_a_direction_that_is_left_out_counts_nothing(directions, seed):
    _, indexed, model = indexed_and_model(random_pairs(seed), "hmm", seed)
    totals = totals_of(model, indexed, INDEPENDENT._replace(directions=directions))
    both = totals_of(model, indexed, INDEPENDENT)
    kept, left_out = (0, 1) if directions[0] else (1, 0)
    np.testing.assert_array_equal(totals.lexicon[:, kept], both.lexicon[:, kept])
    np.testing.assert_array_equal(totals.jumps[kept].jumps, both.jumps[kept].jumps)
    assert totals.likelihoods[left_out] == 0
    assert not totals.lexicon[:, left_out].any()
    assert not any(array.any() for array in totals.jumps[left_out])
