"""Jumps that depend on the class of the word that is left: M steps by hand and by law, and how they carry over."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.words import Jumps, index_bitext
from cepts.words.jumps import CLASS_PRIOR
from tests.words.corpora import (
    INDEPENDENT,
    bitext_of,
    context,
    in_classes,
    indexed_and_model,
    random_hmm,
    random_jumps,
    random_pairs,
    totals_of,
)

seeds = st.integers(0, 2**32 - 1)


def test_a_class_by_hand():
    # Of two places all jumps leave the first. Words of class 0 stay, those of class 1 go on, 1,500 of each.
    jumps = Jumps.initial(1, 2, 0.1).with_classes(2)
    counts = jumps.new_counts(2)
    counts.jumps[1, 0] = counts.jumps[2, 1] = 1500
    counts.departures[context(0, 2, 1)] = 1500
    counts.words[0] = 3000
    found = jumps.maximised(counts)
    own, share = 1500 / (1500 + CLASS_PRIOR), CLASS_PRIOR / (1500 + CLASS_PRIOR)
    one, other = found.of_class
    assert found.weights[1] == pytest.approx(found.weights[2])
    assert one[1] == pytest.approx(own * one_of(counts, jumps, 0)[1] + share * found.weights[1])
    assert one[1] > 3 * one[2]
    assert other[2] == pytest.approx(one[1])


def one_of(counts, jumps, kind):
    """What a class alone would do after the M step, as jumps without classes."""
    alone = replace(jumps, of_class=None)
    given = alone.new_counts(counts.starts.shape[1])
    given.jumps[:], given.departures[:] = counts.jumps[:, [kind]], counts.departures[:, [kind]]
    given.words[:] = counts.words
    return alone.maximised(given).vectors[0]


@given(seed=seeds, band=st.integers(1, 3), classes=st.integers(1, 4))
def test_weights_of_a_class_are_between_its_own_and_those_of_all(seed, band, classes):
    rng = np.random.default_rng(seed)
    jumps = random_jumps(band, 6, 0.1, seed).with_classes(classes)
    counts = jumps.new_counts(6)
    for share in rng.uniform(0.1, 1000, 40):
        length, kind = int(rng.integers(1, 7)), int(rng.integers(0, classes))
        before, after = rng.integers(0, length, 2).tolist()
        distance = after - before
        counts.jumps[distance + band if abs(distance) <= band else -1, kind] += share
        counts.departures[context(before, length, band), kind] += share
        counts.words[0] += share
    found = jumps.maximised(counts)
    assert found.of_class.sum(axis=1).tolist() == pytest.approx([1.0] * classes)
    for kind, row in enumerate(found.of_class):
        ends = np.stack([one_of(counts, jumps, kind), found.vectors[0]])
        assert np.all((row >= ends.min(axis=0) - 1e-9) & (row <= ends.max(axis=0) + 1e-9))


def test_a_class_that_was_not_seen_does_what_all_words_do():
    jumps = random_jumps(2, 5, 0.1, 1).with_classes(3)
    counts = jumps.new_counts(5)
    counts.jumps[3, 0] = counts.jumps[1, 2] = 20
    counts.departures[context(1, 5, 2), [0, 2]] = 20
    counts.words[0] = 40
    found = jumps.maximised(counts)
    np.testing.assert_allclose(found.of_class[1], found.vectors[0])
    assert not np.allclose(found.of_class[0], found.vectors[0], atol=1e-3)


def test_expected_jumps_are_those_of_the_class_of_the_word_that_is_left():
    # a b, generating x y: a in class 1, b in class 0. All that can happen is that a generates x and b y.
    bitext = bitext_of([(["a", "b"], ["x", "y"])])
    indexed = index_bitext(bitext)
    model = random_hmm(indexed, 1, band=1)
    allowed = {(1, 1), (2, 2)}
    rows = np.repeat(np.arange(3), np.diff(indexed.row_offsets))
    values = np.array(
        [[float(pair in allowed)] * 2 for pair in zip(rows, indexed.columns, strict=True)], np.float32
    )
    model = model.with_lexicon(model.lexicon.with_values(values))
    model = model.of_classes((np.array([1, 0], np.int32), np.array([0, 0], np.int32)), bitext, indexed)
    forward, reverse = totals_of(model, indexed, INDEPENDENT).jumps
    assert forward.jumps.tolist() == pytest.approx(np.array([[0, 0], [0, 0], [0, 1], [0, 0]]))
    assert forward.departures[context(0, 2, 1)].tolist() == pytest.approx([0, 1])
    assert reverse.jumps.ravel().tolist() == pytest.approx([0, 0, 1, 0])


def test_classes_that_are_alike_change_nothing(seed):
    bitext, indexed, plain = indexed_and_model(random_pairs(seed, count=40), "hmm", seed)
    alike = in_classes(plain, bitext, indexed, seed)
    alike = replace(alike, jumps=tuple(one.with_classes(3) for one in plain.jumps))
    one, other = (totals_of(model, indexed, INDEPENDENT) for model in (plain, alike))
    np.testing.assert_allclose(one.lexicon, other.lexicon, rtol=1e-5, atol=1e-6)
    assert other.likelihoods.tolist() == pytest.approx(one.likelihoods.tolist(), rel=1e-6)
    for first, second in zip(one.jumps, other.jumps, strict=True):
        np.testing.assert_allclose(first.jumps.sum(axis=1), second.jumps.sum(axis=1), rtol=1e-4, atol=1e-5)


def test_a_state_goes_on_from_where_it_was(seed):
    _, _, model = indexed_and_model(random_pairs(seed), "classes", seed)
    other = replace(model, jumps=tuple(one.with_classes(3) for one in model.jumps))
    for one, two in zip(other.with_state(model.state()).jumps, model.jumps, strict=True):
        np.testing.assert_array_equal(one.of_class, two.of_class)
