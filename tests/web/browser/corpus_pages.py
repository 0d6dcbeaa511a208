"""What tests do on the pages of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.web.browser.browsing import Visitor


def violations(page: Page) -> list[str]:
    """What the axe checker finds against the rules of accessibility."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    found = axe.Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html']} {node['failureSummary']}" for one in found for node in one["nodes"]]


def listed_lines(page: Page) -> list[int]:
    """The lines that are listed, in their order."""
    page.locator(".pairs:not([aria-busy]) a").first.wait_for()
    return [int(row.get_attribute("data-line") or 0) for row in page.locator(".pairs a").all()]


def cell(page: Page, source: int, target: int) -> Locator:
    """A cell of the pair's matrix."""
    return page.locator(".drawings .draw-matrix tbody tr").nth(source).locator("td").nth(target)


def wait_until_saved(page: Page) -> None:
    """Wait until the server has what the page shows."""
    page.locator(".saving[data-status=saved]").wait_for()


def summary(page: Page) -> str:
    """The sentence that compares two alignments."""
    return page.locator(".summary").inner_text()


def open_pair(reader: Visitor, line: int, query: str = "", **options: Any) -> Page:
    """Open a pair, and wait until it is drawn."""
    page = reader.open(f"#corpus/{line}{query}", **options)
    cell(page, 0, 0).wait_for()
    return page
