"""How the views look: nothing that axe finds wrong, nothing wider than a phone, and pictures for people to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.chromium import HEIGHT, PHONE, WIDE, looks, take_pictures
from tests.web.browser.corpus_pages import violations
from tests.web.browser.pages import PAIR, wait_for_answers, wait_for_matrix

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.browser.browsing import Visitor

NAMES = {
    "transcribe-name": "вера",
    "rank-name": "вера",
    "rank-candidates": "nina\nvera",
    "explain-source": "вера",
    "explain-target": "vera",
}
SENTENCES = {
    "compare-source": "Le chat noir dort .",
    "compare-target": "The black cat is sleeping .",
    "nearest-text": "Il ne pleut plus .",
}
VIEWS = {
    "align": ("#align", PAIR, ".draw-curve"),
    "align-changes": (
        "#align",
        {**PAIR, "show": "comparison", "combine": "union", "against": "intersection"},
        ".draw-curve",
    ),
    "align-cepts": ("#align", {**PAIR, "show": "group"}, ".draw-curve"),
    "names": ("#names", NAMES, ".edits li"),
    "sentences": ("#sentences", SENTENCES, ".ranking tr"),
}


def open_view(visitor: Visitor, name: str) -> Page:
    """Open a view and wait until its answers are there."""
    path, query, ready = VIEWS[name]
    page = visitor.open(path, **query)
    page.locator(ready).first.wait_for(state="attached")
    wait_for_answers(page)
    return page


@pytest.mark.parametrize("name", VIEWS)
def test_views_light_and_dark_wide_and_narrow(visitor: Visitor, name: str) -> None:
    page = open_view(visitor, name)
    for _, width in looks(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert width != WIDE or violations(page) == []
    take_pictures(page, name)


def test_dark_is_chosen_and_kept(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Dark theme").click()
    dark = page.evaluate(background)
    assert dark != light
    page.reload()
    assert page.evaluate(background) == dark
    page.get_by_role("button", name="Light theme").click()
    assert page.evaluate(background) == light
    assert page.get_by_role("button", name="Dark theme").is_visible()


def test_on_a_phone_drawings_come_before_settings(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    page.set_viewport_size({"width": PHONE, "height": HEIGHT})
    assert below(page, ".settings", ".draw-matrix")
    page.set_viewport_size({"width": WIDE, "height": HEIGHT})
    assert below(page, ".draw-bipartite", ".settings")
    page = visitor.open("#corpus/3")
    wait_for_matrix(page)
    page.set_viewport_size({"width": PHONE, "height": HEIGHT})
    assert below(page, ".controls", ".draw-matrix")
    assert below(page, ".export", ".controls")
    page.set_viewport_size({"width": WIDE, "height": HEIGHT})
    assert below(page, ".draw-matrix", ".controls")


def below(page: Page, lower: str, upper: str) -> bool:
    """Tell whether one element begins below the end of another."""
    one, other = (page.locator(selector).first.bounding_box() for selector in (lower, upper))
    assert one is not None
    assert other is not None
    return one["y"] >= other["y"] + other["height"]
