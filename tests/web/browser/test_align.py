"""Align: a pair and its links, the threshold, the combiner, and what the model thinks of a cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import cepts
from tests.web.browser.pages import (
    PAIR,
    SOURCE,
    TARGET,
    cells_from,
    explained,
    marked,
    open_settings,
    percent,
    set_threshold,
    wait_for_matrix,
)

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'cepts[test]'")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.web.browser.browsing import Visitor


def test_it_begins_with_a_pair_of_the_corpus(visitor: Visitor) -> None:
    page = visitor.open("#align")
    wait_for_matrix(page)
    source, target = (path.read_text(encoding="utf-8").splitlines() for path in cepts.sample()[:2])
    shown = page.get_by_label("Source", exact=True).input_value()
    assert page.get_by_label("Target", exact=True).input_value() == target[source.index(shown)]
    page.get_by_role("group", name="Examples").get_by_role("button").nth(1).click()
    expect(page.get_by_label("Source", exact=True)).not_to_have_value(shown)
    assert page.get_by_label("Source", exact=True).input_value() in source


def test_typed_text_is_aligned_and_a_reload_keeps_it(visitor: Visitor) -> None:
    page = visitor.open("#align", source="x", target="y")
    page.get_by_label("Source", exact=True).fill(SOURCE)
    page.get_by_label("Target", exact=True).fill(TARGET)
    page.get_by_role("gridcell", name=re.compile("^chat – cat, linked, [0-9]+ %$")).wait_for()
    page.wait_for_url(re.compile("source=Le.petit"))
    page.reload()
    page.get_by_role("gridcell", name=re.compile("^chat – cat, linked, [0-9]+ %$")).wait_for()
    assert page.get_by_label("Source", exact=True).input_value() == SOURCE
    known = explained(page, SOURCE, TARGET)
    assert marked(page, "link") == {tuple(link) for link in known["combined"]["posterior"]}
    assert page.locator("[aria-label='source words'] button").all_inner_texts() == SOURCE.split()
    assert page.locator("[aria-label='target words'] button").all_inner_texts() == TARGET.split()


def test_the_result_stands_on_the_first_screen_and_settings_are_folded_away(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    page.set_viewport_size({"width": 1280, "height": 800})
    wait_for_matrix(page)
    settings, lines = page.locator(".settings"), page.locator(".draw-bipartite")
    assert settings.get_attribute("open") is None
    assert not page.get_by_label("Combine").is_visible()
    box = lines.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    assert page.evaluate("scrollY") == 0
    page.goto("about:blank")
    page.goto(f"{visitor.address}#align?source=le+chat&target=the+cat&threshold=0.3")
    wait_for_matrix(page)
    assert page.get_by_label("Combine").is_visible()  # what is not usual is shown


LONG = (
    "le petit chat noir de la voisine dort et " * 5,
    "the little black cat of the neighbour sleeps and " * 5,
)


@pytest.mark.parametrize("width", [1280, 800])
def test_a_long_pair_wraps(visitor: Visitor, width: int) -> None:
    page = visitor.open("#align", source=LONG[0], target=LONG[1])
    page.set_viewport_size({"width": width, "height": 800})
    wait_for_matrix(page)
    expect(page.locator(".draw-bipartite")).to_have_class(re.compile("draw-wrapped"))
    room = page.locator(".draw-bipartite").bounding_box()
    assert room is not None
    rows = {}
    for side, text in zip(("source", "target"), LONG, strict=True):
        words = page.locator(f"[aria-label='{side} words'] button")
        assert words.all_inner_texts() == text.split()
        boxes = [word.bounding_box() for word in words.all()]
        assert all(box and box["x"] >= room["x"] - 1 for box in boxes)
        assert all(box and box["x"] + box["width"] <= room["x"] + room["width"] + 1 for box in boxes)
        places = [(round(box["y"]), box["x"]) for box in boxes if box]
        assert places == sorted(places)  # word after word, row below row
        rows[side] = sorted({y for y, _ in places})
    assert len(rows["source"]) == len(rows["target"]) > 1
    blocks = sorted(rows["source"] + rows["target"])
    assert blocks == [y for pair in zip(rows["source"], rows["target"], strict=True) for y in pair]
    ends = page.locator(".draw-line[data-mark=link] .draw-curve").first.evaluate(
        """(curve) => { const [from, to] = [0, curve.getTotalLength()].map((at) => curve.getPointAtLength(at));
        const box = curve.ownerSVGElement.getBoundingClientRect();
        return [from.y + box.y, to.y + box.y]; }"""
    )
    assert ends[0] < ends[1]


def test_a_pair_that_fits_stands_in_two_rows(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    assert page.locator(".draw-wrapped").count() == 0
    page.set_viewport_size({"width": 620, "height": 800})
    expect(page.locator(".draw-bipartite")).to_have_class(re.compile("draw-wrapped"))
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".draw-bipartite")).not_to_have_class(re.compile("draw-wrapped"))


def test_blocks_are_cut_where_few_links_are(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    blocks = """async ([source, target, links, room]) => (await import("/static/draw.js")).blocksOf(
        source, target, links.map(([source, target]) => ({ source, target })), room)"""
    words = [20] * 6
    straight = [[k, k] for k in range(6)]
    crossing = [[0, 0], [1, 1], [2, 2], [3, 4], [4, 3], [5, 5]]
    assert page.evaluate(blocks, [words, words, straight, 100]) == [
        {"source": [0, 4], "target": [0, 4]},
        {"source": [4, 6], "target": [4, 6]},
    ]
    cut = page.evaluate(blocks, [words, words, crossing, 100])
    assert cut[0] == {"source": [0, 3], "target": [0, 3]}  # not between the two that cross
    assert page.evaluate(blocks, [[500], [20, 20], [[0, 1]], 100]) == [{"source": [0, 1], "target": [0, 2]}]
    assert page.evaluate(blocks, [[], [60, 60, 60], [], 130]) == [
        {"source": [0, 0], "target": [0, 2]},
        {"source": [0, 0], "target": [2, 3]},
    ]
    assert page.evaluate(blocks, [[], [], [], 100]) == []


def test_the_threshold_weighs_precision_against_coverage(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    known = explained(page, SOURCE, TARGET)
    open_settings(page)
    for threshold in (0.2, 0.8):
        set_threshold(page, threshold)
        cells = cells_from(known["confidence"], threshold)
        assert marked(page, "link") == cells
        precision = sum(known["confidence"][i][j] for i, j in cells) / len(cells)
        reached = len({i for i, _ in cells}) + len({j for _, j in cells})
        coverage = reached / (len(SOURCE.split()) + len(TARGET.split()))
        said = (
            f"{len(cells)} links: {precision:.0%} of them should be right, and they reach {coverage:.0%} of"
        )
        assert said.replace("%", " %") in page.locator(".summary").inner_text()
        label = page.get_by_role("img", name=re.compile("Precision against coverage")).get_attribute(
            "aria-label"
        )
        assert label is not None
        assert f"{percent(precision)} expected precision" in label
    set_threshold(page, 1)
    assert page.locator(".summary").inner_text() == "No links are left."
    page.wait_for_url(re.compile("threshold=1"))


def test_another_combiner_shows_what_changes(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    combined = {
        name: {tuple(link) for link in links}
        for name, links in explained(page, SOURCE, TARGET)["combined"].items()
    }
    before = "posterior"
    open_settings(page)
    for name in ("union", "intersection", "cepts", "dual"):
        page.get_by_label("Combine").select_option(name)
        assert page.get_by_role("radio", name="changes").is_checked()
        assert marked(page, "added") == combined[name] - combined[before]
        assert marked(page, "missing") == combined[before] - combined[name]
        assert marked(page, "both") == combined[name] & combined[before]
        said = page.locator(".changes").inner_text()
        assert before in said
        assert (combined[name] == combined[before]) == said.startswith("The same links")
        before = name
    page.wait_for_url(re.compile("combine=dual.*against=cepts"))
    page.reload()
    wait_for_matrix(page)
    assert page.get_by_label("Combine").input_value() == "dual"
    assert marked(page, "both") == combined["dual"] & combined["cepts"]


def test_a_cell_tells_the_probability_in_each_direction(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    known = explained(page, SOURCE, TARGET)
    source, target = SOURCE.split().index("noir"), TARGET.split().index("black")
    page.get_by_role("gridcell", name=re.compile("^noir – black")).hover()
    detail = page.get_by_role("complementary", name="The cell that you look at")
    assert detail.get_by_role("heading").inner_text() == "noir – black"
    said = dict(
        zip(detail.locator("dt").all_inner_texts(), detail.locator("dd").all_inner_texts(), strict=True)
    )
    for text, matrix in (("“black” comes from “noir”", "forward"), ("“noir” comes from “black”", "reverse")):
        assert said[text].strip() == percent(known[matrix][source][target])
    assert page.locator("th.draw-lit").all_inner_texts() == ["black", "noir"]
    lit = page.locator(".draw-line.draw-lit")
    assert lit.count() == 1


def test_colours_show_cepts(visitor: Visitor) -> None:
    page = visitor.open("#align", **PAIR)
    wait_for_matrix(page)
    open_settings(page)
    page.get_by_role("radio", name="cepts").check()
    cepts_of = explained(page, SOURCE, TARGET)["cepts"]
    for side in ("source", "target"):
        words = page.locator(f"[aria-label='{side} words'] button")
        shown = words.evaluate_all(
            "(buttons) => buttons.map((button) => Number(button.dataset.cept ?? 0) - 1)"
        )
        assert shown == cepts_of[side]
    colours = {
        page.locator(f"[aria-label='source words'] button[data-group='{group}']").first.evaluate(
            "(button) => getComputedStyle(button).borderBottomColor"
        )
        for group in (1, 2, 3)
    }
    assert len(colours) == 3


def test_many_lines_are_a_list_of_pairs(visitor: Visitor) -> None:
    lines = {
        "source": "Le chat dort .\nIl ne pleut plus .\n",
        "target": "The cat is sleeping .\nIt is no longer raining .",
    }
    page = visitor.open("#align", **lines)
    wait_for_matrix(page)
    pairs = page.get_by_role("listbox", name="Pairs")
    expect(pairs.locator("option").first).to_contain_text("links, score")
    assert pairs.locator("option").count() == 2
    pairs.select_option(index=1)
    page.get_by_role("gridcell", name=re.compile("^pleut – raining, ")).wait_for()
    page.wait_for_url(re.compile("pair=2"))
    page.get_by_label("Target", exact=True).fill("The cat is sleeping .")
    page.get_by_text("The source has 2 lines and the target 1 line: they must be as many.").wait_for()
    assert page.locator("table[role=grid]").is_hidden()
