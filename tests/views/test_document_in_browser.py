"""The HTML file in a real Chromium, opened as a file: list, search, filter, order, keys, drawings; no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cepts.links import Link
from cepts.views import AlignedPair, write_html
from tests.chromium import open_chromium, take_pictures
from tests.views.pairs import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'cepts[test]'"
)
expect = playwright.expect

PAIRS = 1200


def corpus() -> Iterator[AlignedPair]:
    """Yield pairs of all kinds: scores fall with the line, gold for some, other scripts, hostile words."""
    yield AlignedPair(1, HOSTILE[:4], ["x", "y"], [Link(0, 0, 0.9), Link(1, 1, 0.2)], score=-0.01)
    yield AlignedPair(
        2, ["ذهب", "الولد"], ["他", "去", "学校"], [Link(0, 1, 0.7), Link(1, 0, 0.8)], score=-0.02
    )
    gold = [Link(0, 0), Link(1, 1), Link(1, 0, sure=False)]
    yield AlignedPair(3, ["le", "Chat"], ["the", "cat"], [Link(0, 0), Link(0, 1, 0.5)], gold, -0.03, 0.5)
    for line in range(4, PAIRS):
        words = [f"mot{line}", "et", "fin"]
        yield AlignedPair(
            line, words, [f"word{line}", "end"], [Link(0, 0, 0.9), Link(2, 1)], score=-line / 100
        )
    hundred = [f"w{k}" for k in range(100)]
    yield AlignedPair(PAIRS, hundred, hundred, [Link(k, k, 0.5) for k in range(100)], score=-99.0)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("page") / "pairs.html"
    with path.open("w", encoding="utf-8") as stream:
        write_html(corpus(), stream, "<i>links</i>")
    return path


@pytest.fixture
def page(browser: Browser, file: Path) -> Iterator[Page]:
    """The page, watched: at the end there was no error, and nothing was asked of anybody."""
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
    page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: request.url.startswith("file://") or troubles.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator("body")).to_have_attribute("data-ready", "true")
    yield page
    assert troubles == []
    context.close()


def heading(page: Page) -> str:
    return page.locator("#heading").inner_text().replace("\u00a0", " ")


def test_the_list_holds_what_is_seen_only(page: Page) -> None:
    expect(page.locator("#count")).to_have_text(f"{PAIRS:,} of {PAIRS:,} pairs")
    assert page.locator("h1").inner_text().startswith("<i>links</i>")
    assert 5 < page.locator(".row").count() < 40
    assert heading(page).startswith("Line 1, score -0.01")
    page.locator("#list").press("End")
    assert heading(page).startswith(f"Line {PAIRS}, ")
    expect(page.locator(".row[aria-selected=true] .number").first).to_have_text(str(PAIRS))
    assert page.locator(".row").count() < 40


def test_hostile_words_are_words(page: Page) -> None:
    assert page.locator("#source-text").inner_text().startswith("<script>alert(1)</script> </title>")
    cell = page.locator("#matrix td[data-mark]").first
    expect(cell).to_have_attribute("aria-label", "<script>alert(1)</script> – x, linked, 90 %")
    assert page.locator("main script, main svg[onload]").count() == 0


def test_search_and_filter(page: Page) -> None:
    page.fill("#search", "MOT77 word")
    expect(page.locator("#count")).to_have_text(f"11 of {PAIRS:,} pairs")  # 77 and 770 to 779
    assert heading(page).startswith("Line 77,")
    page.select_option("#measure", "score")
    page.fill("#least", "-7.75")
    page.fill("#most", "-1")
    expect(page.locator("#count")).to_have_text(f"6 of {PAIRS:,} pairs")
    page.fill("#search", "no such word")
    expect(page.locator("#nothing")).to_be_visible()
    assert page.locator(".row").count() == 0


def test_limits_of_shares_are_in_percent(page: Page) -> None:
    page.select_option("#measure", "confidence")
    page.fill("#most", "60")
    expect(page.locator("#count")).to_have_text(f"2 of {PAIRS:,} pairs")  # of 0.55 and 0.5


def test_orders(page: Page) -> None:
    page.select_option("#measure", "score")
    page.select_option("#order", "worst")
    page.locator("#list").press("Home")
    assert heading(page).startswith(f"Line {PAIRS},")
    page.select_option("#order", "longest")
    page.locator("#list").press("Home")
    assert heading(page).startswith(f"Line {PAIRS},")
    page.select_option("#order", "best")
    page.locator("#list").press("Home")
    assert heading(page).startswith("Line 1,")


def test_keys(page: Page) -> None:
    for key, line in (("j", 2), ("ArrowDown", 3), ("k", 2), ("PageDown", 12), ("Home", 1)):
        page.keyboard.press(key)
        assert heading(page).startswith(f"Line {line},"), key
    page.keyboard.press("/")
    page.keyboard.type("mot500")
    expect(page.locator("#count")).to_have_text(f"1 of {PAIRS:,} pairs")
    page.keyboard.press("Escape")
    expect(page.locator("#list")).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator("#count")).to_have_text(f"{PAIRS:,} of {PAIRS:,} pairs")
    assert heading(page).startswith("Line 3, AER 50 %")  # the only one with gold
    page.keyboard.press("d")
    expect(page.locator("#bipartite")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


def test_gold_is_compared(page: Page) -> None:
    page.locator("#list").press("j")
    page.locator("#list").press("j")
    kinds = [cell.get_attribute("data-mark") for cell in page.locator("#matrix td[data-mark]").all()]
    assert sorted(filter(None, kinds)) == ["added", "both", "missing"]
    assert page.locator("#matrix td[data-gold=P]").count() == 1
    assert "wrong: not in gold" in page.locator("#legend").inner_text()
    take_pictures(page, "view-gold")


def test_the_threshold_leaves_links_out(page: Page) -> None:
    assert page.locator("#matrix td[data-mark=link]").count() == 2
    page.locator("#threshold").fill("50")
    assert page.locator("#matrix td[data-mark=link]").count() == 1
    assert page.locator("#matrix td[data-mark=weak]").count() == 1


def test_other_scripts_and_long_sentences(page: Page) -> None:
    page.keyboard.press("j")
    assert page.locator("#source-text").get_attribute("dir") == "rtl"
    assert page.locator("#target-text").get_attribute("dir") == "ltr"
    take_pictures(page, "view-scripts")
    page.locator("#list").press("End")
    assert page.locator("#matrix td[data-mark]").count() == 100
    take_pictures(page, "view-long")


def test_the_address_names_the_line(page: Page, file: Path) -> None:
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#700")
    expect(page.locator("body")).to_have_attribute("data-ready", "true")
    assert heading(page).startswith("Line 700,")
    page.keyboard.press("j")
    assert page.url.endswith("#701")


def test_nothing_is_wider_than_a_phone(browser: Browser, file: Path) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{file.as_uri()}#3")
    expect(page.locator("#matrix td").first).to_be_attached()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Browser, file: Path, scheme: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed: pip install 'cepts[test]'"
    )
    # the policy is bypassed for the checker's own script
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{file.as_uri()}#3")
    expect(page.locator("body")).to_have_attribute("data-ready", "true")
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    context.close()
