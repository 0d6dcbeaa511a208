"""Scores of names: against slow twins, laws, numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.evaluation import (
    break_even,
    character_errors,
    edit_distance,
    estimate,
    evaluate_names,
    hits_at,
    paired_bootstrap,
    reciprocal_ranks,
    score_tests,
)
from tests.reference import name_scores as slow

words = st.text("abc", max_size=5)
lists = st.lists(words, max_size=4, unique=True)
tests_of_names = st.lists(st.tuples(lists, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=5)

# Worked out by hand: "ivan" is right at once, "petr" second, "anna" not at all.
ANSWERS = [["ivan", "iwan"], ["peter", "petr", "piotr"], ["hanna"]]
RIGHT = [["ivan"], ["petr", "pyotr"], ["anna"]]


@given(words, words)
def test_the_edit_distance_is_that_of_the_definition(one: str, other: str) -> None:
    assert edit_distance(one, other) == slow.edit_distance(one, other)


def test_the_edit_distance_of_long_strings() -> None:
    assert edit_distance("ab" * 2000, "ba" * 2000) == 2  # one letter taken out in front, one put in behind


@given(tests_of_names, st.integers(1, 5))
def test_hits_and_ranks_are_those_of_the_twin(tests: list[tuple[list[str], list[str]]], n: int) -> None:
    answers, right = zip(*tests, strict=True)
    ranks = [slow.reciprocal_rank(found, true) for found, true in tests]
    assert reciprocal_ranks(answers, right).tolist() == ranks
    assert hits_at(answers, right, n).tolist() == [float(rank >= 1 / n) for rank in ranks]


@given(tests_of_names)
def test_the_error_rate_is_that_of_the_nearest_reference(tests: list[tuple[list[str], list[str]]]) -> None:
    answers, right = zip(*tests, strict=True)
    expected = [
        min(slow.edit_distance((found or [""])[0], text) / max(len(text), 1) for text in true)
        for found, true in tests
    ]
    assert character_errors(answers, right).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=6))
def test_break_even_is_the_mean_over_the_orders_of_ties(items: list[tuple[int, bool]]) -> None:
    scores, relevant = zip(*items, strict=True)
    hits, count = break_even(scores, relevant)
    assert count == sum(relevant)
    assert hits == pytest.approx(slow.break_even_hits(scores, relevant))


def test_scores_worked_out_by_hand() -> None:
    scores = evaluate_names(ANSWERS, RIGHT, n=2).scores
    assert scores["accuracy"].value == pytest.approx(1 / 3)
    assert scores["n_best_accuracy"].value == pytest.approx(2 / 3)
    assert scores["mrr"].value == pytest.approx((1 + 1 / 2 + 0) / 3)
    # 0 of 4; peter-petr 1 of 4, peter-pyotr 2 of 5; hanna-anna 1 of 4
    assert scores["character_error_rate"].value == pytest.approx((0 + 1 / 4 + 1 / 4) / 3)


def test_decomposed_letters_are_the_composed_ones() -> None:
    decomposed, composed = ["rene\N{COMBINING ACUTE ACCENT}"], ["ren\N{LATIN SMALL LETTER E WITH ACUTE}"]
    assert hits_at([decomposed], [composed]).tolist() == [1.0]
    assert character_errors([decomposed], [composed]).tolist() == [0.0]


def test_no_candidates_are_wrong() -> None:
    assert [values.tolist() for values in (hits_at([[]], [["a"]]), reciprocal_ranks([[]], [["a"]]))] == [
        [0],
        [0],
    ]
    assert character_errors([[]], [["anna"]]).tolist() == [1.0]


def test_the_table_and_the_json_say_the_same() -> None:
    result = evaluate_names(ANSWERS, RIGHT, n=2, seed=3, note="transcribe")
    numbers = result.to_dict()
    assert numbers["accuracy"] == result.scores["accuracy"].value
    low, high = numbers["interval_mrr"]
    assert str(result).splitlines() == [
        "1-best                  33.33   95 % interval 0.00 to 100.00",
        "2-best                  66.67   95 % interval 0.00 to 100.00",
        f"MRR                     50.00   95 % interval {100 * low:.2f} to {100 * high:.2f}",
        "character errors        16.67   95 % interval 0.00 to 25.00",
        f"in percent; 3 tests; {numbers['signature']}",
    ]
    assert numbers["signature"].startswith("transcribe|resamples:1000|seed:3|cepts:")
    assert (numbers["count"], numbers["n"]) == (3, 2)


def test_errors_are_left_out_where_candidates_were_given() -> None:
    assert list(evaluate_names(ANSWERS, RIGHT, errors=False).scores) == ["accuracy", "n_best_accuracy", "mrr"]


def test_a_score_of_sums() -> None:
    result = score_tests("break_even_precision", [1, 0, 3], [1, 2, 5])
    assert result.scores["break_even_precision"].value == 0.5
    assert result.values["break_even_precision"].mean() == 0.5
    assert str(result).startswith("break-even precision    50.00   95 % interval")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(0, 5))
def test_an_interval_is_within_the_values_and_the_same_for_a_seed(values: list[float], seed: int) -> None:
    found = estimate(values, resamples=60, seed=seed)
    assert found.value == pytest.approx(np.mean(values))
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == estimate(values, resamples=60, seed=seed)


def test_the_interval_of_many_coins_is_the_normal_one() -> None:
    # 1.96 standard errors of 0.5 / sqrt(400) on each side
    found = estimate([0, 1] * 200, resamples=4000)
    assert (found.low, found.high) == (pytest.approx(0.451, abs=0.006), pytest.approx(0.549, abs=0.006))


def test_a_clear_difference_is_significant_and_none_is_not() -> None:
    one, other = [1.0] * 80 + [0.0] * 20, [1.0] * 50 + [0.0] * 50
    better = paired_bootstrap(one, other)
    assert better.difference == pytest.approx(0.3)
    assert better.low > 0.2
    assert better.p == pytest.approx(2 / 1001)  # in no sample was it otherwise
    assert paired_bootstrap(one, one) == (0, 0, 0, 1)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_comparing_the_other_way_round_turns_the_signs(pairs: list[tuple[int, int]]) -> None:
    one, other = zip(*pairs, strict=True)
    there, back = paired_bootstrap(one, other, resamples=50), paired_bootstrap(other, one, resamples=50)
    assert there.difference == -back.difference
    assert 0 < there.p <= 1
    assert (there.difference == 0) <= (there.p == 1)


def test_the_share_by_chance_is_that_of_the_binomial() -> None:
    # Ten names decide, eight for one system: the share of samples of 100 names with no more for it than against it.
    gains = [1] * 8 + [-1] * 2 + [0] * 90
    random = np.random.default_rng(7)
    draws = random.choice(gains, (20000, 100)).sum(axis=1)
    expected = 2 * np.mean(draws <= 0)
    assert paired_bootstrap(gains, [0] * 100, resamples=20000).p == pytest.approx(expected, abs=0.01)


def test_systems_are_compared_name_by_name() -> None:
    other = evaluate_names([["ivan"], ["petr"], ["anna"]], RIGHT)
    compared = evaluate_names(ANSWERS, RIGHT).compare(other)
    assert compared["accuracy"].difference == pytest.approx(-2 / 3)
    assert compared["character_error_rate"].difference == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: hits_at([["a"]], []),
            "candidates of 1 names, references of 0: give both for the same names",
        ),
        (lambda: hits_at([["a"]], [[]]), "name 1 has no reference: give at least one"),
        (lambda: hits_at([["a"]], [["a"]], 0), "n must be at least 1, got 0"),
        (lambda: estimate([]), "there are no values: give at least one"),
        (lambda: estimate([1], resamples=0), "resamples=0: expected a number from 1 to 1000000"),
        (lambda: estimate([1, 2], [1, 0]), "a weight is not above 0: leave such names out"),
        (lambda: paired_bootstrap([1], [1, 2]), "1 values and 2 values, expected as many"),
        (lambda: break_even([1], [True, False]), "1 scores and 2 marks, expected as many of both"),
        (lambda: score_tests("best", [1]), "score 'best': expected one of accuracy, "),
    ],
)
def test_what_cannot_be_scored_is_refused(call: object, message: str) -> None:
    with pytest.raises((InputError, OptionError), match=message):
        call()  # type: ignore[operator]
