"""Tuning on made lists: it finds what is better, repeats itself, and never returns what is worse than its start."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.errors import OptionError
from cepts.translation.bleu import COLUMNS
from cepts.translation.bleu_kernels import ORDER, REFERENCE
from cepts.translation.mira_kernels import mira_epoch
from cepts.translation.tuning import TUNERS, Joined, Listed, mira, pooled, pro, scaled, top_bleu, tune
from tests.reference.mira import slow_epoch

PLANTED = np.array([1.0, -0.5, 0.25])
FREE = np.ones(3, np.bool_)


def row_of(quality, length=20):
    """Statistics of a translation of which so many n-grams are right."""
    row = np.zeros(COLUMNS)
    row[:ORDER] = [max(quality - n, 0.1) for n in range(ORDER)]
    row[ORDER : 2 * ORDER] = [length - n for n in range(ORDER)]
    row[2 * ORDER], row[REFERENCE] = length, length
    return row


def sentences(seed, number=60, size=200):
    """All translations of some sentences; the planted weights, with a little noise, tell how good they are."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(number):
        features = chance.normal(size=(size, 3)) * 3
        quality = np.clip(10 + 2 * (features @ PLANTED) + chance.normal(size=size), 0, 20)
        made.append((features, np.array([row_of(one) for one in quality])))
    return made


def decoder_of(made, n_best=20):
    def decode(weights):
        lists = []
        for features, rows in made:
            order = np.argsort(-(features @ weights), kind="stable")[:n_best]
            lists.append(Listed(order.tolist(), features[order], rows[order]))
        return lists

    return decode


@pytest.mark.parametrize("tuner", TUNERS)
def test_planted_weights_are_found(tuner, seed):
    decode = decoder_of(sentences(seed))
    found = tune(decode, np.array([0.1, 0.1, 0.1]), FREE, tuner=tuner, rounds=6)
    ideal = top_bleu(decode(PLANTED))
    assert max(found.history) > 0.93 * ideal
    assert max(found.history) > found.history[0] + 5
    assert top_bleu(decode(found.weights)) == max(found.history)


@pytest.mark.parametrize("tuner", TUNERS)
def test_one_seed_gives_one_result(tuner, seed):
    decode = decoder_of(sentences(seed, 20))
    one, two = (tune(decode, np.ones(3), FREE, tuner=tuner, rounds=2, seed=7) for _ in range(2))
    assert np.array_equal(one.weights, two.weights)
    assert one.history == two.history


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(sorted(TUNERS)),
    st.lists(st.integers(-4, 4), min_size=3, max_size=3),
)
def test_never_worse_than_the_start(seed, tuner, start):
    decode = decoder_of(sentences(seed, 5, 12), 4)
    first = np.array(start, np.float64) / 2
    found = tune(decode, first, FREE, tuner=tuner, rounds=2, seed=seed)
    assert top_bleu(decode(found.weights)) >= top_bleu(decode(first))


@pytest.mark.parametrize("optimise", [mira, pro])
def test_weights_that_are_not_free_stay(optimise, seed):
    pool = decoder_of(sentences(seed, 20))(np.ones(3))
    free = np.array([True, False, True])
    found = optimise(pool, np.array([0.1, 0.7, 0.1]), free, np.random.default_rng(seed))
    assert found[1] == 0.7
    assert found[0] > 0.1


@pytest.mark.parametrize("optimise", [mira, pro])
def test_lists_that_say_nothing_leave_weights_alone(optimise):
    pool = [Listed(["a"], np.ones((1, 3)), row_of(3)[None])]
    assert np.array_equal(optimise(pool, np.ones(3), FREE, np.random.default_rng(1)), np.ones(3))


def test_weights_keep_their_size():
    assert scaled(
        np.array([2.0, 5.0, -2.0]), np.array([1.0, 5.0, 1.0]), np.array([True, False, True])
    ).tolist() == [
        1.0,
        5.0,
        -1.0,
    ]
    assert scaled(np.zeros(2), np.ones(2), np.ones(2, np.bool_)).tolist() == [0.0, 0.0]


def test_pooling_keeps_each_translation_once():
    one = Listed(["x"], np.ones((1, 3)), np.ones((1, COLUMNS)))
    two = Listed(["y", "x"], np.zeros((2, 3)), np.zeros((2, COLUMNS)))
    found = pooled(one, two)
    assert found.targets == ["x", "y"]
    assert found.features[:, 0].tolist() == [1.0, 0.0]


def test_what_weights_choose_from_a_pool():
    good_and_bad = Listed(["good", "bad"], np.array([[1.0], [0.0]]), np.array([row_of(20), row_of(5)]))
    pool = Joined.of([good_and_bad, good_and_bad])
    assert pool.bleu(np.ones(1)) == pytest.approx(100.0)
    assert pool.bleu(-np.ones(1)) < 20
    assert pool.bleu(np.zeros(1)) == pytest.approx(100.0)  # of equals, the first


def test_an_epoch_equals_its_slow_twin(seed):
    lists = decoder_of(sentences(seed, 15))(np.ones(3))
    order = np.random.default_rng(seed).permutation(len(lists))
    free = np.array([True, True, False])
    weights, document, total = np.array([0.1, 0.2, 0.3]), np.ones(COLUMNS), np.zeros(3)
    expected = slow_epoch([lists[k] for k in order], free, 0.01, 0.999, weights, document)
    mira_epoch(order, *Joined.of(lists), free, 0.01, 0.999, weights, document, total)
    assert [*weights, *document, *total] == pytest.approx([*expected[0], *expected[1], *expected[2]])
    assert weights[0] != 0.1


def test_a_pool_that_leads_nowhere_ends_the_tuning():
    asked = []

    def decode(weights):
        asked.append(weights)
        return [Listed(["a"], np.ones((1, 3)), row_of(3)[None])]

    found = tune(decode, np.ones(3), FREE, rounds=5)
    assert len(asked) == len(found.history) == 1
    assert np.array_equal(found.weights, np.ones(3))


def test_the_kernel_compiles_once():
    mira(decoder_of(sentences(1, 2))(np.ones(3)), np.ones(3), FREE, np.random.default_rng(1))
    assert len(mira_epoch.signatures) == 1


def test_what_cannot_be_is_refused():
    with pytest.raises(OptionError, match="tuner 'mert': expected one of mira, pro"):
        tune(decoder_of([]), np.ones(3), FREE, tuner="mert")
    with pytest.raises(OptionError, match="rounds=0: expected a number from 1"):
        tune(decoder_of([]), np.ones(3), FREE, rounds=0)
