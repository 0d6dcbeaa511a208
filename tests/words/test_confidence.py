"""Calibrated confidences: the kernel against the formula, and thresholds for a wanted precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import index_bitext, link
from cepts.words.confidence import Calibration, threshold_for
from tests.words.corpora import EVERYTHING, bitext_of, corpora, random_hmm

CALIBRATION = Calibration(-0.2, 0.3, 0.4, 0.2, 0.1)
shares = st.floats(0, 1)


@settings(max_examples=20)
@given(pairs=corpora(), seed=st.integers(0, 1000))
def test_a_calibrated_confidence_is_the_formula_of_both_posteriors(pairs, seed):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    model = random_hmm(indexed, seed)
    forward, reverse = (
        link(model, bitext, indexed, directions, EVERYTHING)[0].confidence
        for directions in ((True, False), (False, True))
    )
    both = link(model, bitext, indexed, (True, True), EVERYTHING, calibration=CALIBRATION)[0]
    expected = [
        CALIBRATION.probability(*pair) for pair in zip(forward.tolist(), reverse.tolist(), strict=True)
    ]
    worth = forward * reverse > 2e-6  # what is next to impossible stays as it is
    np.testing.assert_allclose(both.confidence[worth], np.array(expected)[worth], rtol=1e-4)


@given(shares, shares, st.floats(0, 0.5))
def test_more_belief_is_more_confidence(forward, reverse, more):
    low = CALIBRATION.probability(forward, reverse)
    assert CALIBRATION.probability(min(1.0, forward + more), reverse) >= low
    assert CALIBRATION.probability(forward, min(1.0, reverse + more)) >= low
    assert 0 < low < 1


@given(st.lists(st.floats(0.05, 1), min_size=1, max_size=40), st.floats(0.1, 0.99))
def test_links_above_the_threshold_have_the_precision_and_one_more_would_not(confidences, precision):
    confidences = np.array(confidences, np.float32)
    threshold = threshold_for(confidences, precision)
    kept = confidences[confidences >= threshold].astype(np.float64)
    if threshold < 1.0:
        assert (
            np.sort(kept)[::-1].mean() >= precision - 1e-6 or (confidences == np.float32(threshold)).sum() > 1
        )
    rest = np.sort(confidences[confidences < threshold])[::-1].astype(np.float64)
    if len(rest):
        assert np.append(kept, rest[0]).mean() < precision + 1e-9


@pytest.mark.parametrize(("precision", "expected"), [(0.95, 0.9), (0.5, 0.1), (0.999, 1.0)])
def test_a_threshold_by_hand(precision, expected):
    assert threshold_for(np.array([0.1, 0.99, 0.9, 0.99]), precision) == expected


def test_a_larger_text_is_trusted_more():
    small, usual, large, huge = (CALIBRATION.of_text(pairs) for pairs in (1_000, 10_000, 100_000, 10**7))
    assert small.probability(0.9, 0.9) < CALIBRATION._replace(growth=0.0).probability(0.9, 0.9)
    assert usual == CALIBRATION._replace(growth=0.0)
    assert large.growth == pytest.approx(CALIBRATION.growth)
    assert huge == large  # what was measured ends there
    assert small.probability(0.4, 0.9) == large.probability(0.4, 0.9)  # where one direction says no
