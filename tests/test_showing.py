"""What objects print, and what they show in a notebook: short, safe, and nothing but well-formed HTML."""

from __future__ import annotations

import inspect
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import cepts
from cepts.aligning import recipe
from cepts.evaluation import evaluate_names
from cepts.names import Combination, PhraseSystem, WordScores

NAMES = [
    ("anna", "ана"),
    ("ivan", "иван"),
    ("olga", "олга"),
    ("ada", "ада"),
    ("nina", "нина"),
    ("vera", "вера"),
]


class WellFormed(HTMLParser):
    """Notices tags that are not closed, or that do not belong here; collects the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        assert not [name for name, _ in attrs if name.startswith("on")]
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<path ... />` needs no end."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@cache
def shown() -> dict[str, Any]:
    """Return an object of every kind that shows itself."""
    bitext = cepts.sample_bitext()
    aligner = cepts.Aligner("fast").fit(bitext)
    alignment = aligner.align(bitext)
    gold = cepts.read_links(cepts.sample().gold)
    edits = cepts.EditModel.fit(NAMES, order=1, epochs=1)
    phrases = PhraseSystem.fit(NAMES, NAMES, order=2, rounds=1, model_type="hmm")
    return {
        "bitext": bitext,
        "side": bitext.source,
        "links": gold,
        "alignment": alignment,
        "certified": cepts.align(bitext, method="bidirectional"),
        "cepts": cepts.align(bitext, method="fast", combine="cepts").cepts,
        "new aligner": cepts.Aligner(),
        "one direction": cepts.Aligner(training="independent", direction="forward"),
        "aligner": aligner,
        "evaluation": cepts.evaluate(alignment[: len(gold)], gold, phrases=3),
        "name scores": evaluate_names([["a", "b"], ["c"]], [["b"], ["c"]]),
        "edits": edits,
        "phrases": phrases,
        "words": WordScores.fit(NAMES, "ibm1"),
        "combination": Combination.fit({"edits": edits, "phrases": phrases}, NAMES),
    }


@pytest.mark.parametrize("name", shown())
def test_what_is_printed_is_short(name: str) -> None:
    said = repr(shown()[name])
    assert said.startswith(f"{type(shown()[name]).__name__}(")
    assert "\n" not in said
    assert len(said) < 200


@pytest.mark.parametrize("name", shown())
def test_notebooks_show_well_formed_tables(name: str) -> None:
    found = WellFormed(shown()[name]._repr_html_())
    assert "".join(found.text).strip()


def test_sizes_are_right() -> None:
    bitext, alignment = shown()["bitext"], shown()["alignment"]
    words = f"source_words={len(bitext.source.ids)}, source_types={len(bitext.source.words)}"
    assert repr(bitext).startswith(f"Bitext(pairs=240, {words}, target_words=")
    assert repr(alignment).startswith(
        f"Alignment(pairs=240, links={len(alignment.source)}, mean_confidence=0."
    )
    assert repr(cepts.Links.from_pairs([[], []])) == "Links(pairs=2, links=0)"
    assert f"certificates={shown()['certified'].dual.certified.sum()}" in repr(shown()["certified"])
    assert repr(shown()["certified"].dual).startswith("DualLinks(pairs=240, certified=")
    assert "trained=False" in repr(shown()["new aligner"])
    assert f"pairs=240, source_types={len(bitext.source.words)}" in repr(shown()["aligner"])
    posterior = shown()["aligner"].posteriors(("le chat", "the black cat"))
    assert repr(posterior).startswith("Posterior(source_words=2, target_words=3, score=-")
    assert repr(shown()["aligner"].best_lists(bitext[:3], 2, "forward")) == "BestLists(pairs=3, alignments=6)"


def test_a_pair_is_drawn() -> None:
    pair = shown()["aligner"].align(("le chat noir", "the black cat"))
    assert repr(pair).startswith("PairLinks(links='0-0 1-2 2-1', score=-")
    lines = str(pair).split("\n")
    assert (lines[0].split(), lines[-1].split()) == (["le", "chat", "noir"], ["the", "black", "cat"])
    page = pair._repr_html_()
    assert page.count("<svg ") == 1
    drawn = "".join(WellFormed(page).text)
    for word in ("le", "chat", "noir", "the", "black", "cat"):
        assert drawn.count(word) >= 2, "in the matrix, and among the lines"


def test_a_pair_that_is_too_wide_for_lines_or_a_matrix() -> None:
    long = " ".join(["chat"] * 70), " ".join(["cat"] * 70)
    pair = shown()["aligner"].align(long)
    assert len(str(pair)) > 70
    assert max(map(len, str(pair).split("\n"))) <= 100
    assert len(repr(pair)) < 200
    page = pair._repr_html_()
    WellFormed(page)
    assert page.count(">chat<") == 70, "among the lines alone"
    assert str(shown()["aligner"].align(("", "the cat"))) == "\n(the)   (cat)"


def test_an_alignment_draws_its_first_pairs() -> None:
    alignment = shown()["alignment"]
    page = "".join(WellFormed(alignment._repr_html_()).text)
    assert [f"line {k}" in page for k in (1, 2, 3, 4)] == [True, True, True, False]
    assert str(alignment).startswith(repr(alignment))
    assert str(alignment[1]) in str(alignment)
    assert str(alignment[3]) not in str(alignment)
    none = shown()["aligner"].align([("", "the cat"), ("chat " * 99, "cat")])
    assert "<svg" not in none._repr_html_()
    assert str(none) == repr(none)
    assert shown()["aligner"].align([], [])._repr_html_()


def test_words_are_made_safe() -> None:
    nasty = ["<script>alert(1)</script>", "</svg>", "&amp;", "\u202eabc", "\"'"]
    alignment = cepts.align([nasty] * 3, [nasty] * 3, method="fast")
    for thing in (alignment, alignment[0], alignment.bitext):
        page = thing._repr_html_()
        WellFormed(page)
        assert "<script" not in page


def test_the_first_pairs_of_a_bitext_are_shown_as_they_stand() -> None:
    bitext = cepts.as_bitext([f"Été {k}" for k in range(9)], [f"Summer {k}" for k in range(9)])
    page = "".join(WellFormed(bitext._repr_html_()).text)
    assert "Été 4" in page
    assert "Summer 4" in page
    assert "Été 5" not in page


def test_an_evaluation_shows_its_interval() -> None:
    result = shown()["evaluation"]
    page = "".join(WellFormed(result._repr_html_()).text)
    low, high = result.interval_aer
    for wanted in (f"{100 * result.aer:.2f}", f"{100 * low:.2f} to {100 * high:.2f}", "phrases up to 3"):
        assert wanted in page
        assert wanted in str(result)


def test_an_aligner_shows_its_recipe() -> None:
    page = "".join(WellFormed(shown()["aligner"]._repr_html_()).text)
    assert "hmm_iterations:5" in page
    assert all(part in page for part in recipe("fast").signature.split("|"))


@pytest.mark.parametrize(
    "thing", [cepts.align, cepts.Aligner, cepts.Aligner.align, cepts.Link, cepts.evaluate, cepts.names.match]
)
def test_signatures_are_readable(thing: Any) -> None:
    said = str(inspect.signature(thing))
    for ugly in ("' |", ": '", "ForwardRef", " at 0x", "-> '"):
        assert ugly not in said


def test_links_of_arrays_are_not_printed() -> None:
    rows = np.arange(1000)
    assert len(repr(cepts.Links(rows, rows, np.ones(1000), np.ones(1000, bool), [0, 1000]))) < 100
