"""Whatever is sent: an answer of 4xx that says why, never a failure of ours."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from cepts.web.limits import USUAL
from tests.web.asking import PAIR, Asking

LONG = " ".join(["mot"] * 10_000)
MANY = {"pairs": [PAIR] * 1001}
BAD_BODIES: list[tuple[Any, int, str]] = [
    (b"", 422, "body: field required"),
    (b"{", 400, "the body is no JSON: "),
    (b"\xff\xfe{}", 400, ""),
    (b'{"pairs": [{"source": "\xff", "target": "a"}]}', 400, ""),
    (b"[" * 100_000, 400, ""),
    (b'{"pairs": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", 400, "the body is no JSON that can be read"),
    (b"null", 422, ""),
    ([], 422, ""),
    ({}, 422, "pairs: field required"),
    ({"pairs": None}, 422, "pairs: "),
    ({"pairs": [1]}, 422, "pairs.0: "),
    ({"pairs": [{"source": "a"}]}, 422, "pairs.0.target: field required"),
    ({"pairs": [{"source": 1, "target": "a"}]}, 422, "pairs.0.source: "),
    ({"pairs": [PAIR | {"more": 1}]}, 422, "pairs.0.more: "),
    ({"pairs": [PAIR], "more": 1}, 422, "more: extra inputs are not permitted"),
    ({"pairs": [PAIR], "combine": "nothing"}, 422, "combine: "),
    ({"pairs": [PAIR], "min_confidence": 1.5}, 422, "min_confidence: "),
    ({"pairs": [PAIR], "min_confidence": -0.1}, 422, "min_confidence: "),
    ({"pairs": [PAIR], "min_confidence": "0.5"}, 422, "min_confidence: "),
    ({"pairs": [PAIR], "min_confidence": True}, 422, "min_confidence: "),
    (b'{"pairs": [], "min_confidence": NaN}', 422, ""),
    (b'{"pairs": [], "min_confidence": Infinity}', 422, ""),
    (b'{"pairs": [], "min_confidence": 1e999}', 422, ""),
    (b'{"pairs": [], "min_confidence": ' + b"9" * 10_000 + b"}", 400, ""),
    (b'{"pairs": [], "min_confidence": 1' + b"0" * 400 + b"}", 422, ""),
    (
        b'{"pairs": [{"source": "\\ud800", "target": "a"}]}',
        422,
        "pairs.0.source: text holds no half of a surrogate pair",
    ),
    (b'{"pairs": [{"source": "a", "target": "\\udfff\\ud800"}]}', 422, "pairs.0.target: "),
    (b'{"\\ud800": 1}', 422, ""),
    ({"pairs": [{"source": "a\0b", "target": "c"}]}, 422, "pairs.0.source: text holds no NUL character"),
    ({"pairs": [{"source": LONG, "target": "a"}]}, 422, "source: 39,999 characters, expected at most 10,000"),
    ({"pairs": [PAIR, {"source": "a", "target": "b " * 401}]}, 422, "target of pair 2: 401 words, "),
    (MANY, 422, "1,001 pairs, expected at most 1,000: send fewer at a time"),
]


@pytest.mark.parametrize(("body", "status", "said"), BAD_BODIES)
def test_bad_bodies(ask: Asking, body: Any, status: int, said: str) -> None:
    assert ask.refused("/api/align", body, status).startswith(said)


def test_what_is_wrong_has_a_name(ask: Asking) -> None:
    answer = ask.post("/api/align", {"pairs": [PAIR, {"source": "a", "target": 3}]}, 422)
    assert answer == {"error": "pairs.1.target: input should be a valid string", "field": "pairs.1.target"}


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_another_type_of_body(ask: Asking, kind: str) -> None:
    said = ask.refused("/api/align", {"pairs": [PAIR]}, headers={"content-type": kind})
    assert said == "body: expected a JSON object, sent as Content-Type: application/json"


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("/api/names/transcribe", {"names": ["a\0"]}),
        ("/api/names/transcribe", {"names": [""]}),
        ("/api/names/transcribe", {"names": ["a" * 201]}),
        ("/api/names/transcribe", {"names": ["a"], "n": 0}),
        ("/api/names/transcribe", {"names": ["a"], "n": 10**30}),
        ("/api/names/transcribe", {"names": ["a"], "n": 2.5}),
        ("/api/names/transcribe", {"names": ["a"], "n": 1e30}),
        ("/api/names/transcribe", {"names": ["a"], "n": True}),
        ("/api/names/transcribe", {"names": ["a"], "n": "2"}),
        ("/api/names/transcribe", {"names": ["a"] * 1001}),
        ("/api/names/rank", {"name": "a", "candidates": ["a" * 201]}),
        ("/api/names/rank", {"name": "a", "candidates": ["a"] * 1001}),
        ("/api/names/rank", {"name": "a" * 201, "candidates": ["a"]}),
        ("/api/names/explain", {"source": "a", "target": "a" * 201}),
        ("/api/similar/score", MANY),
        ("/api/similar/score", {"pairs": [{"source": LONG, "target": ""}]}),
    ],
)
def test_bad_names_and_sentences(ask_all: Asking, path: str, question: Any) -> None:
    ask_all.refused(path, question)


def test_a_number_that_is_whole_is_an_integer_however_it_is_written(ask_all: Asking) -> None:
    question = {"names": ["Ольга"], "n": 2.0}
    (result,) = ask_all.post("/api/names/transcribe", question)["results"]
    assert len(result["candidates"]) == 2


def test_an_empty_body_has_no_lines(ask: Asking) -> None:
    answer = ask.request("POST", "/api/align/text")
    assert (answer.status_code, answer.text) == (200, "")


@pytest.mark.parametrize(
    "body",
    [
        b"a ||| b\n\xff ||| c\n",
        b"a\0 ||| b\n",
        b"a\n",
        b"a ||| b ||| c\n",
        b"a ||| b\n" * 1001,
        f"{LONG} ||| a\n".encode(),
        "\ud800 ||| a".encode("utf-8", "surrogatepass"),
    ],
)
def test_bad_lines(ask: Asking, body: bytes) -> None:
    ask.refused("/api/align/text", body, headers={"content-type": "text/plain"})


@pytest.mark.parametrize(
    "query",
    ["combine=x", "min_confidence=2", "min_confidence=nan", "min_confidence=%ff", "scores=perhaps"],
)
def test_bad_queries(ask: Asking, query: str) -> None:
    ask.refused(f"/api/align/text?{query}", b"a ||| b\n", headers={"content-type": "text/plain"})


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "\u202eabc", "\u2028", "&amp;\"'", "😀 é", "\x01\x7f"]
)
def test_odd_text_comes_back_as_it_is(ask: Asking, text: str) -> None:
    result = ask.post("/api/align", {"pairs": [{"source": text, "target": text}]})["results"][0]
    assert result["source_words"] == result["target_words"] == [word for word in text.split(" ") if word]


def test_many_cells(ask: Asking) -> None:
    pair = {"source": "a " * 300, "target": "b " * 300}
    said = ask.refused("/api/align", {"pairs": [pair] * 223})
    assert said.startswith("the pairs have 20,070,000 possible links together, expected at most 20,000,000")


def test_messages_are_short(ask: Asking) -> None:
    said = ask.refused("/api/align", json.dumps({"x" * 10_000: 1, "pairs": []}))
    assert len(said) == 500


def test_a_body_that_is_too_large(full: Any) -> None:
    with Asking.of(full, replace(USUAL, body_bytes=1000)) as ask:
        said = "the body is larger than 1,000 bytes: send less at a time"
        assert ask.refused("/api/align", b" " * 1001, 413) == said

        async def parts() -> Any:  # no length is told beforehand
            for _ in range(11):
                yield b" " * 100

        for path in ("/api/align", "/api/align/text"):
            answer = ask.request("POST", path, content=parts(), headers={"content-type": "application/json"})
            assert (answer.status_code, answer.json()) == (413, {"error": said})
