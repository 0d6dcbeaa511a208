"""The list of pairs of a corpus, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.chromium import looks, take_pictures
from tests.web.browser.corpus_pages import listed_lines, violations

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from tests.web.browser.browsing import Visitor


def test_the_worst_pairs_come_first_with_what_is_known_of_them(reader: Visitor) -> None:
    page = reader.open("#corpus")
    assert listed_lines(page)[:2] == [2, 1]  # error rates of 1 - 2/3 and 1 - 5/7
    row = page.locator("a[data-line='1']")
    expect(row).to_contain_text("AER 28.6 %")
    expect(row).to_contain_text("4 differences")  # 1-1 2-1 of one alignment, 1-2 2-2 of the other
    expect(row).to_contain_text("le chat noir dort")


def test_filters_stand_in_a_row_and_figures_are_explained(reader: Visitor) -> None:
    page = reader.open("#corpus")
    listed_lines(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    labels = page.locator(".filters .field > span").evaluate_all(
        "(all) => all.map((label) => [label.getBoundingClientRect().y, label.getClientRects().length])"
    )
    assert len(labels) == 7
    assert {(round(y), lines) for y, lines in labels} == {(round(labels[0][0]), 1)}
    said = page.locator(".meanings").inner_text()
    assert "AER (alignment error rate)" in said
    assert "Score: " in said


def test_pairs_are_loaded_a_page_at_a_time_and_the_address_knows_which(reader: Visitor) -> None:
    page = reader.open("#corpus?order=line")
    assert listed_lines(page) == list(range(1, 51))
    expect(page.locator(".count")).to_have_text("1–50 of 65 pairs")
    page.get_by_role("button", name="Next page").first.click()
    expect(page.locator(".count")).to_have_text("51–65 of 65 pairs")
    assert listed_lines(page) == list(range(51, 66))
    assert "offset=50" in page.url
    page.go_back()
    expect(page.locator(".count")).to_have_text("1–50 of 65 pairs")


def test_a_word_filters_as_it_is_typed_and_survives_a_reload(reader: Visitor) -> None:
    page = reader.open("#corpus")
    listed_lines(page)
    page.keyboard.press("/")
    page.keyboard.type("Chat dort")
    expect(page.locator(".count")).to_have_text("1–1 of 1 that match")
    assert page.locator("mark").all_text_contents() == ["chat", "dort"]
    assert "word=Chat+dort" in page.url
    page.reload()
    assert listed_lines(page) == [1]
    expect(page.get_by_label("Word", exact=True)).to_have_value("Chat dort")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator(".count")).to_have_text("1–50 of 65 pairs")


def test_order_length_and_differences_filter(reader: Visitor) -> None:
    page = reader.open("#corpus")
    listed_lines(page)
    page.get_by_label("Order").select_option("longest first")
    expect(page.locator(".pairs a").first).to_have_attribute("data-line", "5")
    page.get_by_label("Most words").fill("7")
    expect(page.locator(".pairs a").first).to_have_attribute("data-line", "3")
    page.get_by_label("Show").select_option("with differences")
    expect(page.locator(".count")).to_have_text("1–3 of 3 that match")
    page.get_by_label("Show").select_option("corrected")
    expect(page.locator(".count")).to_have_text("No pair is like that.")
    page.get_by_label("Lowest score").fill("1e9")
    expect(page).to_have_url(re.compile("min_score=1e9"))


def test_the_keyboard_alone_opens_a_pair_and_comes_back_to_it(reader: Visitor) -> None:
    page = reader.open("#corpus?order=line")
    listed_lines(page)
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("a[data-line='2']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Line 2")
    page.keyboard.press("Escape")
    listed_lines(page)
    expect(page.locator("a[data-line='2']")).to_be_focused()
    assert page.url.endswith("#corpus?order=line")


def test_the_last_row_leads_to_the_next_page(reader: Visitor) -> None:
    page = reader.open("#corpus?order=line")
    listed_lines(page)
    page.locator("a[data-line='50']").focus()
    page.keyboard.press("j")
    expect(page.locator("a[data-line='51']")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("a[data-line='50']")).to_be_focused()


def test_text_is_never_html(reader: Visitor) -> None:
    page = reader.open("#corpus?order=line")
    expect(page.locator("a[data-line='2']")).to_contain_text("<script>hacked=1</script> <b>gras</b>")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator(".pairs :is(script, img, b)").count() == 0


def test_a_server_that_does_not_answer_is_a_sentence_and_a_button(reader: Visitor) -> None:
    reader.expected = ["Failed to load resource"]
    page = reader.open("#corpus")
    listed_lines(page)
    page.route("**/api/corpus?*", lambda route: route.abort())
    page.get_by_label("Order").select_option("best first")
    expect(page.locator(".count")).to_contain_text("The server does not answer.")
    page.unroute("**/api/corpus?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".count")).to_have_text("1–50 of 65 pairs")


def test_the_list_is_accessible_and_fits(reader: Visitor) -> None:
    page = reader.open("#corpus", show="different")
    listed_lines(page)
    page.locator(".export summary").click()
    for _, width in looks(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []
    take_pictures(page, "corpus")
