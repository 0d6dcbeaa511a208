"""Mix-ups are said, bad links are not taken for mix-ups."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.evaluation import notice_mixups
from cepts.evaluation.counting import count
from cepts.links import Links
from tests.reference import scores as reference

SENTENCES = 30


def make_gold(seed):
    """Draw gold links of a text with local reordering: word i of the source near word i + 1 of the target."""
    generator = np.random.default_rng(seed)
    pairs = []
    for _ in range(SENTENCES):
        length = int(generator.integers(5, 15))
        pairs.append({(i, max(0, i + int(generator.integers(-1, 4)))) for i in range(length)})
    return pairs


def spoil(pairs, share, seed):
    """Replace a share of the links by others of the same sentence."""
    generator = np.random.default_rng(seed)
    return [
        {(i, int(generator.integers(0, 15)) if generator.random() < share else j) for i, j in pair}
        for pair in pairs
    ]


def move(pairs, shift, swapped):
    moved = [{(i + shift, j + shift) for i, j in pair} for pair in pairs]
    return [{(j, i) for i, j in pair} for pair in moved] if swapped else moved


def notice(links, gold):
    return notice_mixups(Links.from_pairs(links), Links.from_pairs(gold))


MIXED = {
    (1, False): "links look 1-based: shifted down by one the AER would be",
    (0, True): "source and target look swapped: turned round the AER would be",
    (
        1,
        True,
    ): "links look 1-based and source and target swapped: shifted down by one and turned round the AER",
}


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize(("shift", "swapped"), MIXED)
def test_a_mix_up_is_said(shift, swapped, share, seed):
    gold = make_gold(seed)
    right = spoil(gold, share, seed)
    said = notice(move(right, shift, swapped), gold)
    assert len(said) == 1
    assert said[0].startswith(MIXED[shift, swapped])


@pytest.mark.parametrize(
    ("swapped", "words"),
    [(False, "links look one position too low"), (True, "too low and source and target")],
)
def test_a_gold_that_counts_from_one_is_said(swapped, words, seed):
    gold = make_gold(seed)
    said = notice(move(gold, 0, swapped), move(gold, 1, False))
    assert len(said) == 1
    assert words in said[0]
    assert "shifted up by one" in said[0]


def test_both_rates_are_said():
    # Shifted down all three are right; as given none, or below 1-1 alone: AER 1 - (1 + 1) / (3 + 3).
    said = notice([{(1, 1), (2, 3), (3, 2)}], [{(0, 0), (1, 2), (2, 1)}])
    assert said == ["links look 1-based: shifted down by one the AER would be 0.000 instead of 1.000"]
    said = notice([{(1, 1), (2, 2), (3, 4)}], [{(0, 0), (1, 1), (2, 3)}])
    assert said == ["links look 1-based: shifted down by one the AER would be 0.000 instead of 0.667"]


def test_first_words_tell_in_text_that_is_all_diagonal():
    # Nine of ten links still hit: the error rate is low, but no link has a first word, and all would fit.
    gold = [{(i, i) for i in range(10)}] * 3
    said = notice(move(gold, 1, False), gold)
    assert said == ["links look 1-based: shifted down by one the AER would be 0.000 instead of 0.100"]


def test_a_small_gain_is_not_said():
    # 18 of 20 links are right as given, all 20 turned round: the AER would fall by 0.1 only.
    gold = {(i, i) for i in range(18)} | {(18, 19), (20, 18)}
    assert notice(move([gold], 0, True), [gold]) == []


def test_a_gain_that_leaves_most_errors_is_not_said():
    # One of 10 links is right as given, 3 turned round: the AER would fall from 0.9 to 0.7, by under 30 %.
    gold = {(i, i + 3) for i in range(10)}
    links = {(0, 3), (4, 1), (5, 2), (6, 3)} | {(20 + i, 40 + i) for i in range(6)}
    assert notice([links], [gold]) == []
    # Without the 6 links that fit neither way, 1 - 2 / 14 and 1 - 6 / 14: said.
    assert len(notice([links - {(20 + i, 40 + i) for i in range(6)}], [gold])) == 1


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_bad_links_are_only_bad(share, seed):
    gold = make_gold(seed)
    assert notice(spoil(gold, share, seed), gold) == []


def test_few_links_and_the_mere_diagonal_are_only_bad(seed):
    gold = make_gold(seed)
    assert notice([set(sorted(pair)[:1]) for pair in gold], gold) == []
    assert notice([set(sorted(pair)[-2:]) for pair in gold], gold) == []
    assert notice([{(i, i) for i, _ in pair} for pair in gold], gold) == []


def test_links_without_first_words_are_not_taken_for_shifted(seed):
    gold = make_gold(seed)
    assert notice([{(i, j) for i, j in pair if i > 0 and j > 0} for pair in gold], gold) == []


def test_nothing_is_said_of_nothing():
    assert notice([], []) == []
    assert notice([set(), set()], [{(0, 0)}, set()]) == []
    assert notice([{(0, 0)}, set()], [set(), set()]) == []


def test_a_gold_that_ends_early_is_said():
    links = [{(0, 0), (1, 2)}] * 10
    message = "gold has no link after sentence 4 of 10: if it ends there, cut the links (head -n 4)"
    assert notice(links, links[:4] + [set()] * 6) == [message]
    assert notice(links[:4] + [set()] * 6, links[:4] + [set()] * 6) == []
    assert notice(links, [*links[:9], set()]) == []


def test_different_numbers_of_sentences_are_refused():
    with pytest.raises(InputError, match=re.escape("links have 1 sentences, gold has 2, expected as many")):
        notice([set()], [set(), set()])


cells = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)


@given(st.lists(st.tuples(cells, cells), max_size=4))
def test_shifted_counts_equal_the_slow_twin(corpus):
    made, sure = ([sentence[n] for sentence in corpus] for n in range(2))
    links, gold = Links.from_pairs(made), Links.from_pairs(sure)
    for (swapped, shift), expected in reference.mixed_aers(made, sure, sure).items():
        rate = count(links.swapped() if swapped else links, gold, shift).total().aer()
        assert rate.tolist() == [pytest.approx(expected)]
