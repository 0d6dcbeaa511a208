"""The OpenAPI document is true: whatever is asked by it, or against it, is answered as it says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance

from cepts.web.app import create_app
from cepts.web.nearest import Nearest
from tests.web.corpora import make_corpus
from tests.web.pairs import PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cepts.web.service import Service

OPERATIONS = [
    ("/api/align", "post"),
    ("/api/align/text", "post"),
    ("/api/corpus", "get"),
    ("/api/corpus/{line}", "get"),
    ("/api/corpus/{line}/correction", "delete"),
    ("/api/corpus/{line}/correction", "put"),
    ("/api/explain", "post"),
    ("/api/export", "get"),
    ("/api/info", "get"),
    ("/api/names/explain", "post"),
    ("/api/names/rank", "post"),
    ("/api/names/transcribe", "post"),
    ("/api/similar/nearest", "post"),
    ("/api/similar/score", "post"),
]
# What JSON Schema has no words for: what a line of text must hold, and which words a pair has. Nor has it any for the
# longest sentence, and for half of a surrogate pair, which are not tried.
UNSAYABLE = {
    path: [positive_data_acceptance] for path in ("/api/align/text", "/api/corpus/{line}/correction")
}
POSITIVE, NEGATIVE = schemathesis.GenerationMode
CASES = [(*operation, mode) for operation in OPERATIONS for mode in (POSITIVE, NEGATIVE)]
CASES.remove(("/api/info", "get", NEGATIVE))  # it takes nothing that could be wrong
few = settings(max_examples=8, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def document(full: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document, and the application behind it, which has everything."""
    assert full.similar is not None
    lines = [[pair[side] for pair in PAIRS] for side in range(2)]
    corpus = make_corpus(tmp_path_factory.mktemp("corpus") / "corrections.jsonl")
    service = replace(full, corpus=corpus, nearest=Nearest(full.similar, *lines))
    yield schemathesis.openapi.from_asgi("/api/openapi.json", create_app(service))
    corpus.close()


def test_the_document_names_every_operation(document: Any) -> None:
    described = document.raw_schema["paths"]
    assert sorted((path, method) for path, methods in described.items() for method in methods) == OPERATIONS
    for path, method in OPERATIONS:
        operation = described[path][method]
        assert operation["summary"], path
        assert operation["description"], path
        assert {"200", "403"} <= set(operation["responses"]), path


@pytest.mark.parametrize(("path", "method", "mode"), CASES)
@given(data=st.data())
@few
def test_every_answer_is_as_described(
    document: Any, path: str, method: str, mode: schemathesis.GenerationMode, data: st.DataObject
) -> None:
    case = data.draw(document[path][method].as_strategy(generation_mode=mode))
    case.call_and_validate(excluded_checks=UNSAYABLE.get(path, []))


def test_what_the_document_says_of_bodies(document: Any) -> None:
    described, schemas = (document.raw_schema[name] for name in ("paths", "components"))
    for path, methods in described.items():
        for method in {"post", "put"} & set(methods):
            assert methods[method]["requestBody"]["required"] == (path != "/api/align/text"), path
    pair, names, near = (
        schemas["schemas"][name] for name in ("Pair", "TranscribeQuestion", "NearestQuestion")
    )
    for text in (
        *pair["properties"].values(),
        names["properties"]["names"]["items"],
        near["properties"]["text"],
    ):
        assert (text["type"], text["pattern"]) == ("string", "^[^\\u0000]*$")
    for whole in (names["properties"]["n"], near["properties"]["n"]):
        assert whole["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 100}
