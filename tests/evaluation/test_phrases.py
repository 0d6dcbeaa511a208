"""Scores of phrase pairs against a brute-force twin, by hand, and at the edges."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts import bounds
from cepts.errors import InputError, OptionError
from cepts.evaluation import PhraseScores, evaluate, phrase_scores
from cepts.links import Links, read_links
from tests.reference.phrases import holds_all_links, is_phrase_pair, spans

cells = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=7)
sentences = st.lists(st.tuples(cells, cells, cells), max_size=3)


RULES = {"all": holds_all_links, "any": partial(is_phrase_pair, unaligned="never")}


def boxes(sure, possible, max_length, rule):
    """Return all phrase pairs of one sentence, as the definition of a rule has it."""
    links = [(*cell, cell in sure) for cell in sorted(sure | possible)]
    runs = spans(6, max_length)
    return {(source, target) for source in runs for target in runs if RULES[rule](links, source, target)}


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


def test_a_word_with_only_possible_links_needs_all_or_any_of_them():
    # Gold: sure 0-0, possible 1-1, 1-2 and 2-0. "all": 0 x 0 (target word 0 has a sure link, so that it ignores 2-0),
    # 1 x 1,2; 0,1 x 0,1,2; and, as source word 2 is never without 0, 0,1,2 x 0,1,2. "any" has 1 x 1, 1 x 2, 0,1 x 0,1
    # and 0,1,2 x 0,1 besides.
    gold = gold_links([{(0, 0)}], [{(1, 1), (1, 2), (2, 0)}])
    assert phrase_scores(gold, gold).gold == 4
    assert phrase_scores(gold, gold, possible="any").gold == 8
    assert phrase_scores(gold, gold, 2).gold == 2


@pytest.mark.parametrize("rule", RULES)
@given(corpus=sentences, max_length=st.integers(1, 6))
def test_equals_the_brute_force_twin(rule, corpus, max_length):
    made, sure, extra = ([sentence[n] for sentence in corpus] for n in range(3))
    found = [boxes(a, a, max_length, rule) for a in made]
    right = [boxes(s, p, max_length, rule) for s, p in zip(sure, extra, strict=True)]
    common = sum(len(a & b) for a, b in zip(found, right, strict=True))
    result = phrase_scores(Links.from_pairs(made), gold_links(sure, extra), max_length, rule)
    counts = (sum(map(len, found)), sum(map(len, right)), common)
    assert (result.found, result.gold, result.common) == counts
    for share, whole, other in ((result.precision, *counts[:2]), (result.recall, *counts[1::-1])):
        assert share == (pytest.approx(common / whole) if whole else float(other == 0))
    total = result.precision + result.recall
    assert result.f1 == pytest.approx(2 * result.precision * result.recall / total if total else 0)


@pytest.mark.parametrize("rule", RULES)
@given(corpus=sentences)
def test_laws(rule, corpus):
    made, sure, extra = ([sentence[n] for sentence in corpus] for n in range(3))
    links, gold = Links.from_pairs(made), gold_links(sure, extra)
    assert phrase_scores(links, links, possible=rule).f1 == 1
    there = phrase_scores(links, gold, possible=rule)
    assert phrase_scores(links.swapped(), gold.swapped(), possible=rule) == there
    # with possible links excluded, what the sure ones make is among what all make
    alone = phrase_scores(Links.from_pairs(sure), gold, possible=rule)
    assert alone.common == alone.found


@given(sentences)
def test_all_of_them_are_any_of_them_too(corpus):
    sure, extra = ([sentence[n] for sentence in corpus] for n in (1, 2))
    gold = gold_links(sure, extra)
    strict, loose = (phrase_scores(gold, gold, possible=rule) for rule in RULES)
    assert strict.gold <= loose.gold
    plain = Links.from_pairs(
        [s | p for s, p in zip(sure, extra, strict=True)]
    )  # without possible links: the same
    assert phrase_scores(plain, plain) == phrase_scores(plain, plain, possible="any")


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
    assert phrase_scores(links, links, bounds.PHRASE_LENGTH.most).found == 200 * 201 // 2


@pytest.mark.parametrize("score", [phrase_scores, lambda *files: evaluate(*files[:2], phrases=files[2])])
@pytest.mark.parametrize("length", [0, bounds.PHRASE_LENGTH.most + 1])
def test_phrases_of_no_or_too_many_words_are_refused(score, length):
    with pytest.raises(OptionError, match=f"^phrases={length}: expected a number from 1 to 32767$"):
        score(LINKS, GOLD, length)


@pytest.mark.parametrize(
    "score", [phrase_scores, lambda *files, possible: evaluate(*files, phrases=5, possible=possible)]
)
def test_an_unknown_rule_for_possible_links_is_refused(score):
    with pytest.raises(OptionError, match="possible 'some': expected one of all, any"):
        score(LINKS, GOLD, possible="some")


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


def test_the_signature_says_how_long_phrases_were_and_which_rule_they_follow():
    assert "|phrases:" not in evaluate(LINKS, GOLD).signature
    assert "|phrases:4|possible:all|cepts:" in evaluate(LINKS, GOLD, phrases=4).signature
    assert "|phrases:4|possible:any|cepts:" in evaluate(LINKS, GOLD, phrases=4, possible="any").signature


def test_the_table_has_a_row_for_them():
    plain, asked = (str(evaluate(LINKS, GOLD, phrases=n)).split("\n")[:-1] for n in (None, 5))
    (row,) = [line for line in asked if line not in plain]
    assert row.split() == ["phrases", "up", "to", "5", "100.00", "60.00", "75.00"]


# Tables 1 to 3 of denero-2011, in percent, for the links that its authors released. Table 1: links that both
# directions have, and that one of them has at least; printed are 5,554 of 10,998 and 7,620 of 10,262: each link is
# counted twice there. Tables 2 and 3: precision, recall and AER of links; precision, recall and F1 of phrase pairs.
RELEASED_OVERLAPS = {"baseline": (5554, 10998, 50.5), "bidirectional": (7620, 10262, 74.3)}
RELEASED = {
    ("baseline", "union"): ((57.6, 80.0, 33.4), (75.1, 33.5, 46.3)),
    ("baseline", "intersect"): ((86.2, 62.7, 27.2), (64.3, 43.4, 51.8)),
    ("baseline", "grow-diag-final"): ((60.1, 78.8, 32.1), (68.3, 37.5, 48.4)),
    ("bidirectional", "union"): ((63.3, 81.5, 29.1), (63.2, 44.9, 52.5)),
    ("bidirectional", "intersect"): ((77.5, 75.1, 23.6), (57.1, 53.6, 55.3)),
    ("bidirectional", "grow-diag-final"): ((65.6, 80.6, 28.0), (60.2, 47.4, 53.0)),
}


def read_released(data_folder, model, rule):
    """Read the released links of a model, or end the test where they are not."""
    folder = data_folder / "words" / "zh-en-nist"
    if not folder.is_dir():
        pytest.skip(f"no links of denero-2011 in {folder}")
    gold = read_links(folder / "test.gold")
    return read_links(folder / "paper" / f"{model}-{rule}.links", pairs=len(gold)), gold


@pytest.mark.parametrize(("model", "rule"), RELEASED)
def test_tables_2_and_3_of_the_paper_from_its_own_links(data_folder, model, rule):
    result = evaluate(*read_released(data_folder, model, rule), resamples=1, phrases=5)
    links, phrases = RELEASED[model, rule]
    assert result.sentences == 150
    assert [f"{100 * x:.1f}" for x in (result.precision, result.recall, result.aer)] == [
        f"{x}" for x in links
    ]
    assert result.phrases.gold == 6483
    assert [f"{100 * x:.1f}" for x in (result.phrases.precision, result.phrases.recall)] == [
        f"{x}" for x in phrases[:2]
    ]
    assert 100 * result.phrases.f1 == pytest.approx(phrases[2], abs=0.1)  # made of rounded figures there


@pytest.mark.parametrize("model", RELEASED_OVERLAPS)
def test_table_1_of_the_paper_from_its_own_links(data_folder, model):
    both, either = (len(read_released(data_folder, model, rule)[0].source) for rule in ("intersect", "union"))
    assert (2 * both, 2 * either, round(100 * both / either, 1)) == RELEASED_OVERLAPS[model]


def test_the_older_rule_finds_more_gold_phrases_in_the_papers_data(data_folder):
    assert phrase_scores(*read_released(data_folder, "baseline", "union"), possible="any").gold == 7037
