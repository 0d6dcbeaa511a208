"""The objectives that training passes on its way."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import cepts
from cepts.aligning.history import History
from cepts.words import Step


@pytest.fixture(scope="module")
def bitext() -> cepts.Bitext:
    return cepts.sample_bitext().part(0, 40)


def trained(bitext: cepts.Bitext, **options: Any) -> cepts.Aligner:
    return cepts.Aligner(ibm1_iterations=3, hmm_iterations=2, **options).fit(bitext)


def test_curves_are_what_the_monitor_hears(bitext: cepts.Bitext) -> None:
    heard: list[Step] = []
    aligner = trained(bitext, method="fast", monitor=heard.append)
    source, target = len(bitext.source.ids), len(bitext.target.ids)
    assert [(one.stage, one.direction, one.words) for one in aligner.curves] == [
        ("ibm1", "both", source + target),
        ("hmm", "both", source + target),
    ]
    told = [step.objective for step in heard if step.objective is not None]
    assert [value for one in aligner.curves for value in one.objectives] == told
    assert [len(one.objectives) for one in aligner.curves] == [3, 2]


def test_directions_that_are_trained_alone(bitext: cepts.Bitext) -> None:
    aligner = trained(bitext, method="fast", training="independent", optimizer="pgd")
    source, target = len(bitext.source.ids), len(bitext.target.ids)
    assert [(one.stage, one.direction, one.words) for one in aligner.curves] == [
        ("ibm1-pgd", "forward", target),
        ("ibm1-pgd", "reverse", source),
        ("hmm-pgd", "forward", target),
        ("hmm-pgd", "reverse", source),
    ]
    for one in aligner.curves:
        assert all(after <= before for before, after in pairwise(one.objectives))
    alone = trained(bitext, method="fast", training="independent", direction="reverse")
    assert {(one.direction, one.words) for one in alone.curves} == {("reverse", source)}


def test_what_is_no_word_model_is_passed_on_but_not_kept() -> None:
    heard: list[Step] = []
    history = History(3, 4, heard.append)
    for step in (Step("classes", 1, 2, 1.0, 70.0), Step("hmm", 1, 2, 0.5, None, "both")):
        history(step)
    assert len(heard) == 2
    assert history.curves == []
