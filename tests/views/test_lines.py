"""Two sentences joined by lines of dots: where lines begin and end, and what cannot be drawn so."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from cepts.errors import InputError
from cepts.links import Link
from cepts.views import draw_lines
from cepts.views.cells import cell_width
from cepts.views.lines import ROWS
from tests.views.pairs import aligned


def spans(line, words):
    """The cells that each word fills."""
    found, at, cells = [], 0, 0
    for word in words:
        start = line.index(word, at)
        cells += cell_width(line[at:start])
        found.append(range(cells, cells + cell_width(word)))
        at, cells = start + len(word), cells + cell_width(word)
    return found


def dotted(line):
    """The cells that have a dot."""
    return {cell for cell, sign in enumerate(line) if sign != " "}


@given(aligned(least=1))
def test_every_linked_word_has_the_end_of_a_line(pair):
    source, target, links = pair
    above, *between, below = draw_lines(*pair).split("\n")
    assert len(between) == ROWS
    for text, words, row, ends in (
        (above, source, between[0], {link.source for link in links}),
        (below, target, between[-1], {link.target for link in links}),
    ):
        assert text.split() == words
        for number, cells in enumerate(spans(text, words)):
            assert number not in ends or dotted(row) & set(cells)
    assert any(map(dotted, between)) == bool(links)


@given(aligned(least=1))
def test_colour_changes_nothing_but_colour(pair):
    assert re.sub("\x1b\\[\\d+m", "", draw_lines(*pair, colour=True)) == draw_lines(*pair)


def test_a_straight_line_a_dashed_one_and_a_word_alone():
    links = [Link(0, 0), Link(1, 1, 0.4)]
    assert draw_lines(["a", "b", "c"], ["x", "y"], links) == "\n".join(
        [
            "a   b   c",
            "⡇   ⠱",
            "⡇    ⠠⡀",
            "⡇     ⠁",
            "⡇      ⠱⡀",
            "x       y",
        ]
    )


@pytest.mark.parametrize(
    ("source", "target", "width"),
    [
        (["a"] * 30, ["b"], 100),
        (["ذهب"], ["went"], 100),
        ([], ["b"], 100),
        (["a"], [], 100),
        (["ab"], ["c"], 1),
    ],
)
def test_what_cannot_be_read_is_not_drawn(source, target, width):
    assert draw_lines(source, target, [], width=width) is None


def test_what_is_as_wide_as_the_terminal_fits():
    assert draw_lines(["ab", "cd"], ["e"], [], width=7) is not None
    assert draw_lines(["ab", "cd"], ["e"], [], width=6) is None


def test_a_link_out_of_range_is_named():
    with pytest.raises(InputError, match=r"^link 1-0 is outside of the pair"):
        draw_lines(["a"], ["b"], [Link(1, 0)])
