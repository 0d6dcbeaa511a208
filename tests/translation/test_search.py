"""What the search misses: narrower beams beside wider ones, and the default beside a very wide one."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from cepts.translation import TranslationSettings
from tests.translation.systems import texts, translator

WIDE = TranslationSettings(beam=1500, margin=25.0).search()


@pytest.fixture(scope="module")
def lines():
    """Sentences that the system has seen, and others, two in a line: there is more to put out of order."""
    found = [" ".join(part.source.sentence(k)) for part in texts() for k in range(40)]
    return [f"{one} {two}" for one, two in zip(found[:40], found[40:], strict=True)]


def scores(lines, search):
    whole = translator()
    searching = replace(whole, decoder=replace(whole.decoder, search=search))
    return np.array([found[0].score for found in searching.translate_n_best(lines, 1)])


def test_a_smaller_beam_never_has_a_higher_score(lines):
    own = TranslationSettings().search()
    beams = [scores(lines, own._replace(beam=beam)) for beam in (1, 4, 20, 100)]
    found = [*beams, scores(lines, WIDE)]
    assert all(np.all(narrow <= wide + 1e-9) for narrow, wide in pairwise(found))
    assert found[0].sum() < found[-1].sum() - 1.0  # beams do matter here


def test_fewer_than_two_of_a_hundred_sentences_have_a_better_translation(lines):
    found = scores(lines, TranslationSettings().search())
    assert np.mean(found < scores(lines, WIDE) - 1e-6) < 0.02
