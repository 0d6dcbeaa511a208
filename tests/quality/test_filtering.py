"""The filter as a whole: on made-up languages with planted bad pairs, and on odd input."""

from __future__ import annotations

import re

import numpy as np
import pytest

import cepts
from cepts.aligning import Aligner
from cepts.corpus import Bitext, bitext_from_pairs
from cepts.errors import OptionError
from cepts.quality import filtering, goodness
from cepts.quality.filtering import Filtered, filter_bitext
from cepts.quality.goodness import (
    KINDS,
    bad_probability,
    bad_ratios,
    estimate_share,
    learn_scale,
    sample,
    scaled,
    tell_apart,
)
from cepts.quality.rules import Reason, Rules
from cepts.quality.spoiling import spoil
from cepts.sentences.logistic import Logistic

PAIRS = 1500
SEED = 20260


class Planted:
    """A text whose words translate one by one, with some noise; some of its pairs are then spoiled."""

    def __init__(self, seed: int = SEED, pairs: int = PAIRS) -> None:
        draw = np.random.default_rng(seed)
        sources = [draw.zipf(1.3, draw.integers(4, 13)) % 400 for _ in range(pairs)]
        targets = [self._translated(line.tolist(), draw) for line in sources]
        self.kinds = np.array(["good"] * pairs, "<U9")
        for kind, first in (("shuffled", 0), ("truncated", 100), ("replaced", 200)):
            self.kinds[first : first + 100] = kind
        others = [targets[(k + 1) % 100] for k in range(100)]
        for k in range(100):  # of the length of its own: what is missing or left over would give it away
            targets[k] = np.resize(others[k], len(targets[k])).tolist()
        for k in range(100, 200):
            targets[k] = targets[k][: len(targets[k]) // 2]
        for k in range(200, 300):
            targets[k] = [int(word if n % 2 else draw.integers(400)) for n, word in enumerate(targets[k])]
        lines = [
            (" ".join(f"s{word}x" for word in one), " ".join(f"t{word}y" for word in other))
            for one, other in zip(sources, targets, strict=True)
        ]
        self.bitext = bitext_from_pairs(lines)

    @staticmethod
    def _translated(line: list[int], draw: np.random.Generator) -> list[int]:
        """Lose some words, repeat some, and get some wrong."""
        times = draw.choice([0, 1, 2], len(line), p=[0.12, 0.76, 0.12])
        found = [int(word) for word, often in zip(line, times, strict=True) for _ in range(often)]
        found = [word if draw.random() < 0.95 else int(draw.integers(400)) for word in found]
        return found or line

    def area(self, scores: np.ndarray, kind: str) -> float:
        """How often a good pair scores better than a bad one; ties count half."""
        good, bad = scores[self.kinds == "good"], scores[self.kinds == kind]
        better = (good[:, None] > bad).mean() + 0.5 * (good[:, None] == bad).mean()
        return float(better)


@pytest.fixture(scope="module")
def planted() -> Planted:
    return Planted()


@pytest.fixture(scope="module")
def filtered(planted: Planted) -> Filtered:
    return filter_bitext(planted.bitext, rules=Rules(duplicates=False))


@pytest.fixture(scope="module")
def few(planted: Planted) -> Bitext:
    """Some good and some bad pairs, for what can be seen on any text."""
    return planted.bitext.part(250, 550)


@pytest.fixture(scope="module")
def few_filtered(few: Bitext) -> Filtered:
    return filter_bitext(few, rules=Rules(duplicates=False))


def test_planted_bad_pairs_are_found(planted: Planted, filtered: Filtered) -> None:
    for kind, least in (("shuffled", 0.98), ("truncated", 0.97), ("replaced", 0.96)):
        assert planted.area(filtered.scores, kind) > least, kind


def test_the_suggested_threshold_drops_bad_pairs_and_few_good_ones(
    planted: Planted, filtered: Filtered
) -> None:
    dropped = ~filtered.kept
    assert (planted.kinds[dropped] != "good").mean() > 0.8
    assert dropped[planted.kinds != "good"].mean() > 0.3
    assert 0.05 < filtered.bad_share < 0.35  # a fifth is bad
    assert filtered.threshold == filtered.suggested == filtered.bad_share
    assert filtered.dropped() == {Reason.SCORE: int(dropped.sum())}
    assert (filtered.scores[dropped] < filtered.threshold).all()
    assert (filtered.scores[~dropped] >= filtered.threshold).all()


def test_scores_do_not_depend_on_threads_or_blocks(
    few: Bitext, few_filtered: Filtered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filtering, "PAIRS_AT_ONCE", 31)
    again = filter_bitext(few, rules=Rules(duplicates=False), threads=3)
    assert again.scores.tolist() == few_filtered.scores.tolist()
    assert again.bad_share == few_filtered.bad_share


def test_another_seed_makes_other_bad_pairs_of_the_same_kind(planted: Planted, filtered: Filtered) -> None:
    other = filter_bitext(planted.bitext, rules=Rules(duplicates=False), seed=2)
    assert other.scores.tolist() != filtered.scores.tolist()
    assert np.corrcoef(other.scores, filtered.scores)[0, 1] > 0.9


def test_learning_from_some_of_the_pairs_is_enough(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goodness, "LEARNED_FROM", 700)
    part = filter_bitext(planted.bitext, rules=Rules(duplicates=False))
    assert planted.area(part.scores, "shuffled") > 0.97


def test_a_trained_aligner_is_used_and_a_score_of_another_is_heard(
    planted: Planted, filtered: Filtered
) -> None:
    ibm1 = Aligner(model_type="ibm1").fit(planted.bitext)
    linked = filter_bitext(planted.bitext, rules=Rules(duplicates=False), aligner=ibm1)
    assert linked.scores.tolist() != filtered.scores.tolist()
    assert planted.area(linked.scores, "shuffled") > 0.95

    class Oracle:
        """Knows which words translate which."""

        def score(self, bitext: Bitext, use: str = "both", threads: int = 1) -> np.ndarray:
            assert (use, threads) == ("factors", 1)
            found = []
            for k in range(len(bitext)):
                words = [{word[1:-1] for word in side.sentence(k)} for side in (bitext.source, bitext.target)]
                found.append(len(words[0] & words[1]) / max(map(len, words)))
            return np.array(found, np.float32)

    told = filter_bitext(planted.bitext, rules=Rules(duplicates=False), similar=Oracle())
    for kind in ("truncated", "replaced"):
        assert planted.area(told.scores, kind) > planted.area(filtered.scores, kind)


def test_clean_text_keeps_nearly_everything() -> None:
    bitext = cepts.sample_bitext()
    found = filter_bitext(bitext)
    scored = found.scores > 0
    assert (found.reasons[scored] == Reason.SCORE).mean() < 0.05


def test_what_rules_drop_has_the_lowest_score_and_changes_no_other(planted: Planted) -> None:
    some = planted.bitext.part(300, 500)
    lines = [(" ".join(some.source.sentence(k)), " ".join(some.target.sentence(k))) for k in range(200)]
    odd = [
        ("", "x"),
        (lines[0][0] + " ", lines[0][1]),
        ("s1x", "s1x"),
        ("w " * 10_000, "v"),
        ("a " * 10, "v"),
    ]
    rules = Rules(max_words=500)
    plain = filter_bitext(bitext_from_pairs(lines), rules=rules)
    mixed = filter_bitext(bitext_from_pairs(lines[:50] + odd + lines[50:]), rules=rules)
    assert mixed.scores[50:55].tolist() == [0.0] * 5
    expected = [Reason.EMPTY, Reason.DUPLICATE, Reason.IDENTICAL, Reason.LONG, Reason.RATIO]
    assert mixed.reasons[50:55].tolist() == expected
    rest = np.delete(mixed.scores, np.s_[50:55])
    assert rest.tolist() == plain.scores.tolist()
    assert (rest[plain.reasons != Reason.DUPLICATE] > 0).all()


@pytest.mark.parametrize(
    "pairs",
    [
        [("a b", "x y")],
        [("a b", "x y"), ("c", "z")],
        [("la maison", "the house")] * 40,
        [("a", "b"), ("c", "d"), ("e", "f")],
        [(" ".join(["w"] * 250), " ".join(["v"] * 250)), ("w", "v")],
    ],
)
def test_very_little_text(pairs: list[tuple[str, str]]) -> None:
    found = filter_bitext(bitext_from_pairs(pairs), rules=Rules(duplicates=False))
    assert np.isfinite(found.scores).all()
    assert ((found.scores > 0) & (found.scores <= 1)).all()
    assert found.kept.all()


def test_nothing_left_to_score() -> None:
    found = filter_bitext(bitext_from_pairs([("", "x"), ("y", "")]))
    assert (found.scores.tolist(), found.suggested, found.threshold) == ([0.0, 0.0], 0.0, 0.0)
    assert found.dropped() == {Reason.EMPTY: 2}
    nothing = filter_bitext(bitext_from_pairs([]))
    assert (len(nothing.scores), nothing.dropped()) == (0, {})


def test_a_threshold_that_is_given(few: Bitext, few_filtered: Filtered) -> None:
    none = filter_bitext(few, rules=Rules(duplicates=False), min_score=0.0)
    assert none.kept.all()
    half = filter_bitext(few, rules=Rules(duplicates=False), min_score=0.5)
    assert half.kept.tolist() == (few_filtered.scores >= 0.5).tolist()
    assert 0 < half.kept.sum() < len(few)
    assert (half.threshold, half.suggested) == (0.5, few_filtered.suggested)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (-0.1, "min_score=-0.1: expected a number from 0 to 1"),
        (1.5, "min_score=1.5: expected a number from 0 to 1"),
        (float("nan"), "filter_bitext: min_score must be a finite number, got nan"),
    ],
)
def test_a_threshold_that_makes_no_sense(score: float, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        filter_bitext(bitext_from_pairs([("a", "b")]), min_score=score)


def test_ratios_of_densities_by_hand() -> None:
    """Three of four good and one of four bad pairs have the mark: the odds of a pair with it are 3 to 1."""
    good, bad = np.array([[1.0]] * 3 + [[0.0]]), np.array([[1.0]] + [[0.0]] * 3)
    many = [np.repeat(rows, 1000, axis=0) for rows in (good, bad)]
    kind = tell_apart(many[0], np.ones(4000), many[1])
    ratios = bad_ratios(dict.fromkeys(KINDS, kind), np.array([[1.0], [0.0]]))
    assert ratios == pytest.approx([1 / 3, 3], rel=0.03)
    heavier = tell_apart(many[0], np.full(4000, 9.0), many[1])
    assert heavier.log_odds(good) == pytest.approx(kind.log_odds(good))


def test_the_share_of_bad_pairs_follows_from_the_ratios() -> None:
    """Two overlapping normal densities, of which a quarter is bad."""
    draw = np.random.default_rng(11)
    values = np.concatenate([draw.normal(1, 1, 7500), draw.normal(-1, 1, 2500)])
    ratios = np.exp(-2 * values)
    assert estimate_share(ratios) == pytest.approx(0.25, abs=0.02)
    assert bad_probability(np.array([1.0, 3.0]), 0.25).tolist() == [0.25, 0.5]


def test_kinds_are_those_that_are_made_and_count_as_one() -> None:
    """A classifier that says 8 times of one kind, and nothing at all of the others, adds 7 / 8 of a truncated pair."""
    assert list(KINDS) == list(spoil(bitext_from_pairs([("a", "b")]), 1))
    assert sum(KINDS.values()) == pytest.approx(1)
    unsure = Logistic(np.zeros(1), 0.0, np.zeros(1), np.ones(1))
    sure = Logistic(np.zeros(1), -float(np.log(8)), np.zeros(1), np.ones(1))
    kinds = dict.fromkeys(KINDS, unsure) | {"truncated": sure}
    assert bad_ratios(kinds, np.zeros((1, 1))) == pytest.approx([1 + 7 * 3 / 8])


def test_ratios_that_are_too_steep_are_put_to_scale() -> None:
    """Two normal densities whose ratio is exp(-2 x), but is said to be its cube; a quarter of the text is bad."""
    draw = np.random.default_rng(12)
    text = np.concatenate([draw.normal(1, 1, 15_000), draw.normal(-1, 1, 5000)])
    bad = {name: np.exp(-6 * draw.normal(-1, 1, 5000)) for name in KINDS}
    scale, share = learn_scale(np.exp(-6 * text), bad)
    assert share == pytest.approx(0.25, abs=0.03)
    found = np.log(scaled(scale, np.exp(-6 * np.array([-1.0, 0.0, 1.0]))))
    assert found == pytest.approx([2, 0, -2], abs=0.3)


def test_samples() -> None:
    assert sample(5, 1).tolist() == [0, 1, 2, 3, 4]
    chosen = sample(goodness.LEARNED_FROM + 1000, 1)
    assert len(chosen) == goodness.LEARNED_FROM
    assert (np.diff(chosen) > 0).all()
