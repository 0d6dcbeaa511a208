"""Texts of all kinds: hostile ones, scripts from right to left, Chinese, and very long ones."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from tests.chromium import HEIGHT, PHONE, WIDE, take_pictures
from tests.web.browser.pages import MATRIX, open_settings, wait_for_answers, wait_for_matrix

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.browser.browsing import Visitor

HOSTILE = (
    "<script>window.hacked=1</script>",
    "<img/src=x/onerror=window.hacked=1>",
    '"onfocus=window.hacked=1/autofocus="',
    "javascript:window.hacked=1",
    "\u202eegnahc\u202c",
    "&lt;b&gt;",
    "</textarea><script>window.hacked=1</script>",
)
ARABIC = {
    "source": "القطة السوداء لا تنام في البيت الكبير .",
    "target": "the black cat does not sleep in the big house .",
}
CHINESE = {
    "source": "The black cat did not sleep in the big house .",
    "target": "黑色 的 小猫 没有 在 大房子 里 睡觉 。",
}
LONG = {
    "source": " ".join(["Le chat noir dort ."] * 20),
    "target": " ".join(["The black cat sleeps ."] * 20),
}


def elements(page: Page) -> int:
    """How many elements there are that no text may have made."""
    count: int = page.locator(
        "script:not([src]), img, #main [onerror], #main [onfocus], #main a[href^=javascript]"
    ).count()
    return count


def test_markup_is_text(visitor: Visitor) -> None:
    text = " ".join(HOSTILE)
    page = visitor.open("#align", source=text, target=text)
    wait_for_matrix(page)
    assert page.get_by_label("Source", exact=True).input_value() == text
    words = page.locator("[aria-label='source words'] bdi").evaluate_all(
        "(all) => all.map((word) => word.textContent)"
    )
    assert "".join(words) == text.replace(" ", "")
    page.locator("tbody td").first.hover()
    assert page.locator(".detail h3").evaluate("(title) => title.textContent") == f"{words[0]} – {words[0]}"
    open_settings(page)
    page.get_by_label("Combine").select_option("union")
    for name, fields in (
        (
            "names",
            {"transcribe-name": HOSTILE[0], "explain-source": HOSTILE[1], "explain-target": HOSTILE[2]},
        ),
        ("sentences", {"compare-source": text, "compare-target": text, "nearest-text": text}),
    ):
        visitor.expected.append("status of 422")  # letters that a model of names does not know
        page = visitor.open(f"#{name}", **fields)
        wait_for_answers(page)
        assert elements(page) == 0
        assert page.evaluate("window.hacked") is None
    assert elements(page) == 0
    assert page.evaluate("window.hacked") is None


def test_an_override_turns_nothing_around_but_its_own_word(visitor: Visitor) -> None:
    page = visitor.open("#align", source="un \u202edeux trois", target="one two three")
    wait_for_matrix(page)
    lefts = page.locator("[aria-label='source words'] button").evaluate_all(
        "(words) => words.map((word) => word.getBoundingClientRect().left)"
    )
    assert lefts == sorted(lefts)
    label = page.locator("tbody td").nth(3).get_attribute("aria-label")
    assert label is not None
    assert label.startswith("\u2068\u202edeux\u2069 – one, ")


def test_scripts_from_right_to_left_are_readable(visitor: Visitor) -> None:
    page = visitor.open("#align", **ARABIC)
    wait_for_matrix(page)
    take_pictures(page, "align-arabic")
    assert (
        page.get_by_label("Source", exact=True).evaluate("(area) => getComputedStyle(area).direction")
        == "rtl"
    )
    assert (
        page.get_by_label("Target", exact=True).evaluate("(area) => getComputedStyle(area).direction")
        == "ltr"
    )
    assert page.locator("[aria-label='source words']").get_attribute("dir") == "rtl"
    assert page.locator("th[scope=row] bdi").first.get_attribute("dir") == "rtl"
    # opposite directions: in columns, so that the lines do not all cross
    assert page.locator(".draw-bipartite.draw-vertical").count() == 1


def test_chinese_stands_upright_over_its_columns(visitor: Visitor) -> None:
    page = visitor.open("#align", **CHINESE)
    wait_for_matrix(page)
    take_pictures(page, "align-chinese")
    assert page.locator("th[scope=col] bdi").all_inner_texts() == CHINESE["target"].split()
    word = page.locator("th[scope=col] bdi").nth(2)
    assert word.evaluate(
        "(word) => word.closest('.draw-upright') !== null || word.querySelector('.draw-upright') !== null"
    )
    if has_chinese_font():  # without one, signs are boxes of any shape
        box = word.bounding_box()
        assert box is not None
        assert box["height"] > box["width"]


def has_chinese_font() -> bool:
    """Tell whether this machine can show Chinese signs."""
    lister = shutil.which("fc-list")
    if lister is None:
        return False
    return bool(subprocess.run([lister, ":lang=zh"], capture_output=True, check=False).stdout.strip())


def test_a_hundred_words_scroll_inside_their_box(visitor: Visitor) -> None:
    page = visitor.open("#align", **LONG)
    wait_for_matrix(page)
    assert page.locator(f"{MATRIX} tbody td").count() == 10_000
    box = page.locator(".draw-matrix")
    for width in (WIDE, PHONE):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box.evaluate("(box) => box.scrollTo(1000, 1000)")
        inside = box.bounding_box()
        for scope, side in (("col", "y"), ("row", "x")):
            head = page.locator(f"th[scope={scope}]").nth(60).bounding_box()
            assert inside is not None
            assert head is not None
            assert abs(head[side] - inside[side]) < 2  # at the edge of the box, however far it is scrolled
    take_pictures(page, "align-long")
