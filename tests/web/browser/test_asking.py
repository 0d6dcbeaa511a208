"""Questions to the server: overtaken ones, slow ones, refused ones, and a server that is gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.chromium import take_pictures
from tests.web.browser.pages import MATRIX, PAIR, open_settings, wait_for_matrix

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.web.browser.browsing import Visitor


def test_an_answer_that_was_overtaken_is_dropped(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    held: list[Route] = []
    page.route("**/api/explain", lambda route: held.append(route))
    page.get_by_label("Source", exact=True).fill("un")
    with page.expect_request("**/api/explain"):
        page.get_by_role("button", name="Align", exact=True).click()
    with page.expect_request("**/api/explain"):
        page.get_by_label("Source", exact=True).fill("deux")
        page.get_by_role("button", name="Align", exact=True).click()
    held[1].continue_()
    page.get_by_role("rowheader", name="deux").wait_for()
    held[0].continue_()
    open_settings(page)
    page.get_by_label("Combine").select_option("union")  # whatever came has been handled before
    assert page.get_by_role("rowheader").all_inner_texts() == ["deux"]
    assert page.locator(".status").first.inner_text() == ""


def test_waiting_is_said_only_when_it_lasts(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    held: list[Route] = []
    page.route("**/api/explain", lambda route: held.append(route))
    page.get_by_role("button", name="Align", exact=True).click()
    page.get_by_text("Aligning…").wait_for()
    held[0].continue_()
    page.get_by_text("Aligning…").wait_for(state="hidden")
    page.unroute_all()
    page.evaluate(
        """() => {
            window.said = [];
            const status = document.querySelector(".status");
            new MutationObserver(() => said.push(status.textContent)).observe(status, {childList: true});
        }"""
    )
    # at once: a timer that fires after 150 ms has no say
    page.evaluate("window.setTimeout = (work, pause) => { said.push(pause); return 0; }")
    with page.expect_response("**/api/explain"):
        page.get_by_role("button", name="Align", exact=True).click()
    assert 150 in page.evaluate("said")
    assert "Aligning…" not in page.evaluate("said")


def test_what_the_server_refuses_is_said_in_a_sentence(visitor: Visitor) -> None:
    visitor.expected.append("status of 4")
    page = visitor.open("#align", source="a " * 1000, target="b")
    error = page.locator(".status.error")
    error.wait_for()
    assert re.fullmatch(r"[A-Z].*[0-9].*\.", error.inner_text())
    assert page.locator("#live").inner_text() == error.inner_text()
    page.get_by_label("Source", exact=True).fill("a")
    wait_for_matrix(page)
    assert page.locator(".status.error").count() == 0


def test_a_server_that_is_gone(visitor: Visitor) -> None:
    visitor.expected.append("ERR_FAILED")
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    page.route("**/api/explain", lambda route: route.abort())
    page.get_by_role("button", name="Align", exact=True).click()
    page.get_by_text("The server does not answer. Is `cepts serve` still running?").first.wait_for()
    page.route("**/api/info", lambda route: route.abort())
    page.evaluate("location.reload()")
    page.get_by_role("alert").wait_for()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(MATRIX)


def test_without_a_model_a_view_says_how_to_start_with_one(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    served = page.request.get(f"{visitor.address}api/info").json()
    page.route("**/api/info", lambda route: route.fulfill(json={**served, "names": None, "similar": None}))
    for name, option in (("names", "--names"), ("sentences", "--similar")):
        page.goto(f"{visitor.address}#{name}")
        page.reload()
        page.get_by_text(f"cepts serve MODEL {option}").wait_for()
        take_pictures(page, f"{name}-not-served")
