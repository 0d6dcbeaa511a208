"""Names and sentences over HTTP are as in the library; without their models there is nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cepts
from cepts.names import PhraseSystem
from cepts.web.nearest import Nearest
from tests.web.asking import PAIR, Asking

if TYPE_CHECKING:
    from cepts.characters import EditModel
    from cepts.web.service import Service

NAMES = {"names": ["Anna", "Boris"], "n": 2}
LINES = [path.read_text(encoding="utf-8").splitlines()[:40] for path in cepts.sample()[:2]]


def shown(candidates: Any) -> list[dict[str, Any]]:
    return [{"text": one.text, "score": round(one.score, 4)} for one in candidates]


def test_names_are_transcribed(ask_all: Asking, names_model: EditModel) -> None:
    answer = ask_all.post("/api/names/transcribe", NAMES)
    expected = names_model.transcribe(NAMES["names"], 2)
    assert [result["name"] for result in answer["results"]] == NAMES["names"]
    assert [result["candidates"] for result in answer["results"]] == [shown(some) for some in expected]
    assert len(answer["results"][0]["candidates"]) == 2


def test_five_candidates_unless_told(ask_all: Asking) -> None:
    assert len(ask_all.post("/api/names/transcribe", {"names": ["Natalia"]})["results"][0]["candidates"]) == 5


def test_names_are_ranked(ask_all: Asking, names_model: EditModel) -> None:
    candidates = ["Борис", "Анна", "Борис", "Ольга"]
    answer = ask_all.post("/api/names/rank", {"name": "Anna", "candidates": candidates})
    assert answer["name"] == "Anna"
    expected = names_model.rank(["Anna"], ["Борис", "Анна", "Ольга"], 3)[0]
    assert answer["candidates"] == shown(expected)
    assert ask_all.post("/api/names/rank", {"name": "Anna", "candidates": []})["candidates"] == []


def test_edits_are_explained(ask_all: Asking, names_model: EditModel) -> None:
    answer = ask_all.post("/api/names/explain", {"source": "Anna", "target": "Анна"})
    assert answer["score"] == round(names_model.affinity("Anna", "Анна"), 4)
    assert answer["edits"] == [
        {"source": edit.source, "target": edit.target, "weight": round(edit.score, 4)}
        for edit in names_model.explain("Anna", "Анна")
    ]
    assert "".join(edit["target"] for edit in answer["edits"]).replace("ε", "") == "Анна"


def test_only_edit_models_explain(full: Service) -> None:
    system = object.__new__(PhraseSystem)  # nothing is asked of it
    with Asking.of(replace(full, names=system)) as ask:
        described = ask.get("/api/info")["names"]
        assert described == {"name": "names", "source_letters": None, "target_letters": None}
        assert ask.refused("/api/names/explain", {"source": "a", "target": "A"}).startswith(
            "this model of names knows no edits"
        )


def test_only_generating_models_write(full: Service) -> None:
    groups = [("ab", "aab"), ("ba", "bba")]
    comparing = cepts.EditModel.fit(groups, mode="classify", order=1, epochs=1)
    with Asking.of(replace(full, names=comparing)) as ask:
        assert "cannot write any" in ask.refused("/api/names/transcribe", NAMES)


def test_sentences_are_scored(ask_all: Asking, similar_model: cepts.Similarity) -> None:
    pairs = [PAIR, {"source": "le chat noir .", "target": "we go home ."}, {"source": "", "target": "x"}]
    answer = ask_all.post("/api/similar/score", {"pairs": pairs})
    texts = [(pair["source"], pair["target"]) for pair in pairs]
    expected = similar_model.score(cepts.bitext_from_pairs(texts)).tolist()
    assert [result["score"] for result in answer["results"]] == [round(score, 4) for score in expected]
    assert expected[0] > expected[1] > expected[2] == 0


@pytest.mark.parametrize("side", ["source", "target"])
def test_nearest_sentences_are_those_of_rank(similar_model: cepts.Similarity, side: str) -> None:
    nearest = Nearest(similar_model, *LINES)
    asked, other = LINES if side == "source" else LINES[::-1]
    for number in (0, 7):
        found = nearest(asked[number], side, 3)
        pairs = [(asked[number], line) for line in dict.fromkeys(other)]
        texts = pairs if side == "source" else [(two, one) for one, two in pairs]
        scores = similar_model.score(cepts.bitext_from_pairs(texts))
        best = np.sort(scores)[::-1][:3]
        np.testing.assert_array_equal([one.score for one in found], best)
        assert [pairs[int(np.argmax(scores))][1], other[found[0].number]] == [found[0].text] * 2


def test_a_sentence_that_stands_twice_is_found_once(similar_model: cepts.Similarity) -> None:
    nearest = Nearest(similar_model, ["le chat", "le chien", "le chat"], ["the cat", "the dog", "the cat"])
    assert [(one.number, one.text) for one in nearest("le chat", "source", 3)][:1] == [(0, "the cat")]
    assert len(nearest("le chat", "source", 3)) == 2


def test_nearest_over_http(full: Service, similar_model: cepts.Similarity) -> None:
    service = replace(full, nearest=Nearest(similar_model, *LINES))
    with Asking.of(service) as ask:
        assert ask.get("/api/info")["similar"] == {"name": "similar", "nearest": True}
        asked = {"text": LINES[0][3], "side": "source", "n": 2}
        results = ask.post("/api/similar/nearest", asked)["results"]
        assert len(results) == 2
        assert results[0]["text"] == LINES[1][results[0]["line"] - 1]
        assert results[0]["score"] >= results[1]["score"]
        assert len(ask.post("/api/similar/nearest", asked | {"side": "target", "n": None})["results"]) == 10
        assert ask.post("/api/similar/nearest", {"text": "", "side": "source"})["results"] == []


def test_without_a_corpus_nothing_is_near(ask_all: Asking) -> None:
    question = {"text": "a", "side": "source"}
    assert ask_all.refused("/api/similar/nearest", question, 404) == (
        "no corpus is served: start with --source, --target"
    )
    assert ask_all.get("/api/info")["similar"] == {"name": "similar", "nearest": False}


@pytest.mark.parametrize(
    ("path", "question", "said"),
    [
        ("/api/names/transcribe", NAMES, "no model of names is served: start with --names MODEL"),
        (
            "/api/names/rank",
            {"name": "a", "candidates": []},
            "no model of names is served: start with --names MODEL",
        ),
        (
            "/api/names/explain",
            {"source": "a", "target": "b"},
            "no model of names is served: start with --names MODEL",
        ),
        (
            "/api/similar/score",
            {"pairs": []},
            "no model of sentences is served: start with --similar MODEL",
        ),
        (
            "/api/similar/nearest",
            {"text": "a", "side": "target"},
            "no model of sentences is served: start with --similar MODEL",
        ),
    ],
)
def test_what_is_not_served(ask: Asking, path: str, question: dict[str, Any], said: str) -> None:
    assert ask.refused(path, question, 404) == said


def test_no_corpus(ask: Asking) -> None:
    for path in ("/api/corpus", "/api/corpus/17", "/api/export", "/api/corpus/1/correction"):
        assert ask.get(path, 404) == {"error": "no corpus is served: start with --source, --target"}
    assert ask.get("/api/info")["corpus"] is None


def test_info(ask_all: Asking, full: Service) -> None:
    told = ask_all.get("/api/info")
    assert told["version"] == cepts.__version__
    assert told["model"] == {
        "name": "sample-model",
        "method": "best",
        "pairs": len(cepts.sample_bitext()),
        "combine": "posterior",
        "combiners": full.combiners,
        "threshold": 0.45,
        "calibrated": True,
        "tokenized": False,
    }
    assert told["names"]["source_letters"] > 20
    assert told["limits"] == {"pairs": 1000, "words": 400, "characters": 10000, "body_bytes": 8000000}
    assert told["token_needed"] is False
