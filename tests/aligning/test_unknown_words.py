"""Unknown words tell which way round a model is, and whether it is one of other languages."""

from __future__ import annotations

import pytest

import cepts
from cepts.aligning.unknown_words import UnknownWords, unknown_words
from cepts.corpus import bitext_from_pairs
from cepts.words import Vocabularies

KNOWN = Vocabularies(["le", "chat"], ["the", "cat"])


def test_shares_of_tokens_with_letters() -> None:
    bitext = bitext_from_pairs([("le chat noir , 12 .", "the 12"), ("the", "cat le le")] * 10)
    found = unknown_words(bitext, KNOWN)
    assert found == UnknownWords(0.5, 0.5, 0.75, 0.5)
    assert not found.wrong_way_round
    assert not found.other_languages


def test_pairs_with_an_empty_side_do_not_count() -> None:
    for pairs, enough in ((19, False), (20, True)):
        bitext = bitext_from_pairs([("le", "the")] * pairs + [("le", "")] * 9)
        assert unknown_words(bitext, KNOWN).enough is enough


def test_a_text_without_words() -> None:
    assert unknown_words(bitext_from_pairs([]), KNOWN) == UnknownWords(0, 0, 0, 0, False)


@pytest.mark.parametrize(
    ("shares", "wrong", "other"),
    [
        ((0.9, 0.9, 0.7, 0.7), True, False),
        ((0.9, 0.9, 0.75, 0.7), False, True),  # known better, but hardly
        ((0.9, 0.5, 0.1, 0.5), False, True),  # one side alone
        ((0.12, 0.12, 0.04, 0.04), False, False),  # few are unknown either way
        ((0.6, 0.6, 0.9, 0.9), False, False),
        ((0.1, 0.61, 0.9, 0.65), False, True),  # another target language
        ((0.7, 0.7, 0.95, 0.95), False, False),  # a model that has seen little, the right way round
    ],
)
def test_conclusions(shares: tuple[float, float, float, float], wrong: bool, other: bool) -> None:
    found = UnknownWords(*shares)
    assert (found.wrong_way_round, found.other_languages) == (wrong, other)
    assert not found._replace(enough=False).wrong_way_round
    assert not found._replace(enough=False).other_languages


def test_an_aligner_says_so() -> None:
    bitext = cepts.sample_bitext()
    aligner = cepts.Aligner("fast").fit(bitext.part(0, 120))
    assert not aligner.unknown_words(bitext).wrong_way_round
    assert aligner.unknown_words(bitext.swapped()).wrong_way_round
