"""The page's arithmetic, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser.browsing import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

# two source words, three target words
EXPLAINED = {
    "source_words": ["a", "b"],
    "target_words": ["x", "y", "z"],
    "threshold": 0.5,
    "confidence": [[0.9, 0.3, 0.0], [0.0, 0.6, 0.001]],
    "combined": {"posterior": [[0, 0], [1, 1]], "union": [[0, 0], [0, 1], [1, 2]]},
}


def call(page: Page, module: str, function: str, *arguments: Any) -> Any:
    """Call a function of a module of the page."""
    return page.evaluate(
        "async ([module, name, given]) => (await import(`/static/${module}.js`))[name](...given)",
        [module, function, list(arguments)],
    )


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    visitor = Visitor(browser, address)
    yield visitor.open("#align", source="a", target="b")
    visitor.leave()
    assert visitor.troubles() == []


def test_links_of_a_combiner_and_a_threshold(page: Page) -> None:
    def places(combine: str, threshold: float) -> list[tuple[int, int]]:
        links = call(page, "choosing", "linksOf", EXPLAINED, combine, threshold)
        return [(link["source"], link["target"]) for link in links]

    assert places("posterior", 0.5) == [(0, 0), (1, 1)]
    assert places("posterior", 0.3) == [(0, 0), (0, 1), (1, 1)]
    assert places("posterior", 0) == [(0, 0), (0, 1), (1, 1)]  # 0.001 is no candidate
    assert places("union", 0) == [(0, 0), (0, 1), (1, 2)]
    assert places("union", 0.2) == [(0, 0), (0, 1)]
    assert call(page, "choosing", "ownThreshold", EXPLAINED, "posterior") == 0.5
    assert call(page, "choosing", "ownThreshold", EXPLAINED, "union") == 0


def test_precision_and_coverage(page: Page) -> None:
    links = call(page, "choosing", "linksOf", EXPLAINED, "posterior", 0.5)
    worth = call(page, "choosing", "worthOf", links, EXPLAINED)
    assert worth == {"links": 2, "precision": pytest.approx(0.75), "coverage": 4 / 5}
    assert call(page, "choosing", "worthOf", [], EXPLAINED) == {"links": 0, "precision": None, "coverage": 0}
    curve = call(page, "choosing", "tradeOff", EXPLAINED, "posterior")
    assert [point["threshold"] for point in curve] == [0.9, 0.6, 0.3]
    assert [point["precision"] for point in curve] == pytest.approx([0.9, 0.75, 0.6])
    assert [point["coverage"] for point in curve] == pytest.approx([2 / 5, 4 / 5, 4 / 5])


def test_lines_and_pairs(page: Page) -> None:
    assert call(page, "pairs", "linesOf", "a\r\n\nb\n \n") == ["a", "", "b"]
    assert call(page, "pairs", "linesOf", "") == []
    found = call(page, "pairs", "pairsOf", "a\nb", "x\ny\n")
    assert found == {"pairs": [{"source": "a", "target": "x"}, {"source": "b", "target": "y"}], "problem": ""}
    assert "3 lines and the target 1 line" in call(page, "pairs", "pairsOf", "a\nb\nc", "x")["problem"]
    assert call(page, "pairs", "shortened", "一二三四五", 4) == "一二三…"


def test_percentages_are_never_rounded_to_certainty(page: Page) -> None:
    shown = [call(page, "draw", "percent", value) for value in (0, 0.001, 0.014, 0.98, 0.999, 1)]
    assert shown == ["0 %", "< 1 %", "1 %", "98 %", "> 99 %", "100 %"]


def test_directions(page: Page) -> None:
    assert call(page, "draw", "directionOf", ["القطة", "2", "."]) == "rtl"
    assert call(page, "draw", "directionOf", ["cat", "القطة", "dog"]) == "ltr"
    assert call(page, "draw", "directionOf", []) == "ltr"
