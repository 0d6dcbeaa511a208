"""Jump weights: probabilities by hand and by law, M steps that never lower the likelihood, gradients, NULL."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.choices import JUMP_UPDATES as UPDATES
from cepts.words import Jumps
from cepts.words.jumps import NULL_BOUNDS
from tests.reference.differences import slopes
from tests.words.corpora import chain_of, context, random_jumps

seeds = st.integers(0, 2**32 - 1)
bands = st.integers(1, 4)


def probability(transitions, length, before, after):
    """Read p(after | before, length) out of the kernels' tables."""
    band = len(transitions.jumps) // 2
    if abs(after - before) > band:
        return float(transitions.far[length, before])
    return float(transitions.jumps[after - before + band, 0]) * float(transitions.near[length, before])


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


def no_counts(band, longest):
    return Jumps.initial(band, longest, 0.1).new_counts(longest)


def random_counts(band, longest, seed, size=30):
    """Count random jumps between positions of sentences, each with a random share, random starts, and NULLs."""
    rng = np.random.default_rng(seed)
    counts = no_counts(band, longest)
    for share in rng.uniform(0.1, 1, size):
        length = int(rng.integers(1, longest + 1))
        before, after, first = rng.integers(0, length, 3).tolist()
        distance = after - before
        counts.jumps[distance + band if abs(distance) <= band else -1] += share
        counts.departures[context(before, length, band)] += share
        counts.starts[length, first] += share
        counts.words[0] += 2 * share + rng.uniform(0, 0.5)
    return counts


def jump_energy(vector, counts, band):
    """The negative log probability of the counted jumps: counts of weights, and departures of normalisers."""
    longest = counts.starts.shape[1]
    total = -sum(n * math.log(w) for n, w in zip(counts.jumps[:, 0], vector, strict=True) if n > 0)
    left = counts.departures[:, 0].copy()
    for length in range(1, longest + 1):
        for i in range(length):
            reach = [k - i for k in range(length)]
            tau = sum(vector[d + band] for d in reach if abs(d) <= band)
            tau += vector[-1] if any(abs(d) > band for d in reach) else 0.0
            number = context(i, length, band)
            if left[number] > 0:
                total += left[number] * math.log(tau)
                left[number] = 0.0  # other places that reach as much are counted with this one
    return total


def start_energy(starts, counts):
    total = 0.0
    for length in range(1, counts.starts.shape[1] + 1):
        for i in range(length):
            if counts.starts[length, i] > 0:
                total -= counts.starts[length, i] * math.log(starts[i] / sum(starts[:length]))
    return total


def energies(jumps, counts):
    return jump_energy(jumps.vectors[0], counts, jumps.band), start_energy(jumps.starts, counts)


@pytest.mark.parametrize("update", ["exact", "gradient"])
@settings(max_examples=25)
@given(band=bands, longest=st.integers(2, 9), seed=seeds)
def test_an_update_never_lowers_the_likelihood(update, band, longest, seed):
    jumps, counts = random_jumps(band, longest, 0.1, seed), random_counts(band, longest, seed)
    for _ in range(3):
        updated = jumps.maximised(counts, update)
        for before, after in zip(energies(jumps, counts), energies(updated, counts), strict=True):
            assert after <= before + 1e-9 * abs(before)
        jumps = updated


def test_renormalised_counts_can_lower_it():
    # The law above is sharp: from the exact optimum, renormalised counts fall on every one of these corpora.
    for seed in range(20):
        counts = random_counts(2, 6, seed)
        best = random_jumps(2, 6, 0.1, seed)
        for _ in range(20):
            best = best.maximised(counts)
        renormalised = best.maximised(counts, "renormalised")
        assert energies(renormalised, counts)[0] > energies(best, counts)[0] + 1e-3


def test_the_optimum_by_hand():
    # All jumps leave the first of two positions: 4 stay, 6 go on. Then r(1) / r(0) = 6 / 4, whatever tau is.
    counts = no_counts(1, 2)
    counts.jumps[1:3, 0] = 4, 6
    counts.departures[context(0, 2, 1)] = 10
    counts.starts[2] = [3, 1]
    counts.words[0] = 14
    for update, close in (("exact", 1e-6), ("gradient", 1e-3)):
        jumps = Jumps.initial(1, 2, 0.1).maximised(counts, update)
        assert jumps.weights[2] / jumps.weights[1] == pytest.approx(1.5, rel=close)
        assert jumps.starts.tolist() == pytest.approx([0.75, 0.25], rel=close)


def test_starts_are_shared_by_those_who_reach_them():
    # 10 sentences of one word begin there; 30 of two words, 10 at their first, 20 at their second. Renormalised
    # starts would say 20 to 20; but where there is a choice, the second is taken twice as often.
    counts = no_counts(1, 2)
    counts.starts[1, 0], counts.starts[2] = 10, [10, 20]
    counts.words[0] = 40
    jumps = Jumps.initial(1, 2, 0.1)
    for _ in range(30):
        jumps = jumps.maximised(counts)
    assert jumps.starts.tolist() == pytest.approx([1 / 3, 2 / 3], rel=1e-4)
    assert Jumps.initial(1, 2, 0.1).maximised(counts, "renormalised").starts[1] > 0.6, (
        "starts are never renormalised"
    )


@pytest.mark.parametrize("update", UPDATES)
@settings(max_examples=25)
@given(band=bands, seed=seeds)
def test_weights_stay_a_distribution(update, band, seed):
    jumps = random_jumps(band, 6, 0.1, seed).maximised(random_counts(band, 6, seed), update, learn_null=True)
    for vector in jumps.vectors:
        assert vector.min() >= 0
        assert vector.sum() == pytest.approx(1)


def test_without_words_nothing_changes():
    jumps = random_jumps(2, 3, 0.1, 1)
    assert jumps.maximised(no_counts(2, 3), learn_null=True) is jumps


def test_sentences_of_one_word_teach_starts_and_null_but_no_jumps():
    jumps, counts = random_jumps(1, 2, 0.1, 1), no_counts(1, 2)
    counts.starts[2], counts.words[0] = [3, 1], 5
    for update in UPDATES:
        learned = jumps.maximised(counts, update, learn_null=True)
        np.testing.assert_array_equal(learned.weights, jumps.weights)
        assert learned.starts.tolist() == pytest.approx([0.75, 0.25], rel=1e-3)
        assert learned.null == pytest.approx(1 / 5)


def null_counts(null, real):
    counts = no_counts(1, 2)
    counts.departures[context(0, 2, 1)] = counts.jumps[1] = 3 * real / 4
    counts.starts[2, 0] = real / 4
    counts.words[0] = null + real
    return counts


@given(null=st.floats(0, 100), real=st.floats(0.01, 100), before=st.floats(*NULL_BOUNDS))
def test_the_learned_probability_of_null_is_the_best_within_its_bounds(null, real, before):
    learned = Jumps.initial(1, 2, before).maximised(null_counts(null, real), learn_null=True).null
    assert learned == pytest.approx(np.clip(null / (null + real), *NULL_BOUNDS))

    def energy(p):
        return -null * math.log(p) - real * math.log(1 - p)

    best = min(energy(p) for p in [before, *np.linspace(*NULL_BOUNDS, 50)])
    assert energy(learned) <= best + 1e-9 * (null + real)


def test_null_is_learned_only_where_it_is_asked_for():
    assert Jumps.initial(1, 2, 0.1).maximised(null_counts(3, 1)).null == 0.1
    assert Jumps.initial(1, 2, 0.1).maximised(null_counts(3, 1), learn_null=True).null == pytest.approx(0.75)


def test_rounding_may_count_more_real_words_than_words():
    counts = null_counts(0, 4)
    counts.words[0] -= 1e-6
    assert Jumps.initial(1, 2, 0.1).maximised(counts, learn_null=True).null == NULL_BOUNDS[0]


@settings(max_examples=50)
@given(band=bands, longest=st.integers(1, 7), null=st.floats(0.05, 0.8), seed=seeds)
def test_gradients_equal_numeric_differences(band, longest, null, seed):
    jumps, counts = random_jumps(band, longest, null, seed), random_counts(band, longest, seed)
    weights, starts, nulls = jumps.gradients(counts)
    vector, begun, _ = (each.tolist() for each in jumps.vectors)
    numeric = slopes(lambda point: jump_energy(point, counts, band), vector)
    np.testing.assert_allclose(weights, numeric, rtol=1e-5, atol=1e-4)
    numeric = slopes(lambda point: start_energy(point, counts), begun)
    np.testing.assert_allclose(starts, numeric, rtol=1e-5, atol=1e-4)
    real = float(counts.starts.sum() + counts.departures.sum())
    assert nulls.tolist() == pytest.approx([-(counts.words[0] - real) / null, -real / (1 - null)])


@settings(max_examples=25)
@given(band=bands, seed=seeds, length=st.floats(1e-3, 10))
def test_a_step_down_the_gradient_goes_down(band, seed, length):
    jumps, counts = random_jumps(band, 6, 0.1, seed), random_counts(band, 6, seed)
    stepped, slope = jumps.descended(counts, length, (True, True, True))
    promised = sum(
        float(gradient @ (after - before))
        for gradient, before, after in zip(
            jumps.gradients(counts), jumps.vectors, stepped.vectors, strict=True
        )
    )
    assert slope == pytest.approx(promised, abs=1e-9)
    assert slope < 0
    near = jumps.between(stepped, 1e-6)
    fall = sum(energies(near, counts)) - sum(energies(jumps, counts))
    only_jumps = jumps.descended(counts, length, (True, True, False))[1]
    assert fall == pytest.approx(1e-6 * only_jumps, rel=1e-2, abs=1e-8)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_not_free_stays(place):
    jumps, counts = random_jumps(2, 6, 0.1, 1), random_counts(2, 6, 1)
    stepped, _ = jumps.descended(counts, 0.1, tuple(k == place for k in range(3)))
    for k, (before, after) in enumerate(zip(jumps.vectors, stepped.vectors, strict=True)):
        assert np.array_equal(before, after) == (k != place)


def test_half_of_the_way():
    one, two = random_jumps(1, 3, 0.1, 1), random_jumps(1, 3, 0.3, 2)
    middle = one.between(two, 0.5)
    assert middle.null == pytest.approx(0.2)
    for vectors in zip(one.vectors, two.vectors, middle.vectors, strict=True):
        np.testing.assert_allclose(vectors[2], (vectors[0] + vectors[1]) / 2)


@pytest.mark.parametrize("smallest", [0.0, 1e-300, 1e-46, 1e-38, 1e-20])
def test_weights_that_nearly_vanished_leave_probabilities_that_are_numbers(smallest):
    # All jumps of training went one further; in a sentence of one word there is nothing but to stay.
    weights = np.array([smallest, smallest, 1.0])
    transitions = Jumps(weights, smallest, np.array([1.0, smallest]), 0.1).transitions(3)
    for table in transitions:
        assert np.isfinite(table).all()
    for length in range(1, 4):
        for before in range(length):
            row = [probability(transitions, length, before, after) for after in range(length)]
            assert 0 <= sum(row) <= 0.9 * (1 + 1e-6)
            assert min(row) >= 0
