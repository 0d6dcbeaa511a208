"""Drawings for the terminal: golden pictures, drawn by hand, and laws."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import InputError
from cepts.links import Link
from cepts.views import draw_matrix, draw_pairs
from cepts.views.cells import cell_width
from tests.views.pairs import aligned

SOURCE = ["le", "chat", "ne", "dort", "pas"]
TARGET = ["the", "cat", "is", "not", "sleeping"]
LINKS = [Link(0, 0), Link(1, 1), Link(2, 3, sure=False), Link(3, 2, 0.3), Link(3, 4), Link(4, 3)]


def picture(text):
    """Strip the frame of a golden drawing: `|` begins each line."""
    return "\n".join(line.lstrip()[1:].rstrip() for line in text.strip().split("\n"))


def test_matrix():
    assert draw_matrix(SOURCE, TARGET, LINKS) == picture("""
        |  le ██· · · ·
        |chat · ██· · ·
        |  ne · · · ▒▒·
        |dort · · ▒▒· ██
        | pas · · · ██·
        |     │ │ │ │ └ sleeping
        |     │ │ │ └ not
        |     │ │ └ is
        |     │ └ cat
        |     └ the
    """)


def test_matrix_against_gold():
    found = [Link(0, 0), Link(1, 2), Link(2, 3), Link(3, 4)]
    gold = [Link(0, 0), Link(1, 1), Link(2, 3, sure=False), Link(3, 2, sure=False), Link(3, 4)]
    assert draw_matrix(SOURCE, TARGET, found, gold) == picture("""
        |  le ██· · · ·
        |chat · []××· ·
        |  ne · · · ▒▒·
        |dort · · ()· ██
        | pas · · · · ·
        |     │ │ │ │ └ sleeping
        |     │ │ │ └ not
        |     │ │ └ is
        |     │ └ cat
        |     └ the
        |
        |██ right   ▒▒ possible   ×× wrong   [] missed   () possible, not taken
    """)


def test_the_legend_explains_only_what_occurs():
    drawing = draw_matrix(["chat"], ["cat"], [Link(0, 0)], [Link(0, 0)])
    assert drawing.endswith("\n\n██ right")


def test_matrix_with_wide_characters():
    assert draw_matrix(["我", "去", "学校"], ["I", "go"], [Link(0, 0), Link(1, 1)]) == picture("""
        |  我 ██·
        |  去 · ██
        |学校 · ·
        |     │ └ go
        |     └ I
    """)


def test_matrix_is_cut_into_drawings_that_fit():
    assert draw_matrix(["a", "b"], ["one", "two", "three"], [Link(0, 0), Link(1, 2)], width=10) == picture("""
        |a ██·
        |b · ·
        |  │ └ two
        |  └ one
        |
        |a ·
        |b ██
        |  └ three
    """)


def test_pairs():
    assert draw_pairs(SOURCE, TARGET, LINKS) == picture("""
        |le    chat   ne … pas   dort
        |the   cat    not        is … sleeping
    """)


def test_pairs_show_unlinked_words_last_and_never_one_above_the_other():
    assert draw_pairs(["a", "b", "c"], ["x", "y"], [Link(1, 0)]) == picture("""
        |b   (a)   (c)
        |x               (y)
    """)


def test_pairs_join_what_is_linked_through_others():
    links = [Link(2, 1), Link(0, 0), Link(0, 2), Link(1, 2)]
    assert draw_pairs(["il", "y", "a"], ["there", "has", "been"], links) == picture("""
        |il y           a
        |there … been   has
    """)


def test_pairs_with_wide_characters():
    assert draw_pairs(["我", "学校"], ["I", "school"], [Link(0, 0), Link(1, 1)]) == picture("""
        |我   学校
        |I    school
    """)


def test_pairs_are_cut_between_groups():
    links = [Link(k, k) for k in range(3)]
    assert draw_pairs(["un", "deux", "trois"], ["one", "two", "three"], links, width=12) == picture("""
        |un    deux
        |one   two
        |
        |trois
        |three
    """)


@pytest.mark.parametrize("draw", [draw_matrix, draw_pairs])
def test_two_empty_sentences_are_an_empty_drawing(draw):
    assert draw([], [], []) == ""
    assert draw([], [], [], colour=True) == ""


def test_one_empty_sentence():
    assert draw_matrix(["a", "bc"], [], []) == " a\nbc"
    assert draw_matrix([], ["a", "bc"], []) == " │ └ bc\n └ a"
    assert draw_pairs(["a", "b"], [], []) == "(a)   (b)\n"
    assert draw_pairs([], ["a", "b"], []) == "\n(a)   (b)"


def test_a_very_long_word_is_cut():
    assert draw_matrix(["x" * 99], ["y"], []).startswith("x" * 23 + "… ·\n")


@pytest.mark.parametrize("draw", [draw_matrix, draw_pairs])
@pytest.mark.parametrize("link", [Link(5, 0), Link(0, 5), Link(-1, 0), Link(0, -1)])
def test_a_link_out_of_range_is_named(draw, link):
    message = (
        f"link {link.source}-{link.target} is outside of the pair: it has 5 source and 5 target words,"
        " counted from 0; check that links and text belong together"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        draw(SOURCE, TARGET, [Link(0, 0), link])


def test_a_gold_link_out_of_range_is_named():
    with pytest.raises(InputError, match=r"^gold link 5-0 is outside of the pair"):
        draw_matrix(SOURCE, TARGET, LINKS, [Link(5, 0)])


@given(aligned())
def test_colour_changes_nothing_but_colour(pair):
    for draw in (draw_matrix, draw_pairs):
        plain = re.sub("\x1b\\[\\d+m", "", draw(*pair, colour=True))
        assert [line.rstrip() for line in plain.split("\n")] == draw(*pair).split("\n")


@given(aligned())
def test_matrix_can_be_read_back(pair):
    source, target, links = pair
    margin = max(map(cell_width, source), default=0) + 1
    lines = draw_matrix(source, target, links).split("\n")[: len(source)]
    seen = []
    for i, (word, line) in enumerate(zip(source, lines, strict=True)):
        cells = line[margin - cell_width(word) + len(word) :]
        seen += [Link(i, j, 1.0, cells[2 * j] == "█") for j in range(len(target)) if cells[2 * j] in "█▒"]
    assert seen == sorted(links)


@given(aligned(), st.integers(20, 60))
def test_no_line_is_wider_than_asked(pair, width):
    for line in draw_matrix(*pair, width=width).split("\n"):
        assert cell_width(line) <= width


@given(aligned())
def test_pairs_hold_every_word_once(pair):
    source, target, _ = pair
    above, below = [""] * 2 if not source and not target else draw_pairs(*pair, width=10_000).split("\n")
    for drawn, sentence in ((above, source), (below, target)):
        assert sorted(re.sub("[()…]", " ", drawn).split()) == sorted(sentence)
