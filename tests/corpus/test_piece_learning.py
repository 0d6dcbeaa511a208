import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import piece_learning
from cepts.corpus.piece_learning import expected_counts, find_candidates, learn_pieces
from cepts.corpus.pieces import JOIN
from cepts.corpus.tokenizer import unit_ends
from tests.reference import segmentation as reference

RUNS = st.dictionaries(st.text("かきく", min_size=1, max_size=6), st.integers(1, 5), min_size=1, max_size=6)


def as_units(runs):
    return [(list(run), times) for run, times in runs.items()]


@given(RUNS, st.integers(1, 8))
def test_candidates_and_counts_are_those_of_the_slow_twin(runs, fewest):
    found = find_candidates(list(runs), list(runs.values()), fewest)
    assert dict(zip(found.texts, found.counts, strict=True)) == reference.candidates(as_units(runs), fewest)
    assert found.lengths.tolist() == [len(text) for text in found.texts]


@given(RUNS)
def test_expected_counts_are_those_of_the_slow_twin_and_the_likelihood_rises_at_every_step(runs):
    found = find_candidates(list(runs), list(runs.values()), 2)
    probabilities = found.counts / found.counts.sum()
    before = -math.inf
    for _ in range(4):
        named = dict(zip(found.texts, probabilities.tolist(), strict=True))
        slow, slow_likelihood = reference.expected(as_units(runs), named)
        counts, likelihood = expected_counts(found, probabilities)
        assert likelihood == pytest.approx(slow_likelihood)
        assert likelihood >= before - 1e-9 * abs(likelihood)
        np.testing.assert_allclose(counts, [slow[text] for text in found.texts], rtol=1e-6, atol=1e-12)
        before = likelihood
        probabilities = counts / counts.sum()


def total(pieces):
    """Sum the probabilities, without the price of joins."""
    return sum(math.exp(score + JOIN * (len(unit_ends(piece)) - 1)) for piece, score in pieces.scores.items())


@given(RUNS)
@settings(max_examples=20)
def test_probabilities_sum_to_one_and_every_unit_stays_possible(runs):
    pieces = learn_pieces(list(runs), list(runs.values()))
    assert total(pieces) == pytest.approx(1)
    assert set("".join(runs)) <= set(pieces.scores)


def sentences(seed, words, count):
    """Runs of three to six words each, as if written without spaces."""
    chance = np.random.default_rng(seed)
    return ["".join(chance.choice(words, size=chance.integers(3, 7))) for _ in range(count)]


def test_planted_words_are_found_again(seed):
    words = ["わたし", "は", "ほん", "を", "よむ", "ねこ", "さかな", "に", "あげる", "みず"]
    runs = sentences(seed, words, 400)
    pieces = learn_pieces(runs, [1] * len(runs))
    assert pieces.cut("わたしはねこにさかなをあげる") == [3, 4, 6, 7, 10, 11, 14]


def test_the_same_text_teaches_the_same(seed):
    runs = sentences(seed, ["かき", "く", "けこさ"], 50)
    one, other = (learn_pieces(runs, [1] * len(runs)) for _ in range(2))
    assert list(one.scores.items()) == list(other.scores.items())


def test_a_unit_that_is_always_in_one_piece_leaves_no_hole():
    """Its probability falls to zero within some rounds: no number may become none."""
    others = [chr(code) for code in range(0x4E00, 0x4E00 + 9000)]
    runs = ["".join(others[first : first + 30]) for first in range(0, 9000, 30)]
    runs += [f"かきくけ{other}" for other in others[:300]]
    found = find_candidates(runs, [1] * len(runs))
    probabilities = found.counts / found.counts.sum()
    for _ in range(12):
        counts, likelihood = expected_counts(found, probabilities)
        probabilities = counts / counts.sum()
    assert counts[found.texts.index("か")] == 0
    assert counts[found.texts.index("かきくけ")] == pytest.approx(300)
    assert math.isfinite(likelihood)
    pieces = learn_pieces(runs, [1] * len(runs))
    assert pieces.cut("かきくけ一丁") == [4, 5, 6]
    assert pieces.cut("かく") == [1, 2]


def test_rare_strings_are_no_pieces():
    assert find_candidates(["かき"], [9]).texts == ["か", "き"]
    assert find_candidates(["かき"], [10]).texts == ["か", "き", "かき"]


def test_long_runs_are_learned_from_in_parts_and_no_more_than_is_enough(monkeypatch):
    monkeypatch.setattr(piece_learning, "LONGEST_RUN", 3)
    monkeypatch.setattr(piece_learning, "MOST_UNITS", 7)
    found = find_candidates(["かきくけこ", "さしす", "せそ"], [1, 1, 1], 1)
    assert "".join(text for text in found.texts if len(text) == 1) == "かきくけこさし"
    assert {text for text in found.texts if len(text) == 2} == {"かき", "きく", "けこ", "さし"}
