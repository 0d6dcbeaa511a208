"""Words that are written alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.corpus import bitext_from_pairs
from cepts.words import index_bitext, same_spelling_entries
from cepts.words.spelling import same_spelling, spelling_key


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("1,000", "1000"),
        ("1.000", "1000"),
        ("1'000", "1000"),
        ("-3,5%", "-3,5%"),  # neither its first nor its last character is a digit
        ("3,5%", "35"),
        ("12.", "12"),
        ("mp3", "mp3"),
        ("3rd", "3rd"),
        ("٣٫٥", "٣٥"),  # Arabic-Indic digits are digits
        ("Paris", "paris"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_keys(word, key):
    assert spelling_key(word) == key


@given(st.text(max_size=6))
def test_a_key_is_its_own_key(word):
    assert spelling_key(spelling_key(word)) == spelling_key(word)


words = st.lists(st.text("aB1,. ", min_size=1, max_size=3), max_size=12)


@given(source=words, target=words)
def test_all_pairs_with_the_same_key_and_no_other(source, target):
    expected = [
        (i, j)
        for i, a in enumerate(source)
        for j, b in enumerate(target)
        if spelling_key(a) == spelling_key(b)
    ]
    assert list(zip(*(ids.tolist() for ids in same_spelling(source, target)), strict=True)) == expected


def test_entries_of_words_that_are_written_alike_and_occur_together():
    bitext = bitext_from_pairs([("paris 1,000", "1.000 paris the"), ("rome", "the"), ("the", "rome")])
    indexed = index_bitext(bitext)
    rows = np.repeat(np.arange(len(indexed.row_offsets) - 1), np.diff(indexed.row_offsets))
    entries = same_spelling_entries(indexed, bitext.source.words, bitext.target.words)
    found = {
        (bitext.source.words[rows[k] - 1], bitext.target.words[indexed.columns[k] - 1])
        for k in entries.tolist()
    }
    assert found == {("paris", "paris"), ("1,000", "1.000")}, (
        "rome and the are never in one pair with themselves"
    )
