"""Names and Sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import cepts

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'cepts[test]'")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.web.browser.browsing import Visitor


def test_a_name_is_transcribed_and_explained(visitor: Visitor) -> None:
    page = visitor.open("#names")
    part = page.locator(".asking").filter(has=page.get_by_role("heading", name="Transcribe"))
    part.get_by_label("Name").fill("вера")
    part.get_by_role("button", name="Transcribe").click()
    best = part.locator("tbody tr").first
    best.wait_for()
    answer = page.request.post(
        f"{visitor.address}api/names/transcribe", data={"names": ["вера"], "n": 5}
    ).json()
    candidates = answer["results"][0]["candidates"]
    assert part.locator("tbody th").all_inner_texts() == [candidate["text"] for candidate in candidates]
    best.get_by_role("button", name="Why").click()
    edits = page.locator(".edits li")
    edits.first.wait_for()
    pieces = edits.evaluate_all(
        "(all) => all.map((edit) => [...edit.querySelectorAll('.piece')].map((p) => p.textContent))"
    )
    assert "".join(source for source, _ in pieces).replace("ε", "") == "вера"
    assert "".join(target for _, target in pieces).replace("ε", "") == candidates[0]["text"]
    weights = [float(text) for text in page.locator(".edits .number").all_inner_texts()]
    total = re.search(r"Together: (-?[0-9.]+)\. ", page.locator(".asking .summary").inner_text())
    assert total is not None
    assert abs(sum(weights) - float(total[1])) < 0.1


def test_names_are_ranked_and_a_reload_keeps_them(visitor: Visitor) -> None:
    page = visitor.open("#names")
    part = page.locator(".asking").filter(has=page.get_by_role("heading", name="Rank"))
    part.get_by_label("Name").fill("вера")
    part.get_by_label("Candidates, one a line").fill("nina\n\nvera\n")
    part.get_by_role("button", name="Rank").click()
    part.locator("tbody tr").first.wait_for()
    assert part.locator("tbody th").all_inner_texts() == ["vera", "nina"]
    page.wait_for_url(re.compile("rank-candidates=nina"))
    page.reload()
    part.locator("tbody tr").first.wait_for()
    assert part.locator("tbody th").all_inner_texts() == ["vera", "nina"]


def test_two_sentences_are_compared(visitor: Visitor) -> None:
    page = visitor.open(
        "#sentences",
        **{"compare-source": "Le chat noir dort .", "compare-target": "The black cat is sleeping ."},
    )
    score = page.locator(".score strong")
    score.wait_for()
    good = score.inner_text()
    page.get_by_label("Target", exact=True).fill("It is raining this morning .")
    page.get_by_role("button", name="Compare").click()
    expect(score).not_to_have_text(good)
    value = lambda text: float(re.sub("[^0-9]", "", text))  # noqa: E731
    assert value(score.inner_text()) < value(good)
    assert "that they translate each other" in page.locator(".summary").inner_text()


def test_what_is_written_before_the_first_pair_comes_stays(visitor: Visitor) -> None:
    page = visitor.open("#names")
    held: list[Route] = []
    page.route(re.compile("api/corpus[?]"), lambda route: held.append(route))
    page.get_by_role("link", name="Sentences").click()
    sentence = page.get_by_label("Sentence", exact=True)
    sentence.fill("le chat")
    expect(page.get_by_label("Source", exact=True)).to_have_value("")
    with page.expect_response(re.compile("api/corpus[?]")):
        held[0].continue_()
    page.get_by_role("button", name="Find").click()
    page.locator(".ranking tbody tr").first.wait_for()
    assert sentence.input_value() == "le chat"


def test_the_nearest_sentences_lead_to_the_corpus(visitor: Visitor) -> None:
    source, target = (path.read_text(encoding="utf-8").splitlines() for path in cepts.sample()[:2])
    page = visitor.open("#sentences")
    page.get_by_label("Sentence", exact=True).fill(source[1])
    page.get_by_role("button", name="Find").click()
    rows = page.locator(".ranking tbody tr")
    rows.first.wait_for()
    assert rows.first.locator("td[dir=auto]").inner_text() == target[1]
    rows.first.get_by_role("link").click()
    page.wait_for_url(re.compile("#corpus/2$"))
    page.go_back()
    page.get_by_label("target side").check()
    page.get_by_label("Sentence", exact=True).fill(target[0])
    page.get_by_role("button", name="Find").click()
    expect(rows.first.locator("td[dir=auto]")).to_have_text(source[0])


def test_views_without_a_model_are_not_listed(visitor: Visitor, reader: Visitor) -> None:
    listed = {}
    for name, who in (("all", visitor), ("corpus alone", reader)):
        page = who.open("#align")
        listed[name] = page.locator("#views a").all_inner_texts()
    assert listed == {"all": ["Align", "Corpus", "Names", "Sentences"], "corpus alone": ["Align", "Corpus"]}
    page = reader.open("#names")
    assert "cepts serve MODEL --names names" in page.locator("main").inner_text()
