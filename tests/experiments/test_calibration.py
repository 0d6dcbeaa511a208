"""The fit of calibration and trust: planted numbers come back, and what is written of them."""

import doctest

import numpy as np
import pytest

import calibration
from calibration import (
    Cells,
    Fitted,
    as_links,
    columns,
    evidence_of,
    fitted,
    judged,
    known_of,
    probabilities,
    scores,
)
from cepts.corpus import Bitext, side_from_tokens
from cepts.words.confidence import Calibration
from cepts.words.trust import Trust, sides_of

TRUE = Fitted(Calibration(0.1, 0.2, 0.3, 0.1, 0.0), Trust(0.8, -0.5, 0.8, -0.2, 0.6, -0.1))


def run_of(pairs: int, seed: int, count: int = 2_000) -> Cells:
    """Cells of a text whose words are drawn, with posteriors that mean nothing; right as `TRUE` says."""
    rng = np.random.default_rng(seed)
    vocabulary = np.array(["".join(rng.choice(list("abcdef"), rng.integers(3, 8))) for _ in range(300)])
    sides = [
        side_from_tokens([rng.choice(vocabulary, rng.integers(1, 7)).tolist() for _ in range(count)])
        for _ in range(2)
    ]
    seen = [(10 ** rng.uniform(0, 2, len(side.words))).astype(np.int64) for side in sides]
    bitext = Bitext(*sides)
    cells = [
        (k, i, j)
        for k in range(count)
        for i in range(int(bitext.source.lengths[k]))
        for j in range(int(bitext.target.lengths[k]))
    ]
    posteriors = rng.beta(0.6, 0.6, (len(cells), 2))
    blank = Cells(
        as_links(cells, count),
        columns(posteriors, pairs),
        np.zeros(len(cells), np.bool_),
        sides_of(bitext, (seen[0], seen[1])),
        pairs,
    )
    return blank._replace(right=rng.random(len(cells)) < probabilities(TRUE, blank))


@pytest.fixture(scope="module")
def runs():
    return [run_of(1_000, 1), run_of(30_000, 2), run_of(100_000, 3)]


def test_trust_that_was_planted_is_found(runs):
    found = calibration.fitted_trust(runs, TRUE.calibration)
    np.testing.assert_allclose(found, TRUE.trust, atol=0.25)
    for run in runs:
        right = probabilities(Fitted(TRUE.calibration, found), run)
        assert calibration.calibration_error(right, run.right) < 0.02


def log_loss(probability, run):
    return -np.log(np.where(run.right, probability, 1 - probability)).mean()


def test_the_second_step_makes_what_is_right_more_probable(runs):
    everything = fitted(runs)
    plain = everything._replace(trust=Trust(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    before, after = (
        sum(log_loss(probabilities(one, run), run) for run in runs) for one in (plain, everything)
    )
    assert after < before - 0.001
    _, _, _, ours, same, _ = judged(runs[0], everything, everything)
    assert ours == same


def test_what_is_not_probable_is_left_as_it_is(runs):
    odds = scores(TRUE.calibration, runs[0])
    unlikely = odds <= 0
    np.testing.assert_allclose(
        probabilities(TRUE, runs[0])[unlikely], calibration.as_probabilities(odds)[unlikely]
    )
    assert not evidence_of(runs[0], TRUE.calibration)[odds < -1e-6].any()
    assert known_of(runs[0], TRUE.calibration).shape == (len(odds), 6)


def test_the_report_has_a_row_for_each_corpus_and_what_to_copy(runs):
    text = calibration.report({("one", 1_000): runs[0], ("two", 30_000): runs[1]})
    assert "`Calibration(" in text
    assert "`Trust(" in text
    assert [line.split()[0] for line in text.split("```")[1].splitlines()[1:]] == ["corpus", "one", "two"]


def test_the_examples_are_true():
    assert doctest.testmod(calibration).failed == 0
