"""Bi-1 and Bi-HMM against their slow twins, by hand, and under the laws that every model keeps."""

import math
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import (
    Bi1,
    BiHmm,
    Distances,
    Finished,
    Hmm,
    Ibm1,
    Jumps,
    Lexicon,
    PairTable,
    Smoothing,
    Vocabularies,
    index_bitext,
    link,
    ratio_places,
    train,
)
from cepts.words import blocks as blocks_module
from cepts.words import indexed as indexed_module
from cepts.words import pairs as pairs_module
from cepts.words.layout import plan_chunks
from tests.reference import biword as slow
from tests.words.corpora import (
    EVERYTHING,
    INDEPENDENT,
    as_dictionaries,
    bitext_of,
    context,
    corpora,
    posterior_tables,
    random_jumps,
    random_lexicon,
    random_pairs,
    sentences,
    totals_of,
)
from tests.words.test_pairs import pieces_of, random_distances, random_table, spelled
from tests.words.test_training import by_direction

seeds = st.integers(0, 2**32 - 1)
doubles = st.sampled_from([0.1, 0.5, 0.9])
MODELS = pytest.mark.parametrize("name", ["bi1", "bihmm"])
WAYS = pytest.mark.parametrize("way", [0, 1])
DIRECTIONS = {"forward": (True, False), "reverse": (False, True), "both": (True, True)}
PURE = INDEPENDENT._replace(smoothing=Smoothing(0.0, 1e-10), learn_null=True)


def heads_of(name, lexicon, jumps, longest):
    """The mono-word model under a bi-word model."""
    return Ibm1(lexicon, None) if name == "bi1" else Hmm(lexicon, jumps, longest)


def joined(heads, indexed, pairs, distances):
    return (Bi1 if isinstance(heads, Ibm1) else BiHmm).of(heads, indexed, pairs, distances)


def random_model(pairs, name, seed, double=0.4, band=2):
    """A bitext, its index, and a model of both directions whose probabilities mean nothing."""
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    jumps = tuple(random_jumps(band, indexed.longest, null, seed + k) for k, null in enumerate((0.2, 0.1)))
    heads = heads_of(name, random_lexicon(indexed, seed), jumps, indexed.longest)
    tables = tuple(random_table(bitext, indexed, way, seed) for way in (0, 1))
    distances = (random_distances(seed, double), random_distances(seed + 1, double / 2))
    return bitext, indexed, joined(heads, indexed, tables, distances)


def even_model(bitext, indexed, name, strength, directions=(True, True), double=0.5, band=5):
    """Where training begins: every row shared evenly."""
    jumps = Jumps.initial(band, indexed.longest, 0.1)
    heads = heads_of(name, Lexicon.even(indexed), (jumps, jumps), indexed.longest)
    tables = tuple(
        PairTable.uniform(bitext, indexed, way, strength) if directions[way] else None for way in (0, 1)
    )
    return joined(heads, indexed, tables, (Distances.initial(double),) * 2)


def chain_of(model, way, length):
    distances = model.distances[way]
    if isinstance(model, Bi1):
        return slow.Bi1Chain(distances.double, length)
    return slow.BiHmmChain(model.heads.jumps[way], distances, length)


def slow_pairs(model, bitext, way):
    """Each piece as the slow twin wants it, with its chain."""
    single = as_dictionaries(model.lexicon)[way]
    double = spelled(model.pairs[way], bitext, way)
    for states, steps in pieces_of(bitext, way):
        yield slow.Pair(states, steps, single, double), chain_of(model, way, len(states))


def slow_expectation(model, bitext, way):
    """The log likelihood and all expected counts by the slow twin; departures and starts also by length."""
    likelihood, counts = 0.0, {}
    for pair, chain in slow_pairs(model, bitext, way):
        log_probability, found = slow.expected(pair, chain)
        likelihood += log_probability
        for key, amount in found.items():
            name = (*key, chain.length) if key[0] in ("start", "departure") else key
            slow.add(counts, [name], amount)
    return likelihood, counts


def of_kind(counts, kind):
    return {key[1:]: amount for key, amount in counts.items() if key[0] == kind}


def padded(found, keys):
    """A dictionary with all keys; what is not there is zero."""
    return {key: found.get(key, 0.0) for key in keys}


# The twins themselves.


def tiny_pair(seed, states, steps):
    rng = np.random.default_rng(seed)
    given, generated = (rng.integers(1, 4, size).tolist() for size in (states, steps))
    single = {(a, x): rng.uniform(0.01, 1) for a in range(4) for x in range(1, 4)}
    double = {(a, b, x): rng.uniform(0.01, 1) for a in range(1, 4) for b in range(1, 4) for x in range(1, 4)}
    return slow.Pair(given, generated, single, double)


SHAPES = [(1, 1), (1, 3), (2, 1), (2, 4), (3, 1), (3, 3), (3, 4), (4, 1), (4, 3), (5, 3), (9, 2)]


@MODELS
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_twin_equals_the_enumeration_of_all_alignments(name, shape, seed):
    pair = tiny_pair(seed, *shape)
    distances = SimpleNamespace(
        weights=random_distances(seed).weights[[0, 1, -1]], double=0.3
    )  # a band of two
    jumps = random_jumps(1, shape[0], 0.2, seed)
    chain = slow.Bi1Chain(0.3, shape[0]) if name == "bi1" else slow.BiHmmChain(jumps, distances, shape[0])
    log_probability, counts = slow.enumerated(pair, chain)
    fast_probability, fast_counts = slow.expected(pair, chain)
    assert fast_probability == pytest.approx(log_probability, rel=1e-12)
    assert fast_counts == pytest.approx(counts, rel=1e-9, abs=1e-15)
    paths = list(slow.all_alignments(pair, chain))
    best, chance = max(paths, key=lambda found: found[1])
    assert slow.best_chance(pair, chain) == pytest.approx(chance)
    assert slow.best_chance(pair, chain, [place.links for place in best]) == pytest.approx(chance)
    assert slow.log_probability(pair, chain) == pytest.approx(log_probability)


@pytest.mark.parametrize("length", range(1, 10))
def test_the_twins_are_distributions_up_to_a_doubled_null(length, seed):
    # NULL stands alone, with probability p0 p(b=0), where the rest of the sentence knows double alignments: what
    # p0 p(b=1) would be is lost, in the Bi-HMM. Nothing is lost in the Bi-1, or in sentences of one or two words.
    chain = slow.BiHmmChain(random_jumps(2, 9, 0.2, seed), random_distances(seed, 0.3), length)
    lost = 0.2 * 0.3 if length > 2 else 0.0
    assert sum(map(chain.start, chain.places)) == pytest.approx(1 - lost)
    for head in range(length):
        moved = sum(chain.step(slow.Place(head), place) for place in chain.places)
        assert moved == pytest.approx(1 - lost)
    even = slow.Bi1Chain(0.3, length)
    assert sum(map(even.start, even.places)) == pytest.approx(1)


# The E step.


def check_expectation(pairs, name, seed, double=0.4, band=2):
    bitext, indexed, model = random_model(pairs, name, seed, double, band)
    totals = totals_of(model, indexed, INDEPENDENT)
    singles = as_dictionaries(model.lexicon, totals.lexicon)
    for way in (0, 1):
        likelihood, counts = slow_expectation(model, bitext, way)
        assert totals.likelihoods[way] == pytest.approx(likelihood, rel=1e-5, abs=1e-5)
        expected = padded(of_kind(counts, "single"), singles[way])
        assert singles[way] == pytest.approx(expected, rel=1e-4, abs=1e-5)
        check_pairs(model, bitext, totals, way, counts)
        if name == "bihmm":
            check_jumps(totals.jumps[way], counts, band)


def check_pairs(model, bitext, totals, way, counts):
    """Compare expected double alignments: a price that no row can pay makes the M step divide them all by it."""
    price = np.float32(2.0**20)
    dear = replace(model.pairs[way], weights=np.full_like(model.pairs[way].weights, price))
    table, found = dear.maximised(model.mixing(way), model.places, totals.ratios[way], 1)
    fast = spelled(table, bitext, way, table.values * price)
    assert fast == pytest.approx(padded(of_kind(counts, "double"), fast), rel=1e-4, abs=1e-5)
    if isinstance(model, BiHmm):
        distances, rooms = of_kind(counts, "distance"), of_kind(counts, "room")
        by_distance = [distances.get((d,), 0.0) for d in (1, 2, 3, 4, 5, "far")]
        assert found.distances.tolist() == pytest.approx(by_distance, rel=1e-4, abs=1e-5)
        by_room = [rooms.get((room,), 0.0) for room in range(len(found.contexts))]
        assert found.contexts.tolist() == pytest.approx(by_room, rel=1e-4, abs=1e-5)


def check_jumps(fast, counts, band):
    jumps = of_kind(counts, "jump")
    by_distance = [jumps.get((d,), 0.0) for d in (*range(-band, band + 1), "far")]
    assert fast.jumps[:, 0].tolist() == pytest.approx(by_distance, rel=1e-4, abs=1e-5)
    departures, starts = np.zeros_like(fast.departures), np.zeros_like(fast.starts)
    for (position, length), amount in of_kind(counts, "departure").items():
        departures[context(position, length, band)] += amount
    for (position, length), amount in of_kind(counts, "start").items():
        starts[length, position] = amount
    np.testing.assert_allclose(fast.departures, departures, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(fast.starts, starts, rtol=1e-4, atol=1e-5)
    nulls = fast.words[0] - fast.departures.sum() - fast.starts.sum()
    assert nulls == pytest.approx(sum(of_kind(counts, "null").values()), rel=1e-4, abs=1e-4)


@MODELS
@settings(max_examples=40)
@given(pairs=corpora(pairs=4), seed=seeds, double=doubles, band=st.integers(1, 3))
def test_the_e_step_equals_the_slow_twin(name, pairs, seed, double, band):
    check_expectation(pairs, name, seed, double, band)


@MODELS
def test_the_e_step_where_seconds_are_far(name, seed):
    check_expectation(random_pairs(seed, count=4, longest=12), name, seed)


@MODELS
def test_the_e_step_over_several_batches_blocks_and_chunks(name, monkeypatch, seed):
    monkeypatch.setattr(blocks_module, "BLOCK_PLACES", 1)
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 1))
    check_expectation(random_pairs(seed, count=40, longest=6), name, seed)


# Posteriors of links, and best paths.


@MODELS
@WAYS
@settings(max_examples=30)
@given(pairs=corpora(pairs=3), seed=seeds, double=doubles)
def test_posteriors_of_links_equal_the_slow_twin(name, way, pairs, seed, double):
    bitext, indexed, model = random_model(pairs, name, seed, double)
    tables = posterior_tables(model, indexed, len(pairs), way)
    for (pair, chain), table in zip(slow_pairs(model, bitext, way), tables, strict=True):
        _, counts = slow.expected(pair, chain)
        links = of_kind(counts, "link")
        for (t, i), found in np.ndenumerate(table):
            assert found == pytest.approx(links[t, i], rel=1e-4, abs=1e-6)


@MODELS
@settings(max_examples=15)
@given(pairs=corpora(pairs=2, longest=4, words=3), seed=seeds)
def test_posteriors_and_probabilities_equal_enumeration(name, pairs, seed):
    pairs = [(source, target[:3]) for source, target in pairs]
    bitext, indexed, model = random_model(pairs, name, seed, band=1)
    tables, likelihood = posterior_tables(model, indexed, len(pairs), 0), 0.0
    for (pair, chain), table in zip(slow_pairs(model, bitext, 0), tables, strict=True):
        log_probability, counts = slow.enumerated(pair, chain)
        likelihood += log_probability
        for place, found in np.ndenumerate(table):
            assert found == pytest.approx(counts["link", *place], rel=1e-4, abs=1e-6)
    assert totals_of(model, indexed, INDEPENDENT).likelihoods[0] == pytest.approx(
        likelihood, rel=1e-5, abs=1e-5
    )


def shown_paths(links, indexed, way):
    """For each pair the states that each step is linked to."""
    steps = (indexed.pieces.target_length, indexed.pieces.source_length)[way].tolist()
    paths = [[[] for _ in range(size)] for size in steps]
    for k, path in enumerate(paths):
        for each in links[k]:
            step, state = (each.target, each.source)[:: 1 - 2 * way]
            path[step].append(state)
    return paths


@MODELS
@WAYS
@settings(max_examples=40)
@given(pairs=corpora(pairs=4, longest=9), seed=seeds, double=doubles)
def test_links_are_those_of_the_best_alignment(name, way, pairs, seed, double):
    bitext, indexed, model = random_model(pairs, name, seed, double)
    links = link(model, bitext, indexed, (True, True))[way]
    for (pair, chain), path in zip(
        slow_pairs(model, bitext, way), shown_paths(links, indexed, way), strict=True
    ):
        best, ours = slow.best_chance(pair, chain), slow.best_chance(pair, chain, path)
        assert ours >= best * (1 - 1e-5), "ours may differ from the best path only by a tie"


@MODELS
def test_doubly_aligned_words_have_two_ordinary_links(name, seed):
    pairs = random_pairs(seed, count=40, longest=9)
    bitext, indexed, model = random_model(pairs, name, seed, double=0.9)
    alone = [link(model, bitext, indexed, directions) for directions in ((True, False), (False, True))]
    together = link(model, bitext, indexed, (True, True))
    for way in (0, 1):
        sizes = [len(states) for path in shown_paths(together[way], indexed, way) for states in path]
        assert set(sizes) <= {0, 1, 2}
        assert sizes.count(2) > 5, "there is something to see"
        assert shown_paths(alone[way][way], indexed, way) == shown_paths(together[way], indexed, way)
    posteriors = [posterior_tables(model, indexed, len(pairs), way) for way in (0, 1)]
    for k in range(len(pairs)):
        for each in together.forward[k]:
            both = posteriors[0][k][each.target, each.source] * posteriors[1][k][each.source, each.target]
            assert each.confidence == pytest.approx(both, rel=1e-5, abs=1e-7)


@MODELS
def test_links_above_a_threshold(name, seed):
    bitext, indexed, model = random_model(random_pairs(seed, count=20), name, seed)
    found = link(model, bitext, indexed, (True, False), 0.3).forward
    tables = posterior_tables(model, indexed, len(bitext), 0)
    for k, table in enumerate(tables):
        places = [(each.source, each.target) for each in found[k]]
        assert places == [tuple(place) for place in np.argwhere(table.T >= 0.3).tolist()]
    scores = [value / len(pair.steps) for pair, value in slow_likelihoods(model, bitext, 0)]
    assert found.scores.tolist() == pytest.approx(scores, rel=1e-5)


def slow_likelihoods(model, bitext, way):
    return [(pair, slow.log_probability(pair, chain)) for pair, chain in slow_pairs(model, bitext, way)]


def hand_made(name, single, double, jumps, share):
    """A model of source a b c, target x alone, forward: values by state word (None is NULL), of the pair a b."""
    bitext = bitext_of([("abc", "x")])
    indexed = index_bitext(bitext)
    rows = [None, *bitext.source.words]
    values = np.ones((len(indexed.columns), 2), np.float32)
    for row, begin in enumerate(indexed.row_offsets[:-1]):
        values[begin : indexed.row_offsets[row + 1], 0] = single[rows[row]]
    values[0] = 0
    lexicon = Lexicon(indexed.row_offsets, indexed.columns, values)
    table = replace(PairTable.uniform(bitext, indexed, 0, 0.0), values=np.array([double], np.float32))
    heads = heads_of(name, lexicon, (jumps, jumps), 3)
    return bitext, indexed, joined(heads, indexed, (table, None), (Distances.initial(share),) * 2)


SINGLE = {None: 0.1, "wa": 0.2, "wb": 0.4, "wc": 0.5}


def test_bi1_by_hand():
    # Each of NULL, a, b, c alone has 1/4 * 0.6, and the one pair a b has 0.4 * 0.9 = 0.36. NULL gives 0.015, a 0.03,
    # b 0.06, c 0.075: together 0.54. The best is the pair. Links: a has (0.03 + 0.36) / 0.54.
    bitext, indexed, model = hand_made("bi1", SINGLE, 0.9, None, 0.4)
    totals = totals_of(model, indexed, INDEPENDENT._replace(directions=(True, False)))
    assert totals.likelihoods[0] == pytest.approx(math.log(0.54), rel=1e-6)
    expected = [0.39 / 0.54, 0.42 / 0.54, 0.075 / 0.54]
    assert posterior_tables(model, indexed, 1, 0)[0][0].tolist() == pytest.approx(expected, rel=1e-6)
    assert shown_paths(link(model, bitext, indexed, (True, False)).forward, indexed, 0) == [[[0, 1]]]


def test_bihmm_by_hand():
    # p0 = 0.2 and starts (2, 1, 1) / 4. NULL: 0.2 * 0.6 * 0.1 = 0.012. Heads: a has 0.8 * 1/2 * (0.6 * 0.2 + 0.4 * 0.9)
    # = 0.048 + 0.144; b, c can have no second: 0.8 * 1/4 * 0.4 = 0.08 and 0.8 * 1/4 * 0.5 = 0.1. Together 0.384.
    jumps = Jumps(np.full(3, 0.3), 0.1, np.array([0.5, 0.25, 0.25]), 0.2)
    bitext, indexed, model = hand_made("bihmm", SINGLE, 0.9, jumps, 0.4)
    totals = totals_of(model, indexed, INDEPENDENT._replace(directions=(True, False)))
    assert totals.likelihoods[0] == pytest.approx(math.log(0.384), rel=1e-6)
    expected = [0.192 / 0.384, 0.224 / 0.384, 0.1 / 0.384]
    assert posterior_tables(model, indexed, 1, 0)[0][0].tolist() == pytest.approx(expected, rel=1e-6)
    assert shown_paths(link(model, bitext, indexed, (True, False)).forward, indexed, 0) == [[[0, 1]]]
    # With p(x | a, b) = 0.5 the pair has 0.08 and c, alone, is best.
    bitext, indexed, model = hand_made("bihmm", SINGLE, 0.5, jumps, 0.4)
    assert shown_paths(link(model, bitext, indexed, (True, False)).forward, indexed, 0) == [[[2]]]


# The M step, and descent.


@MODELS
@settings(max_examples=25)
@given(pairs=corpora(pairs=4), seed=seeds, strength=st.sampled_from([0.0, 0.5, 3.0]))
def test_the_m_step_follows_from_the_counts_of_the_slow_twin(name, pairs, seed, strength):
    bitext, indexed, model = random_model(pairs, name, seed)
    tables = tuple(random_table(bitext, indexed, way, seed, strength) for way in (0, 1))
    model = replace(model, pairs=tables)
    updated = model.maximised(totals_of(model, indexed, PURE), PURE)
    assert updated.lexicon is updated.heads.lexicon
    for way in (0, 1):
        _, counts = slow_expectation(model, bitext, way)
        fast = spelled(updated.pairs[way], bitext, way)
        prices = prices_of(tables[way])
        rows = slow.maximised_rows(padded(of_kind(counts, "double"), fast), prices)
        assert fast == pytest.approx(rows, rel=1e-3, abs=1e-5)
        singles = as_dictionaries(updated.lexicon)[way]
        rows = slow.maximised_rows(padded(of_kind(counts, "single"), singles), {})
        assert singles == pytest.approx(rows, rel=1e-3, abs=1e-5)
        check_distances(model, updated, way, counts)


def prices_of(table):
    names = [(key >> 32, key & 0xFFFFFFFF) for key in table.keys.tolist()]
    return {(a + 1, b + 1): price for (a, b), price in zip(names, table.weights.tolist(), strict=True)}


def check_distances(model, updated, way, counts):
    old, new = model.distances[way], updated.distances[way]
    assert new.double == old.double
    seen, rooms = of_kind(counts, "distance"), of_kind(counts, "room")
    if isinstance(model, Bi1) or not seen:
        assert new.weights.tolist() == old.weights.tolist()
        return
    by_distance = [seen.get((d,), 0.0) for d in (1, 2, 3, 4, 5, "far")]
    by_room = {room: amount for (room,), amount in rooms.items()}
    expected = slow.maximised_distances(old.weights.tolist(), by_distance, by_room, 10)
    assert new.weights.tolist() == pytest.approx(expected, rel=1e-2, abs=1e-4)


class Point:
    """The parameters of one direction as numbers in double precision, and the way to another model's."""

    def __init__(self, model, other, bitext, way):
        self.model, self.bitext, self.way = model, bitext, way
        tables = [
            (as_dictionaries(each.lexicon)[way], spelled(each.pairs[way], bitext, way))
            for each in (model, other)
        ]
        self.here, self.there = tables
        self.other, self.prices = other, prices_of(model.pairs[way])

    def objective(self, share):
        """The objective that much of the way to the other model, by the slow twin."""
        single, double = (
            {key: value + share * (after[key] - value) for key, value in before.items()}
            for before, after in zip(self.here, self.there, strict=True)
        )
        total = sum(self.prices[key[:2]] * value for key, value in double.items())
        for states, steps in pieces_of(self.bitext, self.way):
            pair = slow.Pair(states, steps, single, double)
            total -= slow.log_probability(pair, self.chain(len(states), share))
        return total

    def chain(self, length, share):
        one, two = self.model.distances[self.way], self.other.distances[self.way]
        weights = one.weights + share * (two.weights - one.weights)
        if isinstance(self.model, Bi1):
            return slow.Bi1Chain(one.double, length)
        jumps = (each.heads.jumps[self.way].vectors for each in (self.model, self.other))
        moved, starts, null = (a + share * (b - a) for a, b in zip(*jumps, strict=True))
        jumps = SimpleNamespace(weights=moved[:-1], far=moved[-1], starts=starts, null=null[0])
        return slow.BiHmmChain(jumps, SimpleNamespace(weights=weights, double=one.double), length)


@MODELS
@WAYS
@settings(max_examples=20)
@given(pairs=corpora(pairs=3, longest=6), seed=seeds, strength=st.sampled_from([0.0, 0.5]))
def test_the_slope_of_descent_is_the_objectives_derivative(name, way, pairs, seed, strength):
    bitext, indexed, model = random_model(pairs, name, seed)
    model = replace(
        model, pairs=tuple(random_table(bitext, indexed, each, seed, strength) for each in (0, 1))
    )
    training = PURE._replace(directions=(way == 0, way == 1))
    totals = totals_of(model, indexed, training)
    other, slope = model.descended(totals, training, way, 0.02)
    point, step = Point(model, other, bitext, way), 1e-5
    numeric = (point.objective(step) - point.objective(-step)) / (2 * step)
    assert slope == pytest.approx(numeric, rel=2e-3, abs=2e-3)
    assert other.pairs[1 - way] is model.pairs[1 - way]


@MODELS
@settings(max_examples=12)
@given(pairs=corpora(pairs=2, longest=5, words=3), seed=seeds, double=doubles)
def test_counts_are_the_numeric_gradient(name, pairs, seed, double):
    """p times the derivative of the log likelihood by p is the expected count of p."""
    bitext, indexed, model = random_model(pairs, name, seed, double)
    totals = totals_of(model, indexed, INDEPENDENT)
    price = np.float32(2.0**20)
    dear = replace(model.pairs[0], weights=np.full_like(model.pairs[0].weights, price))
    table, _ = dear.maximised(model.mixing(0), model.places, totals.ratios[0], 1)
    counts = spelled(table, bitext, 0, table.values * price)
    for name_of_entry, count in list(counts.items())[:12]:
        moved = []
        for step in (1e-5, -1e-5):
            total = 0.0
            for pair, chain in slow_pairs(model, bitext, 0):
                pair.double[name_of_entry] *= 1 + step
                total += slow.log_probability(pair, chain)
                pair.double[name_of_entry] /= 1 + step
            moved.append(total)
        assert count == pytest.approx((moved[0] - moved[1]) / 2e-5, rel=1e-3, abs=1e-5)


# Training: the law.


def objectives(pairs, name, strength, training, iterations, double=0.5):
    """The objectives before each iteration, from an even beginning; a list for each direction that descends alone."""
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    model, steps = even_model(bitext, indexed, name, strength, training.directions, double), []
    train(model, indexed, iterations, training, monitor=steps.append)
    heard = [step for step in steps if step.objective is not None]
    runs = by_direction(heard)
    assert len(runs) == (sum(training.directions) if training.optimizer == "pgd" else 1)
    for run in runs:  # descent may find its end before
        assert len(run) == iterations or (training.optimizer == "pgd" and len(run) < iterations)
    return [[step.objective for step in run] for run in runs]


def rises(values, tolerance=1e-6):
    """The steps at which the objective rose by more than a share of itself, that of float32 sums."""
    return [(a, b) for a, b in pairwise(values) if not b <= a + tolerance * max(1.0, abs(a))]


strengths = st.just(0.0) | st.just(0.5) | st.floats(1e-3, 20)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("optimizer", ["em", "pgd"])
@MODELS
@settings(max_examples=30)
@given(pairs=corpora(pairs=8, longest=9), strength=strengths, double=doubles)
def test_the_objective_never_rises(name, optimizer, direction, pairs, strength, double):
    training = PURE._replace(optimizer=optimizer, directions=DIRECTIONS[direction])
    for values in objectives(pairs, name, strength, training, 6, double):
        assert rises(values) == []


@pytest.mark.parametrize("strength", [0.0, 0.5])
@pytest.mark.parametrize("optimizer", ["em", "pgd"])
@MODELS
def test_nor_does_it_on_larger_corpora(name, optimizer, strength, seed):
    pairs = random_pairs(seed, count=60, longest=9, words=20)
    for values in objectives(pairs, name, strength, PURE._replace(optimizer=optimizer), 25):
        assert rises(values) == []
        assert values[-1] < 0.9 * values[0], "and there is something to learn"


@MODELS
@pytest.mark.parametrize("optimizer", ["em", "pgd"])
def test_the_objective_is_that_of_the_slow_twin(name, optimizer, seed):
    bitext = bitext_of(random_pairs(seed, count=8))
    indexed = index_bitext(bitext)
    training = PURE._replace(optimizer=optimizer, directions=(True, False))
    model = train(even_model(bitext, indexed, name, 0.5, training.directions), indexed, 4, training)
    steps = []
    train(model, indexed, 1, training, monitor=steps.append)
    expected = Point(model, model, bitext, 0).objective(0.0)
    assert steps[-1].objective == pytest.approx(expected, rel=1e-5)


@MODELS
@pytest.mark.parametrize("optimizer", ["em", "pgd"])
def test_rows_stay_distributions(name, optimizer, seed):
    bitext = bitext_of(random_pairs(seed, count=30))
    indexed = index_bitext(bitext)
    for strength in (0.0, 0.5):
        start = even_model(bitext, indexed, name, strength)
        model = train(start, indexed, 8, PURE._replace(optimizer=optimizer))
        for table in model.pairs:
            sums = np.add.reduceat(table.values, table.index.row_offsets[:-1])
            assert table.values.min() >= 0
            assert sums.max() <= 1 + 1e-5
            if strength == 0:
                np.testing.assert_allclose(sums, 1, atol=1e-5)


def parameters(model):
    """All numbers of a trained model."""
    arrays = [model.lexicon.values, *(each.values for each in model.pairs)]
    if isinstance(model, BiHmm):
        arrays += [each.weights for each in model.distances]
        arrays += [vector for jumps in model.heads.jumps for vector in jumps.vectors]
    return arrays


@pytest.mark.parametrize("optimizer", ["em", "pgd"])
@MODELS
def test_threads_change_nothing(name, optimizer, monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    monkeypatch.setattr(pairs_module, "ROW_BLOCK", 64)
    bitext = bitext_of(random_pairs(seed, count=70, longest=10, words=15))
    indexed = index_bitext(bitext)
    assert len(indexed.chunks) > 2
    results, training = [], PURE._replace(optimizer=optimizer)
    for threads in (1, 2, 3):
        steps = []
        model = train(even_model(bitext, indexed, name, 0.5), indexed, 3, training, threads, steps.append)
        values = [step.objective for step in steps if step.objective is not None]
        found = link(model, bitext, indexed, (True, True), EVERYTHING, threads).forward
        results.append([*parameters(model), np.array(values), found.confidence, found.source, found.target])
    for other in results[1:]:
        for one, two in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


# Neighbours, large pieces, odd corpora, other texts.


@MODELS
def test_neighbours_change_nothing(name, seed):
    pairs = random_pairs(seed, count=40, longest=10, words=12)
    bitext, indexed, model = random_model(pairs, name, seed)
    finished, known = Finished.of(model, bitext, indexed), vocabularies(bitext)
    together = link(model, bitext, indexed, (True, True), 1e-4).forward
    paths = link(model, bitext, indexed, (True, True))
    for k, pair in enumerate(pairs):
        own = bitext_of([pair])
        own_indexed = index_bitext(own)
        own_model = finished.for_text(own, own_indexed, vocabularies(own), known)
        alone = link(own_model, own, own_indexed, (True, True), 1e-4).forward
        assert alone.scores[0] == pytest.approx(together.scores[k], rel=1e-6)
        shares = ({each[:2]: each.confidence for each in found} for found in (together[k], alone[0]))
        one, two = ({place: share for place, share in found.items() if share > 2e-4} for found in shares)
        assert one == pytest.approx(two, rel=1e-5)
        for way, path in enumerate(link(own_model, own, own_indexed, (True, True))):
            assert [each[:2] for each in path[0]] == [each[:2] for each in paths[way][k]]


def vocabularies(bitext):
    return Vocabularies(bitext.source.words, bitext.target.words)


@MODELS
@WAYS
def test_large_pieces_are_aligned_by_the_mono_word_model(name, way, monkeypatch, seed):
    monkeypatch.setattr(pairs_module, "MAX_PIECE_CELLS", 40)
    directions = (way == 0, way == 1)
    pairs = random_pairs(seed, count=40, longest=9)
    bitext, indexed, model = random_model(pairs, name, seed)
    large = model.pairs[way].oversized
    assert 3 < large.sum() < 30
    model = replace(model, pairs=tuple(table if k == way else None for k, table in enumerate(model.pairs)))
    assert len(model.oversized(indexed)) == large.sum()
    for threshold in (0.0, EVERYTHING):
        ours, mono = (
            link(each, bitext, indexed, directions, threshold)[way] for each in (model, model.heads)
        )
        same = [ours[k] == mono[k] and ours.scores[k] == mono.scores[k] for k in range(len(pairs))]
        assert all(same[k] for k in np.flatnonzero(large)), "to the last bit"
        assert not all(same)


@MODELS
def test_large_pieces_are_counted_by_the_mono_word_model(name, monkeypatch, seed):
    monkeypatch.setattr(pairs_module, "MAX_PIECE_CELLS", 0)
    bitext, indexed, model = random_model(random_pairs(seed, count=30), name, seed)
    assert [len(table.values) for table in model.pairs] == [0, 0]
    lengths = (indexed.pieces.source_length, indexed.pieces.target_length)
    assert [table.oversized.tolist() for table in model.pairs] == [(each > 2).tolist() for each in lengths]
    assert len(model.oversized(indexed)) == ((lengths[0] > 2) | (lengths[1] > 2)).sum()
    ours, mono = (totals_of(each, indexed, PURE) for each in (model, model.heads))
    np.testing.assert_array_equal(ours.lexicon, mono.lexicon)
    np.testing.assert_array_equal(ours.likelihoods, mono.likelihoods)
    ours, mono = (train(each, indexed, 2, PURE) for each in (model, model.heads))
    np.testing.assert_array_equal(ours.lexicon.values, mono.lexicon.values)
    assert len(link(ours, bitext, indexed, (True, True)).forward.source) > 0


@MODELS
@pytest.mark.parametrize("length", [1, 2])
def test_sentences_without_room_for_a_second_word(name, length, seed):
    pairs = [(list(range(length)), [1, 2, 3, 4]), (list(range(length)), [5])]
    _, indexed, model = random_model(pairs, name, seed, double=0.9)
    training = INDEPENDENT._replace(directions=(True, False))
    ours, mono = (totals_of(each, indexed, training) for each in (model, model.heads))
    np.testing.assert_array_equal(ours.lexicon, mono.lexicon)
    assert ours.likelihoods.tolist() == mono.likelihoods.tolist()
    assert len(model.pairs[0].values) == 0
    assert len(model.oversized(indexed)) == 0


@MODELS
def test_three_words_have_room_for_one_pair(name, seed):
    pairs = [([1, 2, 3], [1, 2])]
    check_expectation(pairs, name, seed)
    bitext, indexed, model = random_model(pairs, name, seed, double=0.9)
    assert model.pairs[0].index.occurrences.tolist() == [[0, 0, 1]]
    sure = replace(model.pairs[0], values=np.ones(2, np.float32))
    model.lexicon.values[:] *= np.float32(1e-3)
    links = link(replace(model, pairs=(sure, None)), bitext, indexed, (True, False)).forward
    assert shown_paths(links, indexed, 0) == [[[0, 1], [0, 1]]]


DEGENERATE = {
    "every word once": [(range(7 * k, 7 * k + 5), range(7 * k, 7 * k + 7)) for k in range(4)],
    "one word over and over": [([0] * n, [0] * (10 - n)) for n in range(1, 10)],
    "one word and sixty": [([0], list(range(60))), (list(range(60)), [0])],
    "one word each": [([k % 3], [k % 2]) for k in range(6)],
    "empty sides": [([], [1, 2]), ([1, 2, 3, 4], [1, 2, 3]), ([1], []), ([], []), ([3, 2, 1], [1])],
    "nothing but empty sides": [([], [1]), ([2], []), ([], [])],
}


@pytest.mark.parametrize("strength", [0.0, 0.5, 1e6])
@pytest.mark.parametrize("optimizer", ["em", "pgd"])
@MODELS
@pytest.mark.parametrize("case", DEGENERATE)
def test_odd_corpora_give_numbers(case, name, optimizer, strength):
    bitext = bitext_of(DEGENERATE[case])
    indexed = index_bitext(bitext)
    steps, model = [], even_model(bitext, indexed, name, strength)
    model = train(model, indexed, 6, PURE._replace(optimizer=optimizer), monitor=steps.append)
    values = [step.objective for step in steps if step.objective is not None]
    assert np.isfinite(values).all()
    for array in parameters(model):
        assert np.isfinite(array).all()
        assert (array >= 0).all()
        assert (array <= 1 + 1e-5).all()
    for threshold in (0.0, 0.1):
        for found in link(model, bitext, indexed, (True, True), threshold):
            assert np.isfinite(found.confidence).all()
            assert np.isfinite(found.scores[(bitext.source.lengths > 0) & (bitext.target.lengths > 0)]).all()
            assert len(found) == len(bitext)


def in_order(seed, count=30):
    """Pairs of the same words in the same order, and of one word each: who stays where he is, is never right."""
    rng = np.random.default_rng(seed)
    sentences = [rng.permutation(12)[: rng.integers(3, 7)].tolist() for _ in range(count)]
    return [(words, words) for words in [*sentences, [0], [1]]]


@pytest.mark.parametrize("strength", [0.0, 0.5])
def test_jumps_that_die_out_leave_numbers(strength, seed):
    # The weight of staying falls below what a float32 can hold, and is all that a sentence of one word can reach.
    bitext = bitext_of(in_order(seed))
    indexed = index_bitext(bitext)
    model = train(even_model(bitext, indexed, "bihmm", strength), indexed, 20, PURE)
    other = bitext_of([([0], [0, 1, 2]), ([3], [3, 3]), ([4, 5], [4])])
    other_indexed = index_bitext(other)
    theirs = Finished.of(model, bitext, indexed).for_text(
        other, other_indexed, vocabularies(other), vocabularies(bitext)
    )
    links = link(theirs, other, other_indexed, (True, False)).forward
    assert [[each[:2] for each in found] for found in (links[1], links[2])] == [[(0, 0), (0, 1)], [(0, 0)]]
    assert np.isfinite(links.confidence).all()


@MODELS
@settings(max_examples=20)
@given(pairs=corpora(), others=st.lists(st.tuples(sentences(7, 8), sentences(7, 8)), min_size=1, max_size=5))
def test_a_finished_model_links_another_text(name, pairs, others):
    bitext, other = bitext_of(pairs), bitext_of(others)
    indexed, other_indexed = index_bitext(bitext), index_bitext(other)
    model = train(even_model(bitext, indexed, name, 0.5), indexed, 3, PURE)
    theirs = Finished.of(model, bitext, indexed).for_text(
        other, other_indexed, vocabularies(other), vocabularies(bitext)
    )
    assert type(theirs) is type(model)
    links = link(theirs, other, other_indexed, (True, True), EVERYTHING).forward
    assert np.isfinite(links.scores).all()
    assert np.diff(links.offsets).tolist() == [len(source) * len(target) for source, target in others]
    tables = posterior_tables(theirs, other_indexed, len(other), 0)
    for pair, table in zip(slow_pairs(theirs, other, 0), tables, strict=True):
        _, counts = slow.expected(*pair)
        for place, found in np.ndenumerate(table):
            assert found == pytest.approx(counts["link", *place], rel=1e-3, abs=1e-5)


def test_ratios_of_a_chunk_follow_each_other(monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    indexed = index_bitext(bitext_of(random_pairs(seed, count=50)))
    places, at = ratio_places(indexed), 0
    for chunk in indexed.chunks:
        for piece in chunk.pieces[chunk.pieces >= 0]:
            assert places[piece] == at
            at += int(indexed.pieces.source_length[piece]) * int(indexed.pieces.target_length[piece])
    assert places[-1] == at
