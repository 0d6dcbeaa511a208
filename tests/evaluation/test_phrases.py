"""Scores of phrase pairs against a brute-force twin, by hand, and at the edges."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.evaluation import PhraseScores, evaluate, phrase_scores
from cepts.links import Links

cells = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=7)
sentences = st.lists(st.tuples(cells, cells, cells), max_size=3)


def boxes(sure, possible, max_length):
    """Return all phrase pairs of one sentence, as the definition has it; possible includes sure."""
    rows = {i for i, _ in possible}
    columns = {j for _, j in possible}
    spans = [
        (begin, end)
        for begin in range(6)
        for end in range(begin + 1, min(begin + max_length, 6) + 1)
    ]  # fmt: skip
    return {
        (source, target)
        for source in spans
        for target in spans
        if set(range(*source)) <= rows and set(range(*target)) <= columns
        if fits(sure, possible, source, target)
    }


def fits(sure, possible, source, target):
    """Whether no sure link leaves a box, and each of its words has a link inside, sure or possible."""
    inside = {(i, j) for i, j in possible if source[0] <= i < source[1] and target[0] <= j < target[1]}
    touched = {(i, j) for i, j in sure if source[0] <= i < source[1] or target[0] <= j < target[1]}
    words = {i for i, _ in inside}, {j for _, j in inside}
    return touched <= inside and words == (set(range(*source)), set(range(*target)))


def gold_links(sure, possible):
    """Build gold links from sets of cells; possible need not repeat sure."""
    return Links.from_pairs(
        [[(*cell, 1.0, cell in s) for cell in s | p] for s, p in zip(sure, possible, strict=True)]
    )


# By hand. Gold: sure 0-0 and 1-1, possible 1-2. Phrase pairs, source x target words: 0 x 0; 1 x 1 (without the
# possible link); 1 x 1,2 (with it); 0,1 x 0,1; 0,1 x 0,1,2. Not 1 x 2, which the sure link 1-1 leaves: 5 in all.
# Links 0-0 and 1-1: 0 x 0, 1 x 1, 0,1 x 0,1, all three in the gold: precision 1, recall 3/5, F1 3/4.
LINKS = Links.from_pairs([[(0, 0), (1, 1)]])
GOLD = gold_links([{(0, 0), (1, 1)}], [{(1, 2)}])


def test_an_example_by_hand():
    expected = PhraseScores(1.0, pytest.approx(3 / 5), pytest.approx(3 / 4), 3, 5, 3, 5)
    assert phrase_scores(LINKS, GOLD) == expected


def test_the_longest_phrase_counts_on_both_sides():
    # Of one word: 0 x 0 and 1 x 1 alone; of two, all but 0,1 x 0,1,2.
    assert phrase_scores(LINKS, GOLD, 1) == PhraseScores(1, 1, 1, 2, 2, 2, 1)
    assert phrase_scores(LINKS, GOLD, 2) == PhraseScores(1, 3 / 4, pytest.approx(6 / 7), 3, 4, 3, 2)


def test_crossing_links_and_gaps_by_hand():
    # Links 0-1, 1-0, 3-3: word 2 has no link, so that nothing spans it. 0 x 1, 1 x 0, 0,1 x 0,1, 3 x 3: 4 pairs.
    # Gold 0-0, 1-1, 2-2, 3-3: every run with itself, 4 + 3 + 2 + 1 = 10 pairs. Common: 0,1 x 0,1 and 3 x 3.
    links = Links.from_pairs([[(0, 1), (1, 0), (3, 3)]])
    gold = Links.from_pairs([[(k, k) for k in range(4)]])
    assert phrase_scores(links, gold) == PhraseScores(0.5, 0.2, pytest.approx(2 / 7), 4, 10, 2, 5)


def test_the_same_box_in_another_sentence_is_another_one():
    links = Links.from_pairs([[(0, 0)], []])
    gold = Links.from_pairs([[], [(0, 0)]])
    assert phrase_scores(links, gold) == PhraseScores(0, 0, 0, 1, 1, 0, 5)


def test_possible_links_of_the_hypothesis_count_like_sure_ones():
    marked = Links.from_pairs([[(0, 0), (1, 1), (1, 2, 1.0, False)]])
    plain = Links.from_pairs([[(0, 0), (1, 1), (1, 2)]])
    assert phrase_scores(marked, GOLD) == phrase_scores(plain, GOLD)


@given(sentences, st.integers(1, 6))
def test_equals_the_brute_force_twin(corpus, max_length):
    made, sure, extra = ([sentence[n] for sentence in corpus] for n in range(3))
    found = [boxes(a, a, max_length) for a in made]
    right = [boxes(s, s | p, max_length) for s, p in zip(sure, extra, strict=True)]
    common = sum(len(a & b) for a, b in zip(found, right, strict=True))
    result = phrase_scores(Links.from_pairs(made), gold_links(sure, extra), max_length)
    counts = (sum(map(len, found)), sum(map(len, right)), common)
    assert (result.found, result.gold, result.common) == counts
    for share, whole, other in ((result.precision, *counts[:2]), (result.recall, *counts[1::-1])):
        assert share == (pytest.approx(common / whole) if whole else float(other == 0))
    total = result.precision + result.recall
    assert result.f1 == pytest.approx(2 * result.precision * result.recall / total if total else 0)


@given(sentences)
def test_laws(corpus):
    made, sure, extra = ([sentence[n] for sentence in corpus] for n in range(3))
    links, gold = Links.from_pairs(made), gold_links(sure, extra)
    assert phrase_scores(links, links).f1 == 1
    there, back = phrase_scores(links, gold), phrase_scores(links.swapped(), gold.swapped())
    assert there == back
    # with possible links excluded, what the sure ones make is among what all make
    alone = phrase_scores(Links.from_pairs(sure), gold)
    assert alone.common == alone.found


DEGENERATE = {
    "no links": ([[]], [[(0, 0)]], (0, 0, 0)),
    "no gold": ([[(0, 0)]], [[]], (0, 0, 0)),
    "nothing at all": ([[]], [[]], (1, 1, 1)),
    "no sentences": ([], [], (1, 1, 1)),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_cases(case):
    links, gold, expected = DEGENERATE[case]
    result = phrase_scores(Links.from_pairs(links), Links.from_pairs(gold))
    assert (result.precision, result.recall, result.f1) == expected


def test_sentences_of_200_words():
    # Word k with word k: a run of n words at each of 201 - n places.
    links = Links.from_pairs([[(k, k) for k in range(200)]])
    assert phrase_scores(links, links).found == sum(201 - n for n in range(1, 6))
    assert phrase_scores(links, links, 10**6).found == 200 * 201 // 2


@pytest.mark.parametrize("score", [phrase_scores, lambda *files: evaluate(*files[:2], phrases=files[2])])
def test_phrases_of_no_words_are_refused(score):
    with pytest.raises(OptionError, match="phrases must be of at least 1 word, got 0"):
        score(LINKS, GOLD, 0)


def test_different_numbers_of_sentences_are_refused():
    with pytest.raises(InputError, match="links have 1 sentences, gold has 2, expected as many"):
        phrase_scores(LINKS, Links.from_pairs([[], []]))


def test_an_evaluation_has_them_where_they_are_asked_for():
    plain, asked = evaluate(LINKS, GOLD), evaluate(LINKS, GOLD, phrases=5)
    assert plain.phrases is None
    assert asked.phrases == phrase_scores(LINKS, GOLD)
    values = json.loads(json.dumps(asked.to_dict()))
    assert values.pop("phrases") == {
        "precision": 1.0,
        "recall": pytest.approx(3 / 5),
        "f1": pytest.approx(3 / 4),
        "found": 3,
        "gold": 5,
        "common": 3,
        "max_length": 5,
    }
    assert values.pop("signature") == asked.signature
    assert values == {name: value for name, value in plain.to_dict().items() if name != "signature"}


def test_the_signature_says_how_long_phrases_were():
    assert "|phrases:" not in evaluate(LINKS, GOLD).signature
    assert "|phrases:4|cepts:" in evaluate(LINKS, GOLD, phrases=4).signature


def test_the_table_has_a_row_for_them():
    plain, asked = (str(evaluate(LINKS, GOLD, phrases=n)).split("\n")[:-1] for n in (None, 5))
    (row,) = [line for line in asked if line not in plain]
    assert row.split() == ["phrases", "up", "to", "5", "100.00", "60.00", "75.00"]
