"""Word models of characters as judges of names."""

import numpy as np
import pytest

from cepts.corpus import Bitext, side_from_tokens
from cepts.errors import InputError, OptionError
from cepts.names import WordScores
from tests.names.scripts import pairs

EVERY = pairs(300, seed=2)
TRAIN, TEST = EVERY[:260], EVERY[260:]
SOURCES, TARGETS = zip(*TEST, strict=True)


@pytest.fixture(scope="module", params=["ibm4", "hmm"])
def judge(request):
    return WordScores.fit(TRAIN, request.param)


def test_right_targets_rank_first(judge):
    many = [source for source in SOURCES for _ in TARGETS], [*TARGETS] * len(SOURCES)
    table = judge.scores(*many).reshape(len(SOURCES), -1)
    assert np.mean(table.argmax(axis=1) == np.arange(len(SOURCES))) > 0.9


def test_both_directions_are_the_sum_of_each(judge):
    forward, reverse, both = (
        judge.scores(SOURCES, TARGETS, direction) for direction in ("forward", "reverse", "both")
    )
    assert forward + reverse == pytest.approx(both)
    assert np.all((forward < 0) & (reverse < 0))
    assert not np.allclose(forward, reverse)


def test_scores_are_those_of_the_aligner(judge):
    # Its own are log probabilities per generated word, the mean of both directions.
    bitext = Bitext(*(side_from_tokens([list(name) for name in names]) for names in (SOURCES, TARGETS)))
    forward, reverse = (judge.scores(SOURCES, TARGETS, way) for way in ("forward", "reverse"))
    mean = (forward / bitext.target.lengths + reverse / bitext.source.lengths) / 2
    assert judge.aligner.align(bitext).scores == pytest.approx(mean)


def test_many_are_judged_as_one(judge):
    together = judge.scores(SOURCES[:5], TARGETS[:5])
    alone = [judge.scores([one], [other])[0] for one, other in zip(SOURCES[:5], TARGETS[:5], strict=True)]
    assert together == pytest.approx(alone, rel=1e-4)
    assert judge.affinities(SOURCES[:5], TARGETS[:5]) == pytest.approx(together, rel=1e-5)


def test_empty_and_unknown_names_have_finite_scores(judge):
    scores = judge.scores(["", "ba", "", "ж"], ["BA", "", "", "Q"])
    assert scores[:3].tolist() == [-40.0, -40.0, 0.0]
    assert np.isfinite(scores[3])
    assert judge.scores([], []).shape == (0,)


def test_a_saved_judge_is_the_same(judge, tmp_path):
    judge.save(tmp_path / "model")
    again = WordScores.load(tmp_path / "model")
    assert again.scores(SOURCES, TARGETS) == pytest.approx(judge.scores(SOURCES, TARGETS), rel=1e-6)


def test_bad_arguments_are_refused(judge):
    with pytest.raises(OptionError, match="direction 'sideways': expected one of forward, reverse, both"):
        judge.scores(["a"], ["b"], "sideways")
    with pytest.raises(OptionError, match="1 sources but 2 targets, expected as many"):
        judge.scores(["a"], ["b", "c"])
    with pytest.raises(InputError, match="no pair of names to learn from"):
        WordScores.fit([])
