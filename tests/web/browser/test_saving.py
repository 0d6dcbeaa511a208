"""Corrections on their way to the server: two people at one pair, a token, a server that is killed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.chromium import take_pictures
from tests.web.browser.browsing import Visitor
from tests.web.browser.corpus_pages import cell, open_pair, violations, wait_until_saved
from tests.web.browser.corpus_server import correction_of

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.web.browser.corpus_server import CorpusProcess

RIGHT = [[0, 0, "S"], [1, 1, "S"], [2, 2, "S"]]  # the links of a plain line
CONFLICT = "409"  # what the console says of it


def test_two_people_at_one_pair_see_both_versions_and_lose_nothing(reader: Visitor) -> None:
    reader.expected = [CONFLICT]
    mine, theirs = open_pair(reader, 20), open_pair(reader, 20)
    theirs.get_by_label("Your name").fill("Ann")
    cell(theirs, 0, 1).click()
    wait_until_saved(theirs)
    expect(theirs.locator(".saving")).to_have_text("✓ Saved")
    cell(mine, 0, 2).click()
    panel = mine.get_by_role("region", name="Conflict")
    expect(panel).to_contain_text("by Ann")
    expect(
        panel.locator("tbody tr", has=mine.locator("th[scope=row]")).filter(has_text="une – line")
    ).to_have_text("une – linesureno link")
    assert violations(mine) == []
    take_pictures(mine, "conflict")
    assert correction_of(reader.address, 20) == [[0, 0, "S"], [0, 1, "S"], *RIGHT[1:]]
    panel.get_by_role("button", name="Keep all links of both").click()
    wait_until_saved(mine)
    assert correction_of(reader.address, 20) == [[0, 0, "S"], [0, 1, "S"], [0, 2, "S"], *RIGHT[1:]]
    mine.keyboard.press("Control+z")
    wait_until_saved(mine)
    assert correction_of(reader.address, 20) == [[0, 0, "S"], [0, 1, "S"], *RIGHT[1:]]
    mine.keyboard.press("Control+z")
    wait_until_saved(mine)
    assert correction_of(reader.address, 20) == [[0, 0, "S"], [0, 2, "S"], *RIGHT[1:]]


@pytest.mark.parametrize(("line", "button", "left"), [(21, "Keep theirs", 1), (22, "Keep mine", 2)])
def test_a_conflict_ends_as_chosen(reader: Visitor, line: int, button: str, left: int) -> None:
    reader.expected = [CONFLICT]
    mine, theirs = open_pair(reader, line), open_pair(reader, line)
    cell(theirs, 0, 1).click()
    expect(theirs.locator(".saving")).to_have_text("✓ Saved")
    cell(mine, 0, 2).click()
    mine.get_by_role("button", name=button).click()
    wait_until_saved(mine)
    assert correction_of(reader.address, line) == [[0, 0, "S"], [0, left, "S"], *RIGHT[1:]]


@pytest.fixture
def annotator(browser: Browser, process: CorpusProcess) -> Iterator[Visitor]:
    """A visitor of the server that may be killed, who knows the token."""
    visiting = Visitor(browser, process.address)
    visiting.expected = ["Failed to load resource", "dialog"]
    yield visiting
    visiting.leave()
    assert visiting.troubles() == []


def with_token(annotator: Visitor, line: int) -> Page:
    """Open a pair, with a token that the page was given before."""
    page = annotator.open("#corpus")
    page.evaluate("sessionStorage.setItem('cepts-token', 'secret')")
    page.goto(f"{annotator.address}#corpus/{line}")
    page.reload()
    cell(page, 0, 0).wait_for()
    return page


def test_a_token_is_asked_for_and_kept_for_the_window(annotator: Visitor) -> None:
    page = open_pair(annotator, 6)
    page.get_by_label("Token").fill("wrong")
    page.keyboard.press("Enter")
    cell(page, 0, 1).click()
    expect(page.locator(".problem")).to_contain_text("token")
    expect(page.get_by_label("Token")).to_be_focused()
    assert violations(page) == []
    page.get_by_label("Token").fill("secret")
    page.get_by_role("button", name="Use this token").click()
    wait_until_saved(page)
    assert correction_of(annotator.address, 6) == [[0, 0, "S"], [0, 1, "S"], *RIGHT[1:]]
    page.reload()
    cell(page, 0, 2).click()
    expect(cell(page, 0, 2)).to_have_attribute("data-mark", "added")
    wait_until_saved(page)


def test_a_server_that_is_killed_costs_nothing(annotator: Visitor, process: CorpusProcess) -> None:
    page, closed = with_token(annotator, 7), with_token(annotator, 8)
    for one in (page, closed):
        cell(one, 0, 1).click()
        expect(one.locator(".saving")).to_have_text("✓ Saved")
    process.kill()
    for one in (page, closed):
        cell(one, 0, 2).click()
        expect(one.locator(".saving")).to_contain_text("Not saved, trying again.")
    cell(page, 1, 1).click()
    take_pictures(page, "not-saved")
    context = close_in_spite_of_a_warning(closed)
    process.start()
    assert correction_of(annotator.address, 8) == [[0, 0, "S"], [0, 1, "S"], *RIGHT[1:]]  # saved before
    with suppress(playwright.TimeoutError):  # the page may have tried by itself just before
        page.get_by_role("button", name="Try now").click(timeout=3000)
    wait_until_saved(page)
    assert correction_of(annotator.address, 7) == [[0, 0, "S"], [0, 1, "S"], [0, 2, "S"], [2, 2, "S"]]
    later = context.new_page()
    later.add_init_script("sessionStorage.setItem('cepts-token', 'secret')")
    with later.expect_response("**/api/corpus/8/correction"):  # sent again, wherever the page is opened
        later.goto(f"{annotator.address}#corpus")
    expect(later.locator(".pending")).to_be_hidden()
    assert correction_of(annotator.address, 8) == [[0, 0, "S"], [0, 1, "S"], [0, 2, "S"], *RIGHT[1:]]


def close_in_spite_of_a_warning(page: Page) -> BrowserContext:
    """Close a page that warns of work that is not saved."""
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    page.close()
    return page.context
