"""Jump weights: probabilities by hand and by law, an M step that never lowers the likelihood."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Jumps
from cepts.words.hmm_kernels import JumpCounts
from tests.words.corpora import chain_of, random_jumps

seeds = st.integers(0, 2**32 - 1)
bands = st.integers(1, 4)


def probability(transitions, length, before, after):
    """Read p(after | before, length) out of the kernels' tables."""
    band = len(transitions.jumps) // 2
    if abs(after - before) > band:
        return float(transitions.far[length, before])
    return float(transitions.jumps[after - before + band]) * float(transitions.near[length, before])


@given(band=bands, longest=st.integers(1, 12), null=st.floats(0.01, 0.9), seed=seeds)
def test_probabilities_equal_the_slow_twin_and_sum_to_one(band, longest, null, seed):
    jumps = random_jumps(band, longest, null, seed)
    transitions = jumps.transitions(longest)
    assert float(transitions.null) == pytest.approx(null)
    for length in range(1, longest + 1):
        chain = chain_of(jumps, length)
        starts = [float(transitions.start[length, i]) for i in range(length)]
        assert starts == pytest.approx([chain.start((i, False)) for i in range(length)], rel=1e-6)
        assert sum(starts) + null == pytest.approx(1, abs=1e-6)
        for before in range(length):
            row = [probability(transitions, length, before, after) for after in range(length)]
            assert row == pytest.approx([chain.jump(before, after) for after in range(length)], rel=1e-6)
            assert sum(row) + null == pytest.approx(1, abs=1e-6)


def test_probabilities_by_hand():
    # r = (0.2, 0.2, 0.4) for jumps of -1, 0, 1, and 0.2 for all longer ones; p0 = 0.1; four positions, from the
    # first one: tau = 0.2 + 0.4 + 0.2 = 0.8, so stay 0.9 / 4, next 0.9 / 2, and the two far ones 0.9 / 4 / 2 each.
    jumps = Jumps(np.array([0.2, 0.2, 0.4]), 0.2, np.full(4, 0.25), 0.1)
    row = [probability(jumps.transitions(4), 4, 0, after) for after in range(4)]
    assert row == pytest.approx([0.225, 0.45, 0.1125, 0.1125], rel=1e-6)
    # Two positions, from the last one: nothing is far, tau = 0.2 + 0.2.
    assert [probability(jumps.transitions(4), 2, 1, after) for after in (0, 1)] == pytest.approx([0.45, 0.45])


@given(longest=st.integers(1, 9), seed=seeds)
def test_a_table_for_longer_sentences_says_the_same_of_the_shorter_ones(longest, seed):
    jumps = random_jumps(2, longest, 0.1, seed)
    short, long = jumps.transitions(longest), jumps.transitions(longest + 5)
    for name in ("near", "far", "start"):
        np.testing.assert_array_equal(
            getattr(short, name), getattr(long, name)[: longest + 1, :longest], err_msg=name
        )


def test_positions_that_training_never_saw_begin_like_the_last_one():
    transitions = Jumps(np.full(3, 0.3), 0.1, np.array([0.6, 0.2]), 0.0).transitions(4)
    assert transitions.start[4].tolist() == pytest.approx([0.5, 1 / 6, 1 / 6, 1 / 6])


def test_the_beginning_prefers_the_next_position():
    jumps = Jumps.initial(3, 5, 0.1)
    assert jumps.band == 3
    assert np.argmax(jumps.weights) == 4
    assert jumps.weights.sum() + jumps.far == pytest.approx(1)
    assert jumps.starts.tolist() == [0.2] * 5


def random_counts(band, longest, seed, size=30):
    """Count random jumps between positions of sentences, each with a random share, and random starts."""
    rng = np.random.default_rng(seed)
    counts = JumpCounts(
        np.zeros(2 * band + 2), np.zeros((longest + 1, longest)), np.zeros((longest + 1, longest))
    )
    for share in rng.uniform(0.1, 1, size):
        length = int(rng.integers(1, longest + 1))
        before, after, first = rng.integers(0, length, 3).tolist()
        distance = after - before
        counts.jumps[distance + band if abs(distance) <= band else -1] += share
        counts.departures[length, before] += share
        counts.starts[length, first] += share
    return counts


def expected_log_likelihood(jumps, counts):
    """The part of EM's bound that the jumps decide: counts of weights, and departures of normalisers."""
    longest = counts.starts.shape[1]
    weights = [*jumps.weights, jumps.far]
    total = sum(n * math.log(w) for n, w in zip(counts.jumps, weights, strict=True) if n > 0)
    for length in range(1, longest + 1):
        for i in range(length):
            reach = [k - i for k in range(length)]
            tau = sum(jumps.weights[d + jumps.band] for d in reach if abs(d) <= jumps.band)
            tau += jumps.far if any(abs(d) > jumps.band for d in reach) else 0.0
            if counts.departures[length, i] > 0:
                total -= counts.departures[length, i] * math.log(tau)
    return total


def expected_log_starts(starts, counts):
    total = 0.0
    for length in range(1, counts.starts.shape[1] + 1):
        for i in range(length):
            if counts.starts[length, i] > 0:
                total += counts.starts[length, i] * math.log(starts[i] / sum(starts[:length]))
    return total


@settings(max_examples=50)
@given(band=bands, longest=st.integers(2, 9), seed=seeds)
def test_the_exact_update_never_lowers_the_likelihood(band, longest, seed):
    jumps, counts = random_jumps(band, longest, 0.1, seed), random_counts(band, longest, seed)
    for _ in range(3):
        updated = jumps.maximised(counts)
        before, after = (expected_log_likelihood(each, counts) for each in (jumps, updated))
        assert after >= before - 1e-9 * abs(before)
        starts = [expected_log_starts(each.starts, counts) for each in (jumps, updated)]
        assert starts[1] >= starts[0] - 1e-9 * abs(starts[0])
        jumps = updated


def test_renormalised_counts_can_lower_it():
    # The law above is sharp: from the exact optimum, renormalised counts fall on every one of these corpora.
    for seed in range(20):
        counts = random_counts(2, 6, seed)
        best = random_jumps(2, 6, 0.1, seed)
        for _ in range(20):
            best = best.maximised(counts)
        renormalised = best.maximised(counts, exact=False)
        assert expected_log_likelihood(renormalised, counts) < expected_log_likelihood(best, counts) - 1e-3


def test_the_optimum_by_hand():
    # All jumps leave the first of two positions: 4 stay, 6 go on. Then r(1) / r(0) = 6 / 4, whatever tau is.
    counts = JumpCounts(np.array([0.0, 4, 6, 0]), np.zeros((3, 2)), np.zeros((3, 2)))
    counts.departures[2, 0] = 10
    counts.starts[2] = [3, 1]
    jumps = Jumps.initial(1, 2, 0.1).maximised(counts)
    assert jumps.weights[2] / jumps.weights[1] == pytest.approx(1.5)
    assert jumps.starts.tolist() == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("exact", [True, False])
@given(band=bands, seed=seeds)
def test_weights_stay_a_distribution(exact, band, seed):
    jumps = random_jumps(band, 6, 0.1, seed).maximised(random_counts(band, 6, seed), exact)
    assert jumps.weights.min() >= 0
    assert jumps.weights.sum() + jumps.far == pytest.approx(1)
    assert jumps.starts.sum() == pytest.approx(1)


def test_without_jumps_nothing_changes():
    jumps = random_jumps(2, 3, 0.1, 1)
    counts = JumpCounts(np.zeros(6), np.zeros((4, 3)), np.zeros((4, 3)))
    assert jumps.maximised(counts) is jumps


def test_normalisers_by_hand():
    from cepts.words.jump_kernels import normalisers

    # r = (1, 2, 4), r_L = 8, three positions: from the first 2 + 4 + 8, from the middle 1 + 2 + 4, the last 1 + 2 + 8.
    assert normalisers(np.array([1.0, 2, 4]), 8.0, 3)[3].tolist() == [14, 7, 11]
