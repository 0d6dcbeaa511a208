"""The lexicon: counts to probabilities against the slow twin, pruning, and the lexicon of another text."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cepts.words import Lexicon, Smoothing, Vocabularies, index_bitext
from cepts.words import lexicon as lexicon_module
from cepts.words.lexicon import FLOOR, KEPT, SAME_SPELLING, UNSEEN
from tests.reference import lexicon as slow
from tests.words.corpora import (
    as_dictionaries,
    bitext_of,
    corpora,
    random_counts,
    random_lexicon,
    random_pairs,
    rows_of,
)

seeds = st.integers(0, 2**32 - 1)
EULER = 0.5772156649015329


def vocabularies(bitext):
    return Vocabularies(bitext.source.words, bitext.target.words)


def assert_same(table, expected, relative):
    assert table.keys() == expected.keys()
    for key, value in expected.items():
        assert table[key] == pytest.approx(value, rel=relative, abs=1e-12), key


def check_maximised(pairs, seed, prior, relative):
    indexed = index_bitext(bitext_of(pairs))
    lexicon = Lexicon.uniform(indexed)
    counts = random_counts(indexed, seed)
    expected = [slow.maximised(way, prior, FLOOR) for way in as_dictionaries(lexicon, counts)]
    result = lexicon.maximised(counts, Smoothing(prior))
    for table, twin in zip(as_dictionaries(result), expected, strict=True):
        assert_same(table, twin, relative)


@given(pairs=corpora(), seed=seeds)
def test_maximum_likelihood_equals_the_slow_twin(pairs, seed):
    check_maximised(pairs, seed, 0.0, 1e-6)


@pytest.mark.parametrize("prior", [0.01, 2.0])
@settings(max_examples=30)
@given(pairs=corpora(), seed=seeds)
def test_the_variational_mean_equals_the_slow_twin(prior, pairs, seed):
    check_maximised(pairs, seed, prior, 1e-5)


@given(pairs=corpora(), seed=seeds)
def test_rows_and_columns_sum_to_one_without_prior(pairs, seed):
    indexed = index_bitext(bitext_of(pairs))
    result = Lexicon.uniform(indexed).maximised(random_counts(indexed, seed), Smoothing(0.0, 0.0))
    for table in as_dictionaries(result):
        sums = {}
        for (given_word, _), value in table.items():
            sums[given_word] = sums.get(given_word, 0.0) + value
        assert sums == pytest.approx(dict.fromkeys(sums, 1.0), abs=1e-6)


@given(pairs=corpora())
def test_an_even_lexicon_shares_each_row(pairs):
    lexicon = Lexicon.even(index_bitext(bitext_of(pairs)))
    for table in as_dictionaries(lexicon):
        words = rows_of(table)
        expected = {(word, other): 1 / len(words[word]) for word, other in table}
        assert table == pytest.approx(expected, rel=1e-6)
    assert lexicon.values[0].tolist() == [0, 0]


def test_null_is_never_generated_and_padding_stays_impossible(seed):
    indexed = index_bitext(bitext_of(random_pairs(seed)))
    result = Lexicon.uniform(indexed).maximised(random_counts(indexed, seed), Smoothing())
    assert (result.values[indexed.columns == 0, 0] == 0).all()
    assert (result.values[: indexed.row_offsets[1], 1] == 0).all()
    assert (result.values[0] == 0).all()


def test_no_probability_falls_under_the_floor_even_without_any_count(seed):
    indexed = index_bitext(bitext_of(random_pairs(seed)))
    lexicon = Lexicon.uniform(indexed)
    result = lexicon.maximised(np.zeros_like(lexicon.values), Smoothing(0.0, 1e-3))
    for table in as_dictionaries(result):
        assert set(table.values()) == {float(np.float32(1e-3))}


@pytest.mark.parametrize(
    ("x", "value"),
    [  # Abramowitz and Stegun 6.3.2, 6.3.3, and digamma(x + 1) = digamma(x) + 1/x
        (1.0, -EULER),
        (0.5, -EULER - 2 * math.log(2)),
        (2.0, 1 - EULER),
        (21.0, sum(1 / k for k in range(1, 21)) - EULER),
    ],
)
def test_digamma_at_known_places(x, value):
    from cepts.words.lexicon_kernels import exp_digamma

    assert slow.digamma(x) == pytest.approx(value, rel=1e-13)
    assert exp_digamma(x) == pytest.approx(math.exp(value), rel=1e-6)


@given(x=st.floats(0.01, 1e4))
def test_exp_digamma_equals_the_slow_twin(x):
    from cepts.words.lexicon_kernels import exp_digamma

    assert exp_digamma(x) == pytest.approx(math.exp(slow.digamma(x)), rel=5e-6)


def sparse_lexicon(indexed, seed):
    """A lexicon with many values under the threshold of pruning."""
    counts = random_counts(indexed, seed)
    small = np.random.default_rng(seed + 1).random(len(counts)) < 0.5
    counts[small] *= 1e-9
    return Lexicon.uniform(indexed).maximised(counts, Smoothing())


@given(pairs=corpora(), seed=seeds)
def test_pruning_keeps_what_is_probable_in_one_direction_and_sorts(pairs, seed):
    lexicon = sparse_lexicon(index_bitext(bitext_of(pairs)), seed)
    before, after = as_dictionaries(lexicon), as_dictionaries(lexicon.pruned())
    forward = {
        (row, column): value
        for (row, column), value in before[0].items()
        if max(value, before[1].get((column, row), 0.0)) >= np.float32(KEPT)
    }
    assert after[0] == forward
    for row in range(len(lexicon.row_offsets) - 1):
        pruned = lexicon.pruned()
        columns = pruned.columns[pruned.row_offsets[row] : pruned.row_offsets[row + 1]].tolist()
        assert columns == sorted(columns)


@given(pairs=corpora(), seed=seeds, block=st.integers(1, 8))
def test_the_entries_that_are_kept_are_those_of_the_pruned_lexicon(pairs, seed, block):
    lexicon = sparse_lexicon(index_bitext(bitext_of(pairs)), seed)
    pruned = lexicon.pruned()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexicon_module, "ROW_BLOCK", block)
        kept = np.concatenate([*lexicon.kept_entries()])
    np.testing.assert_array_equal(lexicon.columns[kept], pruned.columns)
    np.testing.assert_array_equal(lexicon.values[kept], pruned.values)


def test_words_without_a_partner_do_not_disturb_pruning(seed):
    # Words 1 to 19 occur on the target side of pairs without a source side: they have ids, but no entries.
    pairs = [([], list(range(1, 20))), ([1], [20])]
    lexicon = sparse_lexicon(index_bitext(bitext_of(pairs)), seed)
    assert lexicon.columns.max() > len(lexicon.columns), "a column is larger than the number of entries"
    pruned = lexicon.pruned(0.0)
    assert as_dictionaries(pruned) == as_dictionaries(lexicon)


@given(pairs=corpora(), seed=seeds)
def test_settled_is_pruned_and_looked_up_to_the_last_bit(pairs, seed):
    bitext = bitext_of(pairs)
    indexed = index_bitext(bitext)
    lexicon = sparse_lexicon(indexed, seed)
    looked_up = lexicon.pruned().for_text(indexed, vocabularies(bitext), vocabularies(bitext))
    for chunk in indexed.chunks:
        assert np.array_equal(lexicon.settled().local(chunk.entries), looked_up.local(chunk.entries))


@given(pairs=corpora(), text=corpora(pairs=3, words=9), seed=seeds)
def test_the_lexicon_of_another_text(pairs, text, seed):
    bitext, other = bitext_of(pairs), bitext_of(text)
    known = random_lexicon(index_bitext(bitext), seed)
    indexed = index_bitext(other)
    tables = as_dictionaries(known.pruned().for_text(indexed, vocabularies(other), vocabularies(bitext)))
    for way, (given_side, side) in enumerate((("source", "target"), ("target", "source"))):
        named = by_word(as_dictionaries(known)[way], getattr(bitext, given_side), getattr(bitext, side))
        for pair, value in by_word(tables[way], getattr(other, given_side), getattr(other, side)).items():
            assert value == np.float32(expected_value(pair, named, bitext, given_side, side)), pair


def by_word(table, given_side, side):
    return {
        (given_side.words[a - 1] if a else None, side.words[b - 1]): value for (a, b), value in table.items()
    }


def expected_value(pair, named, bitext, given_side, side):
    """What a pair is worth in another text: as trained, or by how many of its words are new."""
    given_word, word = pair
    new = [given_word is not None and given_word not in getattr(bitext, given_side).words]
    new.append(word not in getattr(bitext, side).words)
    if any(new) and given_word == word:
        return SAME_SPELLING
    if given_word is None:
        return named[pair] if not new[1] else UNSEEN[3]
    return named.get(pair, UNSEEN[0]) if not any(new) else UNSEEN[sum(new)]


def test_new_numbers_are_recognised_in_either_spelling():
    bitext = bitext_of([([1], [1])])
    other = bitext_of([(["1,000"], ["1.000"])])
    lexicon = Lexicon.uniform(index_bitext(bitext)).pruned()
    table = as_dictionaries(lexicon.for_text(index_bitext(other), vocabularies(other), vocabularies(bitext)))[
        0
    ]
    assert (
        by_word(table, other.source, other.target)["w1,000", "w1.000"] == UNSEEN[2]
    )  # w: letters, no number

    from cepts.corpus import bitext_from_pairs

    other = bitext_from_pairs([("1,000", "1.000")])
    table = as_dictionaries(lexicon.for_text(index_bitext(other), vocabularies(other), vocabularies(bitext)))[
        0
    ]
    assert by_word(table, other.source, other.target)["1,000", "1.000"] == SAME_SPELLING


@settings(max_examples=20)
@given(pairs=corpora(), seed=seeds)
def test_a_normalised_lexicon_is_a_distribution_for_each_word(pairs, seed):
    indexed = index_bitext(bitext_of(pairs))
    lexicon = random_lexicon(indexed, seed).maximised(random_counts(indexed, seed), Smoothing(0.1))
    for table, plain in zip(as_dictionaries(lexicon.normalised()), as_dictionaries(lexicon), strict=True):
        for given_word, generated in rows_of(table).items():
            total = sum(plain[given_word, word] for word in generated)
            for word in generated:
                assert table[given_word, word] == pytest.approx(plain[given_word, word] / total, rel=1e-5)
