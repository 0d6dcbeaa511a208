"""Pairs as they are drawn: their words, links and error rates."""

import re

import numpy as np
import pytest
from hypothesis import given

import cepts
from cepts.errors import InputError
from cepts.evaluation.counting import count
from cepts.links import Links
from cepts.views import aligned_pairs
from cepts.views.comparing import MISSED, NOT_TAKEN, RIGHT, WRONG, kinds_of
from cepts.views.pairs import error_rate
from tests.views.pairs import COMPARED, PLAIN, pairs

BITEXT = cepts.bitext_from_pairs([("Le chat", "the cat"), ("", "x"), ("il dort", "he sleeps")])
LINKS = Links.from_pairs([[(0, 0), (1, 1)], [], [(1, 1)]])


def test_pairs_have_their_words_links_and_gold():
    gold = Links.from_pairs([[(0, 0)]])
    first, second, third = aligned_pairs(BITEXT, LINKS, gold)
    assert first[:3] == (1, ["le", "chat"], ["the", "cat"])
    assert [link[:2] for link in first.links] == [(0, 0), (1, 1)]
    assert (len(first.gold), first.error) == (1, pytest.approx(1 / 3))
    assert (second.source, second.gold, second.error) == ([], None, None)
    assert third.line == 3


def test_words_stand_as_they_were_read(tmp_path):
    for name, text in (("source", "La  Maison\n"), ("target", "The House\n")):
        (tmp_path / name).write_text(text)
    bitext = cepts.read_bitext(tmp_path / "source", tmp_path / "target", keep_text=True)
    (pair,) = aligned_pairs(bitext, Links.from_pairs([[]]))
    assert (pair.source, pair.target) == (["La", "Maison"], ["The", "House"])


def test_numbers_say_which_pairs_the_links_are_of():
    notes = ["one", "two"]
    found = list(
        aligned_pairs(BITEXT, LINKS.picked(np.array([2, 0])), LINKS.head(1), numbers=[2, 0], notes=notes)
    )
    assert [(pair.line, pair.note, pair.gold is None) for pair in found] == [
        (3, "one", True),
        (1, "two", False),
    ]
    assert found[1].heading == "line 1, two, AER 0 %"


def test_links_of_another_text_are_refused():
    message = "links of 3 pairs for 2 pairs of a text of 3"
    with pytest.raises(InputError, match=f"^{message}$"):
        list(aligned_pairs(BITEXT, LINKS, numbers=[0, 1]))
    with pytest.raises(InputError, match=r"^links of 1 pairs for 1 pairs of a text of 3$"):
        list(aligned_pairs(BITEXT, LINKS.head(1), numbers=[3]))


@given(pairs())
def test_the_error_rate_is_that_of_evaluation(pair):
    links, gold = (Links.from_pairs([side]) for side in (pair.links, pair.gold or []))
    assert error_rate(pair.links, pair.gold or []) == pytest.approx(float(count(links, gold).aer()[0]))


@given(pairs())
def test_each_cell_is_one_kind(pair):
    found, gold = ({link[:2] for link in links} for links in (pair.links, pair.gold or []))
    kinds = kinds_of(pair.links, pair.gold)
    assert kinds.keys() == found | gold if pair.gold is not None else kinds.keys() == found
    if pair.gold is not None:
        assert {place for place, kind in kinds.items() if kind in (MISSED, NOT_TAKEN)} == gold - found
        assert {place for place, kind in kinds.items() if kind == WRONG} == found - gold
        sure = {link[:2] for link in pair.gold if link.sure}
        assert {place for place, kind in kinds.items() if kind == RIGHT} == found & sure


def test_headings():
    assert PLAIN.heading == "line 1, score -2.50"
    assert re.fullmatch("line 2, AER 25 %", COMPARED.heading)
