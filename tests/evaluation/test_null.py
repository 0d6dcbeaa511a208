"""Scores with links to NULL: against a slow twin, by hand, and at the edges."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError, OptionError
from cepts.evaluation import SetScores, evaluate, with_null_links
from cepts.links import Links
from tests.reference import scores as reference


@st.composite
def pairs(draw):
    """A sentence pair: its two lengths, links, sure links, and links that are possible besides."""
    lengths = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    cells = [(i, j) for i in range(lengths[0]) for j in range(lengths[1])]
    some = st.frozensets(st.sampled_from(cells)) if cells else st.just(frozenset())
    return lengths, draw(some), draw(some), draw(some)


corpora = st.lists(pairs(), max_size=5)
rules = st.sampled_from(["sure", "possible"])


def columns(corpus):
    """Return the lengths of both sides, and lists of links, sure links and possible links besides."""
    lengths = tuple([pair[0][side] for pair in corpus] for side in (0, 1))
    return lengths, *([pair[n] for pair in corpus] for n in (1, 2, 3))


def gold_links(sure, possible):
    """Build gold links from sets of cells; possible need not repeat sure."""
    return Links.from_pairs(
        [[(*cell, 1.0, cell in s) for cell in s | p] for s, p in zip(sure, possible, strict=True)]
    )


def cells(links):
    """Return the position pairs of each sentence pair."""
    return [[(link.source, link.target) for link in pair] for pair in links]


# By hand; 0-N links a source word to NULL, N-0 a target word.
# First pair, 5 and 3 words: links 0-0, 1-1, so 2-N, 3-N, 4-N, N-2 besides; S = {0-0, 2-2, 4-2}, P also 1-1, so 3-N.
# Second pair, 3 and 2 words: links 0-0, 1-0, so 2-N, N-1 besides; S = {0-0}, so 1-N, 2-N, N-1.
# |A| = 6 + 4 = 10. Of the links proper |S| = 4, |P| = 5, right are 0-0 twice (sure) and 1-1. The gold has 1 + 3 = 4
# links to NULL, of which A has 3-N, 2-N and N-1.
LINKS = Links.from_pairs([[(0, 0), (1, 1)], [(0, 0), (1, 0)]])
GOLD = gold_links([{(0, 0), (2, 2), (4, 2)}, {(0, 0)}], [{(1, 1)}, set()])
LENGTHS = ([5, 3], [3, 2])


def test_possible_null_links_by_hand():
    # |S| = 4, |P| = 5 + 4 = 9; A and S: 2, A and P: 3 + 3 = 6. Precision 6/10, recall 2/4, AER 1 - (2 + 6) / (10 + 4).
    result = evaluate(LINKS, GOLD, null="possible", lengths=LENGTHS)
    assert result.precision == pytest.approx(3 / 5)
    assert result.recall == pytest.approx(1 / 2)
    assert result.f1 == pytest.approx(6 / 11)
    assert result.weighted_f == pytest.approx(1 / (0.1 / 0.6 + 0.9 / 0.5))
    assert result.aer == pytest.approx(3 / 7)
    assert (result.links, result.sentences) == (10, 2)
    assert result.sure == SetScores(pytest.approx(2 / 10), pytest.approx(2 / 4), pytest.approx(4 / 14))
    assert result.possible == SetScores(pytest.approx(6 / 10), pytest.approx(6 / 9), pytest.approx(12 / 19))


def test_sure_null_links_by_hand():
    # |S| = 4 + 4 = 8, |P| = 9; A and S: 2 + 3 = 5, A and P: 6. Precision 6/10, recall 5/8, AER 1 - (5 + 6) / (10 + 8).
    result = evaluate(LINKS, GOLD, null="sure", lengths=LENGTHS)
    assert result.precision == pytest.approx(3 / 5)
    assert result.recall == pytest.approx(5 / 8)
    assert result.f1 == pytest.approx(30 / 49)
    assert result.weighted_f == pytest.approx(1 / (0.1 / 0.6 + 0.9 / 0.625))
    assert result.aer == pytest.approx(7 / 18)
    assert (result.links, result.sentences) == (10, 2)
    assert result.sure == SetScores(pytest.approx(5 / 10), pytest.approx(5 / 8), pytest.approx(10 / 18))
    assert result.possible == SetScores(pytest.approx(6 / 10), pytest.approx(6 / 9), pytest.approx(12 / 19))


@pytest.mark.parametrize(("null", "expected"), [("possible", (1 / 5, 5 / 9)), ("sure", (1 / 4, 1 / 2))])
def test_the_interval_by_hand(null, expected):
    # A sample is the first pair twice, the second twice, or both: the ends are the AERs of the pairs alone.
    # Possible: 1 - (1 + 3) / (6 + 3) and 1 - (1 + 3) / (4 + 1). Sure: 1 - (2 + 3) / (6 + 4) and 1 - (3 + 3) / (4 + 4).
    assert evaluate(LINKS, GOLD, null=null, lengths=LENGTHS).interval_aer == pytest.approx(expected)


def test_the_links_that_are_added():
    links = with_null_links(LINKS, *LENGTHS)
    # NULL is word 5 or 3 of the first, word 3 or 2 of the second pair's sides.
    assert cells(links) == [
        [(0, 0), (1, 1), (2, 3), (3, 3), (4, 3), (5, 2)],
        [(0, 0), (1, 0), (2, 2), (3, 1)],
    ]
    assert bool(links.sure.all())
    gold = with_null_links(GOLD, *LENGTHS, sure=False)
    assert [link[:2] for pair in gold for link in pair if not link.sure] == [
        *[(1, 1), (3, 3)],  # the first was possible before
        *[(1, 2), (2, 2), (3, 1)],
    ]


def test_what_else_links_hold_is_kept():
    links = Links(
        *(
            np.array(column, dtype)
            for column, dtype in (([0], np.int32), ([1], np.int32), ([0.5], np.float32))
        ),
        np.array([False]),
        np.array([0, 1, 1]),
        np.array([-1.5, -2.5]),
    )
    made = with_null_links(links, [1, 0], [2, 1])
    assert made[0] == [(0, 1, 0.5, False), (1, 0, 1.0, True)]
    assert made[1] == [(0, 0, 1.0, True)]
    assert made.scores.tolist() == [-1.5, -2.5]
    dtypes = [column.dtype for column in (made.source, made.target, made.confidence, made.sure, made.offsets)]
    assert dtypes == [np.int32, np.int32, np.float32, np.bool_, np.int64]


@pytest.mark.parametrize(
    ("possible", "rule"),
    [([{(1, 1)}, set()], "possible"), ([set(), {(2, 1)}], "possible"), ([set()] * 2, "sure")],
)
def test_auto_looks_for_a_possible_link_in_the_whole_gold(possible, rule):
    gold = gold_links([{(0, 0)}, {(0, 0)}], possible)
    result = evaluate(LINKS, gold, null="auto", lengths=LENGTHS)
    assert result == evaluate(LINKS, gold, null=rule, lengths=LENGTHS)
    assert f"|null:{rule}|" in result.signature


def test_the_signature_says_so_where_it_is_asked_for():
    asked = evaluate(LINKS, GOLD, null="sure", lengths=LENGTHS).signature
    assert asked.startswith("aer|alpha:0.1|resamples:1000|seed:1|null:sure|cepts:")
    both = evaluate(LINKS, GOLD, phrases=3, null="sure", lengths=LENGTHS).signature
    assert "|seed:1|phrases:3|possible:all|null:sure|cepts:" in both
    plain = evaluate(LINKS, GOLD)
    assert plain.signature == asked.replace("|null:sure", "")
    assert evaluate(LINKS, GOLD, lengths=LENGTHS) == plain


def test_the_table_and_the_json_are_of_the_same_shape():
    plain, asked = evaluate(LINKS, GOLD), evaluate(LINKS, GOLD, null="possible", lengths=LENGTHS)
    table = str(asked).split("\n")
    assert len(table) == len(str(plain).split("\n"))
    assert table[1].split() == ["P", "possible,", "R", "sure", "60.00", "50.00", "54.55"]
    assert table[-1].startswith("in percent; 10 links in 2 sentences; aer|")
    assert json.loads(json.dumps(asked.to_dict())).keys() == plain.to_dict().keys()


def test_phrases_know_nothing_of_null():
    plain = evaluate(LINKS, GOLD, phrases=5).phrases
    assert plain is not None
    assert evaluate(LINKS, GOLD, phrases=5, null="sure", lengths=LENGTHS).phrases == plain


@given(corpora, rules, st.sampled_from([0.1, 0.5]))
def test_equals_the_slow_twin(corpus, rule, alpha):
    lengths, made, sure, extra = columns(corpus)
    possible = [s | p for s, p in zip(sure, extra, strict=True)]
    result = evaluate(
        Links.from_pairs(made), gold_links(sure, extra), alpha, 2, null=rule, lengths=lengths
    ).to_dict()
    empty = [reference.null_links(cells, *pair[0]) for cells, pair in zip(possible, corpus, strict=True)]
    a = [cells | reference.null_links(cells, *pair[0]) for cells, pair in zip(made, corpus, strict=True)]
    p = [cells | null for cells, null in zip(possible, empty, strict=True)]
    s = [cells | null for cells, null in zip(sure, empty, strict=True)] if rule == "sure" else sure
    expected = reference.score(a, s, p, alpha)
    assert {name: result[name] for name in expected} == pytest.approx(expected)
    for name, alone in (("sure", s), ("possible", p)):
        expected = reference.score(a, alone, alone)
        assert result[name] == pytest.approx({key: expected[key] for key in ("precision", "recall", "f1")})


@given(corpora, st.booleans())
def test_each_word_is_linked_and_only_lonely_words_to_null(corpus, sure):
    (sources, targets), made, _, _ = columns(corpus)
    links = with_null_links(Links.from_pairs(made), sources, targets, sure)
    for after, before, source, target in zip(cells(links), made, sources, targets, strict=True):
        assert after == sorted(set(after))
        assert {cell for cell in after if cell[0] < source and cell[1] < target} == before
        assert {i for i, _ in after} - {source} == set(range(source))
        assert {j for _, j in after} - {target} == set(range(target))
        assert not {i for i, j in after if j == target} & {i for i, _ in before}
        assert not {j for i, j in after if i == source} & {j for _, j in before}


@given(corpora, rules)
def test_laws(corpus, rule):
    lengths, made, sure, extra = columns(corpus)
    links, gold = Links.from_pairs(made), gold_links(sure, extra)
    options = {"resamples": 2, "null": rule}
    result = evaluate(links, gold, lengths=lengths, **options)
    assert result == evaluate(links.swapped(), gold.swapped(), lengths=lengths[::-1], **options)
    assert evaluate(gold, gold, lengths=lengths, **options).aer == 0
    if rule == "possible" and any(sure):  # of sure links no more are wanted, and no more are found
        assert result.recall == evaluate(links, gold, resamples=1).recall


@pytest.mark.parametrize("rule", ["sure", "possible", "auto"])
def test_no_links_against_no_gold(rule):
    nothing = Links.from_pairs([[], []])
    result = evaluate(nothing, nothing, null=rule, lengths=([2, 0], [3, 1]))
    assert (result.precision, result.aer, result.links) == (1, 0, 6)
    assert result.recall == (
        0 if rule == "possible" else 1
    )  # without sure links: the rule in Evaluation's docstring


@pytest.mark.parametrize(("sentences", "lengths"), [([], ([], [])), ([[]], ([0], [0]))])
def test_no_words_at_all(sentences, lengths):
    nothing = Links.from_pairs(sentences)
    result = evaluate(nothing, nothing, null="auto", lengths=lengths)
    assert (result.precision, result.recall, result.aer, result.links) == (1, 1, 0, 0)


REFUSED = {
    "null must be auto, sure or possible, got 'both'": {"null": "both", "lengths": LENGTHS},
    "null needs the number of words of each sentence, to know which have no link: add"
    " lengths=(source_lengths, target_lengths)": {"null": "auto"},
    "source lengths must be whole numbers from 0, one for each sentence": {"lengths": ([5, -1], [3, 2])},
    "target lengths must be whole numbers from 0, one for each sentence": {"lengths": ([5, 3], [3.0, 2.0])},
    "lengths of 2 source and 3 target sentences, expected as many of both": {"lengths": ([5, 3], [3, 2, 1])},
}


@pytest.mark.parametrize("message", REFUSED)
def test_options_that_are_refused(message):
    with pytest.raises(OptionError, match=f"^{re.escape(message)}$"):
        evaluate(LINKS, GOLD, **{"null": "auto"} | REFUSED[message])


def test_a_table_of_lengths_is_refused():
    with pytest.raises(
        OptionError, match="target lengths must be whole numbers from 0, one for each sentence"
    ):
        with_null_links(LINKS, [5, 3], [[3], [2]])


@pytest.mark.parametrize(
    ("links", "gold", "lengths", "message"),
    [
        (
            LINKS,
            GOLD,
            ([5, 1], [3, 2]),
            "links, pair 2: link 1-0 (from 0) is outside of its pair, which has 1 source",
        ),
        (
            LINKS,
            GOLD,
            ([4, 3], [3, 2]),
            "gold, pair 1: link 4-2 (from 0) is outside of its pair, which has 4 source",
        ),
        (LINKS, GOLD, ([5], [3]), "links: links of 2 pairs, but the text has 1 pairs, expected as many"),
        (LINKS, Links.from_pairs([[]]), LENGTHS, "links have 2 sentences, gold has 1, expected as many"),
    ],
)
def test_links_that_do_not_fit_are_refused(links, gold, lengths, message):
    with pytest.raises(InputError, match=re.escape(message)):
        evaluate(links, gold, null="auto", lengths=lengths)
