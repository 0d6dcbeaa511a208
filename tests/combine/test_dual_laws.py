"""Dual decomposition against its slow twin and against enumeration: certificates, bounds, the shape of answers."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cepts.combine.dual import DualOptions, dual_links
from cepts.words import index_bitext, link
from cepts.words.forgetful import ForgetfulHmm
from tests.reference import dual as slow
from tests.reference import forgetful as slow_forgetful
from tests.words.corpora import (
    as_dictionaries,
    bitext_of,
    chain_of_pair,
    corpora,
    id_pairs,
    in_classes,
    random_hmm,
    random_pairs,
    sentences,
)
from tests.words.test_forgetful import forgetting, lopsided, nulls

KINDS = ("remembering", "classes", "forgetful")
STEPS = ("adaptive", "harmonic")
BOTH = (True, True)
# What float32 may do to a dual value of these pairs: some twenty additions of logs of at most 10 or so, in each round.
ROUNDING = 1e-4

seeds = st.integers(0, 2**32 - 1)
bands = st.integers(1, 2)
alphas = st.sampled_from([0.0, 0.25, 1.0, 3.0]) | st.floats(0, 3, width=32)
small = st.lists(
    st.tuples(sentences(4, 4), sentences(3, 4)) | st.tuples(sentences(3, 4), sentences(4, 4)),
    min_size=1,
    max_size=2,
)


def indexed_and_model(pairs, kind, seed, band=2, null=0.1):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    model = random_hmm(indexed, seed, band)
    if kind == "classes":
        return bitext, indexed, lopsided(in_classes(model, bitext, indexed, seed), seed, null)
    return bitext, indexed, lopsided(model if kind == "remembering" else forgetting(model), seed, null)


def logs(values):
    return [math.log(value) for value in values]


def slow_chain(model, states, steps, way, probability):
    """One direction of a pair as the slow twin wants it."""
    jumps, length = model.jumps[way], len(states)
    hmm = chain_of_pair(model, way, states)
    tables = (
        [logs(probability[state, word] for state in states) for word in steps],
        logs(probability[0, word] for word in steps),
        logs(hmm.start((i, False)) for i in range(length)),
        [logs(hmm.jump(i, k) for k in range(length)) for i in range(length)],
        math.log(jumps.null),
    )
    if not isinstance(model, ForgetfulHmm):
        return slow.Remembering(*tables)
    hmm = slow_forgetful.Chain(jumps.weights, jumps.far, jumps.starts, jumps.null, length, len(steps))
    return slow.Forgetful(*tables, [logs(row) for row in hmm.left_for], math.log(slow_forgetful.STAY))


def slow_chains(model, bitext):
    """For each pair the chains of both directions."""
    tables = as_dictionaries(model.lexicon)
    for source, target in id_pairs(bitext):
        yield (
            slow_chain(model, source, target, 0, tables[0]),
            slow_chain(model, target, source, 1, tables[1]),
        )


def positions(links):
    return [frozenset(each[:2] for each in pair) for pair in links]


def answers(found):
    """For each pair: forward and reverse links, certified, rounds, bound."""
    columns = (found.certified.tolist(), found.rounds.tolist(), found.bounds.tolist())
    return list(zip(positions(found.forward), positions(found.reverse), *columns, strict=True))


def random_tables(rng, states, steps, forgetful):
    """A chain of numbers that mean nothing."""
    shapes = [(steps, states), (steps,), (states,), (states, states)]
    tables = [np.log(rng.uniform(0.01, 1, shape)).tolist() for shape in shapes]
    if not forgetful:
        return slow.Remembering(*tables, math.log(0.2))
    leave = np.log(rng.uniform(0.01, 1, (steps, states))).tolist()
    return slow.Forgetful(*tables, math.log(0.2), leave, math.log(0.05))


@settings(max_examples=20)
@given(
    shape=st.sampled_from([(1, 1), (1, 3), (2, 2), (2, 3), (3, 2)]),
    seed=seeds,
    forgetful=st.booleans(),
    alpha=alphas,
)
def test_the_best_links_of_two_paths_are_their_union(shape, seed, forgetful, alpha):
    # The twin's shortcut against the definition, equation 2: all (a, b, c), with c any table of booleans.
    rng = np.random.default_rng(seed)
    chains = (random_tables(rng, *shape, forgetful), random_tables(rng, *shape[::-1], forgetful))
    (best, links), (expected, all_links) = (
        slow.best_joint(*chains, alpha),
        slow.best_of_everything(*chains, alpha),
    )
    assert best == pytest.approx(expected, abs=1e-9)
    assert links <= all_links, "where neighbours cost nothing, more links than the union can be as good"
    assert links == all_links or alpha < 1e-9


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100)
@given(pairs=small, seed=seeds, band=bands, null=nulls, alpha=alphas)
def test_a_certified_answer_is_the_best_and_no_bound_is_below_it(step, kind, pairs, seed, band, null, alpha):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band, null)
    found = dual_links(model, bitext, indexed, DualOptions(40, alpha, step, 1.0))
    for (forward, reverse, certified, _, bound), chains in zip(
        answers(found), slow_chains(model, bitext), strict=True
    ):
        best, links = slow.best_joint(*chains, alpha, ROUNDING)
        assert bound >= best - ROUNDING
        assert certified == (forward == reverse)
        if certified:
            assert forward in links
            assert bound == pytest.approx(best, abs=ROUNDING)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100)
@given(
    pairs=corpora(pairs=3, longest=6, words=8),
    seed=seeds,
    band=bands,
    null=nulls,
    alpha=st.floats(1 / 64, 3, width=32),
    rounds=st.integers(1, 12),
    step_size=st.sampled_from([0.3, 1.0, 4.0]),
)
def test_equals_the_slow_twin(step, kind, pairs, seed, band, null, alpha, rounds, step_size):
    check_twin(pairs, kind, seed, band, null, DualOptions(rounds, alpha, step, step_size))


def check_twin(pairs, kind, seed, band, null, options, allow_ties=False):
    """Compare with the slow twin; returns the rounds of each pair that has no near tie, and so could be compared."""
    bitext, indexed, model = indexed_and_model(pairs, kind, seed, band, null)
    compared = []
    for got, chains in zip(
        answers(dual_links(model, bitext, indexed, options)), slow_chains(model, bitext), strict=True
    ):
        expected = slow.naive_dual(*chains, options.alpha, options.rounds, options.step, options.step_size)
        if expected.margin > ROUNDING:
            assert got[:4] == (expected.forward, expected.reverse, expected.certified, expected.rounds)
            assert got[4] == pytest.approx(min(expected.duals), abs=ROUNDING)
            compared.append(expected.rounds)
    if not allow_ties:
        assume(compared)
    return compared


@pytest.mark.parametrize("kind", KINDS)
def test_equals_the_slow_twin_in_long_sentences(kind, seed):
    # Longer than a vector and than the band, so that all loops over states have more than one turn.
    pairs = random_pairs(seed, count=4, longest=24, words=30)
    pairs += [(list(range(17)), list(range(20))), (list(range(33)), list(range(3)))]
    compared = check_twin(pairs, kind, seed, 3, 0.01, DualOptions(6, 0.7, "adaptive", 1.3), allow_ties=True)
    assert len(compared) >= 3
    assert max(compared) == 6


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_something_to_compare(kind):
    # What the laws above are worth: on such corpora certificates come early, late, and not at all.
    pairs = [(each, other) for seed in range(10) for each, other in random_pairs(seed, longest=4, words=20)]
    bitext, indexed, model = indexed_and_model(pairs, kind, 7)
    found = dual_links(model, bitext, indexed, DualOptions(40, 0.5, "adaptive", 1.0))
    rounds = found.rounds[found.certified]
    assert (rounds == 1).sum() > 10
    assert (rounds > 3).sum() > 10
    assert (~found.certified).sum() > 3
    assert (found.rounds[~found.certified] == 40).all()
    thick = [pair for pair, sure in zip(positions(found.forward), found.certified, strict=True) if sure]
    assert sum(len({i for i, _ in pair}) < len(pair) for pair in thick) > 3, "with neighbours"


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100)
@given(pairs=corpora(pairs=4, longest=9, words=12), seed=seeds, alpha=alphas, rounds=st.integers(1, 30))
def test_answers_are_phrase_alignments(kind, pairs, seed, alpha, rounds):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed)
    for forward, reverse, *_ in answers(
        dual_links(model, bitext, indexed, DualOptions(rounds, alpha, "adaptive", 1.0))
    ):
        for j in {j for _, j in forward}:
            assert_contiguous(sorted(i for i, target in forward if target == j))
        for i in {i for i, _ in reverse}:
            assert_contiguous(sorted(j for source, j in reverse if source == i))


def assert_contiguous(linked):
    """A word is linked to at most three words of the other side, side by side."""
    assert len(linked) <= 3
    assert all(b == a + 1 for a, b in pairwise(linked))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(pairs=corpora(), seed=seeds, alpha=alphas)
def test_one_round_gives_the_best_paths(kind, pairs, seed, alpha):
    bitext, indexed, model = indexed_and_model(pairs, kind, seed)
    found, paths = (
        dual_links(model, bitext, indexed, DualOptions(1, alpha)),
        link(model, bitext, indexed, BOTH),
    )
    for (forward, reverse, certified, rounds, bound), expected, chains in zip(
        answers(found), zip(*map(positions, paths), strict=True), slow_chains(model, bitext), strict=True
    ):
        answer = slow.naive_dual(*chains, alpha, 1)
        assert rounds == 1
        assert bound == pytest.approx(answer.duals[0], abs=ROUNDING)
        assert certified == (forward == reverse)
        if answer.margin > ROUNDING:  # else two paths are as good as each other
            assert (forward, reverse) == expected == (answer.forward, answer.reverse)


@settings(max_examples=25)
@given(pairs=corpora(pairs=2, longest=6), seed=seeds, alpha=alphas, step=st.sampled_from(STEPS))
def test_more_rounds_never_raise_a_bound_nor_lose_a_certificate(pairs, seed, alpha, step):
    bitext, indexed, model = indexed_and_model(pairs, "remembering", seed)
    found = [
        dual_links(model, bitext, indexed, DualOptions(n, alpha, step, 1.0)) for n in (1, 2, 3, 5, 9, 20)
    ]
    for fewer, more in pairwise(found):
        assert (more.bounds <= fewer.bounds).all()
        for one, two in zip(answers(fewer), answers(more), strict=True):
            assert one == two or not one[2]
