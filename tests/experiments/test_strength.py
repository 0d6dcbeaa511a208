"""The experiment behind `--regularity auto`: its rule is the product's, its tables are made from its rows."""

import json
from pathlib import Path

import numpy as np
import pytest

import strength
from cepts import sample_bitext
from cepts.words.regularity import automatic_strength

RESULTS = Path(strength.__file__).parent / "results"


def row(corpus, pairs, lam, forward, reverse):
    text = {f"{side}_{what}": value for side in ("source", "target") for what, value in TEXT.items()}
    scores = {"forward": {"f": forward, "aer": 0.0}, "reverse": {"f": reverse, "aer": 0.0}}
    return {"corpus": corpus, "pairs": pairs, "strength": lam} | text | scores


TEXT = {"tokens": 1600, "words": 100, "singletons": 0.5}
ROWS = [row("a", 100, 0.0, 50.0, 60.0), row("a", 100, 1.0, 52.0, 59.0), row("b", 100, 0.0, 70.0, 70.0)]


def test_the_rule_is_the_products():
    bitext = sample_bitext()
    counted = strength.statistics(bitext) | {"pairs": len(bitext)}
    assert strength.rule_of_auto(counted) == pytest.approx(automatic_strength(bitext, False), rel=2e-3)


def test_gains_are_read_between_the_measured_strengths():
    assert strength.gains(ROWS, lambda _: 1.0) == [2.0, -1.0, 0.0, 0.0]
    assert strength.gains(ROWS, lambda _: np.expm1(np.log(2) / 2)) == pytest.approx([1.0, -0.5, 0.0, 0.0])
    assert strength.rule_of_auto(ROWS[0]) == 1.0


def test_tables_have_a_line_for_each_direction_and_each_rule():
    lines = [line.split() for line in strength.table(ROWS).splitlines()]
    assert lines[1] == ["a", "100", "forward", "50.0/0.0", "52.0/0.0"]
    assert lines[3] == ["b", "100", "forward", "70.0/0.0", "-"]
    assert [line.split() for line in strength.gains_table(ROWS).splitlines()][1:] == [
        ["1", "+0.25", "-1.00", "25%"],
        ["auto", "+0.25", "-1.00", "25%"],
    ]


@pytest.mark.skipif(not (RESULTS / "strength-hmm.json").exists(), reason="the results are not there")
def test_the_rule_beats_every_strength_for_all_texts():
    rows = json.loads((RESULTS / "strength-hmm.json").read_text("utf-8"))
    constants = [np.mean(strength.gains(rows, lambda _, s=s: s)) for s in (0.5, 1.0, 2.5, 5.0)]
    assert np.mean(strength.gains(rows, strength.rule_of_auto)) > max(constants) + 0.2
