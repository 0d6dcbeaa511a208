"""EM: the objective never rises, threads change nothing, and whoever watches hears of every step."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.words import Agreement, ExtraCounts, Smoothing, Training, index_bitext, train
from cepts.words import indexed as indexed_module
from cepts.words.layout import plan_chunks
from tests.words.corpora import INDEPENDENT, bitext_of, corpora, random_pairs, uniform_model

MODELS = ("ibm1", "hmm")
PURE = INDEPENDENT._replace(smoothing=Smoothing(0.0, 0.0))  # the floor of 1e-7 is not part of EM
DIRECTIONS = {"forward": (True, False), "reverse": (False, True), "both": (True, True)}


def objectives(pairs, name, training, iterations=6, band=2, null=0.1):
    """The objective of each iteration, from a uniform beginning."""
    indexed = index_bitext(bitext_of(pairs))
    steps = []
    model = train(
        uniform_model(name, indexed, band, null), indexed, iterations, training, monitor=steps.append
    )
    assert model.name == name
    return [step.objective for step in steps if step.objective is not None]


def rises(values, tolerance):
    """The steps at which the objective rose by more than a share of itself, that of float32 sums."""
    return [b - a for a, b in pairwise(values) if b > a + tolerance * max(1.0, abs(a))]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=25)
@given(pairs=corpora(), band=st.integers(1, 3), null=st.sampled_from([0.02, 0.1, 0.5]))
def test_the_objective_never_rises(name, direction, pairs, band, null):
    training = PURE._replace(directions=DIRECTIONS[direction])
    values = objectives(pairs, name, training, band=band, null=null)
    assert len(values) == 6
    assert rises(values, 1e-6) == []


@pytest.mark.parametrize("name", MODELS)
def test_nor_does_it_on_larger_corpora_with_the_floor(name):
    for seed in range(4):
        pairs = random_pairs(seed, count=60, longest=9, words=20)
        values = objectives(pairs, name, INDEPENDENT, iterations=12)
        assert rises(values, 1e-6) == []
        assert values[-1] < 0.9 * values[1], "and there is something to learn"


def noise(seed, count, longest):
    """Pairs of a language of two words, in which only positions can be learned."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, longest + 1, (count, 2)).tolist()
    return [tuple(rng.integers(0, 2, length).tolist() for length in pair) for pair in lengths]


def test_renormalised_jumps_break_the_law():
    # What the law is worth: the same watch sees the objective rise where jump counts are only renormalised.
    broken = []
    for seed in range(12):
        for pairs in (noise(seed, 8, 4), noise(seed, 4, 8)):
            assert rises(objectives(pairs, "hmm", PURE, iterations=12), 1e-6) == []
            renormalised = objectives(pairs, "hmm", PURE._replace(exact_jumps=False), iterations=12)
            broken += rises(renormalised, 1e-6)
    assert len(broken) >= 3
    assert max(broken) > 0.01


def test_agreement_has_another_objective():
    # Products of posteriors are not the counts of either direction: the sum of likelihoods may rise and fall.
    training = Training(agreement=Agreement.PRODUCT, smoothing=Smoothing(0.0, 0.0))
    together = objectives(random_pairs(3, count=30), "hmm", training, iterations=8)
    alone = objectives(random_pairs(3, count=30), "hmm", PURE, iterations=8)
    assert together[0] == alone[0]
    assert together[-1] > alone[-1]


def test_counts_known_beforehand_are_added_in_the_m_step():
    # By hand: one source word, two target words in a pair each: 0.9 counts of either, the rest is NULL's. With 9
    # more counts known of the first it has 9.9 of 10.8.
    indexed = index_bitext(bitext_of([([1], [1]), ([1], [2])]))
    entry = int(indexed.row_offsets[1]) + indexed.columns[indexed.row_offsets[1] :].tolist().index(1)
    for known, share in ((None, 0.5), (ExtraCounts(np.array([entry]), 9.0), 9.9 / 10.8)):
        model = train(uniform_model("ibm1", indexed), indexed, 1, INDEPENDENT._replace(extra=known))
        assert model.lexicon.values[entry, 0] == pytest.approx(share, rel=1e-6)


def model_arrays(model):
    yield model.lexicon.values
    for jumps in getattr(model, "jumps", ()):
        yield from (jumps.weights, np.array(jumps.far), jumps.starts)


@pytest.fixture
def many_chunks(monkeypatch, seed):
    monkeypatch.setattr(indexed_module, "plan_chunks", lambda pieces: plan_chunks(pieces, 500))
    bitext = bitext_of(random_pairs(seed, count=150, words=30))
    indexed = index_bitext(bitext)
    assert len(indexed.chunks) > 4
    return indexed


@pytest.mark.parametrize("agreement", [Agreement.NONE, Agreement.PRODUCT])
@pytest.mark.parametrize("name", MODELS)
def test_any_number_of_threads_gives_the_same_bits(name, agreement, many_chunks):
    training = Training(agreement=agreement)
    trained = [
        train(uniform_model(name, many_chunks), many_chunks, 3, training, threads) for threads in (1, 2, 3)
    ]
    for other in trained[1:]:
        for a, b in zip(model_arrays(trained[0]), model_arrays(other), strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_watcher_hears_of_each_chunk_and_each_iteration(many_chunks):
    steps = []
    train(uniform_model("ibm1", many_chunks), many_chunks, 2, INDEPENDENT, monitor=steps.append)
    chunks = len(many_chunks.chunks)
    assert {step.stage for step in steps} == {"ibm1"}
    assert [(step.iteration, step.iterations) for step in steps] == [(1, 2)] * (chunks + 1) + [(2, 2)] * (
        chunks + 1
    )
    assert [step.done for step in steps[: chunks + 1]] == [*(k / chunks for k in range(1, chunks + 1)), 1.0]
    assert [step.objective is None for step in steps] == ([True] * chunks + [False]) * 2


def test_no_iterations_leave_the_model_as_it_is(many_chunks):
    model = uniform_model("hmm", many_chunks)
    assert train(model, many_chunks, 0, INDEPENDENT) is model


def test_threads_below_one_are_refused(many_chunks):
    with pytest.raises(OptionError, match="threads must be at least 1, got 0"):
        train(uniform_model("ibm1", many_chunks), many_chunks, 1, INDEPENDENT, threads=0)


def test_an_error_of_the_watcher_stops_the_training(many_chunks):
    def refuse(step):  # noqa: ARG001
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(uniform_model("ibm1", many_chunks), many_chunks, 2, INDEPENDENT, threads=2, monitor=refuse)
