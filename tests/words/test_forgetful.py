"""The HMM whose NULL forgets, against its slow twin, against the enumeration of all alignments, and by hand."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Agreement, ForgetfulHmm, Hmm, Jumps, Lexicon, index_bitext
from cepts.words import blocks as blocks_module
from cepts.words import forgetful_kernels as kernels
from cepts.words.jumps import NULL_BOUNDS
from tests.reference import forgetful as slow
from tests.reference.lexicon import add, agreed, link_counts
from tests.words.corpora import (
    INDEPENDENT,
    as_dictionaries,
    best_paths,
    bitext_of,
    corpora,
    entry_names,
    even_model,
    id_pairs,
    posterior_tables,
    random_hmm,
    random_pairs,
    totals_of,
)
from tests.words.test_hmm import check_jump_counts
from tests.words.test_training import OPTIMISERS, PURE, curves, noise, rises

seeds = st.integers(0, 2**32 - 1)
bands = st.integers(1, 3)
nulls = st.sampled_from([1e-6, 1e-3, 0.2, 0.5])
tiny = corpora(pairs=3, longest=3, words=3)


def forgetting(model):
    """The same parameters, with a NULL that forgets."""
    return ForgetfulHmm(model.lexicon, model.jumps, model.longest)


def lopsided(model, seed, null):
    """The same kind of model with probabilities of all sizes, and another p0.

    Every third word of either side hardly comes from anything but NULL: where two meet, NULL stays NULL.
    """
    values = 10 ** np.random.default_rng(seed).uniform(-4, 0, model.lexicon.values.shape)
    values[0] = 0
    names = np.array(entry_names(model.lexicon))
    for way in (0, 1):
        given, generated = names[:, way], names[:, 1 - way]
        values[(generated % 3 == 0) & (given > 0), way] *= 1e-6
    forward, reverse = (replace(jumps, null=null) for jumps in model.jumps)
    lexicon = replace(model.lexicon, values=values.astype(np.float32))
    return replace(model, lexicon=lexicon, jumps=(forward, reverse))


def indexed_and_model(pairs, seed, band, null=0.2):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    return bitext, indexed, lopsided(forgetting(random_hmm(indexed, seed, band)), seed, null)


def chain_of(jumps, states, steps):
    return slow.Chain(jumps.weights, jumps.far, jumps.starts, jumps.null, len(states), len(steps))


def ways_of(bitext, model, way):
    """For each pair what the slow twin needs: states, steps, probabilities, chain."""
    probability = as_dictionaries(model.lexicon)[way]
    for pair in id_pairs(bitext):
        states, steps = pair if way == 0 else pair[::-1]
        yield states, steps, probability, chain_of(model.jumps[way], states, steps)


@settings(max_examples=30)
@given(pairs=tiny, seed=seeds, band=bands, null=nulls)
def test_the_twin_equals_enumeration(pairs, seed, band, null):
    bitext, _, model = indexed_and_model(pairs, seed, band, null)
    for each in ways_of(bitext, model, 0):
        real, nothing, log_probability, counts = slow.expect(*each)
        expected = slow.enumerate_all(*each)
        np.testing.assert_allclose(real, expected[0], rtol=1e-9)
        assert nothing == pytest.approx(expected[1], abs=1e-12)
        assert log_probability == pytest.approx(expected[2])
        for one, two in zip(counts, expected[3], strict=True):
            assert one == pytest.approx(two)


@pytest.mark.parametrize("way", [0, 1])
@settings(max_examples=40)
@given(pairs=tiny, seed=seeds, band=bands, null=nulls)
def test_posteriors_paths_and_probabilities_equal_enumeration(way, pairs, seed, band, null):
    bitext, indexed, model = indexed_and_model(pairs, seed, band, null)
    tables, paths = (find(model, indexed, len(pairs), way) for find in (posterior_tables, best_paths))
    total, counts = 0.0, []
    for each, table, path in zip(ways_of(bitext, model, way), tables, paths, strict=True):
        real, nothing, log_probability, jumps, _ = slow.enumerate_all(*each)
        np.testing.assert_allclose(table, real, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(table.sum(axis=1) + nothing, 1, atol=1e-5)
        chances = {slow.slow_hmm.visible(states): chance for states, chance in slow.all_paths(*each)}
        assert chances[tuple(path)] >= max(chances.values()) * (1 - 1e-5), "the best, or tied with it"
        total += log_probability
        counts.append((len(each[0]), *jumps))
    totals = totals_of(model, indexed, INDEPENDENT)
    assert totals.likelihoods[way] == pytest.approx(total, rel=1e-5, abs=1e-5)
    check_jump_counts(totals.jumps[way], counts, band)


def slow_expectation(model, bitext, agreement):
    """The whole E step by the slow twin: counts of both directions, log likelihoods, jump counts, words.

    Of the words those count whose step could go to NULL with p0: not those behind a NULL.
    """
    counts, likelihoods, jump_counts, words = ({}, {}), [0.0, 0.0], [[], []], [0.0, 0.0]
    for ways in zip(ways_of(bitext, model, 0), ways_of(bitext, model, 1), strict=True):
        results = [slow.expect(*each) for each in ways]
        for way in (0, 1):
            states, steps = ways[way][:2]
            shares = agreed(results[way][0], results[1 - way][0], agreement.name, 1.0)
            add(counts[way], link_counts(states, steps, shares, results[way][1]))
            likelihoods[way] += results[way][2]
            jump_counts[way].append((len(states), *results[way][3]))
            words[way] += len(steps) - sum(results[way][1][:-1])
    return counts, likelihoods, jump_counts, words


def check_expectation(pairs, seed, band, agreement, null=0.2):
    bitext, indexed, model = indexed_and_model(pairs, seed, band, null)
    totals = totals_of(model, indexed, INDEPENDENT._replace(agreement=agreement))
    counts, likelihoods, jump_counts, words = slow_expectation(model, bitext, agreement)
    assert totals.likelihoods.tolist() == pytest.approx(likelihoods, rel=1e-5, abs=1e-5)
    for fast, expected in zip(as_dictionaries(model.lexicon, totals.lexicon), counts, strict=True):
        # NULL gets what the real states leave of one: each of its up to 42 words may be off by some 1e-7.
        assert fast == pytest.approx(expected, rel=1e-4, abs=1e-5)
    for way in (0, 1):
        check_jump_counts(totals.jumps[way], jump_counts[way], band)
        assert totals.jumps[way].words.tolist() == pytest.approx([words[way]], rel=1e-5)


@pytest.mark.parametrize("agreement", [Agreement.NONE, Agreement.PRODUCT, Agreement.MEAN])
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds, band=bands, null=nulls)
def test_the_e_step_equals_the_slow_twin(agreement, pairs, seed, band, null):
    check_expectation(pairs, seed, band, agreement, null)


@pytest.mark.parametrize("places", [1, blocks_module.BLOCK_PLACES])
def test_the_e_step_over_several_batches_and_blocks(places, monkeypatch, seed):
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", places)
    check_expectation(random_pairs(seed, count=40, longest=9), seed, 2, Agreement.PRODUCT)


@pytest.mark.parametrize("null", [1e-6, 0.2])
@pytest.mark.parametrize("way", [0, 1])
def test_best_paths_of_longer_sentences(way, null, seed):
    # Longer than a vector and than the band; only NULL generates some words, one after the other.
    pairs = [*random_pairs(seed, count=40, longest=9), *random_pairs(seed, count=4, longest=24, words=30)]
    bitext, indexed, model = indexed_and_model(pairs, seed, 2, null)
    paths = best_paths(model, indexed, len(pairs), way)
    for each, path in zip(ways_of(bitext, model, way), paths, strict=True):
        assert best_chance(*each, path) >= best_chance(*each, [None] * len(path)) * (1 - 1e-5)
    assert any(-1 == a == b for path in paths for a, b in pairwise(path)), "NULL stays NULL somewhere"


def best_chance(states, steps, probability, chain, path):
    """The probability of the best sequence of states that shows this path; None in it stands for anything."""
    best = {}
    for step, (word, shown) in enumerate(zip(steps, path, strict=True)):
        best = {
            state: slow.slow_hmm.emission(state, states, word, probability)
            * (
                max(chance * chain.move(step, before, state) for before, chance in best.items())
                if step
                else chain.start(state)
            )
            for state in chain.states
            if shown is None or state[0] == shown
        }
    return max(best.values())


def spelled_model(pair, chances, jumps, kind=ForgetfulHmm):
    """A model of one pair of strings, one letter a word, whose entries {source + target: chance} are given."""
    bitext = bitext_of([tuple(list(side) for side in pair)])
    indexed = index_bitext(bitext)
    names = ["-", *bitext.source.words], ["-", *bitext.target.words]
    entries = [names[0][row][-1] + names[1][column][-1] for row, column in entry_names(indexed)]
    values = np.array([[chances.get(entry, 0.0)] * 2 for entry in entries], np.float32)
    lexicon = Lexicon(indexed.row_offsets, indexed.columns, values)
    return indexed, kind(lexicon, (jumps, jumps), indexed.longest)


def test_out_of_null_by_hand():
    # Only NULL generates x and y; z comes from a with 0.9, from b with 0.45, from NULL with 1. p0 = 0.2 leads to
    # NULL, 1e-4 stays there. At the third of three steps a, the first of two states, lies |1 * 3/2 - 3| = 1.5 from
    # the diagonal, b |2 * 3/2 - 3| = 0: they share 1 - 1e-4 as 0.8^1.5 to 1.
    jumps = Jumps(np.full(3, 0.3), 0.1, np.array([0.75, 0.25, 0.0]), 0.2)
    chances = {"-x": 1, "-y": 1, "-z": 1, "az": 0.9, "bz": 0.45}
    indexed, model = spelled_model(("ab", "xyz"), chances, jumps)
    by_a = (1 - 1e-4) * 0.8**1.5 / (1 + 0.8**1.5) * 0.9
    by_b = (1 - 1e-4) / (1 + 0.8**1.5) * 0.45
    total = by_a + by_b + 1e-4
    assert totals_of(model, indexed, INDEPENDENT).likelihoods[0] == pytest.approx(
        math.log(0.2 * 1e-4 * total), rel=1e-6
    )
    table = posterior_tables(model, indexed, 1, 0)[0]
    np.testing.assert_allclose(table, [[0, 0], [0, 0], [by_a / total, by_b / total]], rtol=1e-5)
    assert best_paths(model, indexed, 1, 0) == [[-1, -1, 0]]


def test_null_forgets_where_it_was():
    # x comes from a, y from NULL, z from b or c. No jump is longer than one word, so from a the HMM whose NULL
    # remembers can only come to b. One that forgets prefers c, on the diagonal: 1 to 0.8 for b, 0.64 for a.
    jumps = Jumps(np.full(3, 1 / 3), 0.0, np.full(3, 1 / 3), 0.5)
    chances = {"ax": 1, "-y": 1, "bz": 1, "cz": 1}
    indexed, model = spelled_model(("abc", "xyz"), chances, jumps)
    assert best_paths(model, indexed, 1, 0) == [[0, -1, 2]]
    # start at a: 1/2 * 1/3; to NULL: 1/2; from it to b or c.
    out = (1 - 1e-4) * 1.8 / 2.44
    totals = totals_of(model, indexed, INDEPENDENT)
    assert totals.likelihoods[0] == pytest.approx(math.log(1 / 6 / 2 * out), rel=1e-6)
    assert totals.jumps[0].jumps.ravel().tolist() == [0, 0, 0, 0], "what leaves NULL is no jump"
    assert totals.jumps[0].starts[3].tolist() == pytest.approx([1, 0, 0])
    _, remembering = spelled_model(("abc", "xyz"), chances, jumps, Hmm)
    assert best_paths(remembering, indexed, 1, 0) == [[0, -1, 1]]


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@settings(max_examples=25)
@given(pairs=corpora(), band=bands, null=nulls, learn_null=st.booleans())
def test_the_objective_never_rises(optimiser, pairs, band, null, learn_null):
    indexed = index_bitext(bitext_of(pairs))
    if learn_null:
        null = min(max(null, NULL_BOUNDS[0]), NULL_BOUNDS[1])
    model = forgetting(even_model("hmm", indexed, band, null))
    training = PURE._replace(learn_null=learn_null, **OPTIMISERS[optimiser])
    for values in curves(indexed, model, training):
        assert rises(values) == []


def test_nor_does_it_on_larger_corpora():
    for seed in range(3):
        indexed = index_bitext(bitext_of(random_pairs(seed, count=60, longest=9, words=40)))
        (values,) = curves(indexed, forgetting(even_model("hmm", indexed)), PURE, 12)
        assert rises(values) == []
        assert values[-1] < 0.9 * values[0], "and there is something to learn"


def test_nor_where_null_is_learned():
    # In a language of two words NULL does much. What follows a NULL tells nothing of p0: counted, it raises this.
    for seed in range(8):
        for pairs in (noise(seed, 8, 4), noise(seed, 4, 8)):
            indexed = index_bitext(bitext_of(pairs))
            model = forgetting(even_model("hmm", indexed, null=0.02))
            (values,) = curves(indexed, model, PURE._replace(learn_null=True), 10)
            assert rises(values) == []


def test_training_keeps_the_kind(seed):
    bitext = bitext_of(random_pairs(seed))
    indexed = index_bitext(bitext)
    model = forgetting(even_model("hmm", indexed))
    trained = model.maximised(totals_of(model, indexed, PURE), PURE)
    assert isinstance(trained, ForgetfulHmm)
    assert isinstance(trained.settled(), ForgetfulHmm)
    assert (trained.jumps[0].null, trained.jumps[1].null) == (0.1, 0.1)


def test_each_kernel_compiles_once(seed):
    _, indexed, model = indexed_and_model(random_pairs(seed), seed, 2)
    best_paths(model, indexed, 12, 0)
    totals_of(model, indexed, INDEPENDENT)
    assert len(kernels.forgetful_posteriors.signatures) == 1
    assert len(kernels.forgetful_paths.signatures) == 1
