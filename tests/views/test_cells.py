"""How wide text is in a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.views.cells import cell_width, pad_left, pad_right, printable


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("school", 6),
        ("école", 5),
        (unicodedata.normalize("NFD", "école"), 5),
        ("学校", 4),
        ("ｶﾅ", 2),  # half-width katakana
        ("Ａ", 2),  # full-width letter
        ("한", 2),
        (unicodedata.normalize("NFD", "한"), 2),  # three letters in one block
        ("नि\u200dन", 3),  # a zero-width joiner takes no room
        ("שָׁלוֹם", 4),  # vowel points take no room
    ],
)
def test_width(text, width):
    assert cell_width(text) == width


def test_padding_counts_cells_not_characters():
    assert pad_left("学校", 6) == "  学校"
    assert pad_right("学校", 6) == "学校  "


def test_a_word_cannot_steer_the_terminal():
    assert printable("a\x1b[31mb\u2028c\u202ed\x85", 20) == "a�[31mb�cd�"


def test_a_lone_surrogate_can_be_written():
    assert printable("a\ud800", 20).encode("utf-8") == "a�".encode()


def test_a_cut_keeps_wide_characters_and_marks_whole():
    assert printable("学校学校", 6) == "学校…"  # a third one would fill cells 5 and 6, where the ellipsis is
    assert printable("e\u0301e\u0301e\u0301e\u0301", 3) == "e\u0301e\u0301…"


@given(st.text(), st.integers(1, 12))
def test_a_printable_word_never_exceeds_its_limit(word, limit):
    assert cell_width(printable(word, limit)) <= limit
