"""Scores against slow twins, by hand, and at the edges."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.evaluation import Evaluation, SetScores, evaluate
from cepts.links import Links
from tests.reference import scores as reference

cells = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)
sentences = st.lists(st.tuples(cells, cells, cells), max_size=5)


def gold_links(sure, possible):
    """Build gold links from sets of cells; possible need not repeat sure."""
    return Links.from_pairs(
        [[(*cell, 1.0, cell in s) for cell in s | p] for s, p in zip(sure, possible, strict=True)]
    )


# Two sentences: S = {0-0, 1-1} and {0-0}, P also {2-1} and {1-1, 1-2}; A = {0-0, 2-1, 3-3} and {0-0, 1-2}.
# |A| = 5, |S| = 3, |P| = 6 with S; A and S = {0-0}, {0-0}: 2; A and P = {0-0, 2-1}, {0-0, 1-2}: 4.
# precision 4/5, recall 2/3, F1 2 * (8/15) / (22/15) = 8/11, AER 1 - (2 + 4) / (5 + 3) = 1/4,
# weighted F 1 / (0.1 / 0.8 + 0.9 / (2/3)) = 1 / (0.125 + 1.35) = 1 / 1.475.
# On S: precision 2/5, recall 2/3, F1 2 * 2 / (5 + 3) = 1/2. On P: precision 4/5, recall 4/6, F1 8/11.
LINKS = Links.from_pairs([[(0, 0), (2, 1), (3, 3)], [(0, 0), (1, 2)]])
GOLD = gold_links([{(0, 0), (1, 1)}, {(0, 0)}], [{(2, 1)}, {(1, 1), (1, 2)}])


def test_an_example_by_hand():
    result = evaluate(LINKS, GOLD)
    assert result.precision == pytest.approx(4 / 5)
    assert result.recall == pytest.approx(2 / 3)
    assert result.f1 == pytest.approx(8 / 11)
    assert result.weighted_f == pytest.approx(1 / 1.475)
    assert result.aer == pytest.approx(1 / 4)
    assert (result.links, result.sentences) == (5, 2)
    assert result.sure == SetScores(pytest.approx(2 / 5), pytest.approx(2 / 3), pytest.approx(1 / 2))
    assert result.possible == SetScores(pytest.approx(4 / 5), pytest.approx(4 / 6), pytest.approx(8 / 11))


def test_the_interval_of_the_example_by_hand():
    # A sample of the two sentences is the first twice (1/4), the second twice (1/4) or both (1/2). AER of the
    # first: 1 - (1 + 2) / (3 + 2) = 2/5; of the second: 1 - (1 + 2) / (2 + 1) = 0. Each is far above 2.5 %.
    low, high = evaluate(LINKS, GOLD).interval_aer
    assert low == pytest.approx(0)
    assert high == pytest.approx(2 / 5)


def test_the_interval_depends_on_the_seed_alone():
    generator = np.random.default_rng(5)
    size = 60
    gold = [{(int(i), int(i)) for i in range(generator.integers(1, 9))} for _ in range(size)]
    made = [{(i, j + int(generator.random() < 0.3)) for i, j in pair} for pair in gold]
    turn = [Links.from_pairs(side) for side in (made, gold, made[::-1], gold[::-1])]
    first, again, other = (evaluate(turn[0], turn[1], seed=seed) for seed in (1, 1, 2))
    assert first.interval_aer == again.interval_aer != other.interval_aer
    assert first.interval_aer == evaluate(turn[2], turn[3]).interval_aer
    assert 0 < first.interval_aer[0] < first.aer < first.interval_aer[1] < 1


def test_the_interval_agrees_with_drawing_sentences():
    generator = np.random.default_rng(7)
    wrong = generator.integers(0, 4, 80)
    made = [[(i, i + (i < n)) for i in range(6)] for n in wrong]
    gold = [[(i, i) for i in range(6)]] * 80
    low, high = evaluate(Links.from_pairs(made), Links.from_pairs(gold), resamples=4000).interval_aer
    # Six links made, six wanted, 6 - n right in both counts: the AER of a sentence is n / 6.
    drawn = [generator.choice(wrong, 80).mean() / 6 for _ in range(4000)]
    # 4000 draws fix a 2.5 % quantile to about 0.4 % of probability, here less than 0.004 in AER
    assert (low, high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])), abs=0.008)


@given(sentences, st.sampled_from([0.1, 0.5, 0.7]))
def test_equals_the_slow_twin(corpus, alpha):
    made, sure, extra = ([sentence[n] for sentence in corpus] for n in range(3))
    possible = [s | p for s, p in zip(sure, extra, strict=True)]
    result = evaluate(Links.from_pairs(made), gold_links(sure, extra), alpha=alpha, resamples=2).to_dict()
    expected = reference.score(made, sure, possible, alpha)
    assert {name: result[name] for name in expected} == pytest.approx(expected)


@given(sentences)
def test_laws(corpus):
    made, sure, extra = ([sentence[n] for sentence in corpus] for n in range(3))
    links, gold = Links.from_pairs(made), gold_links(sure, extra)
    result = evaluate(links, gold, resamples=3)
    assert 0 <= result.aer <= 1
    assert 0 <= result.interval_aer[0] <= result.interval_aer[1] <= 1
    assert result.recall == result.sure.recall
    assert result.precision == result.possible.precision
    plain = Links.from_pairs(sure)
    alone = evaluate(links, plain, resamples=1)
    assert alone.aer == pytest.approx(1 - alone.f1)  # with sure links only, the AER is 1 - F1
    perfect = evaluate(plain, gold, resamples=1)
    assert perfect.aer == 0


# (links, sure, possible besides) -> precision, recall, F1, AER; the rule is in Evaluation's docstring
DEGENERATE = {
    "no links": ([[]], [{(0, 0)}], [{(1, 1)}], (0, 0, 0, 1)),
    "no gold": ([[(0, 0)]], [set()], [set()], (0, 0, 0, 1)),
    "no sure, link possible": ([[(0, 0)]], [set()], [{(0, 0)}], (1, 0, 0, 0)),
    "no sure, link wrong": ([[(1, 0)]], [set()], [{(0, 0)}], (0, 0, 0, 1)),
    "no sure, no links": ([[]], [set()], [{(0, 0)}], (0, 1, 0, 0)),
    "nothing at all": ([[]], [set()], [set()], (1, 1, 1, 0)),
    "no sentences": ([], [], [], (1, 1, 1, 0)),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_cases(case):
    links, sure, possible, expected = DEGENERATE[case]
    result = evaluate(Links.from_pairs(links), gold_links(sure, possible))
    assert (result.precision, result.recall, result.f1, result.aer) == expected
    assert result.interval_aer == (result.aer, result.aer)


@pytest.mark.parametrize(("alpha", "expected"), [(0, 2 / 3), (1, 4 / 5)])
def test_alpha_goes_from_recall_to_precision(alpha, expected):
    assert evaluate(LINKS, GOLD, alpha=alpha).weighted_f == pytest.approx(expected)


def test_what_has_no_weight_may_be_zero():
    # One link, possible but not sure: precision 1, recall 0.
    result = evaluate(Links.from_pairs([[(1, 1)]]), gold_links([{(0, 0)}], [{(1, 1)}]), alpha=1)
    assert (result.precision, result.recall, result.weighted_f) == (1, 0, 1)


def test_json_has_the_promised_keys():
    values = json.loads(json.dumps(evaluate(LINKS, GOLD).to_dict()))
    assert {"precision", "recall", "f1", "weighted_f", "aer", "links", "sure", "possible"} <= set(values)
    assert set(values["sure"]) == set(values["possible"]) == {"precision", "recall", "f1"}
    assert values["interval_aer"] == pytest.approx([0, 0.4])
    assert values["signature"].startswith("aer|alpha:0.1|resamples:1000|seed:1|cepts:")


def test_the_table_for_people():
    table = str(evaluate(LINKS, GOLD)).split("\n")
    assert table[0].split() == ["precision", "recall", "F1"]
    assert table[1].split() == ["P", "possible,", "R", "sure", "80.00", "66.67", "72.73"]
    assert table[2].split() == ["sure", "links", "40.00", "66.67", "50.00"]
    assert table[3].split() == ["possible", "links", "80.00", "66.67", "72.73"]
    assert table[4].split() == ["AER", "25.00", "95", "%", "interval", "0.00", "to", "40.00"]
    assert table[5].split() == ["weighted", "F,", "0.1", "67.80"]
    assert table[6].startswith("in percent; 5 links in 2 sentences; aer|alpha:0.1|")


def test_results_compare_as_values():
    assert isinstance(evaluate(LINKS, GOLD), Evaluation)
    assert evaluate(LINKS, GOLD) == evaluate(LINKS, GOLD)


@pytest.mark.parametrize(("links", "gold"), [(3, 2), (2, 3)])
def test_different_numbers_of_sentences_are_refused(links, gold):
    message = (
        f"links have {links} sentences, gold has {gold}, expected as many; if the longer file begins with the"
        " sentences of the shorter one, cut it (head -n 2)"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        evaluate(Links.from_pairs([[]] * links), Links.from_pairs([[]] * gold))


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_alpha_must_be_a_weight(alpha):
    message = f"alpha={alpha}: expected a number from 0 to 1"
    with pytest.raises(OptionError, match=re.escape(message)):
        evaluate(LINKS, GOLD, alpha=alpha)


def test_there_must_be_a_resample():
    with pytest.raises(OptionError, match="resamples=0: expected a number from 1 to 1000000"):
        evaluate(LINKS, GOLD, resamples=0)
