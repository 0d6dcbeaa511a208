"""Links over HTTP are those of the library."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cepts
from cepts.web.limits import USUAL
from cepts.web.service import COMBINERS, Service
from cepts.web.words import encoded
from tests.web.asking import PAIR, Asking

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = [
    PAIR,
    {"source": "La  petite Maison", "target": "The small House"},
    {"source": "", "target": "nothing"},
    {"source": "le chien mange .", "target": "the dog eats ."},
]
TEXTS = [(pair["source"], pair["target"]) for pair in PAIRS]


def as_rows(links: cepts.Links) -> list[list[list[float]]]:
    return [[[link.source, link.target, round(link.confidence, 4)] for link in pair] for pair in links]


def test_many_pairs(ask: Asking, plain: Service) -> None:
    answer = ask.post("/api/align", {"pairs": PAIRS})
    links = plain.aligner.align(cepts.bitext_from_pairs(TEXTS))
    assert answer["combine"] == "posterior"
    assert [result["links"] for result in answer["results"]] == as_rows(links)
    assert links.scores is not None
    scores = [round(score, 4) for score in links.scores.tolist()]
    assert [result["score"] for result in answer["results"]] == [*scores[:2], None, scores[3]]
    assert [link[:2] for link in answer["results"][0]["links"]] == [[0, 0], [1, 2], [2, 1], [3, 3]]


def test_words_are_as_they_stand(ask: Asking) -> None:
    result = ask.post("/api/align", {"pairs": [PAIRS[1]]})["results"][0]
    assert (result["source_words"], result["target_words"]) == (
        ["La", "petite", "Maison"],
        ["The", "small", "House"],
    )


def test_no_pairs(ask: Asking) -> None:
    assert ask.post("/api/align", {"pairs": []}) == {"combine": "posterior", "results": []}


@pytest.mark.parametrize("combine", COMBINERS)
def test_each_way_to_combine(ask: Asking, model: Path, combine: str) -> None:
    answer = ask.post("/api/align", {"pairs": PAIRS, "combine": combine})
    expected = cepts.Aligner.load(model, combine=combine).align(cepts.bitext_from_pairs(TEXTS))
    assert answer["combine"] == combine
    assert [result["links"] for result in answer["results"]] == as_rows(expected)


def test_least_confidence(ask: Asking) -> None:
    found = [
        ask.post("/api/align", {"pairs": [PAIR], "min_confidence": least})["results"][0]["links"]
        for least in (0.0, 0.9, 1.0)
    ]
    assert found[1] == [link for link in found[0] if link[2] >= 0.9]
    assert len(found[0]) > len(found[1]) > len(found[2]) == 0


def test_a_combiner_that_the_model_has_not(plain: Service) -> None:
    aligner = cepts.Aligner("fast", model_type="ibm1").fit(cepts.sample_bitext())
    with Asking.of(Service(aligner)) as ask:
        assert "dual" not in ask.get("/api/info")["model"]["combiners"]
        assert ask.refused("/api/align", {"pairs": [PAIR], "combine": "dual"}).startswith(
            "combine 'dual': expected one of posterior, union"
        )
        assert "dual" not in ask.post("/api/explain", PAIR)["combined"]
    assert plain.combiners == list(COMBINERS)


def test_a_model_of_one_direction() -> None:
    aligner = cepts.Aligner("fast", training="independent", direction="forward").fit(cepts.sample_bitext())
    with Asking.of(Service(aligner)) as ask:
        described = ask.get("/api/info")["model"]
        assert (described["combine"], described["combiners"]) == ("forward", [])
        answer = ask.post("/api/align", {"pairs": [PAIR]})
        assert answer["combine"] == "forward"
        assert answer["results"][0]["links"] == as_rows(aligner.align(cepts.bitext_from_pairs(TEXTS[:1])))[0]
        assert "none, it is of one direction" in ask.refused(
            "/api/align", {"pairs": [PAIR], "combine": "union"}
        )
        explained = ask.post("/api/explain", PAIR)
        assert list(explained["combined"]) == ["forward"]
        assert (explained["cepts"], explained["certified"]) == (None, None)


def test_requests_leave_no_trace(ask: Asking, plain: Service) -> None:
    before = dict(vars(plain.aligner)), dict(plain.aligner.stopwatch.seconds)
    ask.post("/api/align", {"pairs": [PAIR], "combine": "cepts", "min_confidence": 0.7})
    ask.post("/api/align", {"pairs": [PAIR], "combine": "dual"})
    assert (vars(plain.aligner), plain.aligner.stopwatch.seconds) == before


@pytest.mark.parametrize("separator", [" ||| ", "\t"])
@pytest.mark.parametrize("scores", [False, True])
def test_lines(ask: Asking, plain: Service, separator: str, scores: bool) -> None:
    body = "".join(f"{source}{separator}{target}\n" for source, target in TEXTS)
    answer = ask.request(
        "POST",
        "/api/align/text",
        content=body.encode(),
        headers={"content-type": "text/plain"},
        params={"scores": scores, "min_confidence": 0.5},
    )
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    recipe = plain.recipe_for(min_confidence=0.5)
    links = plain.aligner.align(cepts.bitext_from_pairs(TEXTS), recipe=recipe)
    stream = StringIO()
    cepts.write_links(links, stream, "pharaoh-scores" if scores else "pharaoh")
    assert answer.text == stream.getvalue()
    assert answer.text.count("\n") == len(TEXTS)


def test_lines_without_any(ask: Asking) -> None:
    answer = ask.request("POST", "/api/align/text", content=b"")
    assert (answer.status_code, answer.text) == (200, "")


def test_lines_that_hold_no_pair(ask: Asking) -> None:
    said = ask.refused("/api/align/text", b"a ||| b\nno pair\n", headers={"content-type": "text/plain"})
    assert said.startswith("the body, line 2: ")


def test_explanation(ask: Asking, plain: Service) -> None:
    answer = ask.post("/api/explain", PAIR)
    posterior = plain.aligner.posteriors((PAIR["source"], PAIR["target"]))
    for name in ("forward", "reverse", "confidence", "source_null", "target_null"):
        np.testing.assert_allclose(answer[name], getattr(posterior, name), atol=1e-4)
    assert answer["score"] == round(posterior.score, 4)
    assert answer["threshold"] == 0.45
    assert list(answer["combined"]) == list(COMBINERS)
    assert answer["combined"]["posterior"] == [[0, 0], [1, 2], [2, 1], [3, 3]]
    assert answer["certified"] in (True, False)
    groups = answer["cepts"]
    linked = [
        [i, j]
        for i, one in enumerate(groups["source"])
        for j, two in enumerate(groups["target"])
        if one == two >= 0
    ]
    assert answer["combined"]["cepts"] == linked


@pytest.mark.parametrize(("source", "target"), [("", "the cat"), ("le chat", ""), ("", "")])
def test_explanation_of_an_empty_side(ask: Asking, source: str, target: str) -> None:
    answer = ask.post("/api/explain", {"source": source, "target": target})
    assert answer["score"] is None
    assert len(answer["forward"]) == len(answer["source_words"]) == len(source.split())
    assert len(answer["target_null"]) == len(answer["target_words"]) == len(target.split())
    assert all(links == [] for links in answer["combined"].values())


def test_threshold_and_confidences_are_those_of_posterior(model: Path) -> None:
    with Asking.of(Service(cepts.Aligner.load(model, combine="grow-diag"))) as ask:
        described = ask.get("/api/info")["model"]
        assert (described["combine"], described["threshold"]) == ("grow-diag", 0.45)
        answer = ask.post("/api/explain", PAIR)
        cells = [
            [i, j] for i, row in enumerate(answer["confidence"]) for j, cell in enumerate(row) if cell >= 0.45
        ]
        assert answer["combined"]["posterior"] == cells


def test_tokenised_text() -> None:
    aligner = cepts.Aligner("fast", tokenize=True).fit(cepts.sample_bitext())
    with Asking.of(Service(aligner)) as ask:
        assert ask.get("/api/info")["model"]["tokenized"] is True
        pair = {"source": "Le chat noir.", "target": "The black cat."}
        result = ask.post("/api/align", {"pairs": [pair]})["results"][0]
    assert result["source_words"] == ["Le", "chat", "noir", "."]
    assert result["target_words"] == ["The", "black", "cat", "."]


@given(st.lists(st.tuples(st.text(max_size=20), st.text("ab\t\n\u2028 \u00a0", max_size=20)), max_size=4))
@settings(max_examples=30)
@pytest.mark.parametrize("tokenize", [False, True])
def test_words_are_those_of_the_bitext(tokenize: bool, pairs: list[tuple[str, str]]) -> None:
    pairs = [(source.replace("\0", ""), target) for source, target in pairs]
    pairs = [(source.encode("utf-8", "replace").decode(), target) for source, target in pairs]
    options = cepts.corpus.TextOptions(tokenize=tokenize)
    found = encoded(pairs, options, USUAL)
    for side, words in ((found.bitext.source, found.source_words), (found.bitext.target, found.target_words)):
        assert [[word.lower() for word in sentence] for sentence in words] == [
            side.sentence(k) for k in range(len(side))
        ]
