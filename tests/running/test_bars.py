"""What the bar says, and that it goes when it is no longer wanted."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from cepts.running.bars import LONG_ENOUGH, Bar, about, share_of
from cepts.running.steps import Step, current_listener, ignore, listening, tell


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def drawing() -> tuple[Bar, Clock, io.StringIO]:
    screen, clock = io.StringIO(), Clock()
    console = Console(file=screen, force_terminal=True, width=100, color_system=None)
    return Bar(console, clock), clock, screen


def test_iterations_are_those_of_the_whole_training():
    bar, _, screen = drawing()
    with bar:
        for number in (1, 2):
            bar(Step("ibm1", number, 2, 1.0, in_all=5))
        for number in (1, 2, 3):
            bar(Step("hmm", number, 3, 1.0, before=2, in_all=5))
    drawn = screen.getvalue()
    places = [drawn.index(f"training {number} of 5") for number in range(1, 6)]
    assert places == sorted(places)
    assert bar.share == 1.0


def test_the_time_that_is_left_follows_the_stage_at_work():
    bar, clock, _ = drawing()
    with bar:
        bar(Step("ibm1", 1, 2, 0.0, in_all=4))
        clock.now += 0.5
        bar(Step("ibm1", 2, 2, 1.0, in_all=4))
        assert bar.left() == "", "after half a second nobody knows"
        bar(Step("hmm", 1, 2, 0.0, before=2, in_all=4))
        clock.now += 20.0
        bar(Step("hmm", 1, 2, 1.0, before=2, in_all=4))
        assert bar.left() == "about 20 s left", "an iteration of the HMM takes longer than one of IBM-1"
        clock.now += 11.0
        assert bar.left() == "about 9 s left", "it goes down between steps"


def test_a_new_stage_begins_anew():
    bar, clock, screen = drawing()
    with bar:
        bar(Step("links", 1, 1, 0.0))
        clock.now += 2 * LONG_ENOUGH
        bar(Step("links", 1, 1, 0.5))
        assert bar.left()
        bar(Step("writing", 1, 1, 0.0))
        assert bar.left() == ""
    assert re.search("linking.*writing", screen.getvalue(), re.DOTALL)


def test_nothing_is_drawn_behind_the_end():
    bar, _, screen = drawing()
    with bar:
        bar(Step("links", 1, 1, 0.5))
        bar.end()
        before = screen.getvalue()
        bar(Step("writing", 1, 1, 0.5))
        assert screen.getvalue() == before
    assert "writing" not in screen.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "nearly done"),
        (-5.0, "nearly done"),
        (9.9, "about 10 s left"),
        (89.0, "about 90 s left"),
        (91.0, "about 2 min left"),
        (5399.0, "about 90 min left"),
        (5401.0, "about 2 h left"),
    ],
)
def test_times_in_words(seconds, text):
    assert about(seconds) == text


def test_a_share_is_never_more_than_all():
    assert share_of(Step("hmm", 5, 5, 1.5)) == 1.0
    assert share_of(Step("hmm", 1, 4, 0.5)) == 0.125


def test_who_listens_hears_what_nobody_else_is_told():
    heard = []
    with listening(heard.append):
        tell("reading", 0.25)
        ignore(Step("links", 1, 1, 0.5))
        assert current_listener() is not None
    tell("reading", 0.5)
    assert heard == [Step("reading", 1, 1, 0.25), Step("links", 1, 1, 0.5)]
    assert current_listener() is None
