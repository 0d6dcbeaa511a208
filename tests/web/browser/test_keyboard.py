"""Everything works without a mouse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.web.browser.pages import PAIR, SOURCE, TARGET, wait_for_matrix

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.browser.browsing import Visitor


def focused(page: Page, attribute: str = "aria-label") -> str:
    """An attribute of what has the focus, or its text."""
    found: str = page.evaluate(
        "(name) => document.activeElement.getAttribute(name) ?? document.activeElement.textContent.trim()",
        attribute,
    )
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something that the selector finds has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


def test_a_pair_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open("#align", source="x", target="y")
    wait_for_matrix(page)
    press(page, "Tab")
    assert focused(page) == "Skip to the content"
    assert page.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index]
    press(page, "Enter")
    assert focused(page, "id") == "main"
    tab_to(page, "textarea[name=source]")
    press(page, "Control+a")
    page.keyboard.insert_text(SOURCE)
    press(page, "Tab", "Control+a")
    page.keyboard.insert_text(TARGET)
    press(page, "Control+Enter")
    page.get_by_role("rowheader", name="chat").wait_for()
    tab_to(page, "summary")
    press(page, "Enter")
    tab_to(page, "select")
    press(page, "u")
    assert page.get_by_label("Combine").input_value() == "union"
    tab_to(page, "input[type=range]")
    press(page, "End")
    assert page.locator(".summary").inner_text() == "No links are left."
    press(page, "Home")
    tab_to(page, "[aria-label='source words'] button")
    press(page, "End", "ArrowLeft", "ArrowLeft")
    assert focused(page).startswith("l'")
    tab_to(page, "table[role=grid] td")
    press(page, "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight")
    assert re.match("chat – cat, linked", focused(page))
    assert page.locator(".detail h3").inner_text() == "chat – cat"
    press(page, "End")
    assert focused(page).startswith("chat – .")
    press(page, "Control+Home")
    assert focused(page).startswith("Le – The")
    press(page, "ArrowUp", "ArrowLeft")
    assert focused(page).startswith("Le – The")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_the_focus_is_never_under_a_head(visitor: Visitor) -> None:
    page = visitor.open("#align", source="mot " * 60, target="word " * 30)
    wait_for_matrix(page)
    tab_to(page, "table[role=grid] td")
    press(page, "Control+End", *["PageUp"] * 5, *["ArrowUp"] * 5, "Home")
    cell = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    heads = page.locator("thead").bounding_box(), page.locator("th[scope=row]").first.bounding_box()
    assert heads[0] is not None
    assert heads[1] is not None
    assert cell["top"] >= heads[0]["y"] + page.locator("th[scope=col]").first.bounding_box()["height"] - 1  # type: ignore[index]
    assert cell["left"] >= heads[1]["x"] + heads[1]["width"] - 1


def test_views_are_changed_by_keyboard(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    for name in ("names", "sentences", "align"):
        tab_to(page, f"nav a[href='#{name}']")
        press(page, "Enter")
        page.wait_for_selector(f".view-{name} h1")
        assert focused(page, "id") == "main"
        assert page.locator("nav a[aria-current=page]").get_attribute("href") == f"#{name}"
        assert page.title() == f"{name.capitalize()} – Cepts"
