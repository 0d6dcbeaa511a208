"""Dictionaries as files: what is read, and what is refused in words."""

import gzip
import math

import pytest

from cepts.corpus.lexicons import Entry, parse_lexicon, read_lexicon
from cepts.errors import InputError


def test_columns_with_and_without_weights():
    lines = ["maison\thouse", "", "la\tthe\t0.5", "New  York \t New York\t", "le\tthe\t2\tnoted by hand"]
    assert parse_lexicon(lines, "words") == [
        Entry("maison", "house"),
        Entry("la", "the", 0.5),
        Entry("New  York", "New York"),
        Entry("le", "the", 2.0),
    ]


def test_bars_separate_as_well():
    assert parse_lexicon(["la maison ||| house ||| 0.5"], "words") == [Entry("la maison", "house", 0.5)]


def test_logarithms_are_told_by_their_sign():
    weights = [entry.weight for entry in parse_lexicon(["a\tx\t-1", "b\ty\t0", "c\tz\t-inf"], "words")]
    assert weights == pytest.approx([math.exp(-1), 1.0, 0.0])


def test_what_the_lexicon_command_writes_has_its_scores_as_weights():
    lines = [
        "source\ttarget\tcount\tp(target|source)\tp(source|target)\tscore",
        "maison\thouse\t9\t0.9\t1.0\t0.947368",
    ]
    assert parse_lexicon(lines, "words") == [Entry("maison", "house", 0.947368)]
    assert parse_lexicon(["source\ttarget\tweight", "a\tx\t3"], "words") == [Entry("a", "x", 3.0)]
    assert parse_lexicon(["source\ttarget"], "words") == [Entry("source", "target")]


def test_an_empty_file_is_an_empty_lexicon():
    assert parse_lexicon([], "words") == parse_lexicon(["", "  "], "words") == []


def test_a_compressed_file_with_other_line_ends(tmp_path):
    path = tmp_path / "words.gz"
    path.write_bytes(gzip.compress("\ufeffété\tsummer\r\nneige\tsnow".encode()))
    assert read_lexicon(path) == [Entry("été", "summer"), Entry("neige", "snow")]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["a\tx", "a x 0.5"],
            r"words, line 2: one column, expected `source TAB target`, or `source TAB target TAB w",
        ),
        (["", "\tx"], r"words, line 2: no source word, expected"),
        (["a\t \t1"], r"words, line 1: no target word, expected"),
        (
            ["a\tx\theavy"],
            r"words, line 1: 'heavy' is not a weight, expected a number from 0 to 1e\+06, or a logarithm",
        ),
        (["a\tx\tnan"], r"words, line 1: 'nan' is not a weight"),
        (["a\tx\t1e9"], r"words, line 1: '1e9' is not a weight"),
        (
            ["a\tx\t0.5", "b\ty\t-2"],
            r"words, line 1: weight 0.5, but -2 in line 2: weights below 0 are logarithms, expected all or none",
        ),
    ],
)
def test_broken_lines_are_refused(lines, message):
    with pytest.raises(InputError, match=message):
        parse_lexicon(lines, "words")


def test_bytes_that_are_no_text_are_refused_or_replaced(tmp_path):
    path = tmp_path / "words"
    path.write_bytes(b"a\tx\nb\xff\ty\n")
    with pytest.raises(InputError, match=r"words, line 2: invalid UTF-8, byte 0xff at byte 2 of the line"):
        read_lexicon(path)
    assert read_lexicon(path, errors="replace")[1] == Entry("b\ufffd", "y")
    with pytest.raises(InputError, match="no such file"):
        read_lexicon(tmp_path / "nothing")
