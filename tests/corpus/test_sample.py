"""The built-in sample: complete, well-formed, and its gold links spelled out for two lines."""

import re

import pytest

from cepts.corpus.samples import sample

PAIRS = 240
GOLD_PAIRS = 12


def read(path):
    return [line.split(" ") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


@pytest.fixture(scope="module")
def pairs():
    return list(zip(read(sample().source), read(sample().target), strict=True))


@pytest.fixture(scope="module")
def gold():
    lines = read(sample().gold)
    return [[re.fullmatch(r"(\d+)([-?])(\d+)", link).groups() for link in line] for line in lines]


def spelled(pair, links):
    source, target = pair
    return " ".join(f"{source[int(i)]}{mark}{target[int(j)]}" for i, mark, j in links)


def test_as_many_pairs_as_promised(pairs, gold):
    assert (len(pairs), len(gold)) == (PAIRS, GOLD_PAIRS)


def test_no_sentence_is_empty_or_long_and_no_token_is_blank(pairs):
    for sentence in (side for pair in pairs for side in pair):
        assert 4 <= len(sentence) <= 15
        assert all(token and token == token.strip() for token in sentence)


def test_no_pair_occurs_twice(pairs):
    assert len({(*source, *target) for source, target in pairs}) == PAIRS


def test_elisions_and_punctuation_stand_apart(pairs):
    tokens = {token for pair in pairs for side in pair for token in side}
    assert {"l'", "d'", "n'", "'s"} <= tokens
    glued = {token for token in tokens if re.search(r"\w[.,?!]|'\w", token)}
    assert glued == {"aujourd'hui", "o'clock", "'s"}


def test_gold_links_are_in_range_and_in_order_and_occur_once(pairs, gold):
    for (source, target), links in zip(pairs, gold, strict=False):
        places = [(int(i), int(j)) for i, _, j in links]
        assert places == sorted(set(places))
        assert all(i < len(source) and j < len(target) for i, j in places)


def test_gold_leaves_a_word_alone_only_where_it_must(pairs, gold):
    lone = []
    for (source, target), links in zip(pairs, gold, strict=False):
        lone += [word for i, word in enumerate(source) if str(i) not in {link[0] for link in links}]
        lone += [word for j, word in enumerate(target) if str(j) not in {link[2] for link in links}]
    assert lone == ["de"]  # the second one of "besoin de pain frais et de deux bouteilles"


def test_gold_of_the_first_line(pairs, gold):
    assert spelled(pairs[0], gold[0]) == (
        "Le-The chat-cat noir-black dort?is dort-sleeping devant-in devant-front devant-of"
        " l'-the école-school .-."
    )


def test_gold_of_a_line_with_a_negation(pairs, gold):
    assert spelled(pairs[7], gold[7]) == (
        "Les-The enfants-children ne?not vont?do vont-go pas-not à-to l'?school école-school"
        " le?on mercredi-Wednesdays .-."
    )


def test_gold_of_a_line_with_a_clitic(pairs, gold):
    assert " les-them achète-buys " in spelled(pairs[3], gold[3])
