"""Lexical tables against slow twins, by hand, and at the edges."""

import numpy as np
import pytest
from hypothesis import given

from cepts.corpus import bitext_from_pairs
from cepts.errors import InputError, OptionError
from cepts.links import Links
from cepts.phrases import lexical
from cepts.phrases.lexical import lexical_tables, linked_words, lookup, tables_of_model
from cepts.phrases.lexical_kernels import look_up
from tests.phrases.lexicons import LINKS, PAIRS, corpora, encoded, small_model
from tests.reference import lexical as reference


def spelled(table, given_words, generated_words):
    """Return the entries by words: (given, generated) -> (probability, count)."""
    given, generated = ([reference.NULL, *words] for words in (given_words, generated_words))
    pairs = zip(table.given().tolist(), table.columns.tolist(), strict=True)
    numbers = zip(table.values.tolist(), table.counts.tolist(), strict=True)
    return {(given[i], generated[j]): value for (i, j), value in zip(pairs, numbers, strict=True)}


def test_an_example_by_hand():
    bitext = bitext_from_pairs(PAIRS)
    forward, reverse = lexical_tables(bitext, Links.from_pairs(LINKS))
    words = bitext.source.words, bitext.target.words
    third = pytest.approx(1 / 3)
    assert spelled(forward, *words) == {
        ("la", "the"): (pytest.approx(2 / 3), 2),
        ("la", "it"): (third, 1),
        ("maison", "house"): (1.0, 1),
        ("fleur", "NULL"): (1.0, 1),
        ("NULL", "big"): (1.0, 1),
    }
    assert spelled(reverse, *words[::-1]) == {
        ("the", "la"): (1.0, 2),
        ("it", "la"): (1.0, 1),
        ("house", "maison"): (1.0, 1),
        ("NULL", "fleur"): (1.0, 1),
        ("big", "NULL"): (1.0, 1),
    }


@given(corpora())
def test_equals_the_slow_twin(corpus):
    sources, targets, links = corpus
    bitext = encoded(sources, targets)
    forward, reverse = lexical_tables(bitext, Links.from_pairs(links))
    counted = reference.counts(*corpus)
    there, back = reference.probabilities(counted)
    words = bitext.source.words, bitext.target.words
    expected = {pair: (pytest.approx(there[pair]), count) for pair, count in counted.items()}
    assert spelled(forward, *words) == expected
    expected = {pair[::-1]: (pytest.approx(back[pair]), count) for pair, count in counted.items()}
    assert spelled(reverse, *words[::-1]) == expected


@given(corpora())
def test_laws_of_both_tables(corpus):
    sources, targets, links = corpus
    bitext = encoded(sources, targets)
    for table, side in zip(
        lexical_tables(bitext, Links.from_pairs(links)), (bitext.source, bitext.target), strict=True
    ):
        assert [array.dtype for array in table] == [np.int64, np.int32, np.float32, np.int64]
        assert len(table.rows) == len(side.words) + 2
        for first, end in zip(table.rows[:-1], table.rows[1:], strict=True):
            assert np.all(np.diff(table.columns[first:end]) > 0)
            if first < end:
                assert table.values[first:end].sum() == pytest.approx(1)
                assert table.probabilities()[first:end].sum() == pytest.approx(1, abs=1e-15)
        # every word occurs, so it has links or one with NULL; NULL alone may have an empty row
        assert np.all(np.diff(table.rows)[1:] > 0)


@given(corpora())
def test_lookup_finds_every_entry_and_nothing_else(corpus):
    sources, targets, links = corpus
    bitext = encoded(sources, targets)
    forward, _ = lexical_tables(bitext, Links.from_pairs(links))
    there, _ = reference.probabilities(reference.counts(*corpus))
    source = [reference.NULL, *bitext.source.words, "no such row"]
    target = [reference.NULL, *bitext.target.words, "no such column"]
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    given, generated = np.array(cells, np.int64).T
    expected = [there.get((source[i], target[j]), 0.0) for i, j in cells]
    found = lookup(forward, given, generated)
    assert found.dtype == np.float32
    assert found.tolist() == pytest.approx(expected)
    assert np.all(lookup(forward, -given - 1, generated) == 0)


def test_lookup_is_compiled_once():
    forward, reverse = lexical_tables(bitext_from_pairs(PAIRS), Links.from_pairs(LINKS))
    for table in (forward, reverse, tables_of_model(*small_model())[0]):
        lookup(table, np.array([1], np.int32), np.array([1, 2])[::2])
    assert len(look_up.signatures) == 1


def test_lookup_of_nothing_and_of_unequal_lengths():
    forward, _ = lexical_tables(bitext_from_pairs(PAIRS), Links.from_pairs(LINKS))
    assert lookup(forward, np.empty(0, np.int64), np.empty(0, np.int64)).tolist() == []
    with pytest.raises(OptionError, match="2 given but 1 generated words, expected as many"):
        lookup(forward, np.array([0, 1]), np.array([0]))


@pytest.mark.parametrize("threads", [1, 2])
def test_pieces_give_the_whole(monkeypatch, seed, threads):
    generator = np.random.default_rng(seed)
    sources, targets, links = [], [], []
    for _ in range(60):
        lengths = generator.integers(0, 12, 2)
        sources.append([f"s{k}" for k in generator.integers(0, 9, lengths[0])])
        targets.append([f"t{k}" for k in generator.integers(0, 9, lengths[1])])
        cells = [(i, j) for i in range(lengths[0]) for j in range(lengths[1])]
        links.append([cell for cell in cells if generator.random() < 0.1])
    bitext, flat = encoded(sources, targets), Links.from_pairs(links)
    whole = lexical_tables(bitext, flat)
    monkeypatch.setattr(lexical, "WORDS_AT_ONCE", 7)
    assert len(lexical._spans(bitext)) > 30
    for one, other in zip(whole, lexical_tables(bitext, flat, threads), strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("pairs", [[], [("", "")], [("", ""), ("", "")]])
def test_nothing_to_count(pairs):
    forward, reverse = lexical_tables(bitext_from_pairs(pairs), Links.from_pairs([[] for _ in pairs]))
    for table in (forward, reverse):
        assert table.rows.tolist() == [0, 0]
        assert [len(array) for array in table[1:]] == [0, 0, 0]


def test_without_any_link_all_words_are_with_null():
    bitext = bitext_from_pairs([("a b a", ""), ("", "x"), ("b", "x")])
    forward, reverse = lexical_tables(bitext, Links.from_pairs([[], [], []]))
    words = bitext.source.words, bitext.target.words
    assert spelled(forward, *words) == {("a", "NULL"): (1, 2), ("b", "NULL"): (1, 2), ("NULL", "x"): (1, 2)}
    assert spelled(reverse, *words[::-1]) == {
        ("x", "NULL"): (1, 2),
        ("NULL", "a"): (0.5, 2),
        ("NULL", "b"): (0.5, 2),
    }


def test_sentences_of_200_words():
    # Word k of 200 is linked to word 199 - k: each of the 200 pairs of words once.
    source, target = (" ".join(f"{letter}{k}" for k in range(200)) for letter in "st")
    bitext = bitext_from_pairs([(source, target)] * 3)
    forward, _ = lexical_tables(bitext, Links.from_pairs([[(k, 199 - k) for k in range(200)]] * 3))
    assert forward.columns.tolist() == list(range(200, 0, -1))
    assert forward.counts.tolist() == [3] * 200


def test_possible_links_count_too():
    links = Links.from_pairs([[(0, 0, 0.1, False), (1, 1)], []])
    forward, _ = lexical_tables(bitext_from_pairs(PAIRS), links)
    assert lookup(forward, np.array([1]), np.array([1])).tolist() == [0.5]  # "la" is unlinked in the second


def test_links_that_do_not_fit_are_refused():
    bitext = bitext_from_pairs(PAIRS)
    with pytest.raises(InputError, match=r"links, pair 2: link 1-3 \(from 0\) is outside of its pair"):
        lexical_tables(bitext, Links.from_pairs([[(0, 0)], [(1, 3)]]))


def test_linked_words():
    bitext = bitext_from_pairs(PAIRS)
    source, target = linked_words(bitext, Links.from_pairs(LINKS))
    assert [bitext.source.words[k] for k in source] == ["la", "maison", "la", "la"]
    assert [bitext.target.words[k] for k in target] == ["the", "house", "the", "it"]


def test_both_directions_of_a_model():
    forward, reverse = tables_of_model(*small_model())
    assert (forward.rows.tolist(), forward.columns.tolist()) == ([0, 1, 3, 3], [2, 1, 2])
    assert forward.values.tolist() == [0.5, 0.75, 0.125]
    # by target word: NULL has none, the first has source 1, the second NULL and source 1
    assert (reverse.rows.tolist(), reverse.columns.tolist()) == ([0, 0, 1, 3], [1, 0, 1])
    assert reverse.values.tolist() == [1, 0.25, 0]
    assert len(forward.counts) == len(reverse.counts) == 0
    assert forward.probabilities().tolist() == forward.values.tolist()
