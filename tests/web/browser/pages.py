"""What tests do on the page's views."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SOURCE = "Le petit chat noir ne dort plus devant l' école ."
TARGET = "The little black cat is no longer sleeping in front of the school ."
PAIR = {"source": SOURCE, "target": TARGET}
MATRIX = "table[role=grid]"


def wait_for_matrix(page: Page) -> Locator:
    """Wait until a pair is drawn, and return its matrix."""
    page.wait_for_selector(f"{MATRIX} tbody td")
    return page.locator(MATRIX)


def explained(page: Page, source: str, target: str) -> Any:
    """What the server says about a pair."""
    answer = page.request.post(
        re.sub(r"#.*", "api/explain", page.url), data={"source": source, "target": target}
    )
    assert answer.ok
    return answer.json()


def marked(page: Page, *kinds: str) -> set[tuple[int, int]]:
    """The cells of the matrix that have one of these marks, as (source, target)."""
    find = """(kinds) => [...document.querySelectorAll("table[role=grid] tbody td")]
        .filter((cell) => kinds.includes(cell.dataset.mark))
        .map((cell) => [cell.parentNode.sectionRowIndex, cell.cellIndex - 1])"""
    return {(source, target) for source, target in page.evaluate(find, list(kinds))}


def open_settings(page: Page) -> None:
    """Unfold the settings of a pair."""
    page.locator(".settings > summary").click()
    page.get_by_label("Combine").wait_for()


def set_threshold(page: Page, value: float) -> None:
    """Move the slider."""
    page.get_by_role("slider").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); }",
        value,
    )


def percent(value: float) -> str:
    """A probability as the page writes it."""
    rounded = f"{value:.0%}".replace("%", " %")
    if rounded == "100 %" and value < 1:
        return "> 99 %"
    return "< 1 %" if rounded == "0 %" and value > 0 else rounded


def wait_for_answers(page: Page) -> None:
    """Wait until nothing is being asked."""
    page.wait_for_load_state("networkidle")


def cells_from(confidence: list[list[float]], least: float) -> set[tuple[int, int]]:
    """The cells that are at least so confident."""
    return {
        (source, target)
        for source, row in enumerate(confidence)
        for target, value in enumerate(row)
        if value >= least
    }
