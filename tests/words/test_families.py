"""Families of words: the M step against its slow twin, the plain lexicon as its simplest case, spelling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.corpus import Bitext, side_from_tokens
from cepts.words import Lexicon, Smoothing, index_bitext
from cepts.words import families as fast
from cepts.words.families import LETTERS, WEIGHTS, Families, beginning
from cepts.words.lexicon import FLOOR
from cepts.words.likeness import UNLIKE, likeness_of_entries, plain_letters
from cepts.words.row_blocks import level_of_rows
from tests.reference import families as slow
from tests.words.corpora import as_dictionaries, random_counts

seeds = st.integers(0, 2**32 - 1)
words = st.text("ab", min_size=1, max_size=7)
sentences = st.lists(words, min_size=1, max_size=6)
texts = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6)
STRENGTH = 4.0


def bitext_of(pairs):
    return Bitext(*(side_from_tokens(list(side)) for side in zip(*pairs, strict=True)))


def twin_of(bitext, counts, prior, kind="beginnings", strength=STRENGTH):
    """Both directions' values by the slow twin, from dictionaries of counts; words count from 1, 0 is NULL."""
    turn = -1 if kind == "endings" else 1
    sides = (bitext.source, bitext.target)
    sizes = [*LETTERS, 99]
    levels = []
    for letters, weight in zip(sizes, WEIGHTS, strict=True):
        families = [["", *(word[::turn][:letters] for word in side.words)] for side in sides]
        shares = [shares_of(side, part) for side, part in zip(sides, families, strict=True)]
        levels.append((families, shares, weight))
    result = []
    for way, table in enumerate(counts):
        mine = [
            (families[way], families[1 - way], shares[1 - way], weight) for families, shares, weight in levels
        ]
        gains = {pair: strength * gain(bitext, pair if way == 0 else pair[::-1]) for pair in table}
        result.append(slow.maximised(table, mine, gains, prior, FLOOR))
    return result


def shares_of(side, families):
    counts = [1, *(int((side.ids == k).sum()) for k in range(len(side.words)))]
    total = dict.fromkeys(families, 0)
    for family, count in zip(families, counts, strict=True):
        total[family] += count
    return [count / total[family] for family, count in zip(families, counts, strict=True)]


def gain(bitext, pair):
    """What the spelling of two words is worth, in whole 255ths, as the entries have it."""
    if 0 in pair:
        return 0.0
    one, two = (
        plain_letters(bitext.source.words[pair[0] - 1]),
        plain_letters(bitext.target.words[pair[1] - 1]),
    )
    if not one or not two:
        return 0.0
    common = int(255 * slow.common_subsequence(one, two) / max(len(one), len(two)) + 0.5)
    return round(255 * max(0.0, (common / 255 - UNLIKE) / (1 - UNLIKE)) ** 2) / 255


@pytest.mark.parametrize(("prior", "kind"), [(0.0, "beginnings"), (0.1, "beginnings"), (0.1, "endings")])
@settings(max_examples=25)
@given(pairs=texts, seed=seeds)
def test_the_m_step_equals_the_slow_twin(prior, kind, pairs, seed):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    lexicon, counts = Lexicon.uniform(indexed), random_counts(indexed, seed)
    expected = twin_of(bitext, as_dictionaries(lexicon, counts), prior, kind)
    result = Families.of(bitext, indexed, kind, STRENGTH).maximised(lexicon, counts, Smoothing(prior))
    for table, twin in zip(as_dictionaries(result), expected, strict=True):
        assert table.keys() == twin.keys()
        for pair, value in twin.items():
            assert table[pair] == pytest.approx(value, rel=2e-4), pair


@settings(max_examples=25)
@given(pairs=texts, seed=seeds)
def test_without_families_and_spelling_it_is_the_plain_m_step(pairs, seed):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    lexicon, counts = Lexicon.uniform(indexed), random_counts(indexed, seed)
    plain = lexicon.maximised(counts.copy(), Smoothing(0.1))
    result = Families.of(bitext, indexed, "off", 0.0).maximised(lexicon, counts, Smoothing(0.1))
    np.testing.assert_allclose(result.values, plain.values, rtol=2e-5)


def test_threads_and_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(5)
    pairs = [(draw(rng), draw(rng)) for _ in range(60)]
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    lexicon, counts = Lexicon.uniform(indexed), random_counts(indexed, 1)
    families = Families.of(bitext, indexed, "beginnings", STRENGTH)
    whole = families.maximised(lexicon, counts.copy(), Smoothing(0.1)).values
    monkeypatch.setattr(fast, "ROW_BLOCK", 40)
    for threads in (1, 3):
        cut = families.maximised(lexicon, counts.copy(), Smoothing(0.1), threads).values
        np.testing.assert_array_equal(cut, whole)


def test_rows_that_are_single_by_chance_are_still_of_families():
    """Some rows of a table meet the totals of all: whether words are their own families is asked of all words."""
    bitext = bitext_of([(["singen", "singer", "tag"], ["x", "y"])])
    level = Families.of(bitext, index_bitext(bitext), "beginnings", 0.0).levels[0]
    rows = np.array([0, 3])  # NULL and `tag`
    assert not level.single
    assert not level_of_rows(level, rows).single
    assert level.met.tolist() == level_of_rows(level, rows).met.tolist() == [2, 2, 2]


def draw(rng):
    return ["".join(rng.choice(list("ab"), rng.integers(1, 7))) for _ in range(rng.integers(1, 8))]


def test_a_rare_form_learns_from_its_family():
    """`singer` was counted once, evenly, with two words; its family says which."""
    bitext = bitext_of([(["singen", "singer"], ["singing", "table"])])
    indexed = index_bitext(bitext)
    lexicon = Lexicon.uniform(indexed)
    counts = np.zeros_like(lexicon.values)
    for (source, target), count in {(1, 1): 9.0, (1, 2): 0.1, (2, 1): 0.5, (2, 2): 0.5}.items():
        row = slice(*indexed.row_offsets[source : source + 2])
        counts[row.start + int(np.flatnonzero(indexed.columns[row] == target)[0])] = count
    result = Families.of(bitext, indexed, "beginnings", 0.0).maximised(lexicon, counts, Smoothing(0.1))
    forward = as_dictionaries(result)[0]
    assert forward[2, 1] > 2 * forward[2, 2]


@settings(max_examples=60)
@given(one=st.text("abcdé", max_size=9), two=st.text("abcde", max_size=9))
def test_likeness_is_the_longest_common_subsequence(one, two):
    bitext = bitext_of([([one or "-"], [two or "-"])])
    indexed = index_bitext(bitext)
    found = likeness_of_entries(indexed, bitext.source.words, bitext.target.words)
    entry = int(
        np.flatnonzero((indexed.columns == 1) & (np.arange(len(indexed.columns)) >= indexed.row_offsets[1]))[
            0
        ]
    )
    assert found[entry] == round(255 * gain(bitext, (1, 1)))
    assert found.sum() == found[entry]  # NULL is like no word


def test_words_of_sixty_letters_are_compared_to_the_end():
    long = "ab" * 30
    bitext = bitext_of([([long], [long + "tail"])])
    found = likeness_of_entries(index_bitext(bitext), bitext.source.words, bitext.target.words)
    assert found.max() == 255  # what is beyond 60 letters is not looked at


@pytest.mark.parametrize(
    ("word", "letters", "expected"),
    [
        ("übermorgen", 4, "über"),
        ("in", 3, "in"),
        ("1984", 3, "1984"),
        ("経済学者", 5, "経済"),
        ("コンピュータ", 3, "コン"),
        ("한국어", 3, "한"),
        ("", 3, ""),
    ],
)
def test_a_family_is_a_beginning(word, letters, expected):
    assert beginning(word, letters) == expected
