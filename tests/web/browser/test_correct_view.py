"""One pair of a corpus in a real browser: looked at, compared, corrected, exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.chromium import looks, take_pictures
from tests.web.browser.corpus_pages import (
    cell,
    listed_lines,
    open_pair,
    summary,
    violations,
    wait_until_saved,
)
from tests.web.browser.corpus_server import correction_of

if TYPE_CHECKING:
    from tests.web.browser.browsing import Visitor

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect


RIGHT = [[0, 0, "S"], [1, 1, "S"], [2, 2, "S"]]  # the links of a plain line


def test_links_are_added_and_removed_by_clicks_and_saved_at_once(reader: Visitor) -> None:
    page = open_pair(reader, 6)
    expect(page.locator(".saving")).to_have_text("Not corrected")
    cell(page, 0, 2).click()
    expect(page.locator(".saving")).to_have_text("✓ Saved")
    cell(page, 1, 1).click()
    cell(page, 2, 2).click(modifiers=["Shift"])
    expect(cell(page, 2, 2)).to_have_attribute(
        "aria-label", "numéro0 – number0, linked in both, possible, gold: sure"
    )
    wait_until_saved(page)
    expected = [[0, 0, "S"], [0, 2, "S"], [2, 2, "P"]]
    assert correction_of(reader.address, 6) == expected
    page.reload()
    expect(cell(page, 0, 2)).to_have_attribute("data-mark", "added")
    expect(cell(page, 1, 1)).to_have_attribute("data-mark", "missing")
    page.goto(f"{reader.address}#corpus?show=corrected&word=numéro0")
    assert listed_lines(page) == [6]


@pytest.mark.parametrize("way", ["button", "key"])
def test_a_pair_is_right_as_it_is(reader: Visitor, way: str) -> None:
    line = 20 if way == "button" else 21
    page = open_pair(reader, line)
    right = page.get_by_role("button", name="Right as it is")
    if way == "button":
        right.click()
    else:
        page.keyboard.press("r")
    expect(page.locator(".saving")).to_have_text("✓ Saved")
    assert correction_of(reader.address, line) == RIGHT
    expect(right).to_be_disabled()
    page.goto(f"{reader.address}#corpus?show=corrected")
    assert line in listed_lines(page)
    page.go_back()
    page.get_by_role("button", name="Take correction back").click()
    expect(page.locator(".saving")).to_have_text("Not corrected")
    expect(right).to_be_enabled()
    assert correction_of(reader.address, line) is None


def test_figures_are_explained(reader: Visitor) -> None:
    page = open_pair(reader, 1)
    said = page.locator(".meanings").inner_text()
    assert said.startswith("AER (alignment error rate): how far the links are from gold links")
    assert "Score: the mean log probability of a word" in said


def test_undo_redo_and_taking_back(reader: Visitor) -> None:
    page = open_pair(reader, 7)
    cell(page, 0, 1).click()
    page.keyboard.press("p")
    page.get_by_label("Start again from").select_option("no links")
    assert summary(page).startswith("0 links in both")
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("Control+z")
    expect(cell(page, 0, 1)).to_have_attribute("aria-label", "une – line, added")
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.locator(".saving")).to_have_text("Not corrected")
    page.get_by_role("button", name="Redo").click()
    page.keyboard.press("Control+Shift+z")
    wait_until_saved(page)
    assert correction_of(reader.address, 7) == [[0, 0, "S"], [0, 1, "P"], *RIGHT[1:]]
    page.get_by_role("button", name="Take correction back").click()
    expect(page.locator(".saving")).to_have_text("Not corrected")
    assert correction_of(reader.address, 7) is None


def test_two_words_make_a_link_and_a_click_can_mean_possible(reader: Visitor) -> None:
    page = open_pair(reader, 8)
    page.get_by_label("New links are").select_option("possible")
    source, target = (page.locator(f"[aria-label='{side} words'] button") for side in ("source", "target"))
    source.nth(1).click()
    page.keyboard.press("Escape")  # not that word
    source.nth(0).click()
    target.nth(2).click()
    wait_until_saved(page)
    assert correction_of(reader.address, 8) == [[0, 0, "S"], [0, 2, "P"], *RIGHT[1:]]


def test_alignments_are_compared_in_words_and_by_shape(reader: Visitor) -> None:
    page = open_pair(reader, 1)
    assert summary(page) == (
        "Not corrected yet: these are the links of links.txt. "
        "3 links in both, 1 only in links.txt, 1 only in gold. AER 28.6 %."
    )
    expect(cell(page, 1, 1)).to_have_attribute("data-mark", "added")
    expect(cell(page, 1, 2)).to_have_attribute("data-mark", "missing")
    page.get_by_text("Links that differ (2)").click()
    expect(page.locator(".links li").first).to_have_text("+chat – black only in links.txt")
    page.locator("select[name=shown]").select_option("other.txt")
    assert summary(page).endswith("AER 28.6 %.")
    page.get_by_label("compared with").select_option("links.txt")
    assert summary(page) == "2 links in both, 2 only in other.txt, 2 only in links.txt."
    page.get_by_label("compared with").select_option("nothing")
    assert summary(page) == "4 links in other.txt."
    cell(page, 0, 3).click()  # an alignment is looked at, not corrected
    expect(cell(page, 0, 3)).not_to_have_attribute("data-mark", "link")
    assert correction_of(reader.address, 1) is None


def test_error_rates_are_those_of_the_server(reader: Visitor) -> None:
    page = reader.open("#corpus")
    for line in (1, 2, 3, 4, 5):
        page.goto(f"{reader.address}#corpus/{line}")
        expect(page.locator("h1")).to_have_text(f"Line {line}")
        rate = page.request.get(f"{reader.address}api/corpus/{line}").json()["aer"]["links.txt"]
        assert summary(page).endswith(f"AER {100 * rate:.1f} %.")


def test_the_keyboard_alone_finds_corrects_and_goes_on(reader: Visitor) -> None:
    page = reader.open("#corpus?word=ligne&order=line&show=uncorrected&min_words=3")
    first, second = listed_lines(page)[:2]
    for key in ("j", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("h1")).to_have_text(f"Line {first}")
    cell(page, 0, 0).wait_for()
    for key in ("m", "ArrowRight", "ArrowDown", "Enter", "ArrowRight", "p", "Control+z", "Control+y"):
        page.keyboard.press(key)
    expect(cell(page, 1, 2)).to_be_focused()
    wait_until_saved(page)
    assert correction_of(reader.address, first) == [[0, 0, "S"], [1, 2, "P"], [2, 2, "S"]]
    page.keyboard.press("j")  # the first one has left the list meanwhile
    expect(page.locator("h1")).to_have_text(f"Line {second}")
    expect(cell(page, 0, 0)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Mark the link as possible")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert first not in listed_lines(page)


def test_previous_and_next_follow_order_and_filter(reader: Visitor) -> None:
    page = reader.open("#corpus?order=longest&max_words=7&show=different")
    lines = listed_lines(page)
    assert len(lines) == 3
    page.locator(".pairs a").first.click()
    for line in lines[1:]:
        page.get_by_role("button", name="Next").click()
        expect(page.locator("h1")).to_have_text(f"Line {line}")
        expect(page.get_by_role("button", name="Previous")).to_be_enabled()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.go_back()
    expect(page.locator("h1")).to_have_text(f"Line {lines[1]}")


def test_corrections_are_exported_with_a_word_on_how_to_use_them(reader: Visitor) -> None:
    page = open_pair(reader, 30)
    cell(page, 0, 1).click()
    wait_until_saved(page)
    page.locator(".export summary").click()
    expect(page.locator(".export")).to_contain_text("--known-links")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == 65
    assert (lines[29], lines[30]) == ("0-0 0-1 1-1 2-2", "")
    page.get_by_label("Format").select_option("naacl")
    page.locator("select[name=what]").select_option("all")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert "31 1 1 S" in download.value.path().read_text(encoding="utf-8").splitlines()


def test_a_corpus_that_cannot_be_written_is_only_looked_at(reader: Visitor) -> None:
    page = reader.open("#names")
    info = page.request.get(f"{reader.address}api/info").json()
    info["corpus"]["writable"] = False
    page.route("**/api/info", lambda route: route.fulfill(json=info))
    page.goto(f"{reader.address}#corpus/6")
    page.reload()
    cell(page, 0, 1).click()
    expect(page.get_by_text("can be looked at, not corrected")).to_be_visible()
    expect(cell(page, 0, 1)).not_to_have_attribute("data-mark", "added")


def test_a_line_that_is_not_there_is_a_sentence(reader: Visitor) -> None:
    reader.expected = ["404"]
    page = reader.open("#corpus/66")
    expect(page.get_by_role("alert")).to_contain_text("There is no line 66")


def test_a_pair_is_accessible_and_fits(reader: Visitor) -> None:
    page = open_pair(reader, 1)
    page.get_by_text("Links that differ").click()
    for _, width in looks(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []
    take_pictures(page, "pair")
    page.keyboard.press("?")
    take_pictures(page, "keys")


@pytest.mark.parametrize(("line", "name"), [(2, "hostile"), (3, "arabic"), (4, "chinese"), (5, "100-words")])
def test_all_kinds_of_text_are_readable(reader: Visitor, line: int, name: str) -> None:
    page = open_pair(reader, line)
    assert line == 5 or violations(page) == []  # ten thousand cells take the checker half a minute
    for _, width in looks(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    take_pictures(page, f"pair-{name}")
    assert page.evaluate("typeof hacked") == "undefined"
