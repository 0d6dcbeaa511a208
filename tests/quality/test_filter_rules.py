"""Rules that need no model."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cepts.corpus import bitext_from_pairs
from cepts.errors import OptionError
from cepts.quality.rules import TEXTS, Reason, Rules

PAIRS = [
    ("la maison", "the house"),
    ("", "the house"),
    ("la maison", ""),
    ("a b c d e f", "x"),
    ("a b c", "x"),
    ("Oslo 1952", "oslo 1952"),
    ("LA  maison", "The house"),
    ("", ""),
    ("la maison", "a house"),
    ("maison", "the house"),
]


def reasons(**options: object) -> list[str]:
    found = Rules(**options).reasons(bitext_from_pairs(PAIRS))  # type: ignore[arg-type]
    return [Reason(code).text for code in found.tolist()]


def test_each_rule_and_their_order() -> None:
    assert reasons(max_words=5, max_ratio=2.5) == [
        "kept",
        "empty side",
        "empty side",
        "too long",
        "length ratio",
        "identical sides",
        "duplicate",
        "empty side",
        "kept",
        "kept",
    ]


def test_rules_can_be_loosened() -> None:
    kept = {"empty side", "kept"}
    assert set(reasons(max_words=6, max_ratio=6, identical=False, duplicates=False)) == kept
    assert reasons(max_words=6, max_ratio=5.9)[3] == "length ratio"
    assert reasons(max_ratio=3).count("length ratio") == 1  # three words for one are no more than allowed


def test_every_reason_has_its_words() -> None:
    assert len(TEXTS) == len(Reason)
    assert len(set(TEXTS)) == len(TEXTS)


def test_a_dropped_pair_is_not_what_others_repeat() -> None:
    pairs = bitext_from_pairs([("a b c", "x"), ("a b c", "x")])
    assert Rules(max_ratio=2).reasons(pairs).tolist() == [Reason.RATIO, Reason.RATIO]


def test_identical_sides_by_a_slow_twin() -> None:
    draw = np.random.default_rng(1)
    pairs = [
        (" ".join(draw.choice(["a", "b"], draw.integers(1, 4))), " ".join(draw.choice(["a", "b"], 2)))
        for _ in range(200)
    ]
    found = Rules(duplicates=False).reasons(bitext_from_pairs(pairs)) == Reason.IDENTICAL
    assert found.tolist() == [source == target for source, target in pairs]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_words": 0}, "max_words=0: expected a number from 1 to 1000"),
        ({"max_words": 1001}, "max_words=1001: expected a number from 1 to 1000"),
        ({"max_ratio": 0.5}, "max_ratio=0.5: expected a number from 1"),
        ({"max_ratio": float("nan")}, "max_ratio=nan: expected a number from 1"),
    ],
)
def test_what_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        Rules(**options)  # type: ignore[arg-type]
